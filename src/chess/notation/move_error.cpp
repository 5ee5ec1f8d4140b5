// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/move_error.hpp"

#include "chess/notation/san.hpp"

namespace rokada {

namespace {

std::string_view name_of(PieceType type) {
    constexpr std::string_view names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    return names[index(type)];
}

std::string_view name_of(Color c) { return c == Color::White ? "White" : "Black"; }

std::string join(const std::string& a, std::string_view between, const std::string& b) {
    return a.empty() ? b : a + std::string(between) + b;
}

// "e4 and e5"
std::string list(Bitboard squares) {
    std::string text;
    for (const Square s : squares) text = join(text, " and ", to_string(s));
    return text;
}

// "the rook on e1 and the queen on e7"
std::string list_pieces(const Position& position, Bitboard squares) {
    std::string text;
    for (const Square s : squares) {
        const Piece piece = position.at(s);
        const std::string name(piece == Piece::None ? "piece" : name_of(type_of(piece)));
        text = join(text, " and ", "the " + name + " on " + to_string(s));
    }
    return text;
}

std::string because(const Position& position, Square from, Square to, PieceType promotion) {
    const auto illegal = explain_illegal(position, from, to, promotion);
    return illegal ? describe(position, *illegal) : "it is not legal here";
}

// As if nothing but the way the piece moves mattered: what the writer may have had in mind.
Bitboard imagined_origins(const Position& position, PieceType type, const MoveText& written) {
    const Color us = position.turn();
    const Bitboard candidates = position.pieces(us, type) & written.origin;
    if (type != PieceType::Pawn)
        return piece_attacks(type, written.to, position.occupied()) & candidates;
    Bitboard reach;
    for (const Square from : candidates) {
        const bool attacks = pawn_attacks(us, from).contains(written.to);
        const bool ahead = file_of(from) == file_of(written.to) && !written.captures;
        if (attacks || ahead) {
            const auto illegal = explain_illegal(position, from, written.to, PieceType::Queen);
            if (!illegal || illegal->reason != IllegalReason::CannotMoveLikeThat)
                reach |= Bitboard{from};
        }
    }
    return reach;
}

std::string why_no_move_fits(const Position& position, const MoveText& written) {
    const Color us = position.turn();
    if (written.castling != MoveText::Castling::No) {
        const bool king_side = written.castling == MoveText::Castling::KingSide;
        const CastlingSide side = king_side ? CastlingSide::King : CastlingSide::Queen;
        const Square rook = position.castling().rook(us, side);
        if (rook == Square::None)
            return std::string(name_of(us)) + " has lost the right to castle on the " +
                   (king_side ? "king" : "queen") + "'s side";
        return because(position, position.king(us), rook, PieceType::None);
    }
    if (written.names_square) {
        const Square from = written.origin.first();
        const Piece piece = position.at(from);
        if (piece != Piece::None && color_of(piece) == us && written.type != PieceType::None &&
            type_of(piece) != written.type)
            return "on " + to_string(from) + " stands a " + std::string(name_of(type_of(piece))) +
                   ", not a " + std::string(name_of(written.type));
        return because(position, from, written.to, written.promotion);
    }
    const PieceType type = written.type == PieceType::None ? PieceType::Pawn : written.type;
    if (position.pieces(us).contains(written.to))
        return describe(position,
                        {IllegalReason::OwnPieceOnTarget, Bitboard{written.to}, kNoSquares});
    const Bitboard imagined = imagined_origins(position, type, written);
    if (imagined.any()) return because(position, imagined.first(), written.to, written.promotion);
    if (position.pieces(us, type).empty())
        return std::string(name_of(us)) + " has no " + std::string(name_of(type));
    return "no " + std::string(name_of(type)) + " of " + std::string(name_of(us)) +
           ((position.pieces(us, type) & written.origin).empty() ? " stands there"
                                                                 : " can reach ") +
           ((position.pieces(us, type) & written.origin).empty() ? "" : to_string(written.to));
}

std::string ambiguous(const Position& position, const MoveText& written,
                      const FittingMoves& moves) {
    std::string names;
    for (const Square from : moves.origins) {
        Move move(from, written.to);
        if (moves.move.is_en_passant()) move = Move::en_passant(from, written.to);
        if (moves.move.is_promotion())
            move = Move::promotion(from, written.to, moves.move.promoted());
        names = join(names, " or ", to_san(position, move));
    }
    return "it could be " + names;
}

}  // namespace

std::string describe(const Position& position, const IllegalMove& illegal) {
    const Bitboard at = illegal.at;
    const auto one = [at] { return to_string(at.first()); };
    switch (illegal.reason) {
        case IllegalReason::NoPiece: return "there is no piece on " + one();
        case IllegalReason::NotYourTurn:
            return list_pieces(position, at) + " is not " + std::string(name_of(position.turn())) +
                   "'s";
        case IllegalReason::OwnPieceOnTarget: return "an own piece stands on " + one();
        case IllegalReason::CannotMoveLikeThat:
            return list_pieces(position, at) + " cannot move like that";
        case IllegalReason::PathBlocked:
            return list_pieces(position, at) + (at.several() ? " are" : " is") + " in the way";
        case IllegalReason::Pinned:
            return list_pieces(position, at) + " is pinned by " + list_pieces(position, illegal.by);
        case IllegalReason::CheckNotAnswered:
            return "the check by " + list_pieces(position, illegal.by) + " is not answered";
        case IllegalReason::KingWouldBeInCheck:
            return "the king would be in check by " + list_pieces(position, illegal.by);
        case IllegalReason::CastlingRightGone: return "the right to castle there is gone";
        case IllegalReason::CastlingInCheck:
            return "no castling while in check by " + list_pieces(position, illegal.by);
        case IllegalReason::CastlingBlocked:
            return list_pieces(position, at) + (at.several() ? " are" : " is") +
                   " in the way of castling";
        case IllegalReason::CastlingThroughAttack:
            return "the king would castle over " + list(at) + ", attacked by " +
                   list_pieces(position, illegal.by);
        case IllegalReason::EnPassantNotAvailable:
            return "the pawn on " + one() + " cannot be taken en passant now";
        case IllegalReason::PromotionPieceNeeded: return "the piece to promote to is missing";
        case IllegalReason::PromotionNotPossible: return "there is no promotion on " + one();
    }
    return "it is not legal here";
}

ParseError explain_unplayable(const Position& position, std::string_view text,
                              const MoveText& written) {
    const std::size_t at = written.fault_at;
    switch (written.fault) {
        case MoveText::Fault::None: break;
        case MoveText::Fault::Empty: return {0, "a move is missing"};
        case MoveText::Fault::NoTarget:
            return {at, quoted(text) + " ends before the square to move to"};
        case MoveText::Fault::Unexpected: {
            if (at >= text.size()) return {at, quoted(text) + " is no whole move"};
            return {at, quoted(text[at]) + " does not belong in the move " + quoted(text)};
        }
        case MoveText::Fault::BadPromotion:
            if (at >= text.size()) return {at, "the piece to promote to is missing"};
            return {at, quoted(text[at]) + " is no piece to promote to"};
    }
    const FittingMoves moves = find_moves(position, written);
    if (moves.needs_promotion) return {text.size(), "the piece to promote to is missing"};
    if (moves.origins.several())
        return {0, quoted(text) + " is ambiguous: " + ambiguous(position, written, moves)};
    return {0, quoted(text) + " is illegal: " + why_no_move_fits(position, written)};
}

}  // namespace rokada
