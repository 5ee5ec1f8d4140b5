// SPDX-License-Identifier: GPL-3.0-or-later
// A UCI engine that counts moves with our rules and one mistake, named on its command line. The
// comparison of move counts must find it.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada {
namespace {

std::string mistake;

struct Wrong {
    std::vector<Move> playable;
    std::vector<Move> illegal;  // counted, but there is no position behind them
};

Wrong moves_of(const Position& p) {
    Wrong moves;
    const Color us = p.turn();
    for (const Move m : legal_moves(p)) {
        // "No square between king and rook may be attacked": true of the king's way only.
        if (mistake == "castling" && m.is_castling() && m.castling_side() == CastlingSide::Queen &&
            p.attacked_by(~us, make_square(File::B, relative(us, Rank::R1)), p.occupied()))
            continue;
        if (mistake == "evasion" && m.is_en_passant() && p.in_check()) continue;
        moves.playable.push_back(m);
    }
    // The two pawns that leave the rank open a line to the king.
    if (mistake == "pin" && p.double_step() != Square::None && !p.in_check())
        for (const Square from : pawn_attacks(~us, p.double_step()) & p.pieces(us, PieceType::Pawn))
            if (!p.is_legal(Move::en_passant(from, p.double_step())))
                moves.illegal.push_back(Move::en_passant(from, p.double_step()));
    return moves;
}

std::uint64_t count(const Position& p, int depth) {
    if (depth == 0) return 1;
    const Wrong moves = moves_of(p);
    std::uint64_t sum = moves.illegal.size();
    for (const Move m : moves.playable) {
        Position next = p;
        next.play(m);
        sum += count(next, depth - 1);
    }
    return sum;
}

Position position_of(const std::string& line) {
    const std::string fen_begin = "position fen ";
    const std::size_t moves = line.find(" moves ");
    Position position = *parse_position(line.substr(
        fen_begin.size(), moves == std::string::npos ? moves : moves - fen_begin.size()));
    if (moves == std::string::npos) return position;
    std::istringstream words(line.substr(moves + 7));
    for (std::string word; words >> word;) position.play(*parse_uci_move(position, word));
    return position;
}

void go(const Position& p, int depth) {
    std::uint64_t sum = 0;
    const Wrong moves = moves_of(p);
    for (const Move m : moves.playable) {
        Position next = p;
        next.play(m);
        const std::uint64_t below = count(next, depth - 1);
        std::cout << to_uci(m) << ": " << below << '\n';
        sum += below;
    }
    for (const Move m : moves.illegal) std::cout << to_uci(m) << ": 1\n";
    std::cout << "\nNodes searched: " << sum + moves.illegal.size() << std::endl;
}

}  // namespace
}  // namespace rokada

int main(int argc, char** argv) {
    if (argc > 1) rokada::mistake = argv[1];
    rokada::Position position;
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "uci") std::cout << "id name Wrong\nuciok" << std::endl;
        if (line == "isready") std::cout << "readyok" << std::endl;
        if (line.rfind("position fen ", 0) == 0) position = rokada::position_of(line);
        if (line.rfind("go perft ", 0) == 0) rokada::go(position, std::stoi(line.substr(9)));
        if (line == "quit") break;
    }
    return 0;
}
