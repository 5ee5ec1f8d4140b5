// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a small Polyglot book to standard output: all ways from the start through positions with a name. A move weighs
// as much as there are named positions behind it; those much lighter than the best are left out, and what does not fit
// into the size goes, lightest positions first. Run by tools/make_book.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/openings.hpp"
#include "chess/polyglot.hpp"

namespace {

using namespace rokada;

constexpr std::size_t kLargestBook = 60 * 1024;
constexpr int kLightest = 12;   // a move must weigh at least this part of the best one
constexpr int kLongestGap = 2;  // plies from one named position to the next

struct Node {
    Position position;
    std::map<std::uint16_t, Key> moves;
    std::set<Key> behind;  // named positions that can be reached, this one included
};

std::map<Key, Node> tree;

// Notes every way of up to so many plies to another named position; true if there is one.
bool follow(const Position& position, int plies, std::vector<Position>& found) {
    bool any = false;
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        const bool named = find_opening(next).has_value();
        if (named) found.push_back(next);
        if (!named && (plies == 1 || !follow(next, plies - 1, found))) continue;
        any = true;
        Node& node = tree[position.key()];
        node.position = position;
        node.moves[move.bits()] = next.key();
        Node& child = tree[next.key()];
        child.position = next;
        if (named) child.behind.insert(next.key());
    }
    return any;
}

// Names do not come back, so there are no circles.
const std::set<Key>& count(Key key, std::set<Key>& done) {
    Node& node = tree[key];
    if (!done.insert(key).second) return node.behind;
    for (const auto& [move, child] : node.moves) {
        const std::set<Key> below = count(child, done);
        node.behind.insert(below.begin(), below.end());
    }
    return node.behind;
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
    std::vector<Position> queue{Position()};
    std::set<Key> seen{Position().key()};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        std::vector<Position> found;
        const Position from = queue[i];
        follow(from, kLongestGap, found);
        for (const Position& next : found)
            if (seen.insert(next.key()).second) queue.push_back(next);
    }
    std::set<Key> done;
    const std::size_t reached = count(Position().key(), done).size();

    // From the start along the moves that are kept, positions with the most behind them first.
    std::vector<Entry> book;
    std::size_t positions = 0;
    std::set<std::pair<std::size_t, Key>> waiting{{reached, Position().key()}};
    std::set<Key> taken;
    while (!waiting.empty()) {
        const Node& node = tree[waiting.rbegin()->second];
        waiting.erase(std::prev(waiting.end()));
        if (node.moves.empty() || !taken.insert(node.position.key()).second) continue;
        std::size_t best = 0;
        for (const auto& [bits, child] : node.moves)
            best = std::max(best, tree[child].behind.size());
        std::vector<Entry> entries;
        for (const auto& [bits, child] : node.moves) {
            const std::size_t weight = tree[child].behind.size();
            if (weight * kLightest < best) continue;
            entries.push_back({polyglot_key(node.position), polyglot_bits(Move::from_bits(bits)),
                               static_cast<std::uint16_t>(weight)});
            waiting.insert({weight, child});
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
    std::fprintf(stderr, "%zu of %zu named positions reached, %zu entries for %zu positions\n",
                 reached, named_positions(), book.size(), positions);
    return 0;
}
