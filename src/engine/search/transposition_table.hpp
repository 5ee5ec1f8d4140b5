// SPDX-License-Identifier: GPL-3.0-or-later
// What the search has learnt about positions, shared by all its threads without locks. An entry is
// one 64-bit word of data and 16 bits of key; three of them fill half a cache line. The key is
// stored mixed with the data, so that two threads writing at once leave an entry that nobody
// recognises, not a false one.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "chess/move.hpp"
#include "chess/zobrist.hpp"
#include "engine/search/memory.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

enum class TableBound : std::uint8_t { None, Upper, Lower, Exact };
constexpr bool has_upper(TableBound b) { return (static_cast<int>(b) & 1) != 0; }
constexpr bool has_lower(TableBound b) { return (static_cast<int>(b) & 2) != 0; }

// A copy of an entry. Any field may be wrong for the position (keys collide): the move must be
// checked for legality, the rest is only ever a hint.
struct TableEntry {
    Move move;
    Value value = kNoValue;  // already counted from the root, see probe()
    Value evaluation = kNoValue;
    Depth depth = 0;
    TableBound bound = TableBound::None;
    bool was_pv = false;
};

class TranspositionTable {
  public:
    // False when there is not enough memory; the table then is as small as can be, but works.
    bool resize(std::size_t megabytes);
    std::size_t megabytes() const { return megabytes_; }
    void clear();
    // Uses only the first megabytes until told otherwise (0: all), so that results do not depend on the size.
    void use_only(std::size_t megabytes);
    void new_search() { age_ = static_cast<std::uint8_t>((age_ + 1) & kAgeMask); }

    // Mate values are stored as seen from the node; `ply` turns them into values as seen from the
    // root.
    bool probe(Key key, int ply, TableEntry& entry) const;
    void store(Key key, int ply, const TableEntry& entry);
    void prefetch(Key key) const { __builtin_prefetch(&cluster(key)); }
    int per_mille_full() const;

    // All entries as they lie in memory, for files; nobody may search meanwhile.
    std::span<unsigned char> bytes() const {
        return {reinterpret_cast<unsigned char*>(clusters_),
                static_cast<std::size_t>(all_count_) * sizeof(Cluster)};
    }
    int age() const { return age_; }
    void set_age(int age) { age_ = static_cast<std::uint8_t>(age & kAgeMask); }

  private:
    static constexpr int kEntries = 3;
    static constexpr std::uint8_t kAgeMask = 31;

    struct alignas(32) Cluster {
        std::atomic<std::uint64_t> data[kEntries];
        std::atomic<std::uint16_t> key[kEntries];
    };
    static_assert(sizeof(Cluster) == 32);

    Cluster& cluster(Key key) const {
        // The high part of the product spreads keys over any number of clusters.
        return clusters_[static_cast<std::size_t>(multiply_high(key, count_))];
    }
    static std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#else
        const std::uint64_t a_low = a & 0xFFFFFFFFu, a_high = a >> 32;
        const std::uint64_t b_low = b & 0xFFFFFFFFu, b_high = b >> 32;
        const std::uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
        return a_high * b_high + (middle >> 32) + (((middle & 0xFFFFFFFFu) + a_low * b_high) >> 32);
#endif
    }

    LargeBlock memory_;
    Cluster* clusters_ = nullptr;
    std::uint64_t count_ = 0;      // clusters in use
    std::uint64_t all_count_ = 0;  // clusters there are
    std::size_t megabytes_ = 0;
    std::uint8_t age_ = 0;
    Cluster smallest_{};  // used until resize() succeeds
};

}  // namespace rokada::engine
