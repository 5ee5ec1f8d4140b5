// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/data/files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "lab/file_bytes.hpp"
#include "lab/training/game_bytes.hpp"

namespace rokada::lab {

namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Every position of a game that has a score, with the move played; what is wrong, or empty.
template <class OnPosition>
std::string replay(const TrainingGame& game, OnPosition on_position) {
    Position position;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        const Move move = decode_training_move(position, game.moves[ply]);
        if (!move) return fmt::format("ply {}: no such move", ply + 1);
        const auto opening = static_cast<std::size_t>(game.opening);
        if (ply >= opening) on_position(position, move, int{game.scores[ply - opening]});
        position.play(move);
    }
    return "";
}

// Remembers which keys have been seen, one bit each; good enough to tell how much repeats.
class SeenKeys {
  public:
    SeenKeys() : bits_(std::size_t{1} << 24) {}
    bool insert(Key key) {
        std::uint64_t& word = bits_[key >> 40];
        const std::uint64_t bit = std::uint64_t{1} << (key >> 34 & 63);
        const bool before = (word & bit) != 0;
        word |= bit;
        return before;
    }

  private:
    std::vector<std::uint64_t> bits_;
};

constexpr std::string_view kResults[3] = {"0-1", "1/2-1/2", "1-0"};

// None if the game does not begin at the start position, has no result, or lacks evaluations after the first.
std::optional<TrainingGame> from_pgn(const PgnGame& pgn) {
    TrainingGame game;
    if (pgn.start() != Position() || pgn.result() == PgnResult::Unfinished) return std::nullopt;
    game.result = pgn.result() == PgnResult::WhiteWins ? 2
                  : pgn.result() == PgnResult::Draw    ? 1
                                                       : 0;
    Color mover = Color::White;
    for (const PgnGame::Node node : pgn.main_line()) {
        if (!pgn.move(node)) return std::nullopt;
        game.moves.push_back(encode_training_move(pgn.move(node)));
        const PgnNotes* const notes = pgn.find_notes(node);
        if (notes != nullptr && notes->after.evaluation) {
            const PgnEvaluation& e = *notes->after.evaluation;
            const engine::Score white =
                e.mate ? engine::Score::mate_in(*e.mate) : engine::Score::centipawns(e.centipawns);
            game.scores.push_back(to_training_score(mover == Color::White ? white : -white));
        } else if (!game.scores.empty()) {
            return std::nullopt;
        } else {
            ++game.opening;
        }
        mover = ~mover;
    }
    if (game.opening > 255 || game.moves.size() > 65'535 || game.scores.empty())
        return std::nullopt;
    return game;
}

std::string read_any(const std::string& path, ConvertCounts& counts,
                     const std::function<void(const TrainingGame&)>& on_game) {
    if (!ends_with(path, ".pgn"))
        return read_training_games(path, [&](const TrainingGame& game) {
            ++(game.is_branch() ? counts.branches : counts.games);
            on_game(game);
        });
    FileBytes source(path);
    if (!source.is_open()) return path + ": cannot be opened";
    PgnGameReader reader(source);
    while (const auto pgn = reader.next()) {
        const auto game = reader.broken() ? std::nullopt : from_pgn(*pgn);
        if (!game) {
            ++counts.left_out;
            continue;
        }
        ++counts.games;
        on_game(*game);
    }
    return "";
}

}  // namespace

std::string repair_training_file(const std::string& path, DataCounts& counts) {
    counts = {};
    std::vector<unsigned char> bytes;
    if (!std::filesystem::exists(path)) return "";
    if (std::string problem = read_whole_file(path, bytes); !problem.empty()) return problem;
    std::size_t at = 0;
    while (const auto header = read_game_header(std::span(bytes).subspan(at))) {
        if (!header->wrong().empty())
            return fmt::format("{}: byte {}: not a file of training games", path, at);
        if (bytes.size() - at < header->size()) break;
        at += header->size();
        ++(header->result == kNoResult ? counts.branches : counts.games);
        counts.positions += header->scores();
    }
    if (at == bytes.size()) return "";
    std::error_code error;
    std::filesystem::resize_file(path, at, error);
    return error ? path + ": " + error.message() : "";
}

