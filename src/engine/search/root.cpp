// SPDX-License-Identifier: GPL-3.0-or-later
// The root of the search: one iteration after the other, each a ply deeper, inside a window around
// the score expected; and the decision when it is enough.
#include <algorithm>
#include <cstdlib>

#include "engine/search/mate_line.hpp"
#include "engine/search/parameters.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

namespace {

bool better(const RootMove& a, const RootMove& b) {
    // Where tables say how a win makes progress, a search that sees no mate has nothing to add.
    if (a.ranked && b.ranked && a.ranked->distance > 0 &&
        a.ranked->distance != b.ranked->distance) {
        const auto proven = [](const RootMove& r) { return r.score >= kMateInMaxPly; };
        if (!proven(a) && !proven(b)) return a.ranked->distance < b.ranked->distance;
    }
    return a.score != b.score ? a.score > b.score : a.previous_score > b.previous_score;
}

}  // namespace

void Worker::iterate() {
    const Limits& limits = shared_.request.limits;
    const int ranks = std::min<int>(shared_.request.multipv, static_cast<int>(root_moves_.size()));
    const Depth last = std::clamp(limits.depth.value_or(kMaxPly - 1), 1, kMaxPly - 1);

    for (root_depth_ = 1; root_depth_ <= last && !stopped(); ++root_depth_) {
        for (RootMove& root : root_moves_) root.previous_score = root.score;
        for (rank_ = 0; rank_ < ranks && !stopped(); ++rank_) {
            search_line(rank_, root_depth_);
            // The lines found so far, best first; a line cut short by the stop keeps its old place.
            std::stable_sort(root_moves_.begin() + group_begin_, root_moves_.begin() + rank_ + 1,
                             better);
        }
        if (!stopped()) completed_depth_ = root_depth_;
        if (leads()) {
            if (kUse.mate_scout) look_for_mate();
            report(root_depth_, ranks);
            if (should_stop_after_iteration()) shared_.stop.store(true, std::memory_order_relaxed);
        }
    }
}

// Moves that tablebases know to be worse must not compete with those of a better rank.
void Worker::find_group(int rank) {
    const auto rank_of = [this](int i) {
        const RootMove& root = root_moves_[static_cast<std::size_t>(i)];
        return root.ranked ? root.ranked->rank : 0;
    };
    group_begin_ = group_end_ = rank;
    while (group_begin_ > 0 && rank_of(group_begin_ - 1) == rank_of(rank)) --group_begin_;
    while (group_end_ < static_cast<int>(root_moves_.size()) &&
           rank_of(group_end_) == rank_of(rank))
        ++group_end_;
}

// Searches one line of MultiPV, widening the window until the score lies inside.
void Worker::search_line(int rank, Depth depth) {
    Frame* const root = &frames_[kFramesBeforeRoot];
    find_group(rank);
    const Value expected = root_moves_[static_cast<std::size_t>(rank)].average_score;
    // Threads differ a little, so that they do not all do the same work.
    Value delta = kSearch.aspiration_delta + number_ % 8;
    Value alpha = -kInfinite, beta = kInfinite;
    if (kUse.aspiration && depth >= kSearch.aspiration_depth && expected != -kInfinite &&
        !is_decisive(expected)) {
        delta += expected * expected / kSearch.aspiration_score_divisor;
        alpha = std::max(expected - delta, -kInfinite);
        beta = std::min(expected + delta, kInfinite);
    }
    int failed_high = 0;
    for (;;) {
        selective_depth_ = 0;
        // A move that fails high again and again is good enough to be verified a little less deep.
        const Depth adjusted = std::max(1, depth - failed_high);
        const Value value = search_node<NodeKind::Root>(root, alpha, beta, adjusted, false);
        std::stable_sort(root_moves_.begin() + rank, root_moves_.begin() + group_end_, better);
        if (stopped()) return;
        if (value > alpha && value < beta) break;
        if (leads() && shared_.request.multipv == 1 && takes_long()) report_line(depth, rank);
        if (value <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = std::max(value - delta, -kInfinite);
            failed_high = 0;
        } else {
            beta = std::min(value + delta, kInfinite);
            if (!is_decisive(value)) ++failed_high;
        }
        delta += delta * kSearch.aspiration_growth / 100;
        // Far off the beaten track no window helps.
        if (delta > 1000) alpha = -kInfinite, beta = kInfinite;
    }
    RootMove& best = root_moves_[static_cast<std::size_t>(rank)];
    best.average_score =
        best.average_score == -kInfinite ? best.score : (best.average_score + best.score) / 2;
}

