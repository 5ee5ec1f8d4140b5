// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_game.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"
#include "tests/chess/random_games.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

using testing_support::Random;

PgnGame read_one(std::string_view text) {
    PgnGames all = parse_pgn(text);
    EXPECT_EQ(all.games.size(), 1u) << text;
    for (const PgnProblem& problem : all.problems)
        EXPECT_EQ(problem.severity, PgnSeverity::Note) << problem.message << '\n' << text;
    return all.games.empty() ? PgnGame() : all.games.front();
}

const PgnNotes& notes_of(const PgnGame& game, PgnGame::Node node) {
    static const PgnNotes none;
    const PgnNotes* notes = game.find_notes(node);
    return notes == nullptr ? none : *notes;
}

void expect_same_tree(const PgnGame& a, PgnGame::Node x, const PgnGame& b, PgnGame::Node y) {
    std::vector<std::pair<PgnGame::Node, PgnGame::Node>> open{{x, y}};
    while (!open.empty()) {
        const auto [p, q] = open.back();
        open.pop_back();
        ASSERT_EQ(a.move(p), b.move(q));
        ASSERT_EQ(notes_of(a, p), notes_of(b, q));
        PgnGame::Node c = a.main_child(p), d = b.main_child(q);
        for (; c != PgnGame::kNoNode && d != PgnGame::kNoNode;
             c = a.next_variation(c), d = b.next_variation(d))
            open.emplace_back(c, d);
        ASSERT_EQ(c, d);  // both at their end
    }
}

void expect_same(const PgnGame& a, const PgnGame& b) {
    EXPECT_EQ(a.start(), b.start());
    EXPECT_EQ(a.result(), b.result());
    EXPECT_EQ(a.size(), b.size());
    for (const PgnTag& tag : a.tags()) EXPECT_EQ(b.tag(tag.name), tag.value) << tag.name;
    expect_same_tree(a, PgnGame::kRoot, b, PgnGame::kRoot);
}

TEST(PgnTree, HoldsWhatTheFileSays) {
    const PgnGame game = read_one(
        "[Event \"A\"]\n[Result \"1-0\"]\n\n{start} 1. e4! {[%clk 0:01:00] best} (1. d4 $5 d5 "
        "({why} 1... Nf6)"
        " 2. c4) (1. c4) 1... e5 {x} {y} 1-0");
    EXPECT_EQ(game.tag("Event"), "A");
    EXPECT_EQ(game.tag("Result"), "");  // told by result()
    EXPECT_EQ(game.result(), PgnResult::WhiteWins);
    EXPECT_EQ(notes_of(game, PgnGame::kRoot).after.text, "start");
    const auto line = game.main_line();
    ASSERT_EQ(line.size(), 2u);
    EXPECT_EQ(notes_of(game, line[0]).nags, std::vector<std::uint8_t>{1});
    EXPECT_EQ(notes_of(game, line[0]).after.clock, std::chrono::minutes(1));
    EXPECT_EQ(notes_of(game, line[0]).after.text, "best");
    EXPECT_EQ(notes_of(game, line[1]).after.text, "x y");
    const PgnGame::Node d4 = game.next_variation(line[0]);
    EXPECT_EQ(game.move(d4), Move(Square::D2, Square::D4));
    const PgnGame::Node knight = game.next_variation(game.main_child(d4));
    EXPECT_EQ(game.move(knight), Move(Square::G8, Square::F6));
    EXPECT_EQ(notes_of(game, knight).before.text, "why");
    EXPECT_EQ(to_fen(game.position(knight)),
              "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2");
    const PgnGame::Node c4 = game.next_variation(d4);
    EXPECT_EQ(game.next_variation(c4), PgnGame::kNoNode);
    EXPECT_EQ(game.parent(c4), PgnGame::kRoot);
}

TEST(PgnTree, WordsOfAnEmptyVariationStay) {
    const PgnGame game = read_one("1. e4 ({no move}) e5 *");
    EXPECT_EQ(notes_of(game, game.main_line()[0]).after.text, "no move");
}

TEST(PgnWriting, FollowsTheExportFormat) {
    PgnGame game;
    game.set_tag("Zebra", "last");
    game.set_tag("White", "Say \"hi\" \\ bye\n");
    game.set_tag("Annotator", "me");
    game.set_tag("Event", "Cup");
    PgnGame::Node node = game.add(PgnGame::kRoot, Move(Square::E2, Square::E4));
    game.notes(node).nags = {1, 18};
    game.notes(node).after.text = "good";
    const PgnGame::Node reply = game.add(node, Move(Square::E7, Square::E5));
    const PgnGame::Node other = game.add(node, Move(Square::C7, Square::C5));
    game.add(other, Move(Square::G1, Square::F3));
    game.add(reply, Move(Square::G1, Square::F3));
    game.set_result(PgnResult::Draw);
    EXPECT_EQ(to_pgn(game),
              "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
              "[White \"Say \\\"hi\\\" \\\\ bye \"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n"
              "[Annotator \"me\"]\n[Zebra \"last\"]\n\n"
              "1. e4 $1 $18 { good } 1... e5 (1... c5 2. Nf3) 2. Nf3 1/2-1/2\n\n");
    PgnStyle plain;
    plain.comments = plain.nags = plain.variations = plain.commands = false;
    const std::string text = to_pgn(game, plain);
    EXPECT_EQ(text.substr(text.find("\n\n")), "\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n");
}

