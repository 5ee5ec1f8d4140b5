// SPDX-License-Identifier: GPL-3.0-or-later
// Another engine behind a driver, for tests: a few lines of shell that answer as told, or a real
// program. Keeps every line the driver has sent.
#pragma once

#include <gtest/gtest.h>

#include "chess/notation/uci_move.hpp"
#include "protocol/driver/driver.hpp"

namespace rokada::protocol {

// What the driver may assume where a test says nothing else: far more time than any machine needs.
constexpr std::chrono::seconds kPatience{60};

// `cases` are patterns of a shell's `case` with what to do, each ended by `;;`.
inline std::vector<std::string> shell_engine(const std::string& cases) {
    return {"/bin/sh", "-c",
            "while read -r line; do case \"$line\" in\n" + cases + "\nquit) exit 0;;\nesac; done"};
}

// An xboard engine that announces these features and answers pings.
inline std::vector<std::string> xboard_engine(const std::string& features,
                                              const std::string& cases = "") {
    return shell_engine("protover*) echo 'feature " + features + " done=1';;\n" +
                        "ping*) echo \"pong ${line#ping }\";;\n" + cases);
}

class DrivenEngine {
  public:
    explicit DrivenEngine(std::vector<std::string> arguments, DriverSettings settings = {},
                          EngineProtocol protocol = EngineProtocol::Xboard) {
        settings.process.arguments = std::move(arguments);
        settings.log = [this](Link::Direction direction, std::string_view line) {
            if (direction == Link::Direction::Out) sent.emplace_back(line);
        };
        auto started = start_engine(protocol, std::move(settings), group);
        if (started)
            driver = std::move(*started);
        else
            problem = started.error();
    }
    EngineDriver* operator->() { return driver.get(); }

    // What was sent since the last call.
    std::vector<std::string> take_sent() { return std::exchange(sent, {}); }
    std::optional<std::string> new_game(const Position& position = {}, bool chess960 = false) {
        GameStart start;
        start.position = position;
        start.chess960 = chess960;
        return driver->new_game(start);
    }
    void play(std::string_view move, const Position& position = {}) {
        driver->play(*parse_uci_move(position, move));
    }
    Reply think(std::chrono::milliseconds patience = kPatience) {
        TurnLimits limits;
        limits.deadline = std::chrono::steady_clock::now() + patience;
        return driver->think(limits);
    }

    LinkGroup group;
    std::vector<std::string> sent;
    std::string problem;  // why it could not be started
    std::unique_ptr<EngineDriver> driver;
};

}  // namespace rokada::protocol
