// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table remembers, replaces sensibly, never invents, and survives many writers.
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/search/transposition_table.hpp"

namespace rokada::engine {
namespace {

TableEntry entry(Move move, Value value, Depth depth, TableBound bound = TableBound::Exact) {
    TableEntry e;
    e.move = move;
    e.value = value;
    e.evaluation = -17;
    e.depth = depth;
    e.bound = bound;
    e.was_pv = true;
    return e;
}

const Move kMove(Square::E2, Square::E4);

TEST(Table, GivesBackWhatWasStored) {
    TranspositionTable table;
    ASSERT_TRUE(table.resize(1));
    const Key key = mix_bits(1);
    TableEntry found;
    EXPECT_FALSE(table.probe(key, 0, found));
    table.store(key, 0, entry(kMove, 55, 7));
    ASSERT_TRUE(table.probe(key, 0, found));
    EXPECT_EQ(found.move, kMove);
    EXPECT_EQ(found.value, 55);
    EXPECT_EQ(found.evaluation, -17);
    EXPECT_EQ(found.depth, 7);
    EXPECT_EQ(found.bound, TableBound::Exact);
    EXPECT_TRUE(found.was_pv);
    table.clear();
    EXPECT_FALSE(table.probe(key, 0, found));
}

TEST(Table, CountsMatesFromWhereTheyAreRead) {
    TranspositionTable table;
    ASSERT_TRUE(table.resize(1));
    const Key key = mix_bits(2);
    table.store(key, 5, entry(kMove, mate_in(9), 7));  // four plies from here
    TableEntry found;
    ASSERT_TRUE(table.probe(key, 2, found));
    EXPECT_EQ(found.value, mate_in(6));
    table.store(key, 5, entry(kMove, mated_in(9), 9));
    ASSERT_TRUE(table.probe(key, 1, found));
    EXPECT_EQ(found.value, mated_in(5));
}

TEST(Table, KeepsTheOldMoveWhenNoneIsNew) {
    TranspositionTable table;
    ASSERT_TRUE(table.resize(1));
    const Key key = mix_bits(3);
    table.store(key, 0, entry(kMove, 10, 5));
    table.store(key, 0, entry(Move(), 20, 6, TableBound::Upper));
    TableEntry found;
    ASSERT_TRUE(table.probe(key, 0, found));
    EXPECT_EQ(found.move, kMove);
    EXPECT_EQ(found.value, 20);
}

TEST(Table, ShallowBoundDoesNotDisplaceADeepResult) {
    TranspositionTable table;
    ASSERT_TRUE(table.resize(1));
    const Key key = mix_bits(4);
    table.store(key, 0, entry(kMove, 10, 20));
    TableEntry shallow = entry(Move(Square::D2, Square::D4), 99, 2, TableBound::Lower);
    shallow.was_pv = false;
    table.store(key, 0, shallow);
    TableEntry found;
    ASSERT_TRUE(table.probe(key, 0, found));
    EXPECT_EQ(found.depth, 20);
    EXPECT_EQ(found.value, 10);
    // In a later search it does.
    table.new_search();
    table.store(key, 0, shallow);
    ASSERT_TRUE(table.probe(key, 0, found));
    EXPECT_EQ(found.depth, 2);
}

TEST(Table, WorksEvenWithoutMemory) {
    TranspositionTable table;
    EXPECT_FALSE(table.resize(std::size_t{1} << 40));
    table.store(mix_bits(5), 0, entry(kMove, 1, 1));
    TableEntry found;
    EXPECT_TRUE(table.probe(mix_bits(5), 0, found));
}

TEST(Table, ManyWritersLeaveNoFalseEntries) {
    TranspositionTable table;
    ASSERT_TRUE(table.resize(1));
    // Value, evaluation and depth of an entry follow from its key, so that a mixture would show.
    const auto value_of = [](Key key) { return static_cast<Value>(key >> 40 & 0x3FFF); };
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            for (std::uint64_t i = 0; i < 40000; ++i) {
                const Key key = mix_bits((i * 7 + t) % 60000);
                TableEntry e = entry(kMove, value_of(key), static_cast<Depth>(key >> 54 & 63));
                e.evaluation = -value_of(key);
                table.store(key, 0, e);
                TableEntry found;
                const Key other = mix_bits((i * 13 + t) % 60000);
                if (table.probe(other, 0, found) && found.value + found.evaluation != 0) ++wrong;
            }
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rokada::engine
