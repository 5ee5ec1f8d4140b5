// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes are a book or an error, and a book gives only legal moves, here along the game it suggests itself.
#include "chess/polyglot.hpp"

#include "tests/fuzz/move_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada;
    const auto book = PolyglotBook::view({data, size});
    if (!book) {
        fuzz::require(!book.error().empty());
        return 0;
    }
    fuzz::require(book->entries() == size / 16);
    // The fuzzer would never guess a key: the entries are also asked under the keys of a game's positions.
    std::vector<std::uint8_t> bytes(data, data + size);
    Position position;
    for (int plies = 0; plies < 60; ++plies) {
        const Key key = polyglot_key(position);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if (i % 16 < 8) bytes[i] = static_cast<std::uint8_t>(key >> (8 * (7 - i % 16)));
        const auto here = PolyglotBook::view(bytes);
        fuzz::require(here.ok());
        const auto moves = here->moves(position);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            fuzz::require(position.is_legal(moves[i].move));
            fuzz::require(i == 0 || moves[i - 1].weight >= moves[i].weight);
        }
        const auto move =
            here->random(position, mix_bits(size + static_cast<std::uint64_t>(plies)));
        fuzz::require(move.has_value() == here->best(position).has_value());
        if (!move) break;
        position.play(*move);
    }
    return 0;
}
