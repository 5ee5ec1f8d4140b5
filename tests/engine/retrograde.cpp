// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/retrograde.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace rokada::engine::retrograde {

namespace {

Bitboard occupied(const State& state) {
    Bitboard all;
    for (const auto& [piece, square] : state.men) all = all.with(square_at(square));
    return all;
}

Bitboard attacks(Piece piece, int square, Bitboard all) {
    return type_of(piece) == PieceType::Pawn
               ? pawn_attacks(color_of(piece), square_at(square))
               : piece_attacks(type_of(piece), square_at(square), all);
}

bool king_attacked(const State& state, Color side) {
    Square king = Square::None;
    for (const auto& [piece, square] : state.men)
        if (piece == make_piece(side, PieceType::King)) king = square_at(square);
    const Bitboard all = occupied(state);
    return std::any_of(state.men.begin(), state.men.end(), [&](const auto& man) {
        return color_of(man.first) != side && attacks(man.first, man.second, all).contains(king);
    });
}

bool legal(const State& state) {
    if (occupied(state).count() != static_cast<int>(state.men.size())) return false;
    for (const auto& [piece, square] : state.men)
        if (type_of(piece) == PieceType::Pawn && (square < 8 || square >= 56)) return false;
    return !king_attacked(state, ~state.turn);
}

std::size_t man_on(const State& state, int square) {
    for (std::size_t i = 0; i < state.men.size(); ++i)
        if (state.men[i].second == square) return i;
    return state.men.size();
}

// The state after a move to an empty or enemy square.
State after(const State& state, std::size_t man, int to, Piece becomes) {
    State next = state;
    next.turn = ~state.turn;
    next.men[man] = {becomes, to};
    for (std::size_t i = 0; i < next.men.size(); ++i)
        if (i != man && next.men[i].second == to) {
            next.men.erase(i);
            break;
        }
    return next;
}

std::string side_letters(const State& state, Color side) {
    static const std::string order = "KQRBNP";
    std::string letters;
    for (const auto& [piece, square] : state.men)
        if (color_of(piece) == side) letters += to_char(type_of(piece));
    std::sort(letters.begin(), letters.end(),
              [](char a, char b) { return order.find(a) < order.find(b); });
    return letters;
}

bool stronger(const std::string& a, const std::string& b) {
    static const std::string order = "KQRBNP";
    if (a.size() != b.size()) return a.size() > b.size();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) return order.find(a[i]) < order.find(b[i]);
    return false;
}

std::vector<Piece> pieces_of(const std::string& name) {
    std::vector<Piece> kings{Piece::WhiteKing, Piece::BlackKing}, others;
    Color side = Color::White;
    for (const char c : name) {
        if (c == 'v')
            side = Color::Black;
        else if (c != 'K')
            others.push_back(make_piece(side, parse_piece_type(c)));
    }
    kings.insert(kings.end(), others.begin(), others.end());
    return kings;
}

int result_of(int distance) {
    if (distance == 0) return 0;
    if (distance == Ending::kMated) return -2;
    return (distance > 0 ? 1 : -1) * (std::abs(distance) > 100 ? 1 : 2);
}

// Whether a man other than by en passant has a legal move.
bool has_move(const State& state) {
    const Bitboard all = occupied(state);
    for (std::size_t i = 0; i < state.men.size(); ++i) {
        const auto [piece, square] = state.men[i];
        if (color_of(piece) != state.turn) continue;
        Bitboard targets = attacks(piece, square, all);
        if (type_of(piece) == PieceType::Pawn) {
            targets &= all;
            const Square step = square_at(square) + forward(state.turn);
            if (!all.contains(step)) targets = targets.with(step);
        }
        for (const Square to : targets) {
            const std::size_t there = man_on(state, index(to));
            if (there < state.men.size() && color_of(state.men[there].first) == state.turn)
                continue;
            if (!king_attacked(after(state, i, index(to), piece), state.turn)) return true;
        }
    }
    return false;
}

}  // namespace

State Ending::state(std::size_t number) const {
    State state;
    state.turn = number % 2 == 0 ? Color::White : Color::Black;
    number /= 2;
    state.men.resize(pieces_.size());
    for (std::size_t i = pieces_.size(); i-- > 1; number /= 64)
        state.men[i] = {pieces_[i], static_cast<int>(number % 64)};
    state.men[0] = {pieces_[0], static_cast<int>(number / 4 * 8 + number % 4)};
    return state;
}

