// SPDX-License-Identifier: GPL-3.0-or-later
// Tablebases agree with endings solved from scratch, damaged files are refused or give no answer, and an engine that
// has them mates. The parts that need real tables run where the folder of shared data exists.
#include <iostream>
#include <random>

#include "engine/syzygy/root_ranking.hpp"
#include "engine/syzygy/tablebases.hpp"
#include "tests/chess/shared_data.hpp"
#include "tests/engine/helpers.hpp"
#include "tests/engine/retrograde.hpp"

namespace rokada::engine {
namespace {

namespace fs = std::filesystem;

// They make solving thirty times slower and have nothing to find in it.
using testing_support::kSanitized;

std::string shared_tables() { return testing_support::shared_data("syzygy").string(); }

std::shared_ptr<const Tablebases> open_tables(const std::string& folders) {
    auto tables = Tablebases::open(folders);
    EXPECT_TRUE(tables) << tables.error();
    return tables ? *tables : nullptr;
}

class RealTables : public testing::Test {
  protected:
    void SetUp() override {
        if (shared_tables().empty()) GTEST_SKIP() << "no tablebases here";
        tables = open_tables(shared_tables() + ":" + shared_tables() + "/5man-sample");
        ASSERT_TRUE(tables);
    }
    std::shared_ptr<const Tablebases> tables;
};

TableResult result_of(int distance) {
    if (distance == 0) return TableResult::Draw;
    if (distance == retrograde::Ending::kMated) return TableResult::Loss;
    const bool late = std::abs(distance) > 100;
    return distance > 0 ? (late ? TableResult::CursedWin : TableResult::Win)
                        : (late ? TableResult::BlessedLoss : TableResult::Loss);
}

// Every `step`th state, so that a sample spreads over the whole ending.
void expect_agreement(const Tablebases& tables, const retrograde::Ending& ending,
                      const std::string& name, std::size_t step) {
    std::size_t wrong = 0, asked = 0;
    for (std::size_t number = 0; number < ending.states() && wrong < 5; number += step) {
        const int truth = ending.distance(number);
        if (truth == retrograde::Ending::kIllegal) continue;
        const Position position = retrograde::to_position(ending.state(number));
        ++asked;
        const auto result = tables.result(position);
        const auto distance = tables.distance(position);
        // Where a file counts in moves a distance is rounded by a ply.
        const bool mated = truth == retrograde::Ending::kMated;
        const bool right = result && *result == result_of(truth) && distance &&
                           (mated ? *distance == -1 : std::abs(*distance - truth) <= 1) &&
                           (mated || (*distance > 0) == (truth > 0));
        if (!right) {
            ++wrong;
            ADD_FAILURE() << name << ' ' << to_fen(position) << " is " << truth
                          << ", the tables say "
                          << (distance ? std::to_string(*distance) : "nothing");
        }
    }
    EXPECT_GT(asked, ending.states() / step / 8);
}

TEST_F(RealTables, EveryPositionOfThreeMenIsRight) {
    retrograde::Solver solver;
    for (const char* name : {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"})
        expect_agreement(*tables, solver.solve(name), name, kSanitized ? 31 : 1);
}

TEST_F(RealTables, FourMenAreRight) {
    const bool all = std::getenv("ROKADA_LONG") != nullptr;
    if (kSanitized) GTEST_SKIP() << "too slow under a sanitizer";
    retrograde::Solver solver;
    std::vector<std::string> names;
    if (!all) names = {"KBNvK"};
    for (const auto& entry : fs::directory_iterator(shared_tables()))
        if (all && entry.path().extension() == ".rtbz" && entry.path().stem().string().size() == 5)
            names.push_back(entry.path().stem().string());
    for (const std::string& name : names) {
        expect_agreement(*tables, solver.solve(name), name, all ? 1 : 97);
        if (all) std::cout << name << " compared" << std::endl;
    }
}

Position random_position(const std::string& name, std::mt19937& random) {
    std::vector<Piece> pieces{Piece::WhiteKing};
    Color side = Color::White;
    for (const char c : name.substr(1)) {
        if (c == 'v')
            side = Color::Black;
        else
            pieces.push_back(make_piece(side, parse_piece_type(c)));
    }
    for (;;) {
        Setup setup;
        setup.turn = random() % 2 == 0 ? Color::White : Color::Black;
        const bool swap = random() % 2 == 0;
        for (Piece piece : pieces) {
            if (swap) piece = make_piece(~color_of(piece), type_of(piece));
            Square square;
            do square = square_at(static_cast<int>(random() % 64));
            while (setup.board[square] != Piece::None);
            setup.board[square] = piece;
        }
        if (const auto position = Position::from_setup(setup)) return *position;
    }
}

// What the table says must follow from what it says about the positions one move further.
void expect_consistent(const Tablebases& tables, const Position& position, bool distances) {
    const auto result = tables.result(position);
    ASSERT_TRUE(result) << to_fen(position);
    const MoveList moves = legal_moves(position);
    if (moves.empty()) {
        EXPECT_EQ(*result, position.in_check() ? TableResult::Loss : TableResult::Draw);
        return;
    }
    // Cursed or not cannot be told from the results alone.
    const auto sign = [](int value) { return (value > 0) - (value < 0); };
    int best = -1, shortest = 10000, longest = 0;
    for (const Move move : moves) {
        Position next = position;
        next.play(move);
        const auto below = tables.result(next);
        ASSERT_TRUE(below) << to_fen(next);
        best = std::max(best, -sign(static_cast<int>(*below)));
        if (!distances) continue;
        const auto further = tables.distance(next);
        ASSERT_TRUE(further) << to_fen(next);
        const bool mate = next.in_check() && !has_legal_move(next);
        const int plies = mate                         ? 1
                          : is_zeroing(position, move) ? std::abs(distance_of_zeroing(*below))
                                                       : std::abs(*further) + 1;
        if (sign(*further) < 0) shortest = std::min(shortest, plies);
        if (sign(*further) > 0) longest = std::max(longest, plies);
    }
    EXPECT_EQ(sign(static_cast<int>(*result)), best) << to_fen(position);
    if (!distances || best == 0) return;
    const auto distance = tables.distance(position);
    ASSERT_TRUE(distance);
    const int expected = best > 0 ? shortest : -longest;
    EXPECT_LE(std::abs(*distance - expected), 2)
        << to_fen(position) << ' ' << *distance << ' ' << expected;
    EXPECT_EQ(std::abs(*distance) > 100, std::abs(static_cast<int>(*result)) == 1)
        << to_fen(position);
}

TEST_F(RealTables, SamplesOfFourAndFiveMenFollowFromTheirNextMoves) {
    std::mt19937 random(1);
    const int count = std::getenv("ROKADA_LONG") != nullptr ? 20000 : 200;
    for (const auto& entry : fs::directory_iterator(shared_tables())) {
        if (entry.path().extension() != ".rtbw") continue;
        const std::string name = entry.path().stem().string();
        for (int i = 0; i < count && !HasFailure(); ++i)
            expect_consistent(*tables, random_position(name, random), true);
    }
    for (int i = 0; i < 5 * count && !HasFailure(); ++i) {
        expect_consistent(*tables, random_position("KNNvKB", random), true);
        expect_consistent(*tables, random_position("KBNvKN", random), false);
    }
}

TEST_F(RealTables, RecordedProbesAreRepeated) {
    const auto lines =
        testing_support::read_lines(testing_support::shared_data("syzygy/endgame-probes.epd"));
    ASSERT_GE(lines.size(), 100u);
    for (const std::string& line : lines) {
        const auto number = [&line](const std::string& key) {
            return std::stoi(line.substr(line.find(' ' + key + ' ') + key.size() + 2));
        };
        std::istringstream words(line);
        std::string fen, word;
        for (int i = 0; i < 4 && words >> word; ++i) fen += word + ' ';
        const Position position = position_of(fen + "0 1");
        EXPECT_EQ(static_cast<int>(tables->result(position).value_or(TableResult::Draw)),
                  number("wdl"))
            << line;
        EXPECT_EQ(tables->distance(position).value_or(-999), number("dtz")) << line;
    }
}

TEST_F(RealTables, FiftyMoveRuleSpoilsCursedWins) {
    std::mt19937 random(5);
    for (int tries = 0; tries < 200000; ++tries) {
        const Position position = random_position("KBNvKN", random);
        if (tables->result(position) != TableResult::CursedWin) continue;
        EXPECT_FALSE(is_decisive(value_of(TableResult::CursedWin, 0, true)));
        EXPECT_TRUE(is_win(value_of(TableResult::CursedWin, 0, false)));
        // The engine says the same: nearly a draw, or a win.
        for (const bool rule : {true, false}) {
            Recorder recorder;
            recorder.engine.set_option("SyzygyPath",
                                       shared_tables() + ":" + shared_tables() + "/5man-sample");
            recorder.engine.set_option("Syzygy50MoveRule", rule ? "true" : "false");
            recorder.engine.set_position(position);
            recorder.engine.think(nodes(500));
            const int score = recorder.infos.back().score.centipawns();
            EXPECT_EQ(score > 10000, !rule) << to_fen(position);
            EXPECT_GE(score, 0);
            EXPECT_GT(recorder.infos.back().tablebase_hits, 0u);
        }
        return;
    }
    FAIL() << "no cursed win among the samples";
}

// Both sides play by the tables; the stronger must mate, each phase within the fifty-move rule.
void expect_mate(const std::string& folders, Position position, std::uint64_t node_limit) {
    Recorder recorder;
    recorder.engine.set_option("SyzygyPath", folders);
    const Position start = position;
    std::vector<Move> moves;
    for (int ply = 0; ply < 300; ++ply) {
        recorder.engine.set_position(start, moves);
        const BestMove best = recorder.engine.think(nodes(node_limit));
        if (!best.move) break;
        ASSERT_TRUE(position.is_legal(best.move));
        moves.push_back(best.move);
        position.play(best.move);
        ASSERT_LT(position.halfmove_clock(), 100) << to_fen(start);
    }
    EXPECT_TRUE(position.in_check() && !has_legal_move(position))
        << to_fen(start) << " ends at " << to_fen(position);
}

TEST_F(RealTables, EngineMakesProgressAndMates) {
    std::mt19937 random(9);
    for (const char* name : {"KBNvK", "KQvKR", "KRvK", "KPvK", "KRvKP", "KBPvK"}) {
        Position position;
        do position = random_position(name, random);
        while (tables->result(position) != TableResult::Win);
        expect_mate(shared_tables(), position, 60);
    }
}

TEST_F(RealTables, EngineWinsFromWhereItsCirclesHaveUsedUpTheClock) {
    // The longest win with bishop and knight takes 65 plies; with 30 on the clock there is little to spare.
    std::mt19937 random(3);
    Position position;
    do position = random_position("KBNvK", random);
    while (tables->distance(position).value_or(0) < 55);
    rokada::Setup setup = position.to_setup();
    setup.halfmove_clock = 99 - *tables->distance(position);
    const auto late = Position::from_setup(setup);
    ASSERT_TRUE(late);
    expect_mate(shared_tables(), *late, 60);
}

TEST_F(RealTables, ResultsAloneRankTheRootToo) {
    const fs::path folder =
        fs::temp_directory_path() / ("rokada-syzygy-" + std::to_string(std::random_device{}()));
    fs::create_directories(folder);
    for (const auto& entry : fs::directory_iterator(shared_tables()))
        if (entry.path().extension() == ".rtbw")
            fs::create_symlink(fs::absolute(entry.path()), folder / entry.path().filename());
    const auto results = open_tables(folder.string());
    EXPECT_EQ(results->distance_tables(), 0u);
    // Leaving the rook to the king is a draw, all else wins.
    const Position position = position_of("8/8/8/8/8/4k3/6R1/K7 w - - 0 1");
    std::vector<Move> moves;
    for (const Move m : legal_moves(position)) moves.push_back(m);
    const RootRanking ranking = rank_root_moves(*results, position, {}, moves, true);
    ASSERT_EQ(ranking.moves.size(), moves.size());
    EXPECT_FALSE(ranking.by_distance);
    EXPECT_TRUE(is_win(ranking.moves.front().value));
    EXPECT_EQ(ranking.moves.back().value, kDraw);
    fs::remove_all(folder);
}

TEST_F(RealTables, SearchLooksUpWhatItReaches) {
    Recorder recorder;
    recorder.engine.set_option("SyzygyPath", shared_tables());
    EXPECT_THAT(recorder.messages, testing::Contains(testing::HasSubstr("up to 4 men")));
    // Five men: the exchange of rooks leads to a lost or drawn pawn ending.
    recorder.think("8/8/1k6/1r6/8/1R6/1PK5/8 w - - 0 1", depth(8));
    EXPECT_GT(recorder.infos.back().tablebase_hits, 0u);
    recorder.engine.set_option("SyzygyProbeLimit", "0");
    recorder.think("8/8/1k6/1r6/8/1R6/1PK5/8 w - - 0 1", depth(8));
    EXPECT_EQ(recorder.infos.back().tablebase_hits, 0u);
}

TEST_F(RealTables, DamagedFilesDoNoHarm) {
    std::mt19937 random(7);
    for (const char* name : {"KPvK.rtbw", "KPvK.rtbz", "KQvK.rtbz", "KNvKN.rtbw", "KPPvK.rtbz"}) {
        const std::string whole = testing_support::read_file(fs::path(shared_tables()) / name);
        const std::string stem = fs::path(name).stem().string();
        const Position sample = random_position(stem, random);
        Material material = Material::of(sample);
        if (sample.pieces(Color::White).count() < sample.pieces(Color::Black).count())
            material = material.swapped();
        const TableKind kind =
            std::string(name).back() == 'w' ? TableKind::Result : TableKind::Distance;
        int refused = 0;
        for (int i = 0; i < 3000; ++i) {
            std::vector<unsigned char> bytes(whole.begin(), whole.end());
            // Mostly the header, where a change has the widest effect.
            const std::size_t place =
                random() % (i % 4 == 0 ? bytes.size() : std::min<std::size_t>(200, bytes.size()));
            bytes[place] = static_cast<unsigned char>(random());
            if (i % 8 == 0) bytes.resize(bytes.size() - 64 * (random() % (bytes.size() / 64)));
            const auto table = Table::read(bytes, material, kind);
            if (!table) {
                ++refused;
                EXPECT_FALSE(table.error().empty());
                continue;
            }
            for (int j = 0; j < 20; ++j) {
                const Position position = random_position(stem, random);
                if (kind == TableKind::Result)
                    (void)table->result(position);
                else
                    (void)table->distance(position,
                                          j % 2 == 0 ? TableResult::Win : TableResult::Loss);
            }
        }
        EXPECT_GT(refused, 100) << name;
    }
}

// The smallest file there can be: every position has the same result.
std::vector<unsigned char> constant_table(unsigned char white, unsigned char black) {
    // Order of groups, then queen, white king, black king for either side; flags and value of either list.
    std::vector<unsigned char> bytes{0x71, 0xE8, 0x23, 0x5D, 1,     0,   0x55,
                                     0x66, 0xEE, 0,    128,  white, 128, black};
    bytes.resize(64 + 16);
    return bytes;
}

TEST(TableFile, IsReadFromItsBytes) {
    const auto bytes = constant_table(4, 0);
    Material queen;
    queen.add(Color::White, PieceType::Queen);
    const auto table = Table::read(bytes, queen, TableKind::Result);
    ASSERT_TRUE(table) << table.error();
    EXPECT_EQ(table->result(position_of("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")), TableResult::Win);
    EXPECT_EQ(table->result(position_of("8/8/8/4k3/8/8/8/KQ6 b - - 0 1")), TableResult::Loss);
    // The same with the colours exchanged.
    EXPECT_EQ(table->result(position_of("8/8/8/4K3/8/8/8/kq6 b - - 0 1")), TableResult::Win);
    EXPECT_EQ(table->result(position_of("8/8/8/4K3/8/8/8/kq6 w - - 0 1")), TableResult::Loss);
}

TEST(TableFile, RefusesWithTheReason) {
    Material queen, rook, pawn;
    queen.add(Color::White, PieceType::Queen);
    rook.add(Color::White, PieceType::Rook);
    pawn.add(Color::White, PieceType::Pawn);
    auto bytes = constant_table(4, 0);
    const auto reason = [&](Material material, TableKind kind) {
        const auto table = Table::read(bytes, material, kind);
        return table ? std::string("none") : table.error();
    };
    EXPECT_THAT(reason(queen, TableKind::Distance), testing::HasSubstr("begin"));
    EXPECT_THAT(reason(rook, TableKind::Result), testing::HasSubstr("order of pieces"));
    EXPECT_THAT(reason(pawn, TableKind::Result), testing::HasSubstr("other men"));
    bytes[4] = 0;
    EXPECT_THAT(reason(queen, TableKind::Result), testing::HasSubstr("other men"));
    bytes = constant_table(4, 0);
    bytes[10] = 0;  // no longer constant: a list without blocks
    EXPECT_NE(reason(queen, TableKind::Result), "none");
    bytes.pop_back();
    EXPECT_THAT(reason(queen, TableKind::Result), testing::HasSubstr("size"));
    bytes.clear();
    EXPECT_THAT(reason(queen, TableKind::Result), testing::HasSubstr("size"));
}

TEST(Tablebases, FolderThatIsNotThereIsRefusedAndChangesNothing) {
    Engine engine;
    const auto error = engine.set_option("SyzygyPath", "/no such folder");
    ASSERT_TRUE(error);
    EXPECT_THAT(*error, testing::HasSubstr("/no such folder"));
    for (const Option& option : engine.options())
        if (option.name == "SyzygyPath") {
            EXPECT_EQ(option.value, "");
        }
    EXPECT_FALSE(engine.set_option("SyzygyPath", "<empty>"));
}

TEST(Tablebases, NamesEveryFileItLeavesOut) {
    const fs::path folder =
        fs::temp_directory_path() / ("rokada-syzygy-" + std::to_string(std::random_device{}()));
    fs::create_directories(folder);
    const auto good = constant_table(4, 0);
    const auto write = [&](const std::string& name, std::size_t size) {
        std::ofstream(folder / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(good.data()), static_cast<std::streamsize>(size));
    };
    write("KQvK.rtbw", good.size());
    write("KRvK.rtbw", good.size());
    write("KQvK.rtbz", 30);
    write("KQvKX.rtbw", good.size());  // no name of a table: not looked at
    write("readme.txt", good.size());
    const auto tables = open_tables(folder.string());
    EXPECT_EQ(tables->result_tables(), 1u);
    EXPECT_EQ(tables->largest(), 3);
    ASSERT_EQ(tables->problems().size(), 2u);
    EXPECT_THAT(tables->problems()[0], testing::HasSubstr("KQvK.rtbz"));
    EXPECT_THAT(tables->problems()[1], testing::HasSubstr("KRvK.rtbw"));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace rokada::engine
