// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/fen.hpp"

#include <optional>

namespace rokada {

namespace {

constexpr int kLargestCounter = 9999;

// Splits at blanks and remembers where each field began.
class Fields {
  public:
    explicit Fields(std::string_view text) : text_(text) {}
    bool at_end() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
        return at_ == text_.size();
    }
    std::string_view next() {
        if (at_end()) return {};
        begin_ = at_;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        return text_.substr(begin_, at_ - begin_);
    }
    std::size_t begin() const { return begin_; }
    std::size_t end() const { return at_; }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    std::string_view text_;
    std::size_t at_ = 0, begin_ = 0;
};

using Problem = std::optional<ParseError>;

Problem read_board(std::string_view field, std::size_t offset, Setup& setup) {
    int rank = 7, file = 0;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const char c = field[i];
        if (c == '/') {
            if (file != 8)
                return ParseError{offset + i, std::string("rank ") + std::to_string(rank + 1) +
                                                  " has " + std::to_string(file) +
                                                  " squares, not 8"};
            if (rank == 0) return ParseError{offset + i, "the board has more than 8 ranks"};
            --rank;
            file = 0;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (const Piece p = parse_piece(c); p != Piece::None) {
            if (file < 8) setup.board[square_at(rank * 8 + file)] = p;
            ++file;
        } else {
            return ParseError{offset + i, quoted(c) + " is no piece, digit or '/'"};
        }
        if (file > 8)
            return ParseError{offset + i,
                              "rank " + std::to_string(rank + 1) + " has more than 8 squares"};
    }
    if (rank != 0 || file != 8)
        return ParseError{offset + field.size(), "the board ends before h1"};
    return std::nullopt;
}

// The rook a letter K or Q means: the outermost one on that side of the king. Where there is none the
// corner is named, so that the check of the setup reports the right as unfounded.
Square outermost_rook(const Setup& setup, Color c, CastlingSide side) {
    const bool king_side = side == CastlingSide::King;
    const Square corner = relative(c, king_side ? Square::H1 : Square::A1);
    Square rook = Square::None;
    for (int i = 0; i < 8; ++i) {  // from the corner inwards
        const Square s = king_side ? square_at(index(corner) - i) : square_at(index(corner) + i);
        const Piece piece = setup.board[s];
        if (piece == make_piece(c, PieceType::King)) return rook == Square::None ? corner : rook;
        if (piece == make_piece(c, PieceType::Rook) && rook == Square::None) rook = s;
    }
    return corner;
}

Problem read_castling(std::string_view field, std::size_t offset, Setup& setup) {
    if (field == "-") return std::nullopt;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const char letter = field[i];
        const bool lower = letter >= 'a' && letter <= 'z';
        const Color c = lower ? Color::Black : Color::White;
        const char upper = lower ? static_cast<char>(letter - 'a' + 'A') : letter;
        Square rook = Square::None;
        CastlingSide side = CastlingSide::King;
        if (upper == 'K' || upper == 'Q') {
            side = upper == 'K' ? CastlingSide::King : CastlingSide::Queen;
            rook = outermost_rook(setup, c, side);
        } else if (upper >= 'A' && upper <= 'H') {
            rook = make_square(static_cast<File>(upper - 'A'), relative(c, Rank::R1));
            const Bitboard kings =
                setup.pieces(c, PieceType::King) & Bitboard{relative(c, Rank::R1)};
            const Square king = kings.any() ? kings.first() : relative(c, Square::E1);
            side = rook > king ? CastlingSide::King : CastlingSide::Queen;
            // With a king too many the side is anybody's guess; the check of the setup will say so.
            if (kings.several() && setup.castling.has(c, side))
                side = side == CastlingSide::King ? CastlingSide::Queen : CastlingSide::King;
        } else {
            return ParseError{offset + i, quoted(letter) + " is no castling letter"};
        }
        if (setup.castling.has(c, side))
            return ParseError{offset + i, quoted(letter) + " names a castling right twice"};
        setup.castling.set(c, side, rook);
    }
    return std::nullopt;
}

Problem read_en_passant(std::string_view field, std::size_t offset, Setup& setup) {
    if (field == "-") return std::nullopt;
    if (field.size() == 2) setup.en_passant = parse_square(field[0], field[1]);
    if (setup.en_passant == Square::None)
        return ParseError{offset, quoted(field) + " is no en passant square"};
    return std::nullopt;
}

Problem read_counter(std::string_view field, std::size_t offset, const char* name, int& counter) {
    int value = 0;
    for (const char c : field) {
        if (c < '0' || c > '9') return ParseError{offset, quoted(field) + " is no " + name};
        value = value * 10 + (c - '0');
        if (value > kLargestCounter)
            return ParseError{offset, std::string("the ") + name + " is above " +
                                          std::to_string(kLargestCounter)};
    }
    counter = value;
    return std::nullopt;
}

