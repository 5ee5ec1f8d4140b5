// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to find the legal moves of a position, to play one, and to ask about one. The positions are those of
// random games, so that openings, crowded middlegames and bare endings are all among them.
#include <vector>

#include <benchmark/benchmark.h>

#include "chess/counter.hpp"
#include "chess/movegen.hpp"
#include "chess/openings.hpp"
#include "chess/polyglot.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

struct Sample {
    Position position;
    Move move;  // a legal one
};

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        std::vector<Sample> found;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const auto game = testing_support::random_game(seed, 150);
            Position position = game.start;
            for (const Move move : game.moves) {
                found.push_back({position, move});
                position.play(move);
            }
        }
        return found;
    }();
    return all;
}

// Runs over all positions; the figure is that of one.
template <class Work>
void per_position(benchmark::State& state, Work work) {
    const auto& all = samples();
    for (auto _ : state)
        for (const Sample& sample : all) work(sample);
    const double times = static_cast<double>(state.iterations()) * static_cast<double>(all.size());
    state.counters["each"] =
        benchmark::Counter(times, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void legal_moves_of_a_position(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        MoveList list;
        generate(sample.position, MoveSet::All, list);
        benchmark::DoNotOptimize(list);
    });
}
BENCHMARK(legal_moves_of_a_position);

void captures_and_queenings_of_a_position(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        MoveList list;
        generate(sample.position, MoveSet::Noisy, list);
        benchmark::DoNotOptimize(list);
    });
}
BENCHMARK(captures_and_queenings_of_a_position);

void whether_there_is_a_legal_move(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        benchmark::DoNotOptimize(has_legal_move(sample.position));
    });
}
BENCHMARK(whether_there_is_a_legal_move);

void counting_the_legal_moves(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        benchmark::DoNotOptimize(count_leaves(sample.position, 1));
    });
}
BENCHMARK(counting_the_legal_moves);

void playing_a_move_on_a_copy(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        Position next = sample.position;
        next.play(sample.move);
        benchmark::DoNotOptimize(next);
    });
}
BENCHMARK(playing_a_move_on_a_copy);

void whether_a_move_is_legal(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        benchmark::DoNotOptimize(sample.position.is_legal(sample.move));
    });
}
BENCHMARK(whether_a_move_is_legal);

void polyglot_key_of_a_position(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        benchmark::DoNotOptimize(polyglot_key(sample.position));
    });
}
BENCHMARK(polyglot_key_of_a_position);

void opening_name_of_a_position(benchmark::State& state) {
    per_position(state, [](const Sample& sample) {
        benchmark::DoNotOptimize(find_opening(sample.position).has_value());
    });
}
BENCHMARK(opening_name_of_a_position);

}  // namespace
}  // namespace rokada

BENCHMARK_MAIN();
