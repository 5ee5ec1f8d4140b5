// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/levels/puzzles.hpp"

#include <charconv>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "lab/file_bytes.hpp"

namespace rokada::lab {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

Result<Puzzle, std::string> read_puzzle(std::string_view fen, std::string_view moves,
                                        std::string_view rating) {
    Puzzle puzzle;
    const auto start = parse_position(fen);
    if (!start) return Error{start.error().to_string()};
    puzzle.start = *start;
    Position position = *start;
    for (const std::string_view word : split(moves, ' ')) {
        const auto move = parse_uci_move(position, word);
        if (!move) return Error{fmt::format("{}: {}", word, move.error().message)};
        puzzle.moves.push_back(*move);
        position.play(*move);
    }
    if (puzzle.moves.size() < 2) return Error{std::string("a puzzle needs two moves")};
    const auto [end, error] =
        std::from_chars(rating.data(), rating.data() + rating.size(), puzzle.rating);
    if (error != std::errc()) return Error{fmt::format("'{}' is no rating", rating)};
    return puzzle;
}

bool is_mate(const Position& position) { return position.in_check() && !has_legal_move(position); }

}  // namespace

Result<std::vector<Puzzle>, std::string> read_puzzles(const std::string& path) {
    if (auto problem = why_unreadable(path); !problem.empty()) return Error{std::move(problem)};
    std::ifstream file(path);
    std::vector<Puzzle> puzzles;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const auto columns = split(line, ',');
        // A position has ranks between slashes, nothing before it has.
        std::size_t at = 0;
        while (at < columns.size() && columns[at].find('/') == std::string_view::npos) ++at;
        if (number == 1 && at == columns.size()) continue;
        if (at + 2 >= columns.size())
            return Error{fmt::format("{}, line {}: no position, moves and rating", path, number)};
        auto puzzle = read_puzzle(columns[at], columns[at + 1], columns[at + 2]);
        if (!puzzle) return Error{fmt::format("{}, line {}: {}", path, number, puzzle.error())};
        puzzles.push_back(std::move(*puzzle));
    }
    if (puzzles.empty()) return Error{path + ": holds no puzzles"};
    return puzzles;
}

bool solves(LevelPlayer& player, const Puzzle& puzzle, std::uint64_t seed) {
    std::vector<Move> played{puzzle.moves.front()};
    Position position = puzzle.start;
    position.play(played.front());
    for (std::size_t i = 1; i < puzzle.moves.size(); ++i) {
        Move move = puzzle.moves[i];
        if (i % 2 == 1) move = player.answer(seed, puzzle.start, played);
        position.play(move);
        if (i % 2 == 1 && is_mate(position)) return true;
        if (move != puzzle.moves[i]) return false;
        played.push_back(move);
    }
    return true;
}

// Logistic regression on the puzzle's rating by Newton's method: log odds = a + b * (rating - 1500) / 400.
SolverFit fit_solver(const std::vector<Attempt>& attempts) {
    double a = 0, b = -1;
    double aa = 0, ab = 0, bb = 0;  // the information matrix at the solution
    for (int round = 0; round < 50; ++round) {
        double ga = 0, gb = 0;
        // A weak belief in a slope as for people keeps the fit finite when all or nothing was solved.
        constexpr double kBelief = 0.05;
        aa = kBelief, ab = 0, bb = kBelief;
        ga -= kBelief * a, gb -= kBelief * (b + 1);
        for (const auto& [rating, solved] : attempts) {
            const double x = (rating - 1500) / 400.0;
            const double p = 1 / (1 + std::exp(-(a + b * x)));
            const double rest = (solved ? 1 : 0) - p;
            const double weight = p * (1 - p);
            ga += rest, gb += rest * x;
            aa += weight, ab += weight * x, bb += weight * x * x;
        }
        const double determinant = aa * bb - ab * ab;
        const double da = (bb * ga - ab * gb) / determinant;
        const double db = (aa * gb - ab * ga) / determinant;
        // Far from the solution a whole step may overshoot.
        const double step = std::min(1.0, 2 / (std::abs(da) + std::abs(db) + 1e-12));
        a += step * da, b += step * db;
        if (std::abs(da) + std::abs(db) < 1e-9) break;
    }
    // Half are solved where a + b * x = 0; the error follows from those of a and b.
    const double x = -a / b;
    const double determinant = aa * bb - ab * ab;
    const double variance = (bb - 2 * x * ab + x * x * aa) / determinant / (b * b);
    SolverFit fit;
    fit.rating = 1500 + 400 * x;
    fit.error = 1.96 * 400 * std::sqrt(std::max(variance, 0.0));
    fit.slope = -b / std::log(10.0);
    return fit;
}

}  // namespace rokada::lab
