// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a legal move of the position or an error inside the text, and a move reads back as itself.
#include "chess/notation/uci_move.hpp"

#include "tests/fuzz/move_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada;
    const auto [position, text] = fuzz::read_move_line(data, size);
    const auto move = parse_uci_move(position, text);
    if (!move) {
        fuzz::require(!move.error().message.empty() && move.error().offset <= text.size());
        return 0;
    }
    fuzz::require(position.is_legal(*move));
    const auto back = parse_uci_move(position, to_uci(*move, castling_notation_for(position)));
    fuzz::require(back.ok() && *back == *move);
    return 0;
}
