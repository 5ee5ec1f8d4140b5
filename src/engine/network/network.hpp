// SPDX-License-Identifier: GPL-3.0-or-later
// Our network, ready to evaluate: weights read from a file that is checked first. Immutable, shared by all threads.
#pragma once

#include <memory>
#include <string>

#include "chess/result.hpp"
#include "engine/network/format.hpp"
#include "engine/network/width.hpp"

namespace rokada::engine {

struct alignas(64) HiddenLayer {
    std::int16_t values[kHiddenNeurons];
};

class Network {
  public:
    // Copies the weights out of a file's bytes; the error says why a file cannot be used.
    static Result<std::shared_ptr<const Network>, std::string> load(const unsigned char* bytes,
                                                                    std::size_t size);
    // "<built in>" or nothing names the embedded one. Where there are no files every other name is refused.
    static Result<std::shared_ptr<const Network>, std::string> from_file(const std::string& path);
    // The one built into the program; null where none is (the browser loads its own).
    static std::shared_ptr<const Network> embedded();

    const std::string& name() const { return name_; }
    // Of its weights: networks with the same one judge alike, whatever their names are.
    std::uint64_t checksum() const { return checksum_; }
    const HiddenLayer& weights(int input) const { return first_[input]; }
    const HiddenLayer& biases() const { return biases_; }

    // Centipawns for the side to move, from the sums of both views.
    int evaluate(const HiddenLayer& own, const HiddenLayer& other, int men) const;

  private:
    Network() = default;

    HiddenLayer first_[kNetworkInputs];
    HiddenLayer biases_;
    HiddenLayer output_[kOutputBuckets][2];
    std::int32_t output_biases_[kOutputBuckets];
    std::string name_;
    std::uint64_t checksum_ = 0;
};

}  // namespace rokada::engine