std::string data_stats(const std::string& path, DataStats& stats) {
    std::string problem;
    SeenKeys seen;
    constexpr int kEdges[6] = {50, 100, 200, 400, 800, 1600};
    const std::string read = read_training_games(path, [&](const TrainingGame& game) {
        if (!problem.empty()) return;
        if (game.is_branch()) {
            ++stats.branches;
        } else {
            ++stats.games;
            ++stats.results[static_cast<std::size_t>(game.result)];
            stats.plies += game.moves.size();
        }
        stats.bytes += 4 + 2 * (game.moves.size() + game.scores.size());
        const std::string wrong = replay(game, [&](const Position& p, Move move, int score) {
            ++stats.positions;
            const int men = p.occupied().count();
            ++stats.pieces[static_cast<std::size_t>(std::min((men - 2) / 4, 7))];
            const int size = std::abs(score);
            stats.mates += size > 29'000;
            std::size_t bin = 0;
            while (bin < 6 && size > kEdges[bin]) ++bin;
            ++stats.scores[bin];
            stats.in_check += p.in_check();
            stats.quiet += !p.in_check() && !p.is_capture(move) && !move.is_promotion();
            stats.repeated += seen.insert(p.key());
            if (size > 200 && game.result != 1 && !game.is_branch()) {
                ++stats.decided;
                const bool white_better = (score > 0) == (p.turn() == Color::White);
                stats.better_side_won += white_better == (game.result == 2);
            }
        });
        if (!wrong.empty())
            problem = fmt::format("{}: game {}, {}", path, stats.games + stats.branches, wrong);
    });
    return read.empty() ? problem : read;
}

std::string check_data(const std::string& path, DataCounts& counts) {
    std::string problem;
    std::vector<std::uint16_t> opening;  // of the last game
    const std::string read = read_training_games(path, [&](const TrainingGame& game) {
        if (!problem.empty()) return;
        ++(game.is_branch() ? counts.branches : counts.games);
        const std::uint64_t number = counts.entries();
        if (!game.is_branch())
            opening.assign(game.moves.begin(), game.moves.begin() + game.opening);
        else if (counts.games == 0 || game.moves.size() < opening.size() ||
                 !std::equal(opening.begin(), opening.end(), game.moves.begin()))
            problem = fmt::format("{}: game {}: a branch that is not of the game before it", path,
                                  number);
        const std::string wrong = replay(game, [&](const Position&, Move, int score) {
            ++counts.positions;
            if (std::abs(score) > 30'000 && problem.empty())
                problem = fmt::format("{}: game {}: a score of {}", path, number, score);
        });
        if (!wrong.empty()) problem = fmt::format("{}: game {}, {}", path, number, wrong);
    });
    return read.empty() ? problem : read;
}

std::string shuffle_data(const std::vector<std::string>& inputs, const std::string& output,
                         std::uint64_t seed, DataCounts& counts) {
    std::vector<unsigned char> bytes;
    std::vector<std::size_t> begins;
    for (const std::string& path : inputs)
        if (auto problem =
                read_training_games(path,
                                    [&](const TrainingGame& game) {
                                        ++(game.is_branch() ? counts.branches : counts.games);
                                        counts.positions += game.scores.size();
                                        if (begins.empty() || !game.is_branch())
                                            begins.push_back(bytes.size());
                                        append_training_game(game, bytes);
                                    });
            !problem.empty())
            return problem;
    std::vector<std::uint32_t> order(begins.size());
    begins.push_back(bytes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::mt19937_64 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<unsigned char> mixed;
    mixed.reserve(bytes.size());
    for (const std::uint32_t i : order)
        mixed.insert(mixed.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begins[i]),
                     bytes.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]));
    return write_training_file(output, mixed);
}

std::string convert_data(const std::string& input, const std::string& output,
                         ConvertCounts& counts) {
    if (ends_with(output, ".epd")) {
        // Under another name until it is whole: what stood there before stays if the games are no good.
        const std::string part = output + ".part";
        std::ofstream file(part);
        std::string problem;
        std::uint64_t number = 0;
        const std::string read = read_any(input, counts, [&](const TrainingGame& game) {
            ++number;
            if (game.is_branch()) {
                --counts.branches;
                ++counts.left_out;
                return;
            }
            const std::string_view result = kResults[game.result];
            std::string wrong = replay(game, [&](const Position& p, Move, int score) {
                file << to_fen_without_counters(p) << " hmvc " << p.halfmove_clock() << "; ce "
                     << score << "; c9 \"" << result << "\";\n";
            });
            if (problem.empty() && !wrong.empty())
                problem = fmt::format("{}: game {}, {}", input, number, wrong);
        });
        file.close();
        if (problem.empty()) problem = read;
        if (problem.empty() && (!file || std::rename(part.c_str(), output.c_str()) != 0))
            problem = output + ": cannot be written";
        if (!problem.empty()) std::remove(part.c_str());
        return problem;
    }
    if (!ends_with(output, ".bin") && !ends_with(output, ".zst"))
        return output + ": the name must end in .bin, .zst or .epd";
    std::vector<unsigned char> bytes;
    const std::string read = read_any(
        input, counts, [&](const TrainingGame& game) { append_training_game(game, bytes); });
    return read.empty() ? write_training_file(output, bytes) : read;
}

}  // namespace rokada::lab
