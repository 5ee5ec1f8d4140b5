// SPDX-License-Identifier: GPL-3.0-or-later
// Any line is an EPD or an error inside the line; what is written reads back as the same.
#include "chess/notation/epd.hpp"

#include "tests/fuzz/move_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto epd = parse_epd(text);
    if (!epd) {
        fuzz::require(!epd.error().message.empty() && epd.error().offset <= size);
        return 0;
    }
    for (const EpdOperation& operation : epd->operations) {
        const auto moves = epd->moves(operation.opcode);
        if (moves)
            for (const Move move : *moves) fuzz::require(epd->position.is_legal(move));
    }
    // Ends of lines inside strings, which no file has, become blanks; after that nothing changes any more.
    const auto back = parse_epd(to_epd(*epd));
    fuzz::require(back.ok() && back->position == epd->position &&
                  back->operations.size() == epd->operations.size());
    fuzz::require(to_epd(*back) == to_epd(*epd));
    return 0;
}
