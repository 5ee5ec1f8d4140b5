// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/training/gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace rokada::lab {

namespace {

// As many floats at once as a register of the CPU holds.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
constexpr int kVectors = kTile / kLanes;
constexpr int kMicroBatch = 128;
constexpr int kRows = 2 * kMicroBatch;  // both views

Floats load(const float* from) { return *reinterpret_cast<const Floats*>(from); }
void store(float* to, Floats value) { *reinterpret_cast<Floats*>(to) = value; }
Floats splat(float value) { return Floats{} + value; }
Floats clamp01(Floats x) {
    const Floats zero{}, one = splat(1.0f);
    x = x > zero ? x : zero;
    return x < one ? x : one;
}

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

}  // namespace

float Target::operator()(const Record& record) const {
    const float by_score = sigmoid(static_cast<float>(record.score) / score_scale);
    if (record.result == kNoResult) return by_score;
    return result_share * static_cast<float>(record.result) * 0.5f +
           (1.0f - result_share) * by_score;
}

struct GradientWorker::Scratch {
    int hidden;
    std::array<ActiveInputs, kMicroBatch> inputs;
    std::array<int, kMicroBatch> bucket;
    std::array<float, kMicroBatch> error;  // of the output, before the sigmoid
    // Sums before the activation, one row per view and position, then one tile of errors.
    std::vector<float> sums, row_errors;
    // For each input the rows in which it is on.
    std::array<std::uint32_t, engine::kNetworkInputs + 1> first;
    std::array<std::uint16_t, kRows * 32> rows;

    explicit Scratch(int width)
        : hidden(width),
          sums(static_cast<std::size_t>(kRows) * static_cast<std::size_t>(width)),
          row_errors(static_cast<std::size_t>(kRows) * kTile) {}

    float* sum(int tile, int row) {
        return sums.data() +
               (static_cast<std::size_t>(tile) * kRows + static_cast<std::size_t>(row)) * kTile;
    }
    const std::array<std::uint16_t, 32>& view(int position, int view) const {
        const ActiveInputs& in = inputs[static_cast<std::size_t>(position)];
        return view == 0 ? in.own : in.other;
    }

    void forward_tile(const Model& model, int tile, int count, float* out) {
        const float* weights = model.values.data();
        const float* bias = weights + model.first_bias(tile);
        for (int p = 0; p < count; ++p) {
            const int men = inputs[static_cast<std::size_t>(p)].count;
            Floats dot{};
            for (int v = 0; v < 2; ++v) {
                Floats acc[kVectors];
                for (int i = 0; i < kVectors; ++i) acc[i] = load(bias + i * kLanes);
                const auto& on = view(p, v);
                for (int m = 0; m < men; ++m) {
                    const float* row =
                        weights + model.first_layer(tile, on[static_cast<std::size_t>(m)]);
                    for (int i = 0; i < kVectors; ++i) acc[i] += load(row + i * kLanes);
                }
                float* kept = sum(tile, 2 * p + v);
                const float* w =
                    weights + model.output(bucket[static_cast<std::size_t>(p)], v, tile);
                for (int i = 0; i < kVectors; ++i) {
                    store(kept + i * kLanes, acc[i]);
                    const Floats a = clamp01(acc[i]);
                    dot += a * a * load(w + i * kLanes);
                }
            }
            float total = 0;
            for (int i = 0; i < kLanes; ++i) total += dot[i];
            out[p] += total;
        }
    }

    void index_rows(int count) {
        first.fill(0);
        for (int p = 0; p < count; ++p)
            for (int v = 0; v < 2; ++v)
                for (int m = 0; m < inputs[static_cast<std::size_t>(p)].count; ++m)
                    ++first[view(p, v)[static_cast<std::size_t>(m)] + 1u];
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        auto next = first;
        for (int p = 0; p < count; ++p)
            for (int v = 0; v < 2; ++v)
                for (int m = 0; m < inputs[static_cast<std::size_t>(p)].count; ++m)
                    rows[next[view(p, v)[static_cast<std::size_t>(m)]]++] =
                        static_cast<std::uint16_t>(2 * p + v);
    }

