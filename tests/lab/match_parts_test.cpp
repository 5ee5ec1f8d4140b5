// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "chess/notation/fen.hpp"
#include "lab/match/adjudication.hpp"
#include "lab/match/engine_spec.hpp"
#include "lab/match/game_file.hpp"
#include "lab/match/openings.hpp"
#include "lab/match/schedule.hpp"
#include "lab/match/tournament.hpp"

namespace rokada::lab {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(TimeControl, ReadsAllForms) {
    EXPECT_EQ(parse_time_control("2+0.02")->base->count(), 2000);
    EXPECT_EQ(parse_time_control("2+0.02")->increment->count(), 20);
    EXPECT_EQ(parse_time_control("40/60")->moves_per_session, 40);
    EXPECT_EQ(parse_time_control("1:30+1")->base->count(), 90'000);
    EXPECT_EQ(parse_time_control("0.5+0.005")->increment->count(), 5);
    EXPECT_FALSE(parse_time_control("inf")->base);
    for (const char* bad : {"", "x", "1+", "+", "0+0", "0/10", "40/", "-5", "1+x", "1::2"})
        EXPECT_FALSE(parse_time_control(bad)) << bad;
    EXPECT_EQ(to_text(*parse_time_control("40/60+0.5")), "40/60+0.5");
}

TEST(Clock, TheFlagFallsWithoutMercy) {
    Clock clock(*parse_time_control("1+0.5"));
    EXPECT_EQ(*clock.left(), milliseconds(1000));
    clock.spend(milliseconds(400));
    EXPECT_EQ(*clock.left(), milliseconds(1100));
    EXPECT_FALSE(clock.fallen(milliseconds(1100), milliseconds(0)));
    clock.spend(milliseconds(1100));
    EXPECT_EQ(*clock.left(), milliseconds(500));
    EXPECT_TRUE(clock.fallen(milliseconds(500) + std::chrono::nanoseconds(1), milliseconds(0)));
    EXPECT_FALSE(clock.fallen(milliseconds(550), milliseconds(100)));
}

TEST(Clock, SessionsGiveTimeBack) {
    Clock clock(*parse_time_control("2/1"));
    EXPECT_EQ(clock.moves_to_go(), 2);
    clock.spend(milliseconds(300));
    EXPECT_EQ(clock.moves_to_go(), 1);
    clock.spend(milliseconds(300));
    EXPECT_EQ(*clock.left(), milliseconds(1400));
    EXPECT_EQ(clock.moves_to_go(), 2);
}

TEST(EngineSpec, ReadsTheWholeDescription) {
    const auto spec = parse_engine_spec(
        "cmd='./my engine' proto=xboard name='The Best' tc=2+0.02 option.Hash=16 option.'Clear "
        "Hash'= dir=/tmp "
        "margin=5",
        "tc=9 option.Hash=1 option.Threads=2");
    ASSERT_TRUE(spec) << spec.error();
    EXPECT_EQ(spec->command, (std::vector<std::string>{"./my", "engine"}));
    EXPECT_EQ(spec->name, "The Best");
    EXPECT_EQ(spec->protocol, protocol::EngineProtocol::Xboard);
    EXPECT_EQ(spec->terms.base->count(), 2000);
    EXPECT_EQ(spec->margin.count(), 5);
    EXPECT_EQ(spec->threads(), 2);
    EXPECT_EQ(spec->options[0], (std::pair<std::string, std::string>{"Hash", "16"}));
}

TEST(EngineSpec, BadWordsGetOneClearLine) {
    for (const char* bad :
         {"", "tc=1+1", "cmd=x", "cmd=x tc=abc", "cmd=x tc=1 proto=telnet", "cmd=x nodes=0",
          "cmd=x depth=-1", "cmd=x tc=1 what=3", "cmd='x", "cmd=x tc=1 word", "cmd= tc=1"}) {
        const auto spec = parse_engine_spec(bad);
        ASSERT_FALSE(spec) << bad;
        EXPECT_EQ(spec.error().find('\n'), std::string::npos);
    }
}

TEST(EngineSpec, EqualNamesGetNumbers) {
    std::vector<EngineSpec> engines(3);
    for (EngineSpec& engine : engines) engine.command = {"/usr/bin/rokada"};
    make_names_unique(engines);
    EXPECT_EQ(engines[0].name, "rokada");
    EXPECT_EQ(engines[1].name, "rokada 2");
    EXPECT_EQ(engines[2].name, "rokada 3");
}

TEST(Schedule, RoundRobinPlaysEveryPairWithBothColours) {
    auto schedule = Schedule::make({Format::RoundRobin, 4, 6, 0, true});
    const auto games = schedule->next_stage({});
    EXPECT_EQ(games.size(), 36u);
    std::map<std::pair<std::size_t, std::size_t>, int> count;
    std::map<int, std::vector<Pairing>> pairs;
    for (const Pairing& game : games) {
        ++count[{game.white, game.black}];
        pairs[game.pair].push_back(game);
    }
    EXPECT_EQ(count.size(), 12u);
    for (const auto& [who, times] : count) EXPECT_EQ(times, 3);
    for (const auto& [number, two] : pairs) {
        ASSERT_EQ(two.size(), 2u);
        EXPECT_EQ(two[0].white, two[1].black);
        EXPECT_EQ(two[0].black, two[1].white);
    }
    EXPECT_TRUE(schedule->next_stage(GamePoints(36, 1)).empty());
}

TEST(Schedule, GauntletIsTheFirstAgainstTheRest) {
    auto schedule = Schedule::make({Format::Gauntlet, 5, 2, 0, true});
    const auto games = schedule->next_stage({});
    EXPECT_EQ(games.size(), 8u);
    for (const Pairing& game : games) EXPECT_TRUE(game.white == 0 || game.black == 0);
}

// White wins unless engine 2 plays, who always wins.
GamePoints play_out(Schedule& schedule, GamePoints points, std::vector<Pairing>& all) {
    while (true) {
        const auto stage = schedule.next_stage(points);
        if (stage.empty()) return points;
        for (const Pairing& game : stage) {
            all.push_back(game);
            points.push_back(game.white == 2           ? 2
                             : game.black == 2         ? 0
                             : game.white < game.black ? 2
                                                       : 0);
        }
        if (all.size() > 1000) return points;
    }
}

TEST(Schedule, KnockoutLeavesOneWinnerForAnyNumberOfEngines) {
    for (std::size_t engines = 3; engines <= 9; ++engines) {
        auto schedule = Schedule::make({Format::Knockout, engines, 2, 0, true});
        std::vector<Pairing> all;
        play_out(*schedule, {}, all);
        // One encounter of two games for everyone who goes out.
        EXPECT_EQ(all.size(), 2 * (engines - 1)) << engines;
        EXPECT_TRUE(all.back().white == 2 || all.back().black == 2);
    }
}

TEST(Schedule, ATiedKnockoutIsReplayedButNotForEver) {
    auto schedule = Schedule::make({Format::Knockout, 2, 2, 0, true});
    GamePoints points;
    int stages = 0;
    for (auto stage = schedule->next_stage(points); !stage.empty();
         stage = schedule->next_stage(points)) {
        points.resize(points.size() + stage.size(), 1);
        ++stages;
        ASSERT_LT(stages, 50);
    }
    EXPECT_EQ(stages, 11);
}

TEST(Schedule, SwissAvoidsRematchesAndGivesEveryoneGames) {
    for (const std::size_t engines : {4u, 5u, 8u, 9u}) {
        auto schedule = Schedule::make({Format::Swiss, engines, 2, 3, true});
        std::vector<Pairing> all;
        play_out(*schedule, {}, all);
        EXPECT_EQ(all.size(), 3 * 2 * (engines / 2));
        std::set<std::pair<std::size_t, std::size_t>> met;
        for (const Pairing& game : all) EXPECT_TRUE(met.insert({game.white, game.black}).second);
    }
}

TEST(Standings, PairsAreCountedFromTheFirstEngine) {
    Standings standings(2);
    // First wins with White, draws with Black: one and a half points.
    standings.add({1, 0, 1, 0, 1}, 2, Ending::Rules);
    EXPECT_EQ(standings.encounter(0, 1).pairs, (PairCounts{}));
    standings.add({2, 1, 0, 0, 1}, 1, Ending::Rules);
    EXPECT_EQ(standings.encounter(0, 1).pairs, (PairCounts{0, 0, 0, 1, 0}));
    EXPECT_EQ(standings.encounter(1, 0).pairs, (PairCounts{0, 1, 0, 0, 0}));
    standings.add({3, 0, 1, 1, 1}, 0, Ending::TimeLoss);
    EXPECT_EQ(standings.engine(0).time_losses, 1);
    EXPECT_EQ(standings.engine(0).games.losses, 1);
    EXPECT_EQ(standings.encounter(1, 0).games.losses, 1);
    EXPECT_EQ(standings.ranking().front(), 0u);
}

TEST(Adjudication, AgreedWinsAndDryDraws) {
    const auto cp = [](int n) { return std::optional(engine::Score::centipawns(n)); };
    AdjudicationSettings settings;
    settings.resign = AdjudicationSettings::Resign{2, 500, true};
    Adjudicator wins(settings);
    EXPECT_FALSE(wins.after_move(Color::White, cp(600), 20, false));
    EXPECT_FALSE(wins.after_move(Color::Black, cp(-600), 20, false));
    EXPECT_FALSE(wins.after_move(Color::White, cp(600), 21, false));
    const auto judgement = wins.after_move(Color::Black, cp(-700), 21, false);
    ASSERT_TRUE(judgement);
    EXPECT_EQ(judgement->winner, Color::White);

    settings = {};
    settings.draw = AdjudicationSettings::Draw{10, 2, 10};
    Adjudicator draws(settings);
    EXPECT_FALSE(draws.after_move(Color::White, cp(5), 12, false));
    EXPECT_FALSE(draws.after_move(Color::Black, cp(-5), 12, false));
    EXPECT_FALSE(draws.after_move(Color::White, cp(5), 13, false));
    EXPECT_TRUE(draws.after_move(Color::Black, cp(0), 13, false));

    settings = {};
    settings.max_moves = 1;
    Adjudicator length(settings);
    EXPECT_FALSE(length.after_move(Color::White, {}, 1, true));
    EXPECT_TRUE(length.after_move(Color::Black, {}, 1, true));
}

class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& name, const std::string& content = "")
        : path(testing::TempDir() + "rokada_match_" + name) {
        std::remove(path.c_str());
        if (!content.empty()) std::ofstream(path) << content;
    }
    ~TemporaryFile() { std::remove(path.c_str()); }
    std::string content() const {
        std::ifstream stream(path);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    const std::string path;
};

TEST(Openings, EpdAndPgnAreReadInAFixedShuffle) {
    std::string epd;
    for (int i = 0; i < 50; ++i)
        epd += "4k3/8/8/8/8/8/8/4K2R w K - 0 " + std::to_string(i + 1) + "\n";
    const TemporaryFile file("openings.epd", epd);
    OpeningSettings settings;
    settings.path = file.path;
    const auto book = OpeningBook::open(settings);
    ASSERT_TRUE(book) << book.error();
    EXPECT_EQ((*book)->size(), 50u);
    std::set<std::string> seen;
    for (std::uint64_t n = 0; n < 50; ++n) seen.insert(to_fen((*book)->opening(n)->start));
    EXPECT_EQ(seen.size(), 50u) << "each opening comes once before any comes twice";
    const auto again = OpeningBook::open(settings);
    EXPECT_EQ((*again)->opening(7)->start, (*book)->opening(7)->start);
}

TEST(Openings, GamesGiveTheirFirstMoves) {
    const TemporaryFile file(
        "openings.pgn",
        "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n\n"
        "[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O *\n\n");
    OpeningSettings settings;
    settings.path = file.path;
    settings.random = false;
    auto book = OpeningBook::open(settings);
    ASSERT_TRUE(book) << book.error();
    EXPECT_EQ((*book)->size(), 2u);
    EXPECT_EQ((*book)->opening(0)->moves.size(), 3u);
    EXPECT_EQ((*book)->opening(1)->moves.size(), 1u);
    settings.plies = 2;
    book = OpeningBook::open(settings);
    EXPECT_EQ((*book)->opening(0)->moves.size(), 2u);
}

TEST(Openings, AWrongFileIsNamed) {
    OpeningSettings settings;
    settings.path = "/nowhere/file.epd";
    EXPECT_THAT(OpeningBook::open(settings).error(), HasSubstr("/nowhere/file.epd"));
    const TemporaryFile file("bad.epd", "this is no position\n");
    settings.path = file.path;
    EXPECT_FALSE(OpeningBook::open(settings));
    settings.path = testing::TempDir();
    EXPECT_FALSE(OpeningBook::open(settings));
}

TEST(Openings, TheLastOneIsTriedBeforeTheFirstGame) {
    const TemporaryFile file("late.epd",
                             "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/4K2R b K - 0 1\n"
                             "4k3/8/8/8/8/8/8/7R w - - 0 1\n");
    OpeningSettings settings;
    settings.path = file.path;
    const auto book = OpeningBook::open(settings);
    ASSERT_FALSE(book);
    EXPECT_THAT(book.error(), HasSubstr(file.path));
}

TEST(GameFile, AGameCutOffIsCutAway) {
    GameRecord record;
    record.number = 1;
    record.names = {{"A", "B"}};
    record.ending = Ending::Rules;
    record.winner = Color::White;
    record.reason = "White mates";
    const std::string first = to_pgn(record, "test");
    record.number = 2;
    const std::string second = to_pgn(record, "test");
    // Whatever the moment of the crash, whole games stay and nothing else.
    for (std::size_t cut = 0; cut <= second.size(); ++cut) {
        const TemporaryFile file("games.pgn", first + second.substr(0, cut));
        GameFile games;
        const auto known = games.resume(file.path);
        ASSERT_TRUE(known);
        EXPECT_EQ(known->size(), cut == second.size() ? 2u : 1u) << cut;
        EXPECT_EQ(known->front().white, "A");
        EXPECT_EQ(known->front().result, "1-0");
        EXPECT_FALSE(games.append(second));
        std::ifstream stream(file.path);
        const std::string content((std::istreambuf_iterator<char>(stream)), {});
        EXPECT_EQ(content, cut == second.size() ? first + second + second : first + second);
    }
}

// Where the lines of a game break depends on its comments; all of them must be found again.
TEST(GameFile, EveryWrittenGameIsFoundAgain) {
    const TemporaryFile file("many.pgn");
    GameFile games;
    ASSERT_FALSE(games.create(file.path));
    constexpr int kGames = 60;
    for (int number = 1; number <= kGames; ++number) {
        GameRecord record;
        record.number = number;
        record.names = {{"A", "B"}};
        record.ending = Ending::Adjudication;
        record.reason = std::string(static_cast<std::size_t>(number), 'x') + " by adjudication";
        PlayedMove move;
        move.move = Move(Square::E2, Square::E4);
        move.score = engine::Score::centipawns(number * 37);
        move.clock = milliseconds(number * 1111);
        move.elapsed = milliseconds(number);
        record.moves.push_back(move);
        ASSERT_FALSE(games.append(to_pgn(record, "test")));
    }
    GameFile again;
    const auto known = again.resume(file.path);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->size(), static_cast<std::size_t>(kGames));
}

