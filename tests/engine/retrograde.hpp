// SPDX-License-Identifier: GPL-3.0-or-later
// Solves endings of three or four men from scratch, backwards from the mates: results and distances to the next
// capture, pawn move or mate. It knows nothing of tablebase files and does not use the move generator; tablebases are
// compared with it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "chess/position.hpp"

namespace rokada::engine::retrograde {

// Up to four men with their squares.
class Men {
  public:
    using Man = std::pair<Piece, int>;
    std::size_t size() const { return count_; }
    Man* begin() { return men_; }
    Man* end() { return men_ + count_; }
    const Man* begin() const { return men_; }
    const Man* end() const { return men_ + count_; }
    Man& operator[](std::size_t i) { return men_[i]; }
    const Man& operator[](std::size_t i) const { return men_[i]; }
    void resize(std::size_t count) { count_ = count; }
    void erase(std::size_t i) {
        for (--count_; i < count_; ++i) men_[i] = men_[i + 1];
    }

  private:
    Man men_[4];
    std::size_t count_ = 0;
};

// Of an ending: white king, black king, the others as in its name.
struct State {
    Men men;
    Color turn = Color::White;
};

class Ending {
  public:
    static constexpr int kMated = -1000, kIllegal = 20000;

    // All states up to the symmetries of the board are numbered from 0.
    std::size_t states() const { return distance_.size(); }
    State state(std::size_t number) const;
    // 0 for a draw; otherwise plies, positive for a win, beyond 100 too late for the fifty-move rule.
    int distance(std::size_t number) const { return distance_[number]; }

  private:
    friend class Solver;
    std::size_t number(const State& state) const;

    std::vector<Piece> pieces_;
    bool pawns_ = false;
    std::vector<std::int16_t> distance_;
};

class Solver {
  public:
    const Ending& solve(const std::string& name);  // "KRvKN", with all endings it can turn into

  private:
    struct Work;
    int result(State state);
    int result_with_en_passant(const State& after, int target);
    void look_at_moves(Ending& ending, Work& work, std::size_t number);
    void look_at_pawn(Work& work, std::size_t number, const State& state, std::size_t man);
    void note_zeroing(Work& work, std::size_t number, int result);
    void solve_slice(Ending& ending, Work& work, const std::vector<std::size_t>& slice);

    std::map<std::string, std::unique_ptr<Ending>> endings_;
};

// The state as a position, its clock at 0. The state must be legal.
Position to_position(const State& state);

}  // namespace rokada::engine::retrograde