// One text grows from field to field: positions are written by the thousand.
void append_board(std::string& out, const Setup& setup) {
    char field[72];
    char* end = field;
    for (int rank = 7; rank >= 0; --rank) {
        int gap = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece p = setup.board[square_at(rank * 8 + file)];
            if (p == Piece::None) {
                ++gap;
                continue;
            }
            if (gap > 0) *end++ = static_cast<char>('0' + gap);
            gap = 0;
            *end++ = to_char(p);
        }
        if (gap > 0) *end++ = static_cast<char>('0' + gap);
        if (rank > 0) *end++ = '/';
    }
    out.append(field, static_cast<std::size_t>(end - field));
}

void append_castling(std::string& out, const Setup& setup, CastlingStyle style) {
    const std::size_t before = out.size();
    for (const Color c : kColors) {
        for (const CastlingSide side : kCastlingSides) {
            const Square rook = setup.castling.rook(c, side);
            if (rook == Square::None) continue;
            const bool plain =
                style == CastlingStyle::XFen && rook == outermost_rook(setup, c, side);
            const char upper = plain ? (side == CastlingSide::King ? 'K' : 'Q')
                                     : static_cast<char>('A' + index(file_of(rook)));
            out += c == Color::White ? upper : static_cast<char>(upper - 'A' + 'a');
        }
    }
    if (out.size() == before) out += '-';
}

std::string first_four_fields(const Setup& setup, CastlingStyle style) {
    constexpr std::size_t kLongest = 100;
    std::string out;
    out.reserve(kLongest);
    append_board(out, setup);
    out += setup.turn == Color::White ? " w " : " b ";
    append_castling(out, setup, style);
    out += ' ';
    out += to_string(setup.en_passant);
    return out;
}

}  // namespace

Result<Setup, ParseError> parse_fen(std::string_view text) {
    Setup setup;
    Fields fields(text);
    const auto missing = [&fields](const char* what) {
        return Error{ParseError{fields.end(), std::string("the FEN ends before ") + what}};
    };

    if (fields.at_end()) return missing("the board");
    std::string_view field = fields.next();
    if (auto problem = read_board(field, fields.begin(), setup)) return Error{*problem};

    if (fields.at_end()) return missing("the side to move");
    field = fields.next();
    if (field != "w" && field != "b")
        return Error{ParseError{fields.begin(), quoted(field) + " is not 'w' or 'b'"}};
    setup.turn = field == "w" ? Color::White : Color::Black;

    if (fields.at_end()) return missing("the castling rights");
    field = fields.next();
    if (auto problem = read_castling(field, fields.begin(), setup)) return Error{*problem};

    if (fields.at_end()) return missing("the en passant square");
    field = fields.next();
    if (auto problem = read_en_passant(field, fields.begin(), setup)) return Error{*problem};

    if (!fields.at_end()) {
        field = fields.next();
        if (auto problem =
                read_counter(field, fields.begin(), "halfmove clock", setup.halfmove_clock))
            return Error{*problem};
    }
    if (!fields.at_end()) {
        field = fields.next();
        if (auto problem =
                read_counter(field, fields.begin(), "move number", setup.fullmove_number))
            return Error{*problem};
        if (setup.fullmove_number == 0) setup.fullmove_number = 1;
    }
    if (!fields.at_end()) {
        field = fields.next();
        return Error{ParseError{fields.begin(), "unexpected " + quoted(field) + " after the FEN"}};
    }
    return setup;
}

Result<Position, ParseError> parse_position(std::string_view fen) {
    auto setup = parse_fen(fen);
    if (!setup) return Error{setup.error()};
    auto position = Position::from_setup(*setup);
    if (!position) return Error{ParseError{0, "illegal position: " + position.error().message()}};
    return *std::move(position);
}

std::string to_fen(const Setup& setup, CastlingStyle castling) {
    std::string out = first_four_fields(setup, castling);
    for (const int counter : {setup.halfmove_clock, setup.fullmove_number}) {
        out += ' ';
        out += std::to_string(counter);
    }
    return out;
}

std::string to_fen(const Position& position, CastlingStyle castling, EnPassantStyle en_passant) {
    Setup setup = position.to_setup();
    if (en_passant == EnPassantStyle::Always) setup.en_passant = position.double_step();
    return to_fen(setup, castling);
}

std::string to_fen_without_counters(const Position& position) {
    return first_four_fields(position.to_setup(), CastlingStyle::XFen);
}

}  // namespace rokada
