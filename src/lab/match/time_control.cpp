// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/time_control.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "protocol/tokens.hpp"

namespace rokada::lab {

namespace {

using engine::Milliseconds;
using protocol::to_number;
using std::chrono::nanoseconds;

// "90", "1:30", "1:30:00"
std::optional<Milliseconds> parse_seconds(std::string_view text) {
    double seconds = 0;
    while (true) {
        const std::size_t colon = text.find(':');
        const auto part = to_number(text.substr(0, colon));
        if (!part || *part < 0) return std::nullopt;
        seconds = seconds * 60 + *part;
        if (colon == std::string_view::npos) break;
        text.remove_prefix(colon + 1);
    }
    if (seconds > 1e8) return std::nullopt;
    return Milliseconds(std::llround(seconds * 1000));
}

}  // namespace

Result<GameTerms, std::string> parse_time_control(std::string_view text) {
    const auto bad = [text](std::string_view why) {
        return Error{fmt::format("time control '{}': {}", text, why)};
    };
    GameTerms terms;
    if (text == "inf") return terms;
    std::string_view rest = text;
    if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
        const auto moves = protocol::to_integer(rest.substr(0, slash));
        if (!moves || *moves < 1 || *moves > 1000)
            return bad("the moves before '/' must be 1 to 1000");
        terms.moves_per_session = static_cast<int>(*moves);
        rest.remove_prefix(slash + 1);
    }
    terms.increment = Milliseconds(0);
    if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
        terms.increment = parse_seconds(rest.substr(plus + 1));
        if (!terms.increment) return bad("the increment must be seconds");
        rest = rest.substr(0, plus);
    }
    terms.base = parse_seconds(rest);
    if (!terms.base) return bad("the time must be seconds or minutes:seconds");
    if (terms.base->count() == 0 && terms.increment->count() == 0)
        return bad("there is no time in it");
    return terms;
}

std::string to_text(const GameTerms& terms) {
    const auto seconds = [](Milliseconds time) { return static_cast<double>(time.count()) / 1000; };
    if (terms.base) {
        std::string text =
            terms.moves_per_session > 0 ? fmt::format("{}/", terms.moves_per_session) : "";
        text += fmt::format("{}", seconds(*terms.base));
        if (terms.increment && terms.increment->count() > 0)
            text += fmt::format("+{}", seconds(*terms.increment));
        return text;
    }
    if (terms.move_time) return fmt::format("1/{}", seconds(*terms.move_time));
    return "?";
}

std::string move_limits(const GameTerms& terms) {
    std::string text;
    if (terms.base && terms.move_time)
        text += fmt::format(" st={}", static_cast<double>(terms.move_time->count()) / 1000);
    if (terms.depth) text += fmt::format(" depth={}", *terms.depth);
    if (terms.nodes) text += fmt::format(" nodes={}", *terms.nodes);
    return text.empty() ? text : text.substr(1);
}

Clock::Clock(const GameTerms& terms) : terms_(terms) {
    // As engine matches do it, the increment comes after each move, not before the first.
    if (terms.base) left_ = *terms.base;
    if (terms.base && terms.base->count() == 0) left_ = *terms.increment;
}

std::optional<nanoseconds> Clock::left() const {
    if (terms_.base) return left_;
    if (terms_.move_time) return nanoseconds(*terms_.move_time);
    return std::nullopt;
}

std::optional<int> Clock::moves_to_go() const {
    if (!terms_.base || terms_.moves_per_session == 0) return std::nullopt;
    return terms_.moves_per_session - moves_made_ % terms_.moves_per_session;
}

bool Clock::fallen(nanoseconds elapsed, nanoseconds margin) const {
    const auto limit = left();
    return limit && elapsed > *limit + margin;
}

void Clock::spend(nanoseconds elapsed) {
    ++moves_made_;
    if (!terms_.base) return;
    left_ = std::max(left_ - elapsed, nanoseconds(0)) + terms_.increment.value_or(Milliseconds(0));
    if (terms_.moves_per_session > 0 && moves_made_ % terms_.moves_per_session == 0)
        left_ += *terms_.base;
}

}  // namespace rokada::lab
