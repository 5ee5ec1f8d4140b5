// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/worker.hpp"

#include <algorithm>

#include "chess/material.hpp"
#include "chess/movegen.hpp"
#include "engine/page_threads.hpp"
#include "engine/search/cycle.hpp"
#include "engine/search/switches.hpp"

namespace rokada::engine {

std::uint64_t SharedSearch::nodes() const {
    std::uint64_t sum = 0;
    for (const Worker* worker : workers) sum += worker->nodes();
    return sum;
}

std::uint64_t SharedSearch::tablebase_hits() const {
    std::uint64_t sum = root_hits;
    for (const Worker* worker : workers) sum += worker->tablebase_hits();
    return sum;
}

Worker::Worker(SharedSearch& shared, int number)
    : shared_(shared),
      number_(number),
      frames_(kFramesBeforeRoot + kMaxPly + 4),
      lines_(kMaxPly + 4),
      scout_([this] { return stopped() || out_of_time(); }) {}

void Worker::clear() {
    histories_.clear();
    corrections_.clear();
    scout_.clear();
}

void Worker::search(const std::vector<RootMove>& moves) {
    root_moves_ = moves;
    prepare();
    iterate();
}

void Worker::prepare() {
    const SearchRequest& request = shared_.request;
    keys_ = request.past_keys;
    root_key_ = static_cast<int>(keys_.size());
    keys_.resize(keys_.size() + kMaxPly + 4);
    keys_[static_cast<std::size_t>(root_key_)] = request.position.key();

    static const Frame kEmptyFrame;
    // Nothing may leak from one search into the next but what was learnt on purpose.
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        frames_[i] = kEmptyFrame;
        frames_[i].ply = static_cast<int>(i) - kFramesBeforeRoot;
        frames_[i].continuation = &histories_.nothing;
    }
    Frame& root = frames_[kFramesBeforeRoot];
    root.position = request.position;
    root.plies_since_null = request.position.halfmove_clock();
    root.excluded = Move();
    root_side_ = request.position.turn();
    evaluator_.reset(request.position, request.network);
    histories_.age();
    nodes_.store(0, std::memory_order_relaxed);
    tablebase_hits_.store(0, std::memory_order_relaxed);
    until_check_ = 0;
    completed_depth_ = 0;
    null_move_barrier_ = 0;
    stable_iterations_ = 0;
    last_best_ = Move();
    scout_.start(request.position, request.past_keys, request.limits.search_moves);
    proven_move_ = Move();
    proven_mate_ = -kInfinite;
}

void Worker::play(Frame* frame, Move move) {
    Frame* const child = frame + 1;
    const Position& before = frame->position;
    const std::size_t moved_to = piece_to(before.at(move.from()), move.to());
    frame->move = move;
    frame->moved_to = static_cast<std::uint16_t>(moved_to);
    frame->continuation = &histories_.continuation[is_noisy(before, move)][moved_to];
    child->position = before;
    child->position.play(move);
    child->plies_since_null = frame->plies_since_null + 1;
    keys_[static_cast<std::size_t>(root_key_ + child->ply)] = child->position.key();
    corrections_.prefetch(child);
    evaluator_.prefetch(child->position);
    evaluator_.descend(before, move);
    nodes_.store(nodes() + 1, std::memory_order_relaxed);
}

void Worker::pass(Frame* frame) {
    Frame* const child = frame + 1;
    frame->move = Move();
    frame->moved_to.reset();
    frame->continuation = &histories_.nothing;
    child->position = frame->position;
    child->position.pass();
    child->plies_since_null = 0;
    keys_[static_cast<std::size_t>(root_key_ + child->ply)] = child->position.key();
    corrections_.prefetch(child);
    evaluator_.descend(frame->position, Move());
    nodes_.store(nodes() + 1, std::memory_order_relaxed);
}

bool Worker::is_draw(const Frame* frame) const {
    if (!kUse.draws) return false;
    const Position& position = frame->position;
    if (position.halfmove_clock() >= 100 && (!position.in_check() || has_legal_move(position)))
        return true;
    return is_repetition(frame) || insufficient_material(position);
}

// Inside the search one repetition is enough: what could be repeated once could be repeated again.
// A position from before the root must have stood twice already.
bool Worker::is_repetition(const Frame* frame) const {
    const int reach = std::min(
        {frame->position.halfmove_clock(), frame->plies_since_null, root_key_ + frame->ply});
    const Key* const here = &keys_[static_cast<std::size_t>(root_key_ + frame->ply)];
    int seen = 0;
    for (int back = 4; back <= reach; back += 2) {
        if (here[-back] != *here) continue;
        if (back < frame->ply || ++seen == 2) return true;
    }
    return false;
}

// A tiny change from node to node keeps the search from being blind among many lines that all
// repeat.
Value Worker::draw_value(const Frame* frame) const {
    const int contempt = shared_.request.contempt;
    const Value jitter = static_cast<Value>(nodes() & 2) - 1;
    return kDraw + jitter + (frame->position.turn() == root_side_ ? -contempt : contempt);
}

// Only positions of this search count, because one repetition of those is called a draw.
bool Worker::repetition_ahead(const Frame* frame) const {
    const int reach =
        std::min({frame->position.halfmove_clock(), frame->plies_since_null, frame->ply - 1});
    return can_repeat(frame->position, &keys_[static_cast<std::size_t>(root_key_ + frame->ply)],
                      reach);
}

// The evaluation is corrected by experience, and fades as the fifty-move rule draws near.
Value Worker::corrected(const Frame* frame, Value raw, Value correction) const {
    const Value v = raw + correction;
    return clamp_evaluation(v - v * frame->position.halfmove_clock() / 200);
}

MovePicker::Continuations Worker::continuations(const Frame* frame) const {
    return {frame[-1].continuation, frame[-2].continuation, frame[-4].continuation,
            frame[-6].continuation};
}

// Called at every node; the clock is looked at seldom, the node limit always, so that it is exact
// with one thread.
void Worker::check_limits() {
    if (!leads()) return;
    const Limits& limits = shared_.request.limits;
    if (limits.nodes) {
        const bool alone = shared_.workers.size() == 1;
        if ((alone ? nodes() : shared_.nodes()) >= *limits.nodes) {
            shared_.stop.store(true, std::memory_order_relaxed);
            return;
        }
    }
    if (--until_check_ > 0) return;
    until_check_ = 512;
    if (out_of_time()) shared_.stop.store(true, std::memory_order_relaxed);
}

bool Worker::out_of_time() const {
    return stopped_by_page() ||
           (!shared_.pondering.load(std::memory_order_relaxed) && shared_.time.hard_limit_passed());
}

}  // namespace rokada::engine
