// SPDX-License-Identifier: GPL-3.0-or-later
// Scores games anew with our own search. Games keep their order, so that the length of the output
// says how far an interrupted run had come.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "engine/engine.hpp"
#include "lab/data/files.hpp"

namespace rokada::lab {

namespace {

constexpr std::size_t kBlock = 64;           // games written at once
constexpr std::size_t kBlockElsewhere = 16;  // games of one job

class Labeller {
  public:
    explicit Labeller(const RelabelPlan& plan) : engine_(callbacks()) {
        engine_.set_option("Hash", std::to_string(plan.hash_megabytes));
        engine_.set_option("Evaluation", plan.network ? "network" : "classical");
        limits_.soft_nodes = plan.nodes;
        limits_.nodes = 20 * plan.nodes;
        engine_.wait();
    }
    // False if a move is illegal or the searches were broken off.
    bool relabel(TrainingGame& game, const std::function<bool()>& keep_going) {
        engine_.new_game();
        engine_.wait();
        Position position;
        std::vector<Move> moves;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            if (ply >= static_cast<std::size_t>(game.opening)) {
                if (!keep_going()) return false;
                engine_.set_position(Position(), moves);
                engine_.think(limits_);
                game.scores[ply - static_cast<std::size_t>(game.opening)] =
                    to_training_score(last_);
            }
            const Move move = decode_training_move(position, game.moves[ply]);
            if (!move) return false;
            moves.push_back(move);
            position.play(move);
        }
        return true;
    }

  private:
    engine::Callbacks callbacks() {
        engine::Callbacks c;
        c.on_info = [this](const engine::Info& info) { last_ = info.score; };
        return c;
    }
    engine::Score last_;
    engine::Limits limits_;
    engine::Engine engine_;
};

// The output and how far it is.
struct Output {
    std::ofstream file;
    RelabelReport report;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    bool write(const std::vector<TrainingGame>& games) {
        std::vector<unsigned char> bytes;
        for (const TrainingGame& game : games) {
            append_training_game(game, bytes);
            report.new_positions += game.scores.size();
        }
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        report.games += games.size();
        report.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return static_cast<bool>(file.flush());
    }
};

std::vector<TrainingGame> slice(const std::vector<TrainingGame>& games, std::size_t from,
                                std::size_t size) {
    const std::size_t to = std::min(from + size, games.size());
    return {games.begin() + static_cast<std::ptrdiff_t>(from),
            games.begin() + static_cast<std::ptrdiff_t>(to)};
}

// Blocks go out as threads are free and come back in any order; they are written in their own.
std::string gather(const RelabelPlan& plan, const std::vector<TrainingGame>& games, Output& output,
                   const std::function<void(const RelabelReport&)>& on_report,
                   const std::function<bool()>& keep_going, const RelabelElsewhere& elsewhere) {
    std::mutex mutex;
    std::size_t next = 0, written = 0;
    std::map<std::size_t, std::vector<TrainingGame>> early;
    std::string problem;
    const auto go_on = [&] {
        const std::lock_guard lock(mutex);
        return problem.empty() && keep_going();
    };
    const auto work = [&] {
        while (go_on()) {
            std::unique_lock lock(mutex);
            if (next >= games.size()) return;
            const std::size_t first = next;
            next += kBlockElsewhere;
            lock.unlock();
            const auto block = slice(games, first, kBlockElsewhere);
            auto done = elsewhere(block, go_on);
            lock.lock();
            if (!done || done->size() != block.size()) {
                if (problem.empty()) problem = done ? "games are missing" : done.error();
                return;
            }
            early[first] = std::move(*done);
            for (auto at = early.find(written); at != early.end() && problem.empty();
                 at = early.find(written)) {
                if (!output.write(at->second)) problem = plan.output + ": cannot be written";
                written += at->second.size();
                early.erase(at);
                if (on_report) on_report(output.report);
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < plan.threads; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (problem.empty() && written < games.size()) return "stopped";
    return problem;
}

}  // namespace

bool relabel_games(const RelabelPlan& plan, std::vector<TrainingGame>& games,
                   const std::function<bool()>& keep_going,
                   const std::function<void(std::size_t done)>& on_done) {
    Labeller labeller(plan);
    std::size_t done = 0;
    return std::all_of(games.begin(), games.end(), [&](TrainingGame& game) {
        if (!labeller.relabel(game, keep_going)) return false;
        if (on_done) on_done(++done);
        return true;
    });
}

std::string relabel_data(const RelabelPlan& plan,
                         const std::function<void(const RelabelReport&)>& on_report,
                         const std::function<bool()>& keep_going,
                         const RelabelElsewhere& elsewhere) {
    Output output;
    RelabelReport& report = output.report;
    DataCounts ready, checked;
    if (auto problem = repair_training_file(plan.output, ready); !problem.empty()) return problem;
    if (auto problem = check_data(plan.input, checked); !problem.empty()) return problem;
    report.games = ready.entries();
    report.wanted = checked.entries();
    std::vector<TrainingGame> games;
    std::uint64_t number = 0;
    if (auto problem = read_training_games(plan.input,
                                           [&](const TrainingGame& game) {
                                               if (number++ >= report.games) games.push_back(game);
                                           });
        !problem.empty())
        return problem;
    output.file.open(plan.output, std::ios::binary | std::ios::app);
    if (!output.file) return plan.output + ": cannot be written";
    output.begin = std::chrono::steady_clock::now();
    if (elsewhere) return gather(plan, games, output, on_report, keep_going, elsewhere);

    std::vector<std::unique_ptr<Labeller>> labellers;
    for (int i = 0; i < plan.threads; ++i) labellers.push_back(std::make_unique<Labeller>(plan));
    for (std::size_t first = 0; first < games.size(); first += kBlock) {
        std::vector<TrainingGame> block = slice(games, first, kBlock);
        std::atomic<std::size_t> next{0};
        std::atomic<bool> broken{false};
        const auto go_on = [&] { return !broken && keep_going(); };
        std::vector<std::thread> threads;
        for (auto& labeller : labellers)
            threads.emplace_back([&, one = labeller.get()] {
                for (std::size_t i = next++; i < block.size(); i = next++)
                    if (!one->relabel(block[i], go_on)) {
                        broken = true;
                        return;
                    }
            });
        for (std::thread& thread : threads) thread.join();
        if (broken) return "stopped";
        if (!output.write(block)) return plan.output + ": cannot be written";
        if (on_report) on_report(report);
    }
    return "";
}

}  // namespace rokada::lab
