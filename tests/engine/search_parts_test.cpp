// SPDX-License-Identifier: GPL-3.0-or-later
// The small parts of the search, each by its promise.
#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/search/cycle.hpp"
#include "engine/search/history.hpp"
#include "engine/search/logarithm.hpp"
#include "engine/search/move_picker.hpp"
#include "engine/search/parameters.hpp"
#include "engine/search/see.hpp"
#include "engine/search/time_manager.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

TEST(Logarithm, IsTheFloorOfTheTrueOne) {
    for (unsigned n = 1; n < 256; ++n)
        EXPECT_NEAR(kLog2[n], std::floor(256 * std::log2(n) + 1e-9), 0) << n;
}

TEST(Gravity, NeverLeavesItsLimits) {
    Gravity<1000> value;
    for (int i = 0; i < 1000; ++i) value.update(999999);
    EXPECT_LE(value, 1000);
    EXPECT_GE(value, 990);
    for (int i = 0; i < 1000; ++i) value.update(-300);
    EXPECT_GE(value, -1000);
    EXPECT_LE(value, -900);
}

TEST(Parameters, LieInsideTheirRanges) {
    for (const ParameterInfo& p : kSearchParameterList) {
        EXPECT_LE(p.low, p.value) << p.name;
        EXPECT_LE(p.value, p.high) << p.name;
        EXPECT_EQ(kSearch.*p.member, p.value) << p.name;
    }
}

class Picker : public testing::TestWithParam<const char*> {
  protected:
    std::unique_ptr<Histories> histories = std::make_unique<Histories>();
    MovePicker::Continuations none{&histories->nothing, &histories->nothing, &histories->nothing,
                                   &histories->nothing};
    TranspositionTable table;

    void SetUp() override { ASSERT_TRUE(table.resize(1)); }
};

TEST_P(Picker, GivesEveryLegalMoveOnceAndTheTableMoveFirst) {
    const Position position = position_of(GetParam());
    const MoveList legal = legal_moves(position);
    for (const Move table_move : legal) {
        const Checks checks(position);
        MovePicker picker(position, checks, *histories, none, table, table_move);
        std::vector<std::uint16_t> given, wanted;
        while (const Move m = picker.next()) given.push_back(m.bits());
        ASSERT_FALSE(given.empty());
        EXPECT_EQ(given[0], table_move.bits());
        for (const Move m : legal) wanted.push_back(m.bits());
        std::sort(given.begin(), given.end());
        std::sort(wanted.begin(), wanted.end());
        EXPECT_EQ(given, wanted);
    }
}

TEST_P(Picker, SkippingQuietsStillGivesAllCaptures) {
    const Position position = position_of(GetParam());
    const Checks checks(position);
    MovePicker picker(position, checks, *histories, none, table, Move());
    picker.skip_quiets();
    std::size_t given = 0, noisy = 0;
    while (const Move m = picker.next()) {
        EXPECT_TRUE(is_noisy(position, m)) << to_uci(m);
        ++given;
    }
    for (const Move m : legal_moves(position)) noisy += is_noisy(position, m);
    EXPECT_EQ(given, noisy);
}

TEST_P(Picker, ChecksAreKnownBeforeTheyAreMade) {
    const Position position = position_of(GetParam());
    const Checks checks(position);
    for (const Move m : legal_moves(position)) {
        Position next = position;
        next.play(m);
        if (!m.is_en_passant()) {
            EXPECT_EQ(checks.given_by(position, m), next.in_check()) << to_uci(m);
        }
    }
}

TEST_P(Picker, CapturesOnlyKeepsTheThreshold) {
    const Position position = position_of(GetParam());
    MovePicker picker(position, *histories, table, Move(), 100);
    while (const Move m = picker.next())
        EXPECT_TRUE(exchange_reaches(position, m, 100)) << to_uci(m);
}

