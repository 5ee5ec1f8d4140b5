// SPDX-License-Identifier: GPL-3.0-or-later
// Another engine as a player: started as a child process, spoken to in UCI or in the xboard
// protocol. The lab's games are played through this. Every call that waits has a deadline; a lost
// engine is reported, never waited for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/outcome.hpp"
#include "chess/position.hpp"
#include "engine/engine.hpp"
#include "protocol/driver/link.hpp"

namespace rokada::protocol {

struct DriverSettings {
    ChildProcess::Settings process;
    std::vector<std::pair<std::string, std::string>>
        options;  // set after the handshake, in this order
    std::vector<std::string>
        init_lines;  // sent as they are: UCI after the options, xboard in every game
    std::chrono::milliseconds start_patience{10'000};
    std::chrono::milliseconds ready_patience{10'000};
    Link::Log log;
};

// The time control as an engine should know it before the game.
struct GameTerms {
    int moves_per_session = 0;  // 0: all moves in the base time
    std::optional<engine::Milliseconds> base, increment;
    std::optional<engine::Milliseconds> move_time;
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
};

struct GameStart {
    Position position;
    bool chess960 = false;
    GameTerms terms;
    std::string opponent;
};

// What the engine may use for one move.
struct TurnLimits {
    std::optional<engine::ClockTimes> clock;
    SteadyTime deadline;  // after this it counts as lost, whatever it does
    bool draw_offered = false;
};

struct ThoughtSummary {
    std::optional<engine::Score> score;
    int depth = 0, selective_depth = 0;
    std::uint64_t nodes = 0;
    engine::Milliseconds time{0};
    std::string line;
};

enum class ReplyKind {
    Move,
    Resign,
    DrawClaim,   // the engine says the game is drawn
    FalseClaim,  // the engine claims a result that it cannot have
    Illegal,     // its move is no legal move; `text` holds it
    Crash,       // the process or its output has ended
    Silence,     // the deadline passed
    Garbage,     // it answered something that is no answer
    Cancelled,
};

struct Reply {
    ReplyKind kind = ReplyKind::Move;
    Move move;
    std::string text;
    std::chrono::nanoseconds elapsed{0};  // from the request at the pipe to the answer at the pipe
    ThoughtSummary thought;
    bool offers_draw = false;
};

class EngineDriver {
  public:
    virtual ~EngineDriver();
    EngineDriver(const EngineDriver&) = delete;
    EngineDriver& operator=(const EngineDriver&) = delete;

    // The handshake and the options. The error is a sentence.
    virtual std::optional<std::string> start() = 0;
    virtual std::optional<std::string> new_game(const GameStart& start) = 0;
    // A move of the opponent or of the opening.
    virtual void play(Move move) = 0;
    virtual Reply think(const TurnLimits& limits) = 0;
    virtual void game_over(const std::optional<Outcome>& outcome) = 0;
    // False if a new process is needed for the next game.
    virtual bool reusable() const { return true; }
    void quit();

    const std::string& name() const { return name_; }  // as the engine calls itself
    const std::vector<engine::Option>& options() const { return options_; }
    Link& link() { return *link_; }

  protected:
    EngineDriver(DriverSettings settings, std::unique_ptr<ChildProcess> process, LinkGroup& group);

    Reply lost(SteadyTime asked);  // why nothing came
    const engine::Option* find_option(std::string_view name) const;
    // Why the engine cannot take that value, as far as it announced what it takes.
    static std::optional<std::string> problem_with(const engine::Option& option,
                                                   const std::string& value);

    DriverSettings settings_;
    std::unique_ptr<Link> link_;
    LinkGroup& group_;
    std::string name_;
    std::vector<engine::Option> options_;
    Position position_;
};

enum class EngineProtocol { Uci, Xboard };

Result<std::unique_ptr<EngineDriver>, std::string> start_engine(EngineProtocol protocol,
                                                                DriverSettings settings,
                                                                LinkGroup& group);

}  // namespace rokada::protocol
