// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a session, in one queue: lines from the user, news from the search. A session
// handles one event at a time in one thread, so that its state needs no locks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "engine/engine.hpp"

namespace rokada::protocol {

struct InputLine {
    std::string text;
};
struct OverlongLine {};  // more than a line may have; its text is gone
struct EndOfInput {};
// News of a search carry its number, so that those of one broken off can be told apart.
struct Thought {
    std::uint64_t search = 0;
    engine::Info info;
};
struct Decided {
    std::uint64_t search = 0;
    engine::BestMove best;
};
struct Remark {  // a message of the engine for humans
    std::string text;
};
using Event = std::variant<InputLine, OverlongLine, EndOfInput, Thought, Decided, Remark>;

class EventQueue {
  public:
    void push(Event event);
    Event pop();  // waits for one
    std::optional<Event> pop_for(std::chrono::milliseconds patience);

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Event> events_;
};

class Session {
  public:
    virtual ~Session() = default;
    virtual void handle(Event event) = 0;
    virtual bool finished() const = 0;
};

// Until the session has finished.
void run(Session& session, EventQueue& queue);

}  // namespace rokada::protocol
