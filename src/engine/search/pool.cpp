// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/pool.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "engine/attempt.hpp"
#include "engine/evaluation/kpk.hpp"
#include "engine/search/mate_proof.hpp"

namespace rokada::engine {

SearchPool::SearchPool(int threads) {
    prepare_kpk();
    if (!add_helper()) no_memory();  // without this one there is no engine
    set_threads(threads);
}

bool SearchPool::add_helper() {
    Helper helper;
    helper.worker = std::make_unique<Worker>(shared_, static_cast<int>(helpers_.size()));
    if (!helper.worker) return false;  // see its operator new
    if (!helpers_.empty()) helper.runner = std::make_unique<Runner>();
    helpers_.push_back(std::move(helper));
    shared_.workers.reserve(helpers_.size());
    return true;
}

int SearchPool::set_threads(int count) {
    const auto wanted = static_cast<std::size_t>(std::clamp(count, 1, available_threads()));
    while (helpers_.size() > wanted) helpers_.pop_back();
    while (helpers_.size() < wanted) {
        bool added = false;
        if (attempt([&] { added = add_helper(); }) && added) continue;
        // What the last one took is better left to the search itself.
        if (helpers_.size() > 1) helpers_.pop_back();
        break;
    }
    collect_workers(helpers_.size());
    return static_cast<int>(helpers_.size());
}

void SearchPool::collect_workers(std::size_t count) {
    shared_.workers.clear();
    for (std::size_t i = 0; i < count; ++i) shared_.workers.push_back(helpers_[i].worker.get());
}

void SearchPool::start_from_scratch() {
    shared_.table.use_only(1);
    shared_.table.clear();
    collect_workers(1);
    helpers_.front().worker->clear();
}

// A search that nobody limited, or that thinks on the opponent's time, must not answer before it is told to.
void SearchPool::hold_answer() {
    const bool infinite = shared_.request.limits.infinite;
    released_.wait_until([&] { return shared_.stop || !(shared_.pondering || infinite); });
}

void SearchPool::pause(TimeManager::Clock::time_point until) {
    released_.wait_until(until, [&] { return told_to_stop_.load(); });
}

void SearchPool::clear() {
    shared_.table.clear();
    for (Helper& helper : helpers_) helper.worker->clear();
}

void SearchPool::prepare(bool already_stopped, bool pondering) {
    told_to_stop_ = already_stopped;
    shared_.stop = already_stopped;
    shared_.pondering = pondering;
    shared_.stop_on_ponder_hit = false;
}

void SearchPool::stop() {
    told_to_stop_ = true;
    shared_.stop = true;
    released_.notify();
}

void SearchPool::ponder_hit() {
    shared_.pondering = false;
    if (shared_.stop_on_ponder_hit) shared_.stop = true;
    released_.notify();
}

// The moves that may be played, those that tablebases rank higher first.
std::vector<RootMove> SearchPool::root_moves() {
    const SearchRequest& request = shared_.request;
    std::vector<Move> moves;
    for (const Move m : legal_moves(request.position)) {
        const auto& wanted = request.limits.search_moves;
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), m) != wanted.end())
            moves.push_back(m);
    }
    shared_.probe_men = 0;
    shared_.root_hits = 0;
    RootRanking ranking;
    if (request.tablebases) {
        shared_.probe_men = std::min(request.probe_limit, request.tablebases->largest());
        if (request.position.occupied().count() <= shared_.probe_men)
            ranking = rank_root_moves(*request.tablebases, request.position, request.past_keys,
                                      moves, request.fifty_move_rule);
        shared_.root_hits = ranking.moves.size();
        // Below a root whose moves are told apart the result is known; what is left to find is the mate.
        if (!ranking.moves.empty() && (ranking.by_distance || ranking.moves.front().value <= kDraw))
            shared_.probe_men = 0;
    }
    std::vector<RootMove> roots(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!ranking.moves.empty()) roots[i].ranked = ranking.moves[i];
        roots[i].move = roots[i].ranked ? roots[i].ranked->move : moves[i];
        roots[i].line = {roots[i].move};
    }
    return roots;
}