TEST(PgnWriting, NamesTheStartPosition) {
    const Position start = testing_support::position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40");
    PgnGame game(start);
    game.add(PgnGame::kRoot, Move(Square::E8, Square::D7));
    const std::string text = to_pgn(game);
    EXPECT_NE(text.find("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n[SetUp \"1\"]\n\n40... Kd7 *"),
              std::string::npos)
        << text;
    const PgnGame chess960(Position::from_setup(Setup::chess960(0)).value());
    EXPECT_NE(to_pgn(chess960).find("[Variant \"Chess960\"]"), std::string::npos);
}

TEST(PgnWriting, KeepsLinesShortAndWordsWhole) {
    PgnGame game;
    PgnGame::Node node = PgnGame::kRoot;
    Position position;
    for (int i = 0; i < 100; ++i) {
        node = game.add(node, legal_moves(position)[0]);
        position.play(game.move(node));
        game.notes(node).after.text = "a % comment of some words, and 100 % of them matter";
        game.notes(node).after.clock = std::chrono::milliseconds(1500);
    }
    const std::string text = to_pgn(game);
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (end - at > longest) longest = end - at;
        EXPECT_NE(text[at], '%');
        at = end + 1;
    }
    EXPECT_LE(longest, 81u);  // a '%' may hang over
    EXPECT_GE(longest, 75u);
    expect_same(game, read_one(text));
    PgnStyle wide;
    wide.columns = 0;
    const std::string one_line = to_pgn(game, wide);
    EXPECT_EQ(std::count(one_line.begin(), one_line.end(), '\n'), 10);
}

TEST(PgnWriting, TagsQuotedInCommentsDoNotLookLikeGames) {
    PgnGame game;
    const PgnGame::Node node = game.add(PgnGame::kRoot, Move(Square::E2, Square::E4));
    for (int i = 0; i < 40; ++i)
        game.notes(node).after.text +=
            std::string(i == 0 ? "" : " ") + "write [Event \"Cup\"] first";
    expect_same(game, read_one(to_pgn(game)));
}

TEST(PgnWriting, ClosingBracesSurvive) {
    const PgnGame game =
        read_one("1. e4 ; a } brace\n ({b} ; c } d\n 1. d4 ; e }\n) 1... e5 {f} *");
    const PgnGame::Node first = game.main_line()[0];
    EXPECT_EQ(notes_of(game, first).after.text, "a } brace");
    EXPECT_EQ(notes_of(game, game.next_variation(first)).before.text, "b c } d");
    expect_same(game, read_one(to_pgn(game)));
}

// A random tree with everything in it.
PgnGame random_tree(std::uint64_t seed) {
    Random random(seed + 1000);
    PgnGame game(testing_support::random_start(random, seed));
    game.set_tag("Event", "event " + std::to_string(seed));
    game.set_tag("Odd", "\\ \" ] [ { } ; % \u00e9");
    game.set_result(static_cast<PgnResult>(random.below(4)));
    const auto comment = [&random](PgnComment& target) {
        const std::string_view words[] = {"good",
                                          "(what)",
                                          "1-0",
                                          "{",
                                          "}",
                                          ";",
                                          "%",
                                          "$1",
                                          "e4",
                                          "[x]",
                                          "\u265e",
                                          "*",
                                          "a-very-long-word-that-does-not-fit-easily"};
        for (std::size_t i = random.below(6); i > 0; --i) {
            if (!target.text.empty()) target.text += ' ';
            target.text += words[random.below(std::size(words))];
        }
        if (random.below(3) == 0) target.clock = std::chrono::milliseconds(random.below(10000000));
        if (random.below(5) == 0) target.elapsed = std::chrono::milliseconds(random.below(100000));
        if (random.below(4) == 0)
            target.evaluation = PgnEvaluation{static_cast<int>(random.below(2000)) - 1000, {}, {}};
        if (random.below(6) == 0)
            target.evaluation = PgnEvaluation{0, static_cast<int>(random.below(60)) - 30, 20};
        if (random.below(6) == 0)
            target.marks = {{'G', Square::A1, Square::A1}, {'R', Square::A1, Square::B2}};
    };
    for (int i = 0; i < 120; ++i) {
        const auto parent = i < 20 ? static_cast<PgnGame::Node>(game.size() - 1)
                                   : static_cast<PgnGame::Node>(random.below(game.size()));
        const Position position = game.position(parent);
        const MoveList moves = legal_moves(position);
        if (moves.empty()) continue;
        Move move = moves[random.below(moves.size())];
        if (random.below(40) == 0 && !position.in_check()) move = Move();
        const PgnGame::Node node = game.add(parent, move);
        if (random.below(3) == 0) comment(game.notes(node).after);
        if (random.below(3) == 0)
            game.notes(node).nags.push_back(static_cast<std::uint8_t>(random.below(256)));
        if (game.main_child(parent) != node && random.below(4) == 0)
            comment(game.notes(node).before);
    }
    if (random.below(2) == 0) comment(game.notes(PgnGame::kRoot).after);
    return game;
}

