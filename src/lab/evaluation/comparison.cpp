// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/evaluation/comparison.hpp"

#include <array>
#include <cmath>

#include "engine/evaluation/evaluator.hpp"
#include "lab/plot.hpp"
#include "lab/suite/suite.hpp"
#include "lab/training/records.hpp"

namespace rokada::lab {

namespace {

double points(int centipawns, double scale) { return 1 / (1 + std::exp(-centipawns / scale)); }

// Quiet enough for a static evaluation: no check, and what was played did not capture or promote.
std::optional<Position> quiet_position(const TrainingGame& game, std::size_t wanted) {
    Position position;
    std::optional<Position> found;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        const Move move = decode_training_move(position, game.moves[ply]);
        if (!move) return std::nullopt;
        if (!position.in_check() && !position.is_capture(move) && !move.is_promotion())
            found = position;
        if (ply >= wanted && found) return found;
        position.play(move);
    }
    return found;
}

double mean_error(const std::vector<Judged>& judged, int Judged::* evaluation, double scale) {
    double sum = 0;
    for (const Judged& j : judged)
        sum += std::abs(points(j.*evaluation, scale) - points(j.verdict, kVerdictScale));
    return sum / static_cast<double>(judged.size());
}

// The error has one valley over the scale: the interval shrinks around it.
double best_scale(const std::vector<Judged>& judged, int Judged::* evaluation) {
    double low = 20, high = 2000;
    while (high - low > 0.5) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (mean_error(judged, evaluation, a) < mean_error(judged, evaluation, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

std::vector<std::pair<double, double>> error_by_men(const std::vector<Judged>& judged,
                                                    const Accuracy& accuracy) {
    constexpr int kStep = 4;
    std::array<double, 9> sum{};
    std::array<int, 9> count{};
    for (std::size_t i = 0; i < judged.size(); ++i) {
        const auto at = static_cast<std::size_t>(judged[i].position.occupied().count() / kStep);
        sum[at] += accuracy.errors[i];
        ++count[at];
    }
    std::vector<std::pair<double, double>> curve;
    for (std::size_t i = 0; i < sum.size(); ++i)
        if (count[i] > 0)
            curve.emplace_back(static_cast<double>(i) * kStep + 1.5, 100 * sum[i] / count[i]);
    return curve;
}

}  // namespace

Result<std::vector<Position>, std::string> held_out_positions(const std::vector<std::string>& files,
                                                              std::size_t most) {
    std::vector<Position> positions;
    std::uint64_t number = 0;
    for (const std::string& path : files) {
        if (positions.size() >= most) break;
        const std::string problem = read_training_games(path, [&](const TrainingGame& game) {
            if (game.is_branch()) return;
            const std::uint64_t at = number++;
            if (!is_held_out(at) || positions.size() >= most || game.moves.size() < 20) return;
            // Another part of each game, from the opening to its end.
            const std::size_t wanted =
                12 + static_cast<std::size_t>(at) * 17 % (game.moves.size() - 12);
            if (const auto position = quiet_position(game, wanted)) positions.push_back(*position);
        });
        if (!problem.empty()) return Error{problem};
    }
    return positions;
}

Result<std::vector<Judged>, std::string> judge_positions(
    const std::vector<Position>& positions, const EngineSpec& engine, int concurrency,
    const std::atomic<bool>& stopping, const std::function<void(std::size_t done)>& on_progress) {
    std::vector<SuitePosition> questions;
    for (const Position& position : positions) {
        SuitePosition question;
        question.position = position;
        questions.push_back(std::move(question));
    }
    engine::Evaluator classical, network;
    std::vector<Judged> judged;
    std::size_t done = 0;
    std::string failure;
    const auto totals =
        run_suite(questions, engine, concurrency, stopping, [&](const SuiteAnswer& answer) {
            if (!answer.failure.empty()) failure = answer.failure;
            on_progress(++done);
            const auto& score = answer.thought.score;
            if (!score || score->is_mate()) return;
            Judged j;
            j.position = answer.asked->position;
            j.verdict = score->centipawns();
            classical.reset(j.position, nullptr);
            network.reset(j.position, engine::Network::embedded());
            j.classical = classical.evaluate(j.position);
            j.network = network.evaluate(j.position);
            judged.push_back(j);
        });
    if (!totals) return Error{totals.error()};
    if (!failure.empty()) return Error{engine.name + ": " + failure};
    return judged;
}

Accuracy accuracy(const std::vector<Judged>& judged, int Judged::* evaluation) {
    Accuracy result;
    if (judged.empty()) return result;
    result.scale = best_scale(judged, evaluation);
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_yy = 0, sum_xy = 0, errors = 0;
    std::size_t wrong = 0;
    for (const Judged& j : judged) {
        const double x = points(j.*evaluation, result.scale), y = points(j.verdict, kVerdictScale);
        result.errors.push_back(std::abs(x - y));
        errors += result.errors.back();
        sum_x += x, sum_y += y, sum_xx += x * x, sum_yy += y * y, sum_xy += x * y;
        if (std::abs(j.verdict) < 100) continue;
        ++result.clear;
        wrong += (j.verdict > 0) != (j.*evaluation > 0);
    }
    const auto n = static_cast<double>(judged.size());
    const double spread = std::sqrt((n * sum_xx - sum_x * sum_x) * (n * sum_yy - sum_y * sum_y));
    result.mean_error = errors / n;
    result.correlation = spread > 0 ? (n * sum_xy - sum_x * sum_y) / spread : 0;
    result.wrong_side =
        result.clear == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(result.clear);
    return result;
}

std::string comparison_svg(const std::vector<Judged>& judged, const Accuracy& classical,
                           const Accuracy& network) {
    return line_chart({"Distance from the deep search", "men on the board", "% of a point"},
                      {{"classical", error_by_men(judged, classical), false},
                       {"network", error_by_men(judged, network), false}});
}

}  // namespace rokada::lab