// A small part of the effort goes into a proof of mate. Not for levels, which must not see more than their search does;
// nor with several lines, where each has its own score; nor where tables know the way.
void Worker::look_for_mate() {
    const SearchRequest& request = shared_.request;
    if (request.from_scratch || request.multipv > 1 || root_moves_.front().ranked) return;
    if (root_moves_.front().score < kMateInMaxPly && proven_mate_ == -kInfinite)
        if (const auto mate = scout_.look(nodes() / kSearch.scout_share)) {
            proven_move_ = mate->move;
            proven_mate_ = mate_in(2 * mate->moves - 1);
        }
    // Whatever the search thinks of it.
    const auto proven =
        std::find_if(root_moves_.begin(), root_moves_.end(), [&](const RootMove& root) {
            return root.move == proven_move_ && root.score < proven_mate_;
        });
    if (proven == root_moves_.end()) return;
    proven->score = proven->average_score = proven_mate_;
    proven->bound = Bound::Exact;
    proven->line.assign(1, proven_move_);
    std::rotate(root_moves_.begin(), proven, proven + 1);
}

bool Worker::should_stop_after_iteration() {
    const RootMove& best = root_moves_.front();
    stable_iterations_ = best.move == last_best_ ? stable_iterations_ + 1 : 0;
    last_best_ = best.move;
    const auto& soft_nodes = shared_.request.limits.soft_nodes;
    if (soft_nodes && shared_.nodes() >= *soft_nodes) return true;
    if (!shared_.time.limited()) return false;
    bool enough = shared_.time.soft_limit_passed(time_factor());
    if (best.move == proven_move_ && shared_.time.flexible()) enough = true;
    // A mate that a much deeper search has not improved will do.
    if (is_mate(best.score) && shared_.time.flexible() &&
        root_depth_ > 2 * (kMate - std::abs(best.score)) + 8)
        enough = true;
    // Nothing to think about, except for the score.
    if (root_moves_.size() == 1 && shared_.time.flexible() && root_depth_ >= 5) enough = true;
    if (enough && shared_.pondering.load(std::memory_order_relaxed)) {
        shared_.stop_on_ponder_hit.store(true, std::memory_order_relaxed);
        return false;
    }
    return enough;
}

// How much of the usual time this search deserves, in per mille: less when nearly all effort went
// into one move and it has been the best for long, more when the score is falling.
int Worker::time_factor() {
    const RootMove& best = root_moves_.front();
    const std::uint64_t all = std::max<std::uint64_t>(nodes(), 1);
    const int share = static_cast<int>(best.nodes * 1000 / all);
    const int by_nodes = kSearch.time_node_base - kSearch.time_node_slope * share / 1000;
    const int by_stability =
        kSearch.time_stable_base - kSearch.time_stable_slope * std::min(stable_iterations_, 10);
    const Value drop = best.previous_score == -kInfinite || best.score == -kInfinite
                           ? 0
                           : best.average_score - best.score;
    const int by_score = std::clamp(1000 + drop * kSearch.time_drop_slope, 800, 1600);
    return by_nodes * by_stability / 1000 * by_score / 1000;
}

// Only then are bounds and single moves news; a quick search would drown its reader in them.
bool Worker::takes_long() const {
    constexpr std::chrono::seconds quick{3};
    return shared_.time.elapsed() > quick;
}

void Worker::report_move(Move move, int number) {
    if (leads() && shared_.report_move && takes_long())
        shared_.report_move({root_depth_, move, number + rank_});
}

void Worker::report(Depth depth, int ranks) {
    for (int rank = 0; rank < ranks; ++rank) report_line(depth, rank);
}

void Worker::report_line(Depth depth, int rank) {
    const RootMove& root = root_moves_[static_cast<std::size_t>(rank)];
    const bool fresh = root.score != -kInfinite;
    const Value score = fresh ? root.score : root.previous_score;
    if (score == -kInfinite) return;  // stopped before anything was known about it
    Info info;
    info.depth = fresh ? depth : std::max(depth - 1, 1);
    info.selective_depth = root.selective_depth;
    info.multipv = rank + 1;
    // What the tables promise is worth more than an opinion; only a mate is better still.
    const bool promised = root.ranked && !is_mate(score);
    info.score = to_score(promised ? root.ranked->value : score);
    info.bound = fresh && !promised ? root.bound : Bound::Exact;
    info.nodes = shared_.nodes();
    info.time = std::chrono::duration_cast<Milliseconds>(shared_.time.elapsed());
    info.hash_full = shared_.table.per_mille_full();
    info.tablebase_hits = shared_.tablebase_hits();
    info.line = root.line;
    info.chances = win_chances(info.score, shared_.request.position);
    // A mate that cannot be shown in full is not claimed in full.
    if (is_mate(score) && info.bound == Bound::Exact &&
        !complete_mate_line(shared_.request.position, score, shared_.table, info.line))
        info.bound = score > 0 ? Bound::Lower : Bound::Upper;
    if (shared_.report) shared_.report(info);
}

}  // namespace rokada::engine
