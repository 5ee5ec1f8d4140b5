// SPDX-License-Identifier: GPL-3.0-or-later
// Who judges positions for a review: an interface, and the engine behind it. One thread, fixed order, cleared memory: the same game and
// budget in nodes give the same review everywhere.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chess/game.hpp"
#include "engine/engine.hpp"

namespace rokada::review {

struct Line {
    engine::Score score;  // from the side to move
    std::vector<Move> moves;
};

struct Question {
    int lines = 2;   // how many, best first
    int effort = 1;  // times the usual budget
    Move only;       // judge this move alone, if set
};

class Analyst {
  public:
    Analyst() = default;
    Analyst(const Analyst&) = delete;
    Analyst& operator=(const Analyst&) = delete;
    virtual ~Analyst() = default;

    virtual void new_game() {}
    // The position the game has after that many plies; it has legal moves. At least one line, unless stopped.
    virtual std::vector<Line> judge(const Game& game, std::size_t plies,
                                    const Question& question) = 0;
    // From any thread: end the judgement that runs soon.
    virtual void stop() {}
};

// Nothing set means the usual number of nodes.
struct Budget {
    static constexpr std::uint64_t kUsualNodes = 100'000;

    std::optional<std::uint64_t> nodes;
    std::optional<engine::Milliseconds> move_time;
    std::optional<int> depth;
};

class EngineAnalyst final : public Analyst {
  public:
    explicit EngineAnalyst(const Budget& budget);
    ~EngineAnalyst() override;

    // An option of the engine (Hash, Evaluation, ...); the error is a sentence for the user.
    std::optional<std::string> set_option(std::string_view name, std::string_view value);

    void new_game() override;
    std::vector<Line> judge(const Game& game, std::size_t plies, const Question& question) override;
    void stop() override;

  private:
    Budget budget_;
    std::vector<Line> found_;
    int wanted_ = 0;
    std::unique_ptr<engine::Engine> engine_;
};

}  // namespace rokada::review
