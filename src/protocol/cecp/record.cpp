// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/cecp/record.hpp"

#include "chess/game.hpp"

namespace rokada::protocol::cecp {

void Record::reset(const Position& start) {
    positions_.assign(1, start);
    moves_.clear();
}

void Record::play(Move move) {
    Position next = position();
    next.play(move);
    positions_.push_back(next);
    moves_.push_back(move);
}

bool Record::take_back() {
    if (moves_.empty()) return false;
    positions_.pop_back();
    moves_.pop_back();
    return true;
}

std::optional<Outcome> Record::outcome() const {
    Game game(start(), DrawRule::Automatic);
    for (const Move move : moves_)
        if (!game.play(move)) {
            // Played on after a draw nobody claimed: look at the board alone.
            game = Game(position(), DrawRule::Automatic);
            break;
        }
    return game.outcome();
}

std::string claim_text(const Outcome& outcome) {
    if (outcome.winner)
        return *outcome.winner == Color::White ? "1-0 {White mates}" : "0-1 {Black mates}";
    switch (outcome.reason) {
        case EndReason::Stalemate: return "1/2-1/2 {Stalemate}";
        case EndReason::InsufficientMaterial:
            return "1/2-1/2 {Draw by insufficient mating material}";
        case EndReason::FiftyMoves:
        case EndReason::SeventyFiveMoves: return "1/2-1/2 {Draw by fifty-move rule}";
        default: break;
    }
    return "1/2-1/2 {Draw by repetition}";
}

BoardEditor::Step BoardEditor::line(std::string_view text) {
    text = trimmed(text);
    if (text == ".") return Step::Done;
    if (text == "#") {
        for (Piece& piece : setup_.board) piece = Piece::None;
        return Step::More;
    }
    if (text == "c") {
        color_ = ~color_;
        return Step::More;
    }
    if (text.empty()) return Step::More;
    if (text.size() != 3) return Step::Bad;
    const Square square = parse_square(text[1], text[2]);
    const PieceType type = parse_piece_type(text[0]);
    if (square == Square::None || (type == PieceType::None && text[0] != 'x')) return Step::Bad;
    setup_.board[square] = type == PieceType::None ? Piece::None : make_piece(color_, type);
    return Step::More;
}

Result<Position, SetupErrors> BoardEditor::position() const {
    Setup setup = setup_;
    setup.en_passant = Square::None;
    setup.castling = CastlingRights();
    setup.halfmove_clock = 0;
    for (const Color color : kColors) {
        if (setup.board[relative(color, Square::E1)] != make_piece(color, PieceType::King))
            continue;
        const Piece rook = make_piece(color, PieceType::Rook);
        const Square king_rook = relative(color, Square::H1),
                     queen_rook = relative(color, Square::A1);
        if (setup.board[king_rook] == rook)
            setup.castling.set(color, CastlingSide::King, king_rook);
        if (setup.board[queen_rook] == rook)
            setup.castling.set(color, CastlingSide::Queen, queen_rook);
    }
    return Position::from_setup(setup);
}

}  // namespace rokada::protocol::cecp
