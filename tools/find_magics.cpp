// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the multipliers of src/chess/magic_numbers.hpp:
//   g++ -O2 -std=c++20 tools/find_magics.cpp -o /tmp/find_magics && /tmp/find_magics > src/chess/magic_numbers.hpp
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using Bits = std::uint64_t;
constexpr int kRook[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
constexpr int kBishop[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

Bits walk(int square, Bits occupied, const int (&steps)[4][2], bool stop_before_edge) {
    Bits seen = 0;
    for (const auto& step : steps) {
        int file = square % 8 + step[0], rank = square / 8 + step[1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            const int next_file = file + step[0], next_rank = rank + step[1];
            const bool edge = next_file < 0 || next_file > 7 || next_rank < 0 || next_rank > 7;
            if (stop_before_edge && edge) break;
            seen |= Bits{1} << (rank * 8 + file);
            if (occupied >> (rank * 8 + file) & 1) break;
            file = next_file;
            rank = next_rank;
        }
    }
    return seen;
}

Bits random_state = 0x726F6B616461ull;
Bits random_bits() {  // splitmix64
    Bits z = random_state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

Bits find(int square, const int (&steps)[4][2]) {
    const Bits mask = walk(square, 0, steps, true);
    const int bits = __builtin_popcountll(mask);
    std::vector<Bits> subsets, attacks;
    Bits subset = 0;
    do {
        subsets.push_back(subset);
        attacks.push_back(walk(square, subset, steps, false));
        subset = (subset - mask) & mask;
    } while (subset);
    std::vector<Bits> table(subsets.size());
    std::vector<int> stamp(subsets.size(), 0);
    for (int attempt = 1;; ++attempt) {
        const Bits magic = random_bits() & random_bits() & random_bits();
        if (__builtin_popcountll((mask * magic) >> 56) < 6) continue;
        bool works = true;
        for (std::size_t i = 0; i < subsets.size() && works; ++i) {
            const std::size_t at = (subsets[i] * magic) >> (64 - bits);
            if (stamp[at] != attempt) {
                stamp[at] = attempt;
                table[at] = attacks[i];
            } else if (table[at] != attacks[i]) {
                works = false;
            }
        }
        if (works) return magic;
    }
}

void print(const char* name, const int (&steps)[4][2]) {
    std::printf("inline constexpr std::array<std::uint64_t, 64> %s{\n", name);
    for (int square = 0; square < 64; ++square)
        std::printf("%s0x%016llXull,%s", square % 4 ? " " : "    ",
                    static_cast<unsigned long long>(find(square, steps)),
                    square % 4 == 3 ? "\n" : "");
    std::printf("};\n");
}

}  // namespace

int main() {
    std::printf("// SPDX-License-Identifier: GPL-3.0-or-later\n");
    std::printf(
        "// Multipliers for slider lookups without PEXT, one per square; made by "
        "tools/find_magics.cpp.\n");
    std::printf("#pragma once\n\n#include <array>\n#include <cstdint>\n\nnamespace rokada {\n\n");
    print("kRookMagics", kRook);
    std::printf("\n");
    print("kBishopMagics", kBishop);
    std::printf("\n}  // namespace rokada\n");
}
