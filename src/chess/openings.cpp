// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/openings.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace rokada {

namespace {

// Sorted by the key of the position.
struct OpeningEntry {
    Key key;
    std::uint32_t
        detail;  // the number of the name times 512 plus the code, A00 being 0 and E99 499
};

#include "chess/openings_table.inc"

// Names are sorted and share their beginnings. The first character of each tells how many it takes over from the
// name before it: a blank none, '!' one and so on. A block begins anew.
std::string name_number(std::size_t number) {
    std::string name;
    std::string_view block = kOpeningNames[number / kOpeningNamesPerBlock];
    for (std::size_t i = 0; i <= number % kOpeningNamesPerBlock; ++i) {
        const std::size_t end = block.find('\n');
        name.resize(static_cast<std::size_t>(block[0] - ' '));
        name += block.substr(1, end - 1);
        block.remove_prefix(end + 1);
    }
    return name;
}

std::string code_number(std::uint32_t number) {
    const auto digit = [](std::uint32_t value) { return static_cast<char>('0' + value % 10); };
    return {static_cast<char>('A' + number / 100), digit(number / 10), digit(number)};
}

}  // namespace

std::optional<Opening> find_opening(const Position& position) {
    const auto* entry = std::lower_bound(
        std::begin(kOpeningEntries), std::end(kOpeningEntries), position.key(),
        [](const OpeningEntry& candidate, Key key) { return candidate.key < key; });
    if (entry == std::end(kOpeningEntries) || entry->key != position.key()) return std::nullopt;
    return Opening{code_number(entry->detail % 512), name_number(entry->detail / 512)};
}

std::optional<Opening> find_opening(const Game& game) {
    if (game.start() != Position()) return std::nullopt;
    for (std::size_t plies = game.plies().size(); plies > 0; --plies)
        if (auto opening = find_opening(game.position_after(plies))) return opening;
    return std::nullopt;
}

std::size_t named_positions() { return std::size(kOpeningEntries); }

}  // namespace rokada