TEST(PgnTree, OfAnyKindIsWrittenAndReadBack) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const PgnGame game = random_tree(seed);
        const std::string text = to_pgn(game);
        const PgnGame back = read_one(text);
        expect_same(game, back);
        ASSERT_EQ(to_pgn(back), text);
        if (HasFailure()) {
            ADD_FAILURE() << "seed " << seed << '\n' << text;
            return;
        }
    }
}

TEST(PgnTree, RandomGamesRoundTrip) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto random = testing_support::random_game(seed);
        PgnGame game(random.start);
        PgnGame::Node node = PgnGame::kRoot;
        for (const Move move : random.moves) node = game.add(node, move);
        expect_same(game, read_one(to_pgn(game)));
    }
}

TEST(PgnGames, BrokenOnesAreGivenAsFarAsTheyGo) {
    StringSource source("[Event \"A\"]\n1. e4 e5 2. Ke3 1-0\n\n[Event \"B\"]\n1. d4 *\n");
    PgnGameReader reader(source);
    const auto first = reader.next();
    if (!first) FAIL() << "no game";
    EXPECT_TRUE(reader.broken());
    EXPECT_EQ(first->main_line().size(), 2u);
    ASSERT_EQ(reader.problems().size(), 1u);
    EXPECT_EQ(reader.problems()[0].where.line, 2u);
    EXPECT_EQ(reader.problems()[0].where.column, 13u);
    EXPECT_EQ(reader.problems()[0].game, 1u);
    const auto second = reader.next();
    if (!second) FAIL() << "no second game";
    EXPECT_FALSE(reader.broken());
    EXPECT_EQ(second->tag("Event"), "B");
    EXPECT_FALSE(reader.next());
}

TEST(PgnGames, LargerThanAllowedAreRefused) {
    PgnGameLimits limits;
    limits.memory = 10000;
    std::string moves;
    for (int i = 0; i < 500; ++i) moves += "Nf3 Nf6 Ng1 Ng8 ";
    std::string comments = "1. e4 ";
    for (int i = 0; i < 2000; ++i) comments += "{a comment} ";
    std::string tags;
    for (int i = 0; i < 1100; ++i) tags += "[Tag" + std::to_string(i) + " \"x\"]\n";
    std::string variations = "1. e4 ";
    for (int i = 0; i < 1000; ++i) variations += "(1. d4 {x}) ";
    for (const std::string& text : {moves, comments, tags, variations}) {
        const std::string both = text + " *\n\n[Event \"next\"] 1. d4 *";
        StringSource source(both);
        PgnGameReader reader(source, limits);
        ASSERT_TRUE(reader.next());
        EXPECT_TRUE(reader.broken());
        EXPECT_LE(reader.memory_used(), limits.memory);
        const auto second = reader.next();
        if (!second) FAIL() << "no second game";
        EXPECT_FALSE(reader.broken());
        EXPECT_EQ(second->main_line().size(), 1u);
    }
    // All games together are held to the limit as well.
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "[Event \"x\"] 1. e4 *\n";
    const PgnGames all = parse_pgn(many, limits);
    EXPECT_LT(all.games.size(), 100u);
    EXPECT_EQ(all.problems.back().message, "the games need more memory than is allowed");
}

TEST(PgnGames, OfTheSharedFilesRoundTrip) {
    const auto folder = testing_support::shared_data("pgn");
    if (folder.empty()) GTEST_SKIP() << "no shared data";
    std::size_t games = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".pgn") continue;
        const std::string text = testing_support::read_file(entry.path());
        StringSource source(text);
        PgnGameReader reader(source);
        while (const auto game = reader.next()) {
            if (reader.broken()) continue;
            ++games;
            expect_same(*game, read_one(to_pgn(*game)));
            ASSERT_FALSE(HasFailure()) << entry.path();
        }
    }
    EXPECT_GT(games, 450u);
}

}  // namespace
}  // namespace rokada