// The white king on the files a to d, and without pawns on the ranks 1 to 4.
std::size_t Ending::number(const State& state) const {
    const int king = state.men[0].second;
    const int turn_file = king % 8 > 3 ? 7 : 0;
    const int turn_rank = !pawns_ && king / 8 > 3 ? 56 : 0;
    const int flip = turn_file ^ turn_rank;
    auto result = static_cast<std::size_t>((king ^ flip) / 8 * 4 + (king ^ flip) % 8);
    for (std::size_t i = 1; i < state.men.size(); ++i)
        result = result * 64 + static_cast<std::size_t>(state.men[i].second ^ flip);
    return result * 2 + static_cast<std::size_t>(state.turn == Color::Black);
}

// What is known about the states of an ending while it is being solved.
struct Solver::Work {
    std::vector<std::uint8_t> moves;  // neither captures nor of pawns, not yet known to lose
    std::vector<std::uint8_t>
        lost_after;           // plies, if only captures and pawn moves count: 0, 1 or 101
    std::vector<bool> holds;  // a capture or pawn move does not lose
    std::vector<std::vector<std::size_t>> solved;  // by plies
    std::vector<std::size_t> cursed;               // a capture or pawn move wins, but too late

    void solve(Ending& ending, std::size_t number, int distance, int plies) {
        ending.distance_[number] = static_cast<std::int16_t>(distance);
        if (solved.size() <= static_cast<std::size_t>(plies))
            solved.resize(static_cast<std::size_t>(plies) + 1);
        solved[static_cast<std::size_t>(plies)].push_back(number);
    }
};

// For the side to move: 2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss.
int Solver::result(State state) {
    if (state.men.size() == 2) return 0;
    if (stronger(side_letters(state, Color::Black), side_letters(state, Color::White))) {
        for (auto& [piece, square] : state.men) {
            piece = make_piece(~color_of(piece), type_of(piece));
            square ^= 56;
        }
        state.turn = ~state.turn;
    }
    const Ending& ending =
        solve(side_letters(state, Color::White) + 'v' + side_letters(state, Color::Black));
    for (std::size_t i = 0; i < ending.pieces_.size(); ++i)
        for (std::size_t j = i; j < state.men.size(); ++j)
            if (state.men[j].first == ending.pieces_[i]) {
                std::swap(state.men[i], state.men[j]);
                break;
            }
    return result_of(ending.distance_[ending.number(state)]);
}

// The result for the side to move, which may also take the pawn that stepped over `target`.
int Solver::result_with_en_passant(const State& state, int target) {
    int best = -3;
    for (std::size_t i = 0; i < state.men.size(); ++i) {
        const auto [piece, square] = state.men[i];
        if (piece != make_piece(state.turn, PieceType::Pawn) ||
            !attacks(piece, square, kNoSquares).contains(square_at(target)))
            continue;
        State next = after(state, i, target, piece);
        const Square taken = square_at(target) - forward(state.turn);
        next.men.erase(man_on(next, index(taken)));
        if (!king_attacked(next, state.turn)) best = std::max(best, -result(next));
    }
    if (best == -3) return result(state);
    return has_move(state) ? std::max(best, result(state)) : best;
}

void Solver::note_zeroing(Work& work, std::size_t number, int result) {
    if (result >= 0) work.holds[number] = true;
    work.lost_after[number] =
        std::max<std::uint8_t>(work.lost_after[number], result == -1 ? 101 : 1);
    if (result == 1) work.cursed.push_back(number);
    if (result == 2) work.moves[number] = 255;  // decided
}

