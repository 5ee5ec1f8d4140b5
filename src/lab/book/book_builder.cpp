// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/book/book_builder.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "chess/notation/pgn_game_reader.hpp"
#include "chess/polyglot.hpp"
#include "lab/file_bytes.hpp"

namespace rokada::lab {

namespace {

// To in bits 0-5, from in 6-11, promotion in 12-14; castling as the king takes the rook.
std::uint16_t polyglot_move(Move move) {
    const int promotion = move.is_promotion() ? index(move.promoted()) : 0;
    return static_cast<std::uint16_t>(index(move.to()) | index(move.from()) << 6 | promotion << 12);
}

struct Entry {
    Key key;
    std::uint16_t move;
    std::uint64_t games;
    double points;
};

}  // namespace

void BookBuilder::add_move(const Position& position, Move move, double points) {
    Count& count = moves_[polyglot_key(position)][polyglot_move(move)];
    ++count.games;
    count.points += points;
}

std::string BookBuilder::add_pgn(const std::string& path) {
    FileBytes source(path);
    if (!source.is_open()) return path + ": cannot be opened";
    PgnGameReader reader(source);
    while (const auto game = reader.next()) {
        if (reader.broken()) continue;
        ++games_;
        const PgnResult result = game->result();
        // Without a result a line counts as good for both sides.
        const double white = result == PgnResult::WhiteWins   ? 1
                             : result == PgnResult::BlackWins ? 0
                                                              : 0.5;
        Position position = game->start();
        int ply = 0;
        for (const PgnGame::Node node : game->main_line()) {
            const Move move = game->move(node);
            if (ply++ >= settings_.plies || !move) break;
            add_move(position, move, position.turn() == Color::White ? white : 1 - white);
            position.play(move);
        }
    }
    return "";
}

std::string BookBuilder::add_lines(const std::string& path) {
    std::ifstream file(path);
    if (!file) return path + ": cannot be opened";
    std::uint64_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const std::size_t tab = line.rfind('\t');
        const std::string moves = tab == std::string::npos ? line : line.substr(tab + 1);
        if (moves.empty() || moves.compare(0, 3, "pgn") == 0) continue;
        const PgnGames read = parse_pgn(moves + " *\n");
        if (read.games.size() != 1 || read.games[0].main_line().empty() || !read.problems.empty())
            return path + ": line " + std::to_string(number) + ": no line of moves";
        ++games_;
        Position position;
        int ply = 0;
        for (const PgnGame::Node node : read.games[0].main_line()) {
            const Move move = read.games[0].move(node);
            if (ply++ >= settings_.plies || !move) break;
            add_move(position, move, 0.5);
            position.play(move);
        }
    }
    return "";
}

std::vector<std::uint8_t> BookBuilder::bytes() const {
    std::vector<Entry> entries;
    for (const auto& [key, moves] : moves_) {
        std::uint64_t all = 0;
        for (const auto& [move, count] : moves) all += count.games;
        for (const auto& [move, count] : moves)
            if (count.games >= static_cast<std::uint64_t>(settings_.least_games) &&
                static_cast<double>(count.games) >=
                    settings_.least_share * static_cast<double>(all) &&
                count.points > 0)
                entries.push_back({key, move, count.games, count.points});
    }
    // The most played moves stay if there is not room for all.
    const std::size_t room = settings_.most_bytes / 16;
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.games > b.games; });
    if (entries.size() > room) entries.resize(room);
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.key != b.key ? a.key < b.key : a.points > b.points;
    });
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < entries.size();) {
        std::size_t end = i;
        double most = 0;
        for (; end < entries.size() && entries[end].key == entries[i].key; ++end)
            most = std::max(most, entries[end].points);
        // Weights have sixteen bits; small counts keep their own numbers, doubled for half points.
        const double factor = most * 2 > 65'000 ? 65'000 / most : 2;
        for (; i < end; ++i) {
            const auto push = [&](std::uint64_t value, int size) {
                for (int b = size - 1; b >= 0; --b)
                    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * b)));
            };
            push(entries[i].key, 8);
            push(entries[i].move, 2);
            push(static_cast<std::uint64_t>(std::max(1.0, std::round(entries[i].points * factor))),
                 2);
            push(0, 4);
        }
    }
    return bytes;
}

}  // namespace rokada::lab
