// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/polyglot.hpp"

#include <algorithm>
#include <cstdio>

#include "chess/polyglot_random.hpp"

namespace rokada {

namespace {

// Where each kind of number begins in the table.
constexpr std::size_t kCastling = 768, kEnPassant = 772, kWhiteToMove = 780;

// The format counts black pawn 0, white pawn 1, black knight 2 and so on.
std::size_t piece_kind(Piece p) {
    return static_cast<std::size_t>(index(type_of(p)) * 2 + (color_of(p) == Color::White ? 1 : 0));
}

// What the 16 bits say, as a legal move; none if they say nothing legal.
Move decode(const Position& position, std::uint64_t bits) {
    const Square to = square_at(static_cast<int>(bits & 63));
    const Square from = square_at(static_cast<int>((bits >> 6) & 63));
    const auto promotion = static_cast<int>((bits >> 12) & 7);
    if (promotion > 0) {
        if (promotion > 4) return Move();
        const auto piece = static_cast<PieceType>(index(PieceType::Pawn) + promotion);
        const Move move = Move::promotion(from, to, piece);
        return position.is_legal(move) ? move : Move();
    }
    // Castling is king takes rook; some books write the king's own move instead.
    if (position.at(from) == make_piece(position.turn(), PieceType::King)) {
        for (const CastlingSide side : kCastlingSides) {
            const Square rook = position.castling().rook(position.turn(), side);
            if (rook == Square::None) continue;
            const bool by_king_move =
                to == castled_king(position.turn(), side) && !position.is_legal(Move(from, to));
            const Move move = Move::castling(from, rook);
            if ((to == rook || by_king_move) && position.is_legal(move)) return move;
        }
    }
    for (const Move move : {Move(from, to), Move::en_passant(from, to)})
        if (position.is_legal(move)) return move;
    return Move();
}

}  // namespace

Key polyglot_key(const Position& position) {
    Key key = 0;
    for (const Square s : position.occupied())
        key ^= kPolyglotRandom[64 * piece_kind(position.at(s)) + static_cast<std::size_t>(s)];
    for (std::size_t right = 0; right < 4; ++right)
        if (position.castling().set() >> right & 1) key ^= kPolyglotRandom[kCastling + right];
    if (const Square target = position.double_step(); target != Square::None) {
        const Bitboard takers = pawn_attacks(~position.turn(), target) &
                                position.pieces(position.turn(), PieceType::Pawn);
        if (takers.any())
            key ^= kPolyglotRandom[kEnPassant + static_cast<std::size_t>(file_of(target))];
    }
    if (position.turn() == Color::White) key ^= kPolyglotRandom[kWhiteToMove];
    return key;
}

// Big-endian, as the format has it.
std::uint64_t PolyglotBook::number(std::size_t entry, std::size_t offset, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8 | bytes_[entry * kEntrySize + offset + i];
    return value;
}

Result<PolyglotBook, std::string> PolyglotBook::view(std::span<const std::uint8_t> bytes) {
    if (bytes.size() % kEntrySize != 0)
        return Error{"no Polyglot book: " + std::to_string(bytes.size()) +
                     " bytes, not a multiple of 16"};
    PolyglotBook book;
    book.bytes_ = bytes;
    for (std::size_t i = 1; i < book.entries(); ++i)
        if (book.key(i - 1) > book.key(i))
            return Error{"no Polyglot book: entry " + std::to_string(i + 1) + " is out of order"};
    return book;
}

Result<PolyglotBook, std::string> PolyglotBook::read(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (!file) return Error{"cannot open " + path};
    auto bytes = std::make_shared<std::vector<std::uint8_t>>();
    std::array<std::uint8_t, 1 << 14> buffer;
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get()))
        bytes->insert(bytes->end(), buffer.begin(),
                      buffer.begin() + static_cast<std::ptrdiff_t>(got));
    if (std::ferror(file.get())) return Error{"cannot read " + path};
    auto book = view(*bytes);
    if (!book) return Error{path + ": " + book.error()};
    book->owned_ = std::move(bytes);
    return book;
}

std::vector<BookMove> PolyglotBook::moves(const Position& position) const {
    std::vector<BookMove> moves;
    const Key wanted = polyglot_key(position);
    std::size_t low = 0, high = entries();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (key(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < entries() && key(low) == wanted; ++low) {
        const Move move = decode(position, number(low, 8, 2));
        const auto same = [move](const BookMove& other) { return other.move == move; };
        if (move.none() || std::any_of(moves.begin(), moves.end(), same)) continue;
        const auto weight = static_cast<std::uint16_t>(number(low, 10, 2));
        const auto lighter =
            std::find_if(moves.begin(), moves.end(),
                         [weight](const BookMove& other) { return other.weight < weight; });
        moves.insert(lighter, {move, weight});
    }
    return moves;
}

std::optional<Move> PolyglotBook::best(const Position& position) const {
    const std::vector<BookMove> known = moves(position);
    if (known.empty() || known.front().weight == 0) return std::nullopt;
    return known.front().move;
}

std::optional<Move> PolyglotBook::random(const Position& position,
                                         std::uint64_t random_bits) const {
    const std::vector<BookMove> known = moves(position);
    std::uint64_t sum = 0;
    for (const BookMove& move : known) sum += move.weight;
    if (sum == 0) return std::nullopt;
    std::uint64_t rest = random_bits % sum;
    for (const BookMove& move : known) {
        if (rest < move.weight) return move.move;
        rest -= move.weight;
    }
    return std::nullopt;
}

}  // namespace rokada
