// SPDX-License-Identifier: GPL-3.0-or-later
// What a session needs of an engine. The real one stands behind it in the program, a scripted one
// in tests.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"

namespace rokada::protocol {

class Thinker {
  public:
    virtual ~Thinker() = default;
    virtual std::vector<engine::Option> options() const = 0;
    virtual std::optional<std::string> set_option(std::string_view name,
                                                  std::string_view value) = 0;
    virtual void set_position(const Position& start, const std::vector<Move>& moves) = 0;
    virtual std::vector<BookMove> book_moves(const Position& position) const = 0;
    virtual void go(const engine::Limits& limits) = 0;
    virtual void stop() = 0;
    virtual void ponder_hit() = 0;
    virtual void new_game() = 0;
    virtual void wait() = 0;
};

using ThinkerFactory = std::function<std::unique_ptr<Thinker>(engine::Callbacks)>;

std::unique_ptr<Thinker> make_engine_thinker(engine::Callbacks callbacks);

// The option of this name, any case.
std::optional<engine::Option> find_option(const Thinker& thinker, std::string_view name);
// True if there is such a check box and it is on.
bool is_checked(const Thinker& thinker, std::string_view name);
// No option makes it play weaker than it can.
bool plays_at_full_strength(const Thinker& thinker);

}  // namespace rokada::protocol
