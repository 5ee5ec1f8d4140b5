// SPDX-License-Identifier: GPL-3.0-or-later
// Levels: reproducible, independent of clock and memory, human in what they overlook, sure in what everybody can do.
#include <fstream>
#include <map>
#include <set>

#include "chess/game.hpp"
#include "engine/levels/pace.hpp"
#include "engine/levels/profile.hpp"
#include "engine/levels/tables.hpp"
#include "engine/levels/weak_player.hpp"
#include "engine/network/format.hpp"
#include "engine/search/time_manager.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

Profile profile_for(int elo) { return profile_for_dial(dial_for_elo(elo)); }

Move weak_move(const Position& position, int elo, std::uint64_t seed, WeakMove* details = nullptr) {
    const Profile profile = profile_for(elo);
    const WeakMove found =
        choose_weak_move({position, {}, Move(), Move(), seed}, profile, legal_moves(position));
    if (details) *details = found;
    return found.move;
}

const char* const kPositions[] = {
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 5",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r4rk1/1bp1qppp/p1pb4/4n3/4P3/1NN1BP2/PPP1Q1PP/R4RK1 b - - 4 15",
    "3r1rk1/p1q2ppp/1pn1p3/8/2P1N3/P3P3/1PQ2PPP/3R1RK1 w - - 0 19",
    "8/5pk1/6p1/1p1Pp2p/1P2P2P/5PP1/r4K2/3R4 w - - 1 42"};

// A network that finds all positions equal.
std::string write_other_network() {
    std::ifstream source(std::string(ROKADA_SOURCE_DIR) + "/src/engine/network/default.nn",
                         std::ios::binary);
    NetworkHeader header{};
    source.read(reinterpret_cast<char*>(&header), sizeof header);
    const std::vector<unsigned char> nothing(header.payload);
    header.checksum = network_checksum(nothing.data(), nothing.size());
    const std::string path = testing::TempDir() + "rokada_other_network.nn";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(&header), sizeof header)
        .write(reinterpret_cast<const char*>(nothing.data()),
               static_cast<std::streamsize>(nothing.size()));
    return path;
}

TEST(Levels, ProfilesRiseWithTheDialWithinEachSearcher) {
    for (int dial = 1; dial <= kHighestDial; ++dial) {
        const Profile last = profile_for_dial(dial - 1), p = profile_for_dial(dial);
        if (p.main_search() == last.main_search() && p.network() == last.network()) {
            EXPECT_GE(p.nodes, last.nodes) << dial;
        }
        EXPECT_GE(p.perception, last.perception) << dial;
        EXPECT_LE(p.cap, last.cap) << dial;
        EXPECT_LE(p.noise, last.noise) << dial;
        EXPECT_GE(p.elo, last.elo) << dial;
    }
    EXPECT_EQ(profile_for_dial(150).nodes, 200);
    EXPECT_EQ(profile_for_dial(-5).dial, 0);
}

TEST(Levels, TheScaleIsInvertible) {
    for (int elo = kWeakestElo; elo <= kStrongestElo; elo += 10) {
        const int dial = dial_for_elo(elo);
        if (dial <= 0 || dial >= kHighestDial) continue;
        EXPECT_LE(elo_of_dial(dial), elo);
        EXPECT_GE(elo_of_dial(dial + 1), elo);
    }
}

TEST(Levels, CurvesAreMonotone) {
    for (int x = -900; x < 900; ++x) EXPECT_LE(logistic_16(x), logistic_16(x + 1));
    for (int cp = -2000; cp < 2000; ++cp) EXPECT_LE(win_chance(cp), win_chance(cp + 1));
    for (int loss = 0; loss < 3000; ++loss) EXPECT_GE(decay_16(loss, 300), decay_16(loss + 1, 300));
}

TEST(Levels, NothingBeyondTheCapIsEverChosen) {
    for (const char* fen : kPositions)
        for (const int elo : {400, 800, 1200, 1600, 1900})
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                WeakMove found;
                weak_move(position_of(fen), elo, seed, &found);
                EXPECT_LE(found.perceived_loss, profile_for(elo).cap);
            }
}

TEST(Levels, SameSeedSameMoveOtherSeedsOtherGames) {
    std::set<std::uint16_t> moves;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Move first = weak_move(Position(), 800, seed);
        EXPECT_EQ(first, weak_move(Position(), 800, seed));
        moves.insert(first.bits());
    }
    EXPECT_GE(moves.size(), 3u);
}

