// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/clock_ledger.hpp"

#include <stdexcept>

#include "net/json.hpp"

namespace rokada::server::test {
namespace {

constexpr Millis kGivenBack = 15'000;  // for each take-over, to the side to move

}  // namespace

std::vector<Charge> charges(const std::vector<EventRecord>& events, const std::vector<Turn>& turns,
                            Millis initial) {
    std::vector<Charge> found;
    Millis left[2] = {initial, initial};  // White, Black
    int take_overs = 0;
    for (const EventRecord& event : events) {
        const auto message = net::parse_json(event.message, 64);
        if (!message) throw std::runtime_error("not an event: " + event.message);
        const std::string kind(message->at("kind").get_string());
        if (kind == "clock" && message->at("reason").get_string() == "restart") ++take_overs;
        if (kind != "move") continue;
        Charge charge;
        charge.ply = static_cast<std::size_t>(event.ply);
        charge.at = event.at;
        charge.take_overs = take_overs;
        if (charge.ply <= turns.size()) charge.turn = turns[charge.ply - 1];
        const bool white = charge.ply % 2 == 1;
        const Millis after =
            message->at("clocks").at(white ? "white_ms" : "black_ms").to_number<Millis>();
        charge.charged = left[white ? 0 : 1] + take_overs * kGivenBack - after;
        left[white ? 0 : 1] = after;
        take_overs = 0;
        found.push_back(charge);
    }
    return found;
}

}  // namespace rokada::server::test
