// SPDX-License-Identifier: GPL-3.0-or-later
// The network file: a header of 64 bytes, then integers, little-endian:
//   first layer weights  int16 [768][hidden]      scaled by 255
//   first layer biases   int16 [hidden]           scaled by 255
//   output weights       int16 [8][2][hidden]     scaled by 64; own view first
//   output biases        int32 [8]                scaled by 255 * 64
// padded with zeros to a multiple of 64 bytes. Evaluation in centipawns of the side to move:
//   400 * (sum(clamp(x, 0, 255)^2 * w) / 255 + bias) / (255 * 64)
#pragma once

#include <cstdint>
#include <string>

#include "engine/network/features.hpp"

namespace rokada::engine {

inline constexpr int kFirstLayerScale = 255;
inline constexpr int kOutputScale = 64;
inline constexpr int kCentipawnScale = 400;
// |weight| stays below this in training, so that an activation times an output weight fits in 16 bits.
inline constexpr float kLargestWeight = 1.98f;

struct NetworkHeader {
    char magic[8];           // "ROKADANN"
    std::uint32_t version;   // 1
    std::uint32_t inputs;    // 768
    std::uint32_t hidden;    // neurons per view, a multiple of 64
    std::uint32_t buckets;   // 8
    std::uint64_t payload;   // bytes after the header
    std::uint64_t checksum;  // of those bytes, see network_checksum
    char name[24];           // for people, zero-terminated
};
static_assert(sizeof(NetworkHeader) == 64);

inline constexpr char kNetworkMagic[9] = "ROKADANN";
inline constexpr std::uint32_t kNetworkVersion = 1;

constexpr std::size_t network_payload_size(std::size_t hidden) {
    const std::size_t bytes =
        2 * (kNetworkInputs * hidden + hidden + kOutputBuckets * 2 * hidden) + 4 * kOutputBuckets;
    return (bytes + 63) / 64 * 64;
}

std::uint64_t network_checksum(const unsigned char* bytes, std::size_t size);

}  // namespace rokada::engine
