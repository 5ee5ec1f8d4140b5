// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/transposition_table.hpp"

#include <cstring>

namespace rokada::engine {

namespace {

// The layout of the data word: move 16, value 16, evaluation 16, depth 8, bound 2, pv 1, age 5.
struct Word {
    std::uint64_t bits = 0;

    Move move() const { return Move::from_bits(static_cast<std::uint16_t>(bits)); }
    Value value() const { return static_cast<std::int16_t>(bits >> 16); }
    Value evaluation() const { return static_cast<std::int16_t>(bits >> 32); }
    int stored_depth() const { return static_cast<int>((bits >> 48) & 0xFF); }
    TableBound bound() const { return static_cast<TableBound>((bits >> 56) & 3); }
    bool was_pv() const { return (bits >> 58) & 1; }
    int age() const { return static_cast<int>(bits >> 59); }
    bool empty() const { return bits == 0; }
};

// Depths are stored shifted, so that quiescence and "evaluation only" stay above zero.
constexpr int kDepthOffset = 8;

Word pack(Move move, Value value, Value evaluation, Depth depth, TableBound bound, bool pv,
          int age) {
    const auto u16 = [](int v) { return std::uint64_t{static_cast<std::uint16_t>(v)}; };
    int stored = depth + kDepthOffset;
    stored = stored < 1 ? 1 : stored > 255 ? 255 : stored;
    return Word{std::uint64_t{move.bits()} | u16(value) << 16 | u16(evaluation) << 32 |
                static_cast<std::uint64_t>(stored) << 48 | static_cast<std::uint64_t>(bound) << 56 |
                std::uint64_t{pv} << 58 | static_cast<std::uint64_t>(age) << 59};
}

std::uint16_t check_bits(Key key, Word word) {
    // All four quarters of the word.
    const std::uint64_t half = word.bits ^ (word.bits >> 32);
    return static_cast<std::uint16_t>(key ^ half ^ (half >> 16));
}

Value value_to_table(Value v, int ply) {
    if (v == kNoValue) return v;
    return is_win(v) ? v + ply : is_loss(v) ? v - ply : v;
}
Value value_from_table(Value v, int ply) {
    if (v == kNoValue) return v;
    return is_win(v) ? v - ply : is_loss(v) ? v + ply : v;
}

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

bool TranspositionTable::resize(std::size_t megabytes) {
    const std::size_t bytes = megabytes << 20;
    const bool ok = memory_.allocate(bytes);
    clusters_ = ok ? static_cast<Cluster*>(memory_.data()) : &smallest_;
    count_ = ok ? bytes / sizeof(Cluster) : 1;
    all_count_ = count_;
    megabytes_ = ok ? megabytes : 0;
    age_ = 0;
    if (!ok) clear();
    return ok;
}

void TranspositionTable::use_only(std::size_t megabytes) {
    const std::uint64_t wanted = (std::uint64_t{megabytes} << 20) / sizeof(Cluster);
    count_ = wanted == 0 || wanted > all_count_ ? all_count_ : wanted;
}

void TranspositionTable::clear() {
    // Nobody searches now, and zero bits are empty entries: no need for a million atomic writes.
    std::memset(static_cast<void*>(clusters_), 0, count_ * sizeof(Cluster));
    age_ = 0;
}

bool TranspositionTable::probe(Key key, int ply, TableEntry& entry) const {
    const Cluster& c = cluster(key);
    for (int i = 0; i < kEntries; ++i) {
        const Word word{c.data[i].load(kRelaxed)};
        if (word.empty() || c.key[i].load(kRelaxed) != check_bits(key, word)) continue;
        entry.move = word.move();
        entry.value = value_from_table(word.value(), ply);
        entry.evaluation = word.evaluation();
        entry.depth = word.stored_depth() - kDepthOffset;
        entry.bound = word.bound();
        entry.was_pv = word.was_pv();
        return true;
    }
    return false;
}

void TranspositionTable::store(Key key, int ply, const TableEntry& entry) {
    Cluster& c = cluster(key);
    int slot = 0;
    int least = 1 << 20;
    Word old;
    bool same = false;
    for (int i = 0; i < kEntries; ++i) {
        const Word word{c.data[i].load(kRelaxed)};
        if (word.empty() || c.key[i].load(kRelaxed) == check_bits(key, word)) {
            slot = i;
            old = word;
            same = !word.empty();
            break;
        }
        // Old and shallow entries make room first.
        const int worth = word.stored_depth() - 8 * ((age_ - word.age()) & kAgeMask);
        if (worth < least) {
            least = worth;
            slot = i;
            old = word;
        }
    }
    Move move = entry.move;
    if (same) {
        if (!move) move = old.move();
        // A much deeper result of the same search is worth more than a new shallow bound.
        const bool keep = entry.bound != TableBound::Exact && old.age() == age_ &&
                          entry.depth + kDepthOffset + 2 * entry.was_pv <= old.stored_depth() - 4;
        if (keep) {
            if (move == old.move()) return;
            old.bits = (old.bits & ~std::uint64_t{0xFFFF}) | move.bits();
            c.data[slot].store(old.bits, kRelaxed);
            c.key[slot].store(check_bits(key, old), kRelaxed);
            return;
        }
    }
    const Word word = pack(move, value_to_table(entry.value, ply), entry.evaluation, entry.depth,
                           entry.bound, entry.was_pv, age_);
    c.data[slot].store(word.bits, kRelaxed);
    c.key[slot].store(check_bits(key, word), kRelaxed);
}

int TranspositionTable::per_mille_full() const {
    const std::uint64_t sample = count_ < 1000 ? count_ : 1000;
    std::uint64_t used = 0;
    for (std::uint64_t i = 0; i < sample; ++i)
        for (int j = 0; j < kEntries; ++j) {
            const Word word{clusters_[i].data[j].load(kRelaxed)};
            used += !word.empty() && word.age() == age_;
        }
    return static_cast<int>(used * 1000 / (sample * kEntries));
}

}  // namespace rokada::engine