    void backward_tile(const Model& model, int tile, int count, float* gradient) {
        const float* weights = model.values.data();
        Floats bias_gradient[kVectors] = {};
        const Floats zero{}, one = splat(1.0f), two = splat(2.0f);
        for (int p = 0; p < count; ++p) {
            const Floats e = splat(error[static_cast<std::size_t>(p)]);
            const int b = bucket[static_cast<std::size_t>(p)];
            for (int v = 0; v < 2; ++v) {
                const int row = 2 * p + v;
                const float* x = sum(tile, row);
                const float* w = weights + model.output(b, v, tile);
                float* w_gradient = gradient + model.output(b, v, tile);
                float* row_error = row_errors.data() + static_cast<std::size_t>(row) * kTile;
                for (int i = 0; i < kVectors; ++i) {
                    const Floats xi = load(x + i * kLanes);
                    const Floats a = clamp01(xi);
                    store(w_gradient + i * kLanes, load(w_gradient + i * kLanes) + e * a * a);
                    Floats back = e * load(w + i * kLanes) * two * a;
                    // The activation is flat outside (0, 1); at 0 the factor a is 0 already.
                    back = xi < one ? back : zero;
                    store(row_error + i * kLanes, back);
                    bias_gradient[i] += back;
                }
            }
        }
        float* bias = gradient + model.first_bias(tile);
        for (int i = 0; i < kVectors; ++i)
            store(bias + i * kLanes, load(bias + i * kLanes) + bias_gradient[i]);
        for (int input = 0; input < engine::kNetworkInputs; ++input) {
            const std::uint32_t begin = first[static_cast<std::size_t>(input)];
            const std::uint32_t end = first[static_cast<std::size_t>(input) + 1];
            if (begin == end) continue;
            float* g = gradient + model.first_layer(tile, input);
            Floats acc[kVectors];
            for (int i = 0; i < kVectors; ++i) acc[i] = load(g + i * kLanes);
            for (std::uint32_t at = begin; at < end; ++at) {
                const float* row = row_errors.data() + static_cast<std::size_t>(rows[at]) * kTile;
                for (int i = 0; i < kVectors; ++i) acc[i] += load(row + i * kLanes);
            }
            for (int i = 0; i < kVectors; ++i) store(g + i * kLanes, acc[i]);
        }
    }
};

GradientWorker::GradientWorker(int hidden) : scratch_(std::make_unique<Scratch>(hidden)) {}
GradientWorker::~GradientWorker() = default;
GradientWorker::GradientWorker(GradientWorker&&) noexcept = default;

double GradientWorker::run(const Model& model, const Record* const* records, std::size_t total,
                           const Target& target, float* gradient) {
    Scratch& s = *scratch_;
    double loss = 0;
    for (std::size_t begin = 0; begin < total; begin += kMicroBatch) {
        const int count = static_cast<int>(std::min<std::size_t>(kMicroBatch, total - begin));
        std::array<float, kMicroBatch> out{};
        for (int p = 0; p < count; ++p) {
            const auto at = static_cast<std::size_t>(p);
            active_inputs(*records[begin + at], s.inputs[at]);
            s.bucket[at] = engine::output_bucket(s.inputs[at].count);
            out[at] = model.values[model.output_bias(s.bucket[at])];
        }
        for (int tile = 0; tile < model.tiles(); ++tile)
            s.forward_tile(model, tile, count, out.data());
        for (int p = 0; p < count; ++p) {
            const auto at = static_cast<std::size_t>(p);
            const float y = sigmoid(out[at]);
            const float difference = y - target(*records[begin + at]);
            loss += static_cast<double>(difference) * static_cast<double>(difference);
            s.error[at] = 2.0f * difference * y * (1.0f - y);
        }
        if (gradient == nullptr) continue;
        for (int p = 0; p < count; ++p)
            gradient[model.output_bias(s.bucket[static_cast<std::size_t>(p)])] +=
                s.error[static_cast<std::size_t>(p)];
        s.index_rows(count);
        for (int tile = 0; tile < model.tiles(); ++tile)
            s.backward_tile(model, tile, count, gradient);
    }
    return loss;
}

}  // namespace rokada::lab
