// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/training/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace rokada::lab {

using engine::kNetworkInputs;
using engine::kOutputBuckets;

Model::Model(int hidden_neurons) : hidden(hidden_neurons) {
    const auto width = static_cast<std::size_t>(hidden);
    bias_begin_ = static_cast<std::size_t>(kNetworkInputs) * width;
    output_begin_ = bias_begin_ + width;
    output_bias_begin_ = output_begin_ + static_cast<std::size_t>(kOutputBuckets) * 2 * width;
    // Padded so that vectors never reach beyond the end.
    values.assign((output_bias_begin_ + kOutputBuckets + 15) / 16 * 16, 0.0f);
}

void Model::initialise(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    // About 32 inputs are on at once; the deviation keeps the first sums inside the activation's range.
    std::normal_distribution<float> first(0.0f, std::sqrt(2.0f / kNetworkInputs));
    std::normal_distribution<float> second(0.0f, std::sqrt(1.0f / static_cast<float>(2 * hidden)));
    for (std::size_t i = 0; i < bias_begin_; ++i) values[i] = first(random);
    for (std::size_t i = bias_begin_; i < output_begin_; ++i) values[i] = 0.0f;
    for (std::size_t i = output_begin_; i < output_bias_begin_; ++i) values[i] = second(random);
    for (std::size_t i = output_bias_begin_; i < values.size(); ++i) values[i] = 0.0f;
}

void Model::clip() {
    for (std::size_t i = 0; i < output_bias_begin_; ++i)
        values[i] = std::clamp(values[i], -engine::kLargestWeight, engine::kLargestWeight);
}

std::vector<unsigned char> Model::quantise(const std::string& name) const {
    std::vector<unsigned char> payload;
    const auto put = [&payload](auto value) {
        unsigned char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        payload.insert(payload.end(), bytes, bytes + sizeof value);
    };
    const auto rounded = [](float value, float scale) {
        return static_cast<std::int32_t>(std::lround(value * scale));
    };
    const auto put_short = [&](float value, int scale) {
        put(static_cast<std::int16_t>(rounded(value, static_cast<float>(scale))));
    };
    for (int input = 0; input < kNetworkInputs; ++input)
        for (int n = 0; n < hidden; ++n)
            put_short(values[first_layer(n / kTile, input) + static_cast<std::size_t>(n % kTile)],
                      engine::kFirstLayerScale);
    for (int n = 0; n < hidden; ++n)
        put_short(values[first_bias(n / kTile) + static_cast<std::size_t>(n % kTile)],
                  engine::kFirstLayerScale);
    for (int bucket = 0; bucket < kOutputBuckets; ++bucket)
        for (int view = 0; view < 2; ++view)
            for (int n = 0; n < hidden; ++n)
                put_short(
                    values[output(bucket, view, n / kTile) + static_cast<std::size_t>(n % kTile)],
                    engine::kOutputScale);
    for (int bucket = 0; bucket < kOutputBuckets; ++bucket)
        put(rounded(values[output_bias(bucket)],
                    static_cast<float>(engine::kFirstLayerScale * engine::kOutputScale)));
    payload.resize(engine::network_payload_size(static_cast<std::size_t>(hidden)), 0);

    engine::NetworkHeader header{};
    std::memcpy(header.magic, engine::kNetworkMagic, sizeof header.magic);
    header.version = engine::kNetworkVersion;
    header.inputs = kNetworkInputs;
    header.hidden = static_cast<std::uint32_t>(hidden);
    header.buckets = kOutputBuckets;
    header.payload = payload.size();
    header.checksum = engine::network_checksum(payload.data(), payload.size());
    std::strncpy(header.name, name.c_str(), sizeof header.name - 1);
    std::vector<unsigned char> file(sizeof header + payload.size());
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, payload.data(), payload.size());
    return file;
}

}  // namespace rokada::lab
