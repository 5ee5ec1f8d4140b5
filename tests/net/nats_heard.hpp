// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a NATS parser tells, as words in order; for its tests and its fuzzer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/nats_parser.hpp"

namespace rokada::net::test {

class Heard final : public NatsParser::Sink {
  public:
    void on_info(std::string_view json) override { words.push_back("info " + std::string(json)); }
    void on_message(const NatsMessage& m) override {
        words.push_back(std::to_string(m.subscription) + " " + std::string(m.subject) + " " +
                        std::string(m.reply) + " " + std::to_string(m.status) + " " +
                        std::string(m.payload));
    }
    void on_ping() override { words.push_back("ping"); }
    void on_pong() override { words.push_back("pong"); }
    void on_error(std::string_view text) override { words.push_back("error " + std::string(text)); }
    std::vector<std::string> words;
};

}  // namespace rokada::net::test