TEST(Levels, ClockHashThreadsAndOptionsDoNotChangeTheMove) {
    const std::vector<std::pair<std::string, std::string>> options[] = {
        {{"Hash", "32"}},
        {{"Hash", "1"}},
        {{"Threads", "2"}},
        {{"Contempt", "150"}, {"MultiPV", "3"}},
        {{"Evaluation", "classical"}},
        {{"EvalFile", write_other_network()}},
    };
    for (const char* fen : kPositions)
        for (const char* elo : {"700", "1400", "2100", "2300", "2600"}) {
            std::set<std::string> answers;
            for (const auto& variant : options) {
                Recorder recorder;
                recorder.engine.set_option("UCI_LimitStrength", "true");
                recorder.engine.set_option("UCI_Elo", elo);
                recorder.engine.set_option("Seed", "77");
                for (const auto& [name, value] : variant)
                    EXPECT_EQ(recorder.engine.set_option(name, value), std::nullopt) << name;
                Limits limits;
                ClockTimes clock;
                for (const Color c : kColors)
                    clock.left[c] = Milliseconds{&variant == options ? 60000 : 3600000};
                limits.clock = clock;
                // And once more, after having thought already.
                for (int time = 0; time < 2; ++time) {
                    recorder.think(fen, limits);
                    answers.insert(text(recorder.infos.back()));
                }
            }
            EXPECT_EQ(answers.size(), 1u) << fen << ' ' << elo << testing::PrintToString(answers);
        }
}

