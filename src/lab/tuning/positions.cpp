// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/tuning/positions.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "chess/notation/fen.hpp"
#include "lab/training/game_file.hpp"
#include "protocol/tokens.hpp"

namespace rokada::lab {

namespace {

constexpr std::uint64_t kHeldOut = 50;

float expectancy(float centipawns, float scale) { return 1 / (1 + std::exp(-centipawns / scale)); }

bool is_full(const LabelledSets& sets, const LabelSettings& settings) {
    return sets.training.size() + sets.held_out.size() >= settings.most;
}

std::string load_games(const std::string& path, const LabelSettings& settings, LabelledSets& sets) {
    std::string problem;
    std::uint64_t games = 0, branches = 0, quiet = 0;
    const std::string read = read_training_games(path, [&](const TrainingGame& game) {
        if (!problem.empty() || is_full(sets, settings)) return;
        // A branch goes where the game goes that it follows.
        ++(game.is_branch() ? branches : games);
        TuningSet& set = games % kHeldOut == 0 ? sets.held_out : sets.training;
        Position position;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const Move move = decode_training_move(position, game.moves[ply]);
            if (!move) {
                problem = path + ": game " + std::to_string(games + branches) + ", ply " +
                          std::to_string(ply + 1) + ": no such move";
                return;
            }
            if (ply >= static_cast<std::size_t>(game.opening)) {
                ++sets.seen;
                const int score = game.scores[ply - static_cast<std::size_t>(game.opening)];
                if (ply >= static_cast<std::size_t>(settings.first_ply) && !position.in_check() &&
                    !position.is_capture(move) && !move.is_promotion() &&
                    std::abs(score) <= settings.largest_score &&
                    ++quiet % static_cast<std::uint64_t>(settings.every) == 0) {
                    const float sign = position.turn() == Color::White ? 1.0f : -1.0f;
                    const float by_score =
                        expectancy(sign * static_cast<float>(score), settings.score_scale);
                    const float by_result =
                        game.is_branch() ? by_score : static_cast<float>(game.result) / 2;
                    set.add(position, by_score + settings.result_share * (by_result - by_score));
                }
            }
            position.play(move);
        }
    });
    return read.empty() ? problem : read;
}

// The share of the points for White that a line names.
std::optional<float> result_in(std::string_view text) {
    if (text.find("1/2-1/2") != std::string_view::npos) return 0.5f;
    if (text.find("1-0") != std::string_view::npos) return 1.0f;
    if (text.find("0-1") != std::string_view::npos) return 0.0f;
    const std::size_t open = text.rfind('['), close = text.rfind(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return std::nullopt;
    const auto share = protocol::to_number(text.substr(open + 1, close - open - 1));
    if (!share || *share < 0 || *share > 1) return std::nullopt;
    return static_cast<float>(*share);
}

// The first four fields, and the counters if they are there.
std::size_t position_length(std::string_view line) {
    std::size_t at = 0, end = 0;
    for (int field = 0; field < 6; ++field) {
        at = line.find_first_not_of(' ', at);
        if (at == std::string_view::npos) break;
        std::size_t stop = line.find(' ', at);
        if (stop == std::string_view::npos) stop = line.size();
        const std::string_view word = line.substr(at, stop - at);
        if (field >= 4 && !protocol::to_integer(word)) break;
        end = at = stop;
    }
    return end;
}

std::string load_lines(const std::string& path, const LabelSettings& settings, LabelledSets& sets) {
    std::ifstream file(path);
    if (!file) return path + ": cannot be opened";
    std::uint64_t number = 0;
    for (std::string line; std::getline(file, line) && !is_full(sets, settings);) {
        ++number;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        const auto wrong = [&](const std::string& what) {
            return path + ": line " + std::to_string(number) + ": " + what;
        };
        const std::size_t length = position_length(line);
        const auto position = parse_position(std::string_view(line).substr(0, length));
        if (!position) return wrong(position.error().to_string());
        const auto result = result_in(std::string_view(line).substr(length));
        if (!result) return wrong("no result like 1-0 or [0.5] after the position");
        ++sets.seen;
        if (position->in_check()) continue;
        (number % kHeldOut == 0 ? sets.held_out : sets.training).add(*position, *result);
    }
    return "";
}

// Text has no zero bytes and no bytes above 126 in its first line.
bool looks_like_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    char bytes[256];
    file.read(bytes, sizeof bytes);
    return std::all_of(bytes, bytes + file.gcount(), [](char c) {
        return c == '\n' || c == '\r' || c == '\t' || (c >= ' ' && c <= '~');
    });
}

}  // namespace

std::string load_positions(const std::string& path, const LabelSettings& settings,
                           LabelledSets& sets) {
    return looks_like_text(path) ? load_lines(path, settings, sets)
                                 : load_games(path, settings, sets);
}

}  // namespace rokada::lab
