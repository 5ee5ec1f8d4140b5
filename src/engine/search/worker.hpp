// SPDX-License-Identifier: GPL-3.0-or-later
// One searching thread: its stack of positions, its histories and its root moves. Several workers
// search the same position at once and help each other through the transposition table alone.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "engine/engine.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/search/correction.hpp"
#include "engine/search/frame.hpp"
#include "engine/search/history.hpp"
#include "engine/search/mate_scout.hpp"
#include "engine/search/memory.hpp"
#include "engine/search/move_picker.hpp"
#include "engine/search/node.hpp"
#include "engine/search/time_manager.hpp"
#include "engine/search/transposition_table.hpp"
#include "engine/syzygy/root_ranking.hpp"

namespace rokada::engine {

// What to search and how; the same for all workers.
struct SearchRequest {
    Position position;
    std::vector<Key> past_keys;  // of the game before the position, oldest first
    Limits limits;
    std::shared_ptr<const Network> network;  // none: the classical evaluation
    int multipv = 1;
    int contempt = 0;  // centipawns a draw is worse than it looks for the side to move at the root
    Milliseconds overhead{0};
    std::shared_ptr<const Tablebases> tablebases;  // none: there are no tables
    int probe_depth = 1;             // with as many men as the limit, from this depth on
    int probe_limit = kMaxTableMen;  // men
    bool fifty_move_rule = true;     // wins that it spoils count as draws
    // Search as if for the first time, with one thread and little memory: the same result whatever was set or searched
    // before. For playing levels.
    bool from_scratch = false;
    TimeManager::Clock::time_point start{};
};

class Worker;

// What the workers of one engine share.
struct SharedSearch {
    TranspositionTable table;
    TimeManager time;
    SearchRequest request;
    std::vector<Worker*> workers;  // the first one leads: it watches the clock and reports
    std::function<void(const Info&)> report;
    std::function<void(const CurrentMove&)> report_move;
    std::atomic<bool> stop{false};
    std::atomic<bool> pondering{false};
    std::atomic<bool> stop_on_ponder_hit{false};
    int probe_men = 0;            // positions with up to so many men are looked up; 0: none
    std::uint64_t root_hits = 0;  // look-ups of the root ranking

    std::uint64_t nodes() const;
    std::uint64_t tablebase_hits() const;
};

struct RootMove {
    Move move;
    std::optional<RankedMove> ranked;  // when tablebases know the root
    Value score = -kInfinite;
    Value previous_score = -kInfinite;
    Value average_score = -kInfinite;
    Bound bound = Bound::Exact;
    int selective_depth = 0;
    std::uint64_t nodes = 0;  // spent below this move in this search
    std::vector<Move> line;
};

class Worker {
  public:
    Worker(SharedSearch& shared, int number);
    // Its histories are megabytes that are read at random. Null, and no worker, without memory.
    static void* operator new(std::size_t bytes) noexcept { return take_large(bytes); }
    static void operator delete(void* memory, std::size_t bytes) { give_back_large(memory, bytes); }

    // Searches shared.request until a limit is reached or the search is stopped. `moves` are the
    // root moves allowed, at least one, the better ranks first.
    void search(const std::vector<RootMove>& moves);
    void clear();  // forgets everything learnt

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::uint64_t tablebase_hits() const { return tablebase_hits_.load(std::memory_order_relaxed); }
    // Valid after search().
    const std::vector<RootMove>& root_moves() const { return root_moves_; }
    Depth completed_depth() const { return completed_depth_; }
    void report_line(Depth depth, int rank);

  private:
    enum class NodeKind { Root, Pv, Other };

    // root.cpp: iterative deepening and reporting
    void iterate();
    void search_line(int rank, Depth depth);
    void find_group(int rank);
    void look_for_mate();
    bool should_stop_after_iteration();
    int time_factor();
    void report(Depth depth, int ranks);
    bool takes_long() const;
    void report_move(Move move, int number);

