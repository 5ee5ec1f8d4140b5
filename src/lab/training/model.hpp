// SPDX-License-Identifier: GPL-3.0-or-later
// The network in floating point, as it is trained: 768 -> hidden (two views) -> 1 out of 8, squared clipped activation.
// Hidden neurons are stored in tiles of 64: a tile of the whole first layer fits in the second-level cache, and that is
// what makes training quick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/network/format.hpp"

namespace rokada::lab {

inline constexpr int kTile = 64;

struct Model {
    explicit Model(int hidden_neurons);

    int hidden;
    int tiles() const { return hidden / kTile; }

    // One flat array, so that gradients and moments have the same shape.
    std::vector<float> values;
    std::size_t first_layer(int tile, int input) const {
        return (static_cast<std::size_t>(tile) * engine::kNetworkInputs +
                static_cast<std::size_t>(input)) *
               kTile;
    }
    std::size_t first_bias(int tile) const {
        return bias_begin_ + static_cast<std::size_t>(tile) * kTile;
    }
    // view 0 is the side to move
    std::size_t output(int bucket, int view, int tile) const {
        return output_begin_ +
               (static_cast<std::size_t>(bucket * 2 + view) * static_cast<std::size_t>(tiles()) +
                static_cast<std::size_t>(tile)) *
                   kTile;
    }
    std::size_t output_bias(int bucket) const {
        return output_bias_begin_ + static_cast<std::size_t>(bucket);
    }

    void initialise(std::uint64_t seed);
    void clip();  // keeps every weight in the range that can be quantised

    // The integer file of engine/network/format.hpp.
    std::vector<unsigned char> quantise(const std::string& name) const;

  private:
    std::size_t bias_begin_, output_begin_, output_bias_begin_;
};

}  // namespace rokada::lab
