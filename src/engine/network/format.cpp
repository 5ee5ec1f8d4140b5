// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/format.hpp"

#include "chess/zobrist.hpp"

namespace rokada::engine {

std::uint64_t network_checksum(const unsigned char* bytes, std::size_t size) {
    std::uint64_t sum = size;
    for (std::size_t at = 0; at < size; at += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8 && at + i < size; ++i)
            word |= static_cast<std::uint64_t>(bytes[at + i]) << (8 * i);
        sum = mix_bits(sum ^ word);
    }
    return sum;
}

}  // namespace rokada::engine
