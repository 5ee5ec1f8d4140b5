// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of the search whose result stands in a tablebase.
#include <algorithm>

#include "engine/search/worker.hpp"

namespace rokada::engine {

// Only right after a capture or pawn move: the tables take the fifty-move clock to be zero.
std::optional<Worker::Known> Worker::probe_tablebases(const Node& node) {
    const SearchRequest& request = shared_.request;
    const Position& position = node.position();
    const int men = position.occupied().count();
    if (men > shared_.probe_men || (men == shared_.probe_men && node.depth < request.probe_depth) ||
        position.halfmove_clock() != 0)
        return std::nullopt;
    const auto result = request.tablebases->result(position);
    if (!result) return std::nullopt;
    tablebase_hits_.store(tablebase_hits() + 1, std::memory_order_relaxed);
    const Value value = value_of(*result, node.frame->ply, request.fifty_move_rule);
    // A table knows that a win is there, not how near the mate is.
    const TableBound bound = is_win(value)    ? TableBound::Lower
                             : is_loss(value) ? TableBound::Upper
                                              : TableBound::Exact;
    return Known{value, bound};
}

bool Worker::tablebase_cuts(const Node& node, const Known& known) {
    const bool cuts =
        known.bound == TableBound::Exact ||
        (known.bound == TableBound::Lower ? known.value >= node.beta : known.value <= node.alpha);
    if (!cuts) return false;
    TableEntry entry;
    entry.value = known.value;
    entry.bound = known.bound;
    entry.depth = std::min(kMaxPly - 1, node.depth + 6);
    entry.was_pv = node.frame->was_pv;
    shared_.table.store(node.position().key(), node.frame->ply, entry);
    return true;
}

}  // namespace rokada::engine
