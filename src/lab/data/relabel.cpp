// SPDX-License-Identifier: GPL-3.0-or-later
// Scores games anew with our own search. Games keep their order, so that the length of the output
// says how far an interrupted run had come.
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "engine/engine.hpp"
#include "lab/data/files.hpp"

namespace rokada::lab {

namespace {

constexpr std::size_t kBlock = 64;  // games written at once

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

}  // namespace

std::string relabel_data(const RelabelPlan& plan,
                         const std::function<void(const RelabelReport&)>& on_report,
                         const std::function<bool()>& keep_going) {
    RelabelReport report;
    if (auto problem = repair_training_file(plan.output, report.games); !problem.empty())
        return problem;
    std::uint64_t checked = 0, positions = 0;
    if (auto problem = check_data(plan.input, checked, positions); !problem.empty()) return problem;
    report.wanted = checked;
    std::vector<TrainingGame> games;
    std::uint64_t number = 0;
    if (auto problem = read_training_games(plan.input,
                                           [&](const TrainingGame& game) {
                                               if (number++ >= report.games) games.push_back(game);
                                           });
        !problem.empty())
        return problem;
    std::ofstream file(plan.output, std::ios::binary | std::ios::app);
    if (!file) return plan.output + ": cannot be written";

    std::vector<std::unique_ptr<Labeller>> labellers;
    for (int i = 0; i < plan.threads; ++i) labellers.push_back(std::make_unique<Labeller>(plan));
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t block = 0; block < games.size(); block += kBlock) {
        const std::size_t end = std::min(block + kBlock, games.size());
        std::atomic<std::size_t> next{block};
        std::atomic<bool> broken{false};
        const auto go_on = [&] { return !broken && keep_going(); };
        std::vector<std::thread> threads;
        for (auto& labeller : labellers)
            threads.emplace_back([&, one = labeller.get()] {
                for (std::size_t i = next++; i < end; i = next++)
                    if (!one->relabel(games[i], go_on)) {
                        broken = true;
                        return;
                    }
            });
        for (std::thread& thread : threads) thread.join();
        if (broken) return "stopped";
        std::vector<unsigned char> bytes;
        for (std::size_t i = block; i < end; ++i) {
            append_training_game(games[i], bytes);
            report.new_positions += games[i].scores.size();
        }
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        file.flush();
        if (!file) return plan.output + ": cannot be written";
        report.games += end - block;
        report.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (on_report) on_report(report);
    }
    return "";
}

}  // namespace rokada::lab
