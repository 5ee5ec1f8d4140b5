// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/outcome.hpp"

#include <array>
#include <utility>

namespace rokada {

namespace {

constexpr std::array<std::pair<EndReason, std::string_view>, 14> kWords{{
    {EndReason::Checkmate, "checkmate"},
    {EndReason::Stalemate, "stalemate"},
    {EndReason::ThreefoldRepetition, "threefold-repetition"},
    {EndReason::FivefoldRepetition, "fivefold-repetition"},
    {EndReason::FiftyMoves, "fifty-moves"},
    {EndReason::SeventyFiveMoves, "seventy-five-moves"},
    {EndReason::InsufficientMaterial, "insufficient-material"},
    {EndReason::Resignation, "resignation"},
    {EndReason::Agreement, "agreement"},
    {EndReason::Time, "time"},
    {EndReason::TimeAgainstBareKing, "time-against-bare-king"},
    {EndReason::Abandonment, "abandonment"},
    {EndReason::Adjudication, "adjudication"},
    {EndReason::Aborted, "aborted"},
}};

}  // namespace

std::string_view to_string(EndReason reason) {
    for (const auto& [value, word] : kWords)
        if (value == reason) return word;
    return "";
}

std::optional<EndReason> parse_end_reason(std::string_view wanted) {
    for (const auto& [value, word] : kWords)
        if (word == wanted) return value;
    return std::nullopt;
}

std::string_view result_text(const std::optional<Outcome>& outcome) {
    if (!outcome || outcome->reason == EndReason::Aborted) return "*";
    if (!outcome->winner) return "1/2-1/2";
    return *outcome->winner == Color::White ? "1-0" : "0-1";
}

}  // namespace rokada
