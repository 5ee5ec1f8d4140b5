// SPDX-License-Identifier: GPL-3.0-or-later
// An engine for tests that answers at once and in the calling thread: the first legal move, a level
// score.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "chess/movegen.hpp"
#include "protocol/events.hpp"
#include "protocol/output.hpp"
#include "protocol/thinker.hpp"
#include "protocol/tokens.hpp"

namespace rokada::protocol {

class FakeThinker : public Thinker {
  public:
    explicit FakeThinker(engine::Callbacks callbacks) : callbacks_(std::move(callbacks)) {
        add("Hash", engine::OptionType::Spin, "16", 1, 1024);
        add("Threads", engine::OptionType::Spin, "1", 1, 8);
        add("Clear Hash", engine::OptionType::Button, "", 0, 0);
        add("UCI_Chess960", engine::OptionType::Check, "false", 0, 0);
        add("Style", engine::OptionType::Combo, "Calm", 0, 0);
        options_.back().choices = {"Calm", "Very Wild"};
        add("SyzygyPath", engine::OptionType::String, "", 0, 0);
        add("UCI_ShowWDL", engine::OptionType::Check, "false", 0, 0);
        add("Skill", engine::OptionType::Combo, "Full", 0, 0);
        options_.back().choices = {"Easy", "Full"};
        add("UCI_LimitStrength", engine::OptionType::Check, "false", 0, 0);
        add("UCI_Elo", engine::OptionType::Spin, "1500", 400, 3200);
        add("Dial", engine::OptionType::Spin, "-1", -1, 1000);
    }

    std::vector<engine::Option> options() const override { return options_; }
    std::optional<std::string> set_option(std::string_view name, std::string_view value) override {
        for (engine::Option& option : options_) {
            if (!equal_ignoring_case(option.name, name)) continue;
            if (option.type == engine::OptionType::Spin) {
                const auto number = to_integer(value);
                if (!number || *number < option.min || *number > option.max)
                    return option.name + " is out of range";
            }
            if (option.type == engine::OptionType::Check && value != "true" && value != "false")
                return option.name + " must be true or false";
            if (option.type == engine::OptionType::Combo &&
                std::none_of(option.choices.begin(), option.choices.end(),
                             [value](auto& choice) { return equal_ignoring_case(choice, value); }))
                return option.name + " has no such choice";
            option.value = std::string(value);
            ++options_set;
            return std::nullopt;
        }
        return "there is no option '" + std::string(name) + "'";
    }
    void set_position(const Position& start, const std::vector<Move>& moves) override {
        position = start;
        for (const Move move : moves) {
            if (!position.is_legal(move))
                illegal_position = true;
            else
                position.play(move);
        }
        ++positions_set;
    }
    std::vector<BookMove> book_moves(const Position& asked) const override {
        std::vector<BookMove> known;
        for (const BookMove& entry : book)
            if (asked.is_legal(entry.move)) known.push_back(entry);
        return known;
    }
    void go(const engine::Limits& limits) override {
        if (searching) overlapping_go = true;
        last_limits = limits;
        ++searches;
        searching = true;
        const bool endless =
            limits.infinite || limits.ponder ||
            (!limits.clock && !limits.move_time && !limits.depth && !limits.nodes && !limits.mate);
        const MoveList moves = legal_moves(position);
        engine::Info info;
        info.depth = depth;
        info.nodes = 20;
        info.score = score;
        info.bound = bound;
        info.chances = {600, 300, 100};
        if (!moves.empty())
            info.line = {limits.search_moves.empty() ? moves[0] : limits.search_moves[0]};
        if (position.is_legal(wish)) info.line = {wish};
        best_ = info.line.empty() ? Move() : info.line[0];
        if (callbacks_.on_info) callbacks_.on_info(info);
        if (!endless && !slow) finish();
    }
    void stop() override { finish(); }
    void ponder_hit() override { finish(); }
    void new_game() override { ++new_games; }
    void wait() override {}

    // What an engine says besides its lines.
    void say(std::string_view message) { callbacks_.on_message(message); }
    void show(const engine::CurrentMove& current) { callbacks_.on_current_move(current); }

