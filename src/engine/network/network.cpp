// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/network.hpp"

#include <cstring>

#include "engine/network/kernels.hpp"

namespace rokada::engine {

Result<std::shared_ptr<const Network>, std::string> Network::load(const unsigned char* bytes,
                                                                  std::size_t size) {
    NetworkHeader header;
    if (size < sizeof header) return Error{std::string("the network file is too short")};
    std::memcpy(&header, bytes, sizeof header);
    if (std::memcmp(header.magic, kNetworkMagic, sizeof header.magic) != 0)
        return Error{std::string("this is no Rokada network file")};
    if (header.version != kNetworkVersion)
        return Error{"network file version " + std::to_string(header.version) + ", expected " +
                     std::to_string(kNetworkVersion)};
    if (header.inputs != kNetworkInputs || header.hidden != kHiddenNeurons ||
        header.buckets != kOutputBuckets)
        return Error{"a network of shape " + std::to_string(header.inputs) + "-" +
                     std::to_string(header.hidden) + "x2-1x" + std::to_string(header.buckets) +
                     ", expected " + std::to_string(kNetworkInputs) + "-" +
                     std::to_string(kHiddenNeurons) + "x2-1x" + std::to_string(kOutputBuckets)};
    const unsigned char* at = bytes + sizeof header;
    if (header.payload != network_payload_size(kHiddenNeurons) ||
        size - sizeof header != header.payload)
        return Error{std::string("the network file has the wrong length")};
    if (network_checksum(at, header.payload) != header.checksum)
        return Error{std::string("the network file is damaged (checksum)")};

    std::shared_ptr<Network> network(new Network());
    const auto take = [&at](void* to, std::size_t count) {
        std::memcpy(to, at, count);
        at += count;
    };
    take(network->first_, sizeof network->first_);
    take(&network->biases_, sizeof network->biases_);
    take(network->output_, sizeof network->output_);
    take(network->output_biases_, sizeof network->output_biases_);
    header.name[sizeof header.name - 1] = '\0';
    network->name_ = header.name;
    network->checksum_ = header.checksum;
    return std::shared_ptr<const Network>(std::move(network));
}

int Network::evaluate(const HiddenLayer& own, const HiddenLayer& other, int men) const {
    const int bucket = output_bucket(men);
    const std::int64_t sum = simd::weigh(own.values, other.values, output_[bucket][0].values,
                                         output_[bucket][1].values) /
                                 kFirstLayerScale +
                             output_biases_[bucket];
    return static_cast<int>(sum * kCentipawnScale / (kFirstLayerScale * kOutputScale));
}

}  // namespace rokada::engine