// A level of the main search gets its nodes at bullet as at any other clock.
TEST(Levels, BulletAndSlowClocksGiveTheSameNodes) {
    for (const char* elo : {"2300", "2600", "3000"}) {
        std::map<std::uint64_t, std::string> found;
        for (const int left : {3000, 60'000, 7'200'000}) {
            Recorder recorder;
            recorder.engine.set_option("UCI_LimitStrength", "true");
            recorder.engine.set_option("UCI_Elo", elo);
            recorder.engine.set_option("BookFile", "<none>");
            Limits limits;
            ClockTimes clock;
            for (const Color c : kColors) {
                clock.left[c] = Milliseconds{left};
                clock.increment[c] = Milliseconds{30};
            }
            limits.clock = clock;
            const auto begun = std::chrono::steady_clock::now();
            const BestMove best = recorder.think(kPositions[2], limits);
            const auto time = std::chrono::steady_clock::now() - begun;
            const auto budget = TimeManager::budget(limits, Color::Black, Milliseconds{20})->hard;
            // A machine that is too busy for so many nodes may break off, but never later than this.
            EXPECT_LT(time, budget + std::chrono::seconds{1}) << elo << ' ' << left;
            if (time >= budget) continue;
            found[recorder.infos.back().nodes] += to_uci(best.move) + ' ';
        }
        EXPECT_LE(found.size(), 1u) << elo << testing::PrintToString(found);
    }
}

TEST(Levels, SkillNamesFixedPointsOfTheScale) {
    for (const auto& [skill, elo] : std::map<std::string, std::string>{
             {"Easy", "800"}, {"Medium", "1500"}, {"Hard", "2400"}}) {
        Recorder by_skill, by_elo;
        by_skill.engine.set_option("Skill", skill);
        by_elo.engine.set_option("UCI_Elo", elo);
        by_elo.engine.set_option("UCI_LimitStrength", "true");
        for (auto* r : {&by_skill, &by_elo}) r->engine.set_option("Seed", "5");
        // Long enough that the nodes of the level end the search, and not the clock of a busy machine.
        for (const char* fen : kPositions)
            EXPECT_EQ(by_skill.think(fen, move_time(10'000)).move,
                      by_elo.think(fen, move_time(10'000)).move);
    }
}

TEST(Levels, RecapturesAndDoesNotGiveTheQueenAway) {
    // The knight on c6 has just been taken by a bishop: any player takes back.
    const Position position =
        position_of("r1bqkbnr/1ppp1ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4");
    int taken = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Profile profile = profile_for(1000);
        const WeakMove found = choose_weak_move(
            {position, {}, Move(Square::B5, Square::C6), Move(Square::A7, Square::A6), seed},
            profile, legal_moves(position));
        taken += found.move.to() == Square::C6;
    }
    EXPECT_GE(taken, 55);
}

// Plays the strong side's level against a defender that goes where the king has most room.
bool mates(const char* fen, int elo, std::uint64_t seed) {
    Game game(position_of(fen));
    Move last, own_last;
    std::vector<Key> keys;
    while (!game.over()) {
        const Position position = game.position();
        Move move;
        const MoveList moves = legal_moves(position);
        if (position.turn() == Color::White) {
            move = choose_weak_move({position, keys, last, own_last, seed}, profile_for(elo), moves)
                       .move;
        } else {
            int best = -1000;
            for (const Move m : moves) {
                Position next = position;
                next.play(m);
                const Square k = next.king(Color::Black);
                const int f = index(file_of(k)), r = index(rank_of(k));
                int room =
                    10 * (std::min(f, 7 - f) + std::min(r, 7 - r)) + 20 * position.is_capture(m);
                for (const Square s : king_attacks(k))
                    room += !next.attacked_by(Color::White, s, next.occupied());
                if (room > best) {
                    best = room;
                    move = m;
                }
            }
        }
        keys.push_back(position.key());
        own_last = last;
        last = move;
        game.play(move);
    }
    return game.outcome()->winner == Color::White;
}

TEST(Levels, TheWeakestLevelMatesWithAQueenOrRooks) {
    for (const int elo : {400, 600, 800})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            EXPECT_TRUE(mates("8/8/3k4/8/8/3K4/8/7Q w - - 0 30", elo, seed)) << elo << ' ' << seed;
            EXPECT_TRUE(mates("8/8/3k4/8/8/3K4/8/7R w - - 0 30", elo, seed)) << elo << ' ' << seed;
            EXPECT_TRUE(mates("8/8/3k4/8/8/3K4/8/R6R w - - 0 30", elo, seed)) << elo << ' ' << seed;
        }
}

TEST(Levels, TwoBishopsMateFromTheClubLevelOn) {
    for (const int elo : {1600, 1900})
        for (std::uint64_t seed = 1; seed <= 2; ++seed)
            EXPECT_TRUE(mates("8/8/3k4/8/8/3K4/8/5BB1 w - - 0 30", elo, seed)) << elo;
    EXPECT_FALSE(knows_mate(position_of("8/8/3k4/8/8/3K4/8/5BB1 w - - 0 30"), profile_for(1000)));
}

TEST(Levels, BishopAndKnightMateAtTheMasterLevel) {
    const Position position = position_of("8/8/3k4/8/8/3K4/8/5BN1 w - - 0 30");
    EXPECT_FALSE(knows_mate(position, profile_for(1900)));
    EXPECT_TRUE(knows_mate(position, profile_for(2300)));
    // Pawns beside them, or bishops of one colour only: not that ending.
    EXPECT_FALSE(knows_mate(position_of("8/8/3k4/8/8/3K4/P7/5BN1 w - - 0 30"), profile_for(2300)));
    EXPECT_FALSE(knows_mate(position_of("8/8/3k4/8/8/3K4/8/5B1B w - - 0 30"), profile_for(2300)));
}

int times_played(const char* fen, Move wanted, int elo, int games) {
    int count = 0;
    for (int seed = 1; seed <= games; ++seed)
        count += weak_move(position_of(fen), elo, static_cast<std::uint64_t>(seed)) == wanted;
    return count;
}

// A queen for nothing is taken more often than not by a beginner, by others nearly always.
TEST(Levels, AHangingQueenIsTaken) {
    const char* fen = "r1b1kbnr/pppp1ppp/2n5/4p3/2B1P1q1/5N1P/PPPP1PP1/RNBQK2R w KQkq - 1 6";
    const Move takes(Square::H3, Square::G4);
    EXPECT_GE(times_played(fen, takes, 400, 100), 60);
    EXPECT_GE(times_played(fen, takes, 800, 100), 90);
    EXPECT_GE(times_played(fen, takes, 1200, 100), 98);
    EXPECT_EQ(times_played(fen, takes, 1600, 100), 100);
}

TEST(Levels, AHangingPieceIsTaken) {
    const char* fen = "r1bqkb1r/pppp1ppp/2n5/4p3/2B1P1n1/5N1P/PPPP1PP1/RNBQK2R w KQkq - 1 6";
    const Move takes(Square::H3, Square::G4);
    EXPECT_GE(times_played(fen, takes, 700, 100), 80);
    EXPECT_GE(times_played(fen, takes, 1000, 100), 90);
    EXPECT_GE(times_played(fen, takes, 1400, 100), 98);
}

// Nobody leaves a piece standing because he is winning anyway.
TEST(Levels, AHangingPieceIsTakenInAWonGameToo) {
    const char* fen = "1r4k1/5ppp/8/3n4/8/3Q4/5PPP/R2R2K1 w - - 0 30";
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
        count += weak_move(position_of(fen), 1200, seed).to() == Square::D5;
    EXPECT_GE(count, 90);
}

TEST(Levels, AnAttackedQueenIsLookedAfter) {
    // The pawn that has just come to g5 attacks the queen on h4; nothing else hangs.
    const Position position =
        position_of("rnbqkbnr/pppp1p1p/8/4p1p1/4P2Q/8/PPPP1PPP/RNB1KBNR w KQkq - 0 5");
    for (const auto& [elo, least] : std::map<int, int>{{400, 60}, {800, 88}, {1200, 97}}) {
        int saved = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const Move move = weak_move(position, elo, seed);
            Position next = position;
            next.play(move);
            const Square queen = next.pieces(Color::White, PieceType::Queen).first();
            saved += !next.attacked_by(Color::Black, queen, next.occupied()) ||
                     position.is_capture(move);
        }
        EXPECT_GE(saved, least) << elo;
    }
}

TEST(Levels, MateInOneIsGivenByAllButBeginners) {
    const char* fen = "6k1/5ppp/8/8/8/2P5/1P3PPP/R5K1 w - - 0 30";
    const Move mate(Square::A1, Square::A8);
    EXPECT_GE(times_played(fen, mate, 800, 100), 60);
    EXPECT_GE(times_played(fen, mate, 1200, 100), 95);
    EXPECT_EQ(times_played(fen, mate, 1600, 100), 100);
}

TEST(Pace, IsPlausibleAndNeverCostsTheGame) {
    const Position middle = position_of(kPositions[1]);
    const Move quiet = legal_moves(middle)[0];
    ClockTimes clock;
    for (const Color c : kColors) clock.left[c] = Milliseconds{180'000};
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto pace = human_pace({middle, Move(), clock, seed}, quiet);
        EXPECT_GE(pace.count(), 300);
        EXPECT_LE(pace.count(), 180'000 * 12 / 100);
        sum += static_cast<double>(pace.count()) / 200;
    }
    EXPECT_GT(sum, 1'500);
    EXPECT_LT(sum, 8'000);
    for (const Color c : kColors) clock.left[c] = Milliseconds{2'000};
    EXPECT_EQ(human_pace({middle, Move(), clock, 1}, quiet).count(), 0);
    const auto free = human_pace({middle, Move(), std::nullopt, 1}, quiet);
    EXPECT_GE(free.count(), 250);
    EXPECT_LE(free.count(), 4'000);
}

TEST(Pace, IsTakenOnlyWhenAskedForAndEndsAtAStop) {
    Recorder recorder;
    recorder.engine.set_option("Skill", "Easy");
    recorder.engine.set_option("Human Pace", "true");
    recorder.engine.set_position(position_of(kPositions[1]));
    recorder.engine.go(Limits{});
    recorder.engine.stop();
    recorder.engine.wait();
    EXPECT_FALSE(recorder.engine.searching());
}

// The behaviour of the level set, as three numbers.
constexpr const char* kNewSet =
    "What levels play has changed: give the set a new name and calibrate it anew (docs/levels.md).";

TEST(Levels, TheSetIsFrozen) {
    std::uint64_t signature = 0;
    for (const char* fen : kPositions)
        for (const int elo : {400, 800, 1200, 1600, 1950})
            for (std::uint64_t seed = 1; seed <= 3; ++seed)
                signature = mix_bits(signature ^ weak_move(position_of(fen), elo, seed).bits());
    EXPECT_EQ(kLevelSet, "levels-4");
    EXPECT_EQ(signature, 7270772437483696534ull) << kNewSet;
}

TEST(Levels, TheRowsOfAllDialsAreFrozen) {
    std::uint64_t signature = 0;
    for (int dial = 0; dial <= kHighestDial; ++dial) {
        const Profile p = profile_for_dial(dial);
        for (const int number :
             {p.dial, p.nodes, p.perception, p.fading, p.capture_chain, p.noise, p.temperature,
              p.cap, p.knowledge, p.recapture, p.guarded, p.take_free, p.own_mate, p.prevent_mate,
              p.notice_queen, p.avoid_stalemate, p.elo, int{p.main_search()}, int{p.network()}})
            signature = mix_bits(signature ^ static_cast<std::uint64_t>(number));
    }
    EXPECT_EQ(kLevelSet, "levels-4");
    EXPECT_EQ(signature, 14485639811838118051ull) << kNewSet;
}

// From about 2100 on the search itself plays: with it, its weights or the network the levels change.
TEST(Levels, TheMovesOfTheMainSearchAreFrozen) {
    std::string moves;
    for (const char* elo : {"2100", "2300", "2500", "2600"}) {
        Recorder recorder;
        recorder.engine.set_option("UCI_LimitStrength", "true");
        recorder.engine.set_option("UCI_Elo", elo);
        recorder.engine.set_option("BookFile", "<none>");
        for (const char* fen : kPositions)
            moves += to_uci(recorder.think(fen, Limits{}).move) + ' ';
    }
    EXPECT_EQ(kLevelSet, "levels-4");
    EXPECT_EQ(moves,
              "c6a5 d4c6 a6a5 e4g5 f2e3 "
              "g8f6 d4c6 a6a5 e4g5 f2e3 "
              "g8f6 e1c1 a6a5 e4g5 f2e3 "
              "g8f6 e1c1 a6a5 e4g5 f2e3 ")
        << kNewSet;
}

}  // namespace
}  // namespace rokada::engine