INSTANTIATE_TEST_SUITE_P(
    Positions, Picker,
    testing::Values("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
                    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "2q3k1/1P1P4/8/8/4B3/8/4R3/R3K2R w KQ - 0 1",
                    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
                    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"));

TEST(Cycle, IsSeenBeforeItHappens) {
    Position position;
    std::vector<Key> keys{position.key()};
    for (const char* text : {"g1f3", "g8f6", "f3g1"}) {
        const auto move = parse_uci_move(position, text);
        ASSERT_TRUE(move);
        EXPECT_FALSE(can_repeat(position, &keys.back(), static_cast<int>(keys.size()) - 1));
        position.play(*move);
        keys.push_back(position.key());
    }
    // Black can now go back to the start position.
    EXPECT_TRUE(can_repeat(position, &keys.back(), 3));
    EXPECT_FALSE(can_repeat(position, &keys.back(), 2));
}

TEST(Cycle, BlockedWayIsNoWay) {
    // The earlier position had the rook on a5; on the way there a bishop stands, or not.
    const Position blocked = position_of("4k3/8/8/8/8/B7/8/R3K3 w - - 0 1");
    const Key before_blocked = position_of("4k3/8/8/R7/8/B7/8/4K3 b - - 0 1").key();
    const Key keys_blocked[] = {before_blocked, 1, 2, blocked.key()};
    EXPECT_FALSE(can_repeat(blocked, &keys_blocked[3], 3));
    const Position free = position_of("4k3/8/8/8/8/1B6/8/R3K3 w - - 0 1");
    const Key before_free = position_of("4k3/8/8/R7/8/1B6/8/4K3 b - - 0 1").key();
    const Key keys_free[] = {before_free, 1, 2, free.key()};
    EXPECT_TRUE(can_repeat(free, &keys_free[3], 3));
}

Limits clock_limits(int left, int increment, std::optional<int> moves_to_go = {}) {
    Limits limits;
    ClockTimes clock;
    for (const Color c : kColors) {
        clock.left[c] = Milliseconds{left};
        clock.increment[c] = Milliseconds{increment};
    }
    clock.moves_to_go = moves_to_go;
    limits.clock = clock;
    return limits;
}

TEST(Time, HardLimitNeverExceedsTheClock) {
    for (const int left : {0, 1, 2, 5, 10, 50, 100, 1000, 60000, 3600000})
        for (const int increment : {0, 1, 5, 100, 10000})
            for (const int overhead : {0, 20, 1000})
                for (const std::optional<int> to_go :
                     {std::optional<int>{}, std::optional<int>{1}, std::optional<int>{2},
                      std::optional<int>{40}, std::optional<int>{100000}}) {
                    const auto budget = TimeManager::budget(clock_limits(left, increment, to_go),
                                                            Color::White, Milliseconds{overhead});
                    ASSERT_TRUE(budget);
                    EXPECT_GE(budget->soft.count(), 0);
                    EXPECT_LE(budget->soft, budget->hard);
                    EXPECT_LE(budget->hard, Milliseconds{left});
                    if (left > 2 * overhead) {
                        EXPECT_LE(budget->hard, Milliseconds{left - overhead});
                    }
                }
}

TEST(Time, ManyMovesMustFitIntoTheClock) {
    // Playing every move at the soft limit, the flag does not fall before the control.
    for (const int moves : {1, 5, 20, 40}) {
        Microseconds left = Milliseconds{30000};
        for (int m = moves; m > 0; --m) {
            const auto budget =
                TimeManager::budget(clock_limits(static_cast<int>(left.count() / 1000), 0, m),
                                    Color::White, Milliseconds{20});
            left -= budget->soft + Milliseconds{20};
            ASSERT_GE(left.count(), 0) << m << " of " << moves;
        }
    }
}

TEST(Time, NegativeAndHugeValuesAreHarmless) {
    const auto late = TimeManager::budget(clock_limits(-500, -5), Color::White, Milliseconds{20});
    ASSERT_TRUE(late);
    EXPECT_EQ(late->hard.count(), 0);
    Limits limits;
    limits.move_time = Milliseconds{-7};
    EXPECT_EQ(TimeManager::budget(limits, Color::White, Milliseconds{20})->hard.count(), 0);
    EXPECT_GT(
        TimeManager::budget(clock_limits(2000000000, 2000000000), Color::White, Milliseconds{0})
            ->soft.count(),
        0);
    EXPECT_FALSE(TimeManager::budget(Limits{}, Color::White, Milliseconds{20}));
}

}  // namespace
}  // namespace rokada::engine