void Solver::look_at_pawn(Work& work, std::size_t number, const State& state, std::size_t man) {
    const auto [pawn, square] = state.men[man];
    const Color us = state.turn;
    const Bitboard all = occupied(state);
    const auto move = [&](Square to, bool double_step) {
        const bool promotes = rank_of(to) == relative(us, Rank::R8);
        for (const PieceType type :
             {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
            const State next = after(state, man, index(to), promotes ? make_piece(us, type) : pawn);
            if (king_attacked(next, us)) return;
            const int target = index(to - forward(us));
            note_zeroing(work, number,
                         -(double_step ? result_with_en_passant(next, target) : result(next)));
            if (!promotes) return;
        }
    };
    const Square step = square_at(square) + forward(us);
    if (!all.contains(step)) {
        move(step, false);
        if (rank_of(square_at(square)) == relative(us, Rank::R2) &&
            !all.contains(step + forward(us)))
            move(step + forward(us), true);
    }
    for (const Square to : attacks(pawn, square, all) & all)
        if (color_of(state.men[man_on(state, index(to))].first) != us) move(to, false);
}

void Solver::look_at_moves(Ending& ending, Work& work, std::size_t number) {
    const State state = ending.state(number);
    if (!legal(state)) {
        ending.distance_[number] = Ending::kIllegal;
        return;
    }
    const Bitboard all = occupied(state);
    int quiet = 0;
    for (std::size_t i = 0; i < state.men.size(); ++i) {
        const auto [piece, square] = state.men[i];
        if (color_of(piece) != state.turn) continue;
        if (type_of(piece) == PieceType::Pawn) {
            look_at_pawn(work, number, state, i);
            continue;
        }
        for (const Square to : attacks(piece, square, all)) {
            const std::size_t there = man_on(state, index(to));
            const bool capture = there < state.men.size();
            if (capture && color_of(state.men[there].first) == state.turn) continue;
            const State next = after(state, i, index(to), piece);
            if (king_attacked(next, state.turn)) continue;
            if (capture)
                note_zeroing(work, number, -result(next));
            else
                ++quiet;
        }
    }
    if (work.moves[number] == 255) return work.solve(ending, number, 1, 1);
    work.moves[number] = static_cast<std::uint8_t>(quiet);
    if (quiet > 0 || work.holds[number]) return;
    const int plies = work.lost_after[number];
    if (plies > 0) return work.solve(ending, number, -plies, plies);
    if (king_attacked(state, state.turn)) work.solve(ending, number, Ending::kMated, 0);
}

// The states of a slice differ in the squares of kings and pieces only. Captures and pawn moves lead out of it, to what
// has been solved before; from the results there, and from mates, it is solved backwards.
void Solver::solve_slice(Ending& ending, Work& work, const std::vector<std::size_t>& slice) {
    work.solved.clear();
    work.cursed.clear();
    for (const std::size_t number : slice) look_at_moves(ending, work, number);
    for (std::size_t plies = 0; plies < std::max<std::size_t>(work.solved.size(), 102); ++plies) {
        if (plies == 101)
            for (const std::size_t number : work.cursed)
                if (ending.distance_[number] == 0) work.solve(ending, number, 101, 101);
        if (plies >= work.solved.size()) continue;
        const std::vector<std::size_t> solved = std::move(work.solved[plies]);
        const int next = static_cast<int>(plies) + 1;
        for (const std::size_t number : solved) {
            const State state = ending.state(number);
            const bool lost = ending.distance_[number] < 0;
            const Bitboard all = occupied(state);
            for (std::size_t i = 0; i < state.men.size(); ++i) {
                const auto [piece, square] = state.men[i];
                if (color_of(piece) == state.turn || type_of(piece) == PieceType::Pawn) continue;
                for (const Square from : attacks(piece, square, all).without(all)) {
                    const State before = after(state, i, index(from), piece);
                    const std::size_t earlier = ending.number(before);
                    if (ending.distance_[earlier] != 0) continue;
                    if (lost)
                        work.solve(ending, earlier, next, next);
                    else if (--work.moves[earlier] == 0 && !work.holds[earlier]) {
                        const int longest = std::max<int>(next, work.lost_after[earlier]);
                        work.solve(ending, earlier, -longest, longest);
                    }
                }
            }
        }
    }
}

const Ending& Solver::solve(const std::string& name) {
    auto& known = endings_[name];
    if (known) return *known;
    known = std::make_unique<Ending>();
    Ending& ending = *known;
    ending.pieces_ = pieces_of(name);
    ending.pawns_ = name.find('P') != std::string::npos;
    std::size_t states = ending.pawns_ ? 64 : 32;
    for (std::size_t i = 1; i < ending.pieces_.size(); ++i) states *= 64;
    ending.distance_.assign(states, 0);

    // Slices with further advanced pawns first.
    std::map<int, std::vector<std::size_t>> slices;
    for (std::size_t number = 0; number < states; ++number) {
        int advance = 0;
        if (ending.pawns_) {
            std::size_t rest = number / 2;
            for (std::size_t i = ending.pieces_.size(); i-- > 1; rest /= 64)
                if (type_of(ending.pieces_[i]) == PieceType::Pawn)
                    advance -= index(relative(color_of(ending.pieces_[i]),
                                              rank_of(square_at(static_cast<int>(rest % 64)))));
        }
        slices[advance].push_back(number);
    }
    Work work;
    work.moves.assign(states, 0);
    work.lost_after.assign(states, 0);
    work.holds.assign(states, false);
    for (const auto& [advance, slice] : slices) solve_slice(ending, work, slice);
    return ending;
}

Position to_position(const State& state) {
    Setup setup;
    setup.turn = state.turn;
    for (const auto& [piece, square] : state.men) setup.board[square_at(square)] = piece;
    const auto position = Position::from_setup(setup);
    EXPECT_TRUE(position) << position.error().message();
    return position ? *position : Position();
}

}  // namespace rokada::engine::retrograde