TEST(GameFile, TheFirstGameMayBeTheOneCutOff) {
    GameRecord record;
    record.number = 7;  // games of a match may end in any order
    record.names = {{"A", "B"}};
    record.ending = Ending::Rules;
    record.reason = "Draw by repetition";
    const std::string game = to_pgn(record, "test");
    for (std::size_t cut = 0; cut < game.size(); cut += 5) {
        const TemporaryFile file("first.pgn", game.substr(0, cut));
        GameFile games;
        const auto known = games.resume(file.path);
        ASSERT_TRUE(known) << cut;
        EXPECT_EQ(known->size(), 0u);
        EXPECT_EQ(file.content(), game.substr(0, cut)) << "nothing is cut before a game comes";
        EXPECT_FALSE(games.append(game));
        EXPECT_EQ(file.content(), game);
    }
}

TEST(GameFile, WhatIsNotOursIsNeverErased) {
    GameRecord record;
    record.number = 1;
    record.names = {{"A", "B"}};
    record.ending = Ending::Rules;
    record.reason = "Draw by repetition";
    const std::string ours = to_pgn(record, "test");
    const std::string theirs =
        "[Event \"Club\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1.1\"]\n[White \"A\"]\n"
        "[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    for (const std::string& text :
         {theirs, std::string("my diary\n"), std::string("x"), std::string("\n\n"), ours + theirs,
          ours + "a note\n", theirs.substr(0, theirs.size() - 2)}) {
        const TemporaryFile file("foreign.pgn", text);
        GameFile games;
        const auto known = games.resume(file.path);
        ASSERT_FALSE(known) << text;
        EXPECT_THAT(known.error(), HasSubstr("foreign.pgn"));
        EXPECT_EQ(file.content(), text);
    }
}

TEST(GameFile, GamesAreNeverOverwritten) {
    const TemporaryFile file("kept.pgn", "[Event \"precious\"]\n");
    GameFile games;
    EXPECT_TRUE(games.create(file.path));
}

}  // namespace
}  // namespace rokada::lab
