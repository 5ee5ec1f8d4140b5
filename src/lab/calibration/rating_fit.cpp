// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/calibration/rating_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/match/statistics.hpp"

namespace rokada::lab {

namespace {

constexpr double kPerElo = 0.005756462732485115;  // ln 10 / 400
// Everybody is held to where they began by a weak thread, so that the fit has one answer and a player
// who has won or lost everything does not run away.
constexpr double kThread = 400;

// Inverts a symmetric positive matrix in place, by elimination.
void invert(std::vector<double>& m, std::size_t n) {
    std::vector<double> result(n * n);
    for (std::size_t i = 0; i < n; ++i) result[i * n + i] = 1;
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < n; ++row)
            if (std::fabs(m[row * n + column]) > std::fabs(m[pivot * n + column])) pivot = row;
        for (std::size_t k = 0; k < n; ++k) {
            std::swap(m[pivot * n + k], m[column * n + k]);
            std::swap(result[pivot * n + k], result[column * n + k]);
        }
        const double scale = 1 / m[column * n + column];
        for (std::size_t k = 0; k < n; ++k) {
            m[column * n + k] *= scale;
            result[column * n + k] *= scale;
        }
        for (std::size_t row = 0; row < n; ++row) {
            if (row == column) continue;
            const double factor = m[row * n + column];
            for (std::size_t k = 0; k < n; ++k) {
                m[row * n + k] -= factor * m[column * n + k];
                result[row * n + k] -= factor * result[column * n + k];
            }
        }
    }
    m = std::move(result);
}

}  // namespace

void fit_ratings(std::vector<Rated>& players, const std::vector<PairScore>& scores) {
    const std::size_t n = players.size();
    std::vector<double> begin(n), inverse;
    for (std::size_t i = 0; i < n; ++i) {
        if (players[i].prior) players[i].elo = *players[i].prior;
        begin[i] = players[i].elo;
        players[i].games = 0;
    }
    for (const PairScore& s : scores) {
        players[s.first].games += s.games;
        players[s.second].games += s.games;
    }
    for (int round = 0; round < 200; ++round) {
        std::vector<double> slope(n), curve(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            const double spread = players[i].prior ? players[i].prior_error : kThread;
            slope[i] = (begin[i] - players[i].elo) / (spread * spread);
            curve[i * n + i] = 1 / (spread * spread);
        }
        for (const PairScore& s : scores) {
            const double p = score_from_elo(players[s.first].elo - players[s.second].elo);
            const double pull = (s.points - s.games * p) * kPerElo;
            const double stiffness = s.games * p * (1 - p) * kPerElo * kPerElo;
            slope[s.first] += pull;
            slope[s.second] -= pull;
            curve[s.first * n + s.first] += stiffness;
            curve[s.second * n + s.second] += stiffness;
            curve[s.first * n + s.second] -= stiffness;
            curve[s.second * n + s.first] -= stiffness;
        }
        invert(curve, n);
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double step = 0;
            for (std::size_t k = 0; k < n; ++k) step += curve[i * n + k] * slope[k];
            step = std::clamp(step, -200.0, 200.0);
            players[i].elo += step;
            largest = std::max(largest, std::fabs(step));
        }
        inverse = std::move(curve);
        if (largest < 1e-6) break;
    }
    for (std::size_t i = 0; i < n; ++i) players[i].error = 1.96 * std::sqrt(inverse[i * n + i]);
}

std::vector<double> rising(const std::vector<double>& values, const std::vector<double>& weights) {
    struct Block {
        double mean, weight;
        std::size_t count;
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        blocks.push_back({values[i], weights[i], 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean >= blocks.back().mean) {
            const Block last = blocks.back();
            blocks.pop_back();
            Block& into = blocks.back();
            into.mean =
                (into.mean * into.weight + last.mean * last.weight) / (into.weight + last.weight);
            into.weight += last.weight;
            into.count += last.count;
        }
    }
    std::vector<double> result;
    for (const Block& block : blocks) result.insert(result.end(), block.count, block.mean);
    return result;
}

}  // namespace rokada::lab
