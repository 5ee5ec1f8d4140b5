// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to write and read one move, one position, and a file of games with every move checked.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/lan.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"

namespace rokada {
namespace {

struct Played {
    Position before;
    Move move;
    std::string san, lan, fen;
};

const std::string& sample_text() {
    static const std::string text = [] {
        std::ifstream file(std::string(ROKADA_SOURCE_DIR) + "/bench/sample.pgn");
        return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    return text;
}

// Every move of the sample games.
const std::vector<Played>& moves() {
    static const std::vector<Played> all = [] {
        std::vector<Played> found;
        for (const PgnGame& game : parse_pgn(sample_text()).games) {
            Position position = game.start();
            for (const PgnGame::Node node : game.main_line()) {
                const Move move = game.move(node);
                found.push_back({position, move, to_san(position, move), to_lan(position, move),
                                 to_fen(position)});
                position.play(move);
            }
        }
        return found;
    }();
    return all;
}

// Runs over all moves; the figure is that of one.
template <class Work>
void per_move(benchmark::State& state, Work work) {
    const auto& all = moves();
    for (auto _ : state)
        for (const Played& played : all) work(played);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
    state.counters["each"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * static_cast<double>(all.size()),
        benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void write_san(benchmark::State& state) {
    std::string text;
    per_move(state, [&text](const Played& played) {
        text.clear();
        append_san(text, played.before, played.move);
        benchmark::DoNotOptimize(text.data());
    });
}
BENCHMARK(write_san);

void read_san(benchmark::State& state) {
    per_move(state, [](const Played& played) {
        benchmark::DoNotOptimize(parse_san(played.before, played.san).ok());
    });
}
BENCHMARK(read_san);

void read_long_algebraic(benchmark::State& state) {
    per_move(state, [](const Played& played) {
        benchmark::DoNotOptimize(parse_lan(played.before, played.lan).ok());
    });
}
BENCHMARK(read_long_algebraic);

void read_fen(benchmark::State& state) {
    per_move(state, [](const Played& played) {
        benchmark::DoNotOptimize(parse_position(played.fen).ok());
    });
}
BENCHMARK(read_fen);

void write_fen(benchmark::State& state) {
    per_move(state,
             [](const Played& played) { benchmark::DoNotOptimize(to_fen(played.before).data()); });
}
BENCHMARK(write_fen);

std::string repeated_sample() {
    std::string text;
    while (text.size() < 4'000'000) text += sample_text();
    return text;
}

void read_pgn(benchmark::State& state) {
    class Counter final : public PgnVisitor {
      public:
        std::int64_t moves = 0;
        void move(const Position&, Move) override { ++moves; }
    } counter;
    const std::string text = repeated_sample();
    for (auto _ : state) {
        StringSource source(text);
        PgnReader reader(source);
        while (reader.read_game(counter)) {
        }
    }
    state.SetItemsProcessed(counter.moves);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_pgn)->Unit(benchmark::kMillisecond);

void read_pgn_trees(benchmark::State& state) {
    const std::string text = repeated_sample();
    std::int64_t nodes = 0;
    for (auto _ : state) {
        StringSource source(text);
        PgnGameReader reader(source);
        while (const auto game = reader.next()) nodes += static_cast<std::int64_t>(game->size());
    }
    state.SetItemsProcessed(nodes);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_pgn_trees)->Unit(benchmark::kMillisecond);

void write_pgn(benchmark::State& state) {
    const PgnGames all = parse_pgn(sample_text());
    std::string text;
    std::int64_t nodes = 0, bytes = 0;
    for (auto _ : state) {
        text.clear();
        for (const PgnGame& game : all.games) {
            append_pgn(text, game);
            nodes += static_cast<std::int64_t>(game.size());
        }
        bytes += static_cast<std::int64_t>(text.size());
    }
    state.SetItemsProcessed(nodes);
    state.SetBytesProcessed(bytes);
}
BENCHMARK(write_pgn);

}  // namespace
}  // namespace rokada

BENCHMARK_MAIN();
