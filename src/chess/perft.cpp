// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.hpp"

#include <algorithm>
#include <atomic>

#include "chess/counter.hpp"
#include "chess/movegen.hpp"

#if !defined(__wasm__) || defined(__EMSCRIPTEN_PTHREADS__)
#define ROKADA_THREADS 1
#include <thread>
#else
#define ROKADA_THREADS 0
#endif

namespace rokada {

namespace {

// Below this many plies a subtree is counted faster than it is looked up or handed to a thread.
constexpr int kSmallestStored = 3;
constexpr int kSmallestShared = 4;

template <class Visit>
void for_each_child(const Position& position, Visit visit) {
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        visit(move, next);
    }
}

template <class Work>
void run_in_threads([[maybe_unused]] unsigned threads, Work work) {
#if ROKADA_THREADS
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
#else
    work();
#endif
}

}  // namespace

std::uint64_t perft(const Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return legal_moves(position).size();
    std::uint64_t leaves = 0;
    for_each_child(position, [&](Move, const Position& next) { leaves += perft(next, depth - 1); });
    return leaves;
}

// Shared by the threads without a lock: an entry torn by two writers fails its check and is not used.
class Perft::Table {
  public:
    explicit Table(std::size_t megabytes)
        : entries_(std::max<std::size_t>(megabytes * 1024 * 1024 / sizeof(Entry), 1)) {}

    bool find(const Position& position, int depth, std::uint64_t& leaves) const {
        const std::uint64_t key = key_of(position, depth);
        const Entry& entry = entries_[key % entries_.size()];
        leaves = entry.leaves.load(std::memory_order_relaxed);
        // A count is never zero where it is stored, so an empty entry matches nothing.
        return leaves != 0 && (entry.check.load(std::memory_order_relaxed) ^ leaves) == key;
    }
    void store(const Position& position, int depth, std::uint64_t leaves) {
        const std::uint64_t key = key_of(position, depth);
        Entry& entry = entries_[key % entries_.size()];
        entry.leaves.store(leaves, std::memory_order_relaxed);
        entry.check.store(key ^ leaves, std::memory_order_relaxed);
    }

  private:
    struct Entry {
        std::atomic<std::uint64_t> check{0}, leaves{0};
    };
    static std::uint64_t key_of(const Position& position, int depth) {
        return position.key() ^ mix_bits(static_cast<std::uint64_t>(depth));
    }
    std::vector<Entry> entries_;
};

Perft::Perft() : Perft(Options{}) {}
Perft::Perft(Options options) : options_(options) {
    if (options_.hash_megabytes > 0) table_ = std::make_unique<Table>(options_.hash_megabytes);
}
Perft::~Perft() = default;

std::uint64_t Perft::below(const Position& position, int depth) {
    if (!table_ || depth < kSmallestStored)
        return options_.generator == Generator::Count ? count_leaves(position, depth)
                                                      : perft(position, depth);
    std::uint64_t leaves = 0;
    if (table_->find(position, depth, leaves)) return leaves;
    leaves = 0;
    for_each_child(position, [&](Move, const Position& next) { leaves += below(next, depth - 1); });
    if (leaves != 0) table_->store(position, depth, leaves);
    return leaves;
}

std::uint64_t Perft::count(const Position& position, int depth) {
    if (options_.threads <= 1 || depth < kSmallestShared) return below(position, depth);
    std::uint64_t leaves = 0;
    for (const auto& [move, count] : divide(position, depth)) leaves += count;
    return leaves;
}

Perft::Division Perft::divide(const Position& position, int depth) {
    Division division;
    if (depth <= 0) return division;
    if (options_.threads > 1 && depth >= kSmallestShared) {
        divide_among_threads(position, depth, division);
    } else {
        for_each_child(position, [&](Move move, const Position& next) {
            division.emplace_back(move, below(next, depth - 1));
        });
    }
    return division;
}

// The tree is cut two plies down: that gives hundreds of subtrees, taken one by one, so that no thread
// waits long for the last.
void Perft::divide_among_threads(const Position& position, int depth, Division& division) {
    struct Subtree {
        std::size_t root;
        Position position;
    };
    std::vector<Subtree> subtrees;
    for_each_child(position, [&](Move move, const Position& next) {
        for_each_child(next, [&](Move, const Position& after) {
            subtrees.push_back({division.size(), after});
        });
        division.emplace_back(move, 0);
    });
    std::vector<std::atomic<std::uint64_t>> counts(division.size());
    std::atomic<std::size_t> next_subtree{0};
    run_in_threads(options_.threads, [&] {
        for (std::size_t i;
             (i = next_subtree.fetch_add(1, std::memory_order_relaxed)) < subtrees.size();)
            counts[subtrees[i].root].fetch_add(below(subtrees[i].position, depth - 2),
                                               std::memory_order_relaxed);
    });
    for (std::size_t i = 0; i < division.size(); ++i) division[i].second = counts[i].load();
}

}  // namespace rokada