    // node.cpp: one node of the main search
    template <NodeKind Kind>
    Value search_node(Frame* frame, Value alpha, Value beta, Depth depth, bool cut_node);
    void probe_table(Node& node);
    bool table_cuts(Node& node);
    void estimate(Node& node);
    template <NodeKind Kind>
    Value search_child(const Node& node, const Candidate& candidate, Depth new_depth);
    void note_root_result(RootMove& root, const Node& node, Value value,
                          std::uint64_t nodes_before);
    void store(const Node& node, Value best, Move best_move);

    // tablebase.cpp: positions whose result is known
    struct Known {
        Value value;
        TableBound bound;
    };
    std::optional<Known> probe_tablebases(const Node& node);
    bool tablebase_cuts(const Node& node, const Known& known);

    // quiescence.cpp: the search beyond the horizon
    template <NodeKind Kind>
    Value quiescence(Frame* frame, Value alpha, Value beta);

    // node_pruning.cpp: leaving a node without trying its moves. kNoValue means: go on.
    Value prune_node(Node& node);
    Value try_null_move(Node& node);
    Value try_probcut(Node& node);

    // move_pruning.cpp: what becomes of a single move
    int history_of(const Frame* frame, Move move, bool noisy) const;
    int node_reduction_1024(const Node& node) const;
    int reduction_1024(const Node& node, const Candidate& candidate) const;
    bool prune_move(const Node& node, const Candidate& candidate, MovePicker& picker) const;
    struct Extension {
        int plies = 0;
        Value cut = kNoValue;  // set when the whole node can be left with this value
    };
    Extension singular_extension(Node& node);

    // learning.cpp: what a result teaches about the moves that were tried
    struct Tried {
        static constexpr int kCapacity = 32;
        Move moves[kCapacity];
        int count = 0;
        void add(Move m) {
            if (count < kCapacity) moves[count++] = m;
        }
    };
    void learn_from_best(const Node& node, Move best, const Tried& quiets, const Tried& noisy);
    void learn_from_fail_low(const Node& node);
    void learn_from_evaluation(const Node& node);
    void update_quiet(Frame* frame, Move move, int bonus);
    void update_continuations(Frame* frame, Piece piece, Square to, int bonus);

    // worker.cpp: moving along the tree
    void prepare();
    void play(Frame* frame, Move move);
    void pass(Frame* frame);
    void take_back() { evaluator_.ascend(); }
    bool is_draw(const Frame* frame) const;
    bool is_repetition(const Frame* frame) const;
    bool repetition_ahead(const Frame* frame) const;
    Value draw_value(const Frame* frame) const;
    Value evaluate(const Frame* frame) { return evaluator_.evaluate(frame->position); }
    Value corrected(const Frame* frame, Value raw, Value correction) const;
    MovePicker::Continuations continuations(const Frame* frame) const;
    Line& line_at(const Frame* frame) { return lines_[static_cast<std::size_t>(frame->ply)]; }
    bool leads() const { return number_ == 0; }
    bool stopped() const { return shared_.stop.load(std::memory_order_relaxed); }
    void check_limits();
    bool out_of_time() const;

    static constexpr int kFramesBeforeRoot = 8;

    SharedSearch& shared_;
    const int number_;
    Evaluator evaluator_;
    Histories histories_;
    Corrections corrections_;
    std::vector<Frame> frames_;
    std::vector<Line> lines_;  // by ply
    std::vector<Key> keys_;    // of the game and of the line being searched
    int root_key_ = 0;         // where the root stands in keys_
    Color root_side_ = Color::White;
    MateScout scout_;
    Move proven_move_;  // mates, as the scout has found
    Value proven_mate_ = -kInfinite;
    std::vector<RootMove> root_moves_;
    int rank_ = 0;                         // the line of MultiPV that is being searched
    int group_begin_ = 0, group_end_ = 0;  // the root moves that tablebases rank like that line
    Depth root_depth_ = 0;
    Depth completed_depth_ = 0;
    int selective_depth_ = 0;
    int null_move_barrier_ = 0;  // no null moves before this ply: a verification search is running
    int until_check_ = 0;
    int stable_iterations_ = 0;  // for how long the best move has been the same
    Move last_best_;
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<std::uint64_t> tablebase_hits_{0};
};

}  // namespace rokada::engine