    // For a search that was told to be slow.
    void finish() {
        if (!searching) return;
        searching = false;
        engine::BestMove best;
        best.move = best_;
        if (best_) {
            Position next = position;
            next.play(best_);
            const MoveList replies = legal_moves(next);
            if (!replies.empty()) best.ponder = replies[0];
        }
        if (callbacks_.on_best_move) callbacks_.on_best_move(best);
    }

    Position position;
    engine::Limits last_limits;
    std::vector<BookMove> book;
    Move wish;  // played where it is legal
    engine::Score score;
    int depth = 1;
    engine::Bound bound = engine::Bound::Exact;
    bool searching = false, slow = false;
    bool illegal_position = false, overlapping_go = false;
    int searches = 0, new_games = 0, positions_set = 0, options_set = 0;

  private:
    void add(std::string name, engine::OptionType type, std::string value, int min, int max) {
        engine::Option option;
        option.name = std::move(name);
        option.type = type;
        option.default_value = option.value = std::move(value);
        option.min = min;
        option.max = max;
        options_.push_back(std::move(option));
    }

    engine::Callbacks callbacks_;
    std::vector<engine::Option> options_;
    Move best_;
};

class RecordedOutput : public Output {
  public:
    std::vector<std::string> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(lines_, {});
    }
    // What stands after the last line end: a prompt.
    std::string take_rest() {
        const std::lock_guard lock(mutex_);
        return std::exchange(pending_, {});
    }
    bool broken() const override { return closed; }

    bool closed = false;  // as if nobody listened any more

  protected:
    void write(std::string_view bytes) override {
        const std::lock_guard lock(mutex_);
        pending_ += bytes;
        for (std::size_t end = 0; (end = pending_.find('\n')) != std::string::npos;) {
            lines_.push_back(pending_.substr(0, end));
            pending_.erase(0, end + 1);
        }
    }

  private:
    std::mutex mutex_;
    std::string pending_;
    std::vector<std::string> lines_;
};

// A session with a fake engine; what is said to it is answered before the call returns.
template <class SessionType>
class TestSession {
  public:
    template <class... Arguments>
    explicit TestSession(Arguments&&... arguments)
        : session_(
              queue_, output_,
              [this](engine::Callbacks callbacks) {
                  auto fake = std::make_unique<FakeThinker>(std::move(callbacks));
                  thinker = fake.get();
                  return fake;
              },
              std::forward<Arguments>(arguments)...) {}

    std::vector<std::string> say(std::string_view line) {
        session_.handle(InputLine{std::string(line)});
        return settle();
    }
    std::vector<std::string> end() { return happen(EndOfInput{}); }
    std::vector<std::string> happen(Event event) {
        session_.handle(std::move(event));
        return settle();
    }
    std::string prompt() { return output_.take_rest(); }
    RecordedOutput& output() { return output_; }
    // Handles what the engine has said meanwhile.
    std::vector<std::string> settle() {
        while (auto event = queue_.pop_for(std::chrono::milliseconds(0)))
            session_.handle(std::move(*event));
        return output_.take();
    }
    // For work in another thread.
    std::vector<std::string> settle_after(std::chrono::milliseconds patience) {
        if (auto event = queue_.pop_for(patience)) session_.handle(std::move(*event));
        return settle();
    }
    // For work in another thread: all lines from what is said now until one begins so.
    std::vector<std::string> say_until(std::string_view line, std::string_view beginning) {
        const auto begins_so = [&](const std::string& said) { return said.starts_with(beginning); };
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        std::vector<std::string> all = say(line);
        while (std::none_of(all.begin(), all.end(), begins_so) &&
               std::chrono::steady_clock::now() < deadline) {
            for (std::string& later : settle_after(std::chrono::milliseconds(5)))
                all.push_back(std::move(later));
        }
        return all;
    }
    bool finished() const { return session_.finished(); }
    SessionType& session() { return session_; }

    FakeThinker* thinker = nullptr;

  private:
    EventQueue queue_;
    RecordedOutput output_;
    SessionType session_;
};

}  // namespace rokada::protocol
