// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a small Polyglot book to standard output: all ways from the start through positions with a name. A move weighs
// as much as there are named positions behind it, times the share of the points it made in the games on standard input
// (PGN, may be empty); moves that are much lighter than the best are left out, and what does not fit into the size goes,
// lightest positions first. Run by tools/make_book.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/openings.hpp"
#include "chess/polyglot.hpp"

namespace {

using namespace rokada;

constexpr std::size_t kLargestBook = 60 * 1024;
constexpr int kLightest = 12;   // a move must weigh at least this part of the best one
constexpr int kLongestGap = 2;  // plies from one named position to the next
constexpr double kDoubt = 8;    // games with half the points that every move is given beforehand

struct Played {
    double games = kDoubt, points = kDoubt / 2;
};

struct Node {
    Position position;
    int depth = -1;  // plies from the start on the shortest way
    std::map<std::uint16_t, Key> moves;
    std::map<std::uint16_t, Played> played;
    std::set<Key> behind;  // named positions that can be reached, this one included
};

std::map<Key, Node> tree;

// A move always leads one deeper, so that there are no circles.
bool may_stand(const Position& position, int depth) {
    const auto node = tree.find(position.key());
    return node == tree.end() || node->second.depth == depth;
}

// Notes every way of up to so many plies to another named position; true if there is one.
bool follow(const Position& position, int depth, int plies, std::vector<Position>& found) {
    bool any = false;
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        if (!may_stand(next, depth + 1)) continue;
        const bool named = find_opening(next).has_value();
        if (named) found.push_back(next);
        if (!named && (plies == 1 || !follow(next, depth + 1, plies - 1, found))) continue;
        any = true;
        Node& node = tree[position.key()];
        node.position = position;
        node.depth = depth;
        node.moves[move.bits()] = next.key();
        Node& child = tree[next.key()];
        child.position = next;
        child.depth = depth + 1;
        if (named) child.behind.insert(next.key());
    }
    return any;
}

// All positions with names that can be reached, the nearest ones first.
void grow() {
    std::map<int, std::vector<Position>> layers{{0, {Position()}}};
    std::set<Key> seen{Position().key()};
    while (!layers.empty()) {
        const int depth = layers.begin()->first;
        const std::vector<Position> layer = std::move(layers.begin()->second);
        layers.erase(layers.begin());
        for (const Position& from : layer) {
            std::vector<Position> found;
            follow(from, depth, kLongestGap, found);
            for (const Position& next : found)
                if (seen.insert(next.key()).second) layers[tree[next.key()].depth].push_back(next);
        }
    }
}

const std::set<Key>& count(Key key, std::set<Key>& done) {
    Node& node = tree[key];
    if (!done.insert(key).second) return node.behind;
    for (const auto& [move, child] : node.moves) {
        const std::set<Key> below = count(child, done);
        node.behind.insert(below.begin(), below.end());
    }
    return node.behind;
}

// How each move of the tree went in these games; how many there are.
std::size_t learn(ByteSource& source) {
    std::size_t games = 0;
    PgnGameReader reader(source);
    while (const auto game = reader.next()) {
        if (reader.broken() || game->result() == PgnResult::Unfinished) continue;
        ++games;
        const double white = game->result() == PgnResult::WhiteWins   ? 1
                             : game->result() == PgnResult::BlackWins ? 0
                                                                      : 0.5;
        Position position = game->start();
        for (const PgnGame::Node step : game->main_line()) {
            const Move move = game->move(step);
            const auto node = tree.find(position.key());
            if (node == tree.end() || !node->second.moves.contains(move.bits())) break;
            Played& played = node->second.played[move.bits()];
            played.games += 1;
            played.points += position.turn() == Color::White ? white : 1 - white;
            position.play(move);
        }
    }
    return games;
}

// What a move weighs; as many as there are names behind it when it made half of the points.
std::size_t weight_of(Node& node, std::uint16_t bits, Key child) {
    const Played& played = node.played[bits];
    const double named = static_cast<double>(tree[child].behind.size());
    return static_cast<std::size_t>(2 * played.points / played.games * named + 0.5);
}

std::uint16_t polyglot_bits(Move move) {
    const int promotion = move.is_promotion() ? index(move.promoted()) : 0;
    return static_cast<std::uint16_t>(promotion << 12 | index(move.from()) << 6 | index(move.to()));
}

struct Entry {
    Key key;
    std::uint16_t move, weight;
};

void write_number(std::uint64_t number, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) std::putchar(static_cast<int>(number >> (8 * i) & 0xFF));
}

}  // namespace

int main() {
    grow();
    std::set<Key> done;
    const std::size_t reached = count(Position().key(), done).size();
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    StringSource source(text);
    const std::size_t games = learn(source);

    // From the start along the moves that are kept, positions with the most behind them first.
    std::vector<Entry> book;
    std::size_t positions = 0;
    std::set<std::pair<std::size_t, Key>> waiting{{reached, Position().key()}};
    std::set<Key> taken;
    while (!waiting.empty()) {
        Node& node = tree[waiting.rbegin()->second];
        waiting.erase(std::prev(waiting.end()));
        if (node.moves.empty() || !taken.insert(node.position.key()).second) continue;
        std::size_t best = 0;
        for (const auto& [bits, child] : node.moves)
            best = std::max(best, weight_of(node, bits, child));
        std::vector<Entry> entries;
        for (const auto& [bits, child] : node.moves) {
            const std::size_t weight = weight_of(node, bits, child);
            if (weight == 0 || weight * kLightest < best) continue;
            entries.push_back({polyglot_key(node.position), polyglot_bits(Move::from_bits(bits)),
                               static_cast<std::uint16_t>(weight)});
            waiting.insert({tree[child].behind.size(), child});
        }
        if ((book.size() + entries.size()) * 16 > kLargestBook) break;
        book.insert(book.end(), entries.begin(), entries.end());
        ++positions;
    }
    std::sort(book.begin(), book.end(), [](const Entry& a, const Entry& b) {
        return a.key != b.key         ? a.key < b.key
               : a.weight != b.weight ? a.weight > b.weight
                                      : a.move < b.move;
    });
    for (const Entry& entry : book) {
        write_number(entry.key, 8);
        write_number(entry.move, 2);
        write_number(entry.weight, 2);
        write_number(0, 4);
    }
    std::fprintf(stderr,
                 "%zu of %zu named positions reached, %zu entries for %zu positions, %zu games\n",
                 reached, named_positions(), book.size(), positions, games);
    return 0;
}