BestMove SearchPool::search(SearchRequest request, const std::function<void(const Info&)>& report) {
    shared_.request = std::move(request);
    const std::vector<RootMove> moves = root_moves();
    shared_.report = report;
    shared_.time.start(shared_.request.limits, shared_.request.position.turn(),
                       shared_.request.overhead, shared_.request.start);

    if (moves.empty()) {
        // Mate, stalemate, or no legal move among those asked for.
        Info info;
        info.score =
            shared_.request.position.in_check() && shared_.request.limits.search_moves.empty()
                ? Score::mated_in(0)
                : Score::centipawns(0);
        info.chances = win_chances(info.score, shared_.request.position);
        if (shared_.report) shared_.report(info);
    } else {
        const bool alone = shared_.request.from_scratch;
        if (alone) start_from_scratch();
        shared_.table.new_search();
        for (Helper& helper : helpers_)
            if (helper.runner && !alone)
                helper.runner->post(
                    [worker = helper.worker.get(), moves] { worker->search(moves); });
        helpers_.front().worker->search(moves);
    }

    hold_answer();
    shared_.stop = true;
    for (Helper& helper : helpers_)
        if (helper.runner) helper.runner->wait();
    shared_.report = nullptr;
    if (moves.empty()) return {};
    if (shared_.request.from_scratch) {
        shared_.table.use_only(0);
        collect_workers(helpers_.size());
    }

    Worker& winner = vote();
    if (&winner != helpers_.front().worker.get()) {
        shared_.report = report;
        winner.report_line(winner.completed_depth(), 0);
        shared_.report = nullptr;
    }
    const RootMove& best = winner.root_moves().front();
    BestMove result;
    result.move = best.move;
    if (best.line.size() > 1) result.ponder = best.line[1];
    return result;
}

BestMove SearchPool::prove_mate(SearchRequest request,
                                const std::function<void(const Info&)>& report,
                                const std::function<void(std::string_view)>& message) {
    const int wanted = std::clamp(*request.limits.mate, 1, kMaxPly / 2);
    request.limits.mate.reset();
    TimeManager time;
    time.start(request.limits, request.position.turn(), request.overhead, request.start);
    MateProof proof(shared_.table.megabytes(), [&](std::uint64_t nodes) {
        return shared_.stop || (request.limits.nodes && nodes >= *request.limits.nodes) ||
               (!shared_.pondering && time.hard_limit_passed());
    });
    const std::vector<Move>& allowed = request.limits.search_moves;
    int none = 0;  // moves in which there is no mate
    MateProof::Answer answer = MateProof::Answer::None;
    while (none < wanted && answer == MateProof::Answer::None) {
        answer = proof.prove(request.position, none + 1, allowed);
        if (answer == MateProof::Answer::None) ++none;
    }
    if (answer == MateProof::Answer::Mate) {
        const int moves = none + 1;
        Info info;
        info.line = proof.line(request.position, moves, allowed);
        if (!info.line.empty()) {
            info.depth = info.selective_depth = 2 * moves - 1;
            info.score = Score::mate_in(moves);
            info.nodes = proof.nodes();
            info.time = std::chrono::duration_cast<Milliseconds>(time.elapsed());
            info.hash_full = proof.per_mille_full();
            info.chances = win_chances(info.score, request.position);
            if (report) report(info);
            hold_answer(request.limits);
            return {info.line[0], info.line.size() > 1 ? info.line[1] : Move()};
        }
    }
    if (message)
        message(answer == MateProof::Answer::None
                    ? "no mate in " + std::to_string(wanted)
                    : "stopped: no mate in " + std::to_string(none) + ", longer ones not decided");
    constexpr std::uint64_t enough = 100000;
    request.limits.nodes = std::min(request.limits.nodes.value_or(enough), enough);
    return search(std::move(request), report);
}

// Every worker votes for its best move, with more weight the deeper it got and the better its score
// is. A proven mate decides alone: the shortest one for us, or any way out of one against us.
Worker& SearchPool::vote() {
    Worker* winner = helpers_.front().worker.get();
    if (shared_.workers.size() == 1 || shared_.request.from_scratch || shared_.request.multipv > 1)
        return *winner;
    Value lowest = kInfinite;
    for (const Helper& h : helpers_)
        lowest = std::min(lowest, h.worker->root_moves().front().score);
    const auto votes = [&](Move move) {
        std::int64_t sum = 0;
        for (const Helper& h : helpers_) {
            const RootMove& root = h.worker->root_moves().front();
            if (root.move == move && root.score != -kInfinite)
                sum += std::int64_t{root.score - lowest + 14} * h.worker->completed_depth();
        }
        return sum;
    };
    for (const Helper& h : helpers_) {
        const RootMove& candidate = h.worker->root_moves().front();
        const RootMove& current = winner->root_moves().front();
        if (candidate.score == -kInfinite || h.worker->completed_depth() == 0) continue;
        const bool better = is_decisive(candidate.score) || is_decisive(current.score)
                                ? candidate.score > current.score
                                : votes(candidate.move) > votes(current.move) ||
                                      (candidate.move == current.move &&
                                       h.worker->completed_depth() > winner->completed_depth());
        if (better) winner = h.worker.get();
    }
    return *winner;
}

}  // namespace rokada::engine
