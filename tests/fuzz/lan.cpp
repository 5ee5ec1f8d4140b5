// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a legal move of the position or an error inside the text; SAN understands all of it too.
#include "chess/notation/lan.hpp"

#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"
#include "tests/fuzz/move_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada;
    const auto [position, text] = fuzz::read_move_line(data, size);
    const auto move = parse_lan(position, text);
    if (move) {
        fuzz::require(position.is_legal(*move));
        fuzz::require(parse_san(position, text).value() == *move);
    } else {
        fuzz::require(!move.error().message.empty() && move.error().offset <= text.size());
    }
    for (const Move legal : legal_moves(position))
        fuzz::require(parse_lan(position, to_lan(position, legal)).value() == legal);
    return 0;
}
