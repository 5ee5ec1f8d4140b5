// SPDX-License-Identifier: GPL-3.0-or-later
// An xboard session after the greeting, at the beginning of a game.
#pragma once

#include <initializer_list>
#include <string_view>

#include "chess/notation/uci_move.hpp"
#include "protocol/cecp/session.hpp"
#include "tests/protocol/fake_thinker.hpp"

namespace rokada::protocol::cecp {

class CecpGame : public TestSession<Session> {
  public:
    CecpGame() { say_all({"xboard", "protover 2", "new"}); }
    // What is answered to the last line.
    std::vector<std::string> say_all(std::initializer_list<const char*> lines) {
        std::vector<std::string> last;
        for (const char* line : lines) last = say(line);
        return last;
    }
    void wish(std::string_view move, const Position& position = {}) {
        thinker->wish = *parse_uci_move(position, move);
    }
};

}  // namespace rokada::protocol::cecp
