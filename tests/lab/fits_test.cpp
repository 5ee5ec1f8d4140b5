// SPDX-License-Identifier: GPL-3.0-or-later
// The fits of the lab find what made the data: chances of results, numbers of the search; and the
// opening book can be read back.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>

#include <gmock/gmock.h>

#include "chess/notation/san.hpp"
#include "chess/polyglot.hpp"
#include "lab/book/book_builder.hpp"
#include "lab/spsa/spsa.hpp"
#include "lab/wdl/wdl_fit.hpp"

namespace rokada::lab {
namespace {

using testing::HasSubstr;

TEST(Wdl, FindsTheModelThatMadeTheResults) {
    WdlModel truth;
    truth.a = {180, -60, 0, 0};
    truth.b = {70, 10, 0, 0};
    std::mt19937_64 random(5);
    std::vector<WdlSample> samples;
    for (int i = 0; i < 60'000; ++i) {
        WdlSample s;
        s.centipawns = static_cast<std::int16_t>(static_cast<int>(random() % 1001) - 500);
        s.material = static_cast<std::uint8_t>(10 + random() % 69);
        const auto chances = truth.chances(s.centipawns, s.material);
        const double lot = static_cast<double>(random() >> 11) * 0x1.0p-53;
        s.result = lot < chances.win ? 2 : lot < chances.win + chances.draw ? 1 : 0;
        samples.push_back(s);
    }
    const WdlFit fit = fit_wdl(samples);
    EXPECT_LT(fit.log_loss, fit.base_loss);
    for (const double material : {20.0, 40.0, 70.0})
        for (const double cp : {-300.0, -50.0, 0.0, 120.0, 400.0}) {
            EXPECT_NEAR(fit.model.chances(cp, material).win, truth.chances(cp, material).win, 0.03);
            EXPECT_NEAR(fit.model.chances(cp, material).draw, truth.chances(cp, material).draw,
                        0.03);
        }
    for (const Reliability& r : reliability(fit.model, samples))
        EXPECT_NEAR(r.predicted, r.real, 0.03);
}

TEST(Wdl, ChancesAddUpToOneEvenWithoutDraws) {
    WdlModel model;
    model.a = {-40, 0, 0, 0};
    model.b = {60, 0, 0, 0};
    for (const double cp : {-200.0, 0.0, 35.0, 500.0}) {
        const auto c = model.chances(cp, 40);
        EXPECT_NEAR(c.win + c.draw + c.loss, 1, 1e-12);
    }
}

TEST(Wdl, TakesScoresAndResultsFromTheSideToMove) {
    const std::string path = testing::TempDir() + "rokada_wdl.pgn";
    std::ofstream(path) << "[Result \"1-0\"]\n\n1. e4 {[%eval 0.30]} e5 {[%eval 0.20]} 2. Qh5 "
                           "{[%eval #3]} 1-0\n\n[Result \"*\"]\n\n1. e4 {[%eval 0.30]} *\n";
    WdlData data;
    ASSERT_EQ(load_wdl_samples(path, 0, data), "");
    EXPECT_EQ(data.games, 1u);
    EXPECT_EQ(data.left_out, 1u);
    ASSERT_EQ(data.samples.size(), 2u);
    EXPECT_EQ(data.samples[0].centipawns, 30);
    EXPECT_EQ(data.samples[0].result, 2);
    EXPECT_EQ(data.samples[0].material, 78);
    EXPECT_EQ(data.samples[1].centipawns, -20);
    EXPECT_EQ(data.samples[1].result, 0);
    EXPECT_THAT(load_wdl_samples("/nowhere.pgn", 0, data), HasSubstr("cannot be opened"));
}

SpsaParameter parameter(const char* name, double value) {
    SpsaParameter p;
    p.name = name;
    p.value = p.start = value;
    p.low = 0;
    p.high = 200;
    return p;
}

// A game whose result is better the nearer a number is to 120.
Result<double, std::string> toy_game(const std::vector<int>& a, const std::vector<int>& b, int) {
    const auto bad = [](const std::vector<int>& v) {
        return std::abs(v[0] - 120) + std::abs(v[1] - 40);
    };
    return bad(a) < bad(b) ? 1.0 : bad(a) > bad(b) ? -1.0 : 0.0;
}

TEST(Spsa, WalksToTheBestNumbersAndCanBeResumed) {
    SpsaPlan plan;
    plan.iterations = 2000;
    plan.rate = 0.01;
    plan.state = testing::TempDir() + "rokada_spsa.txt";
    std::remove(plan.state.c_str());
    const std::vector<SpsaParameter> start{parameter("one", 60), parameter("two", 100)};
    Spsa whole(plan, start);
    EXPECT_EQ(whole.run(toy_game, nullptr, [] { return true; }), "");
    EXPECT_NEAR(whole.parameters()[0].value, 120, 12);
    EXPECT_NEAR(whole.parameters()[1].value, 40, 12);

    std::remove(plan.state.c_str());
    Spsa first(plan, start);
    int steps = 0;
    EXPECT_EQ(
        first.run(toy_game, [&](int, double) { ++steps; }, [&] { return steps < 300; }), "stopped");
    Spsa second(plan, start);
    EXPECT_EQ(second.resume(), "");
    EXPECT_EQ(second.iteration(), 300);
    EXPECT_NEAR(second.parameters()[0].value, first.parameters()[0].value, 1e-5);
    Spsa other(plan, {parameter("three", 5)});
    EXPECT_THAT(other.resume(), HasSubstr("other parameters"));
    std::remove(plan.state.c_str());
}

TEST(Spsa, KnowsTheNumbersOfTheSearch) {
    EXPECT_GT(search_parameters({})->size(), 40u);
    EXPECT_EQ(search_parameters({"null_move_base"})->size(), 1u);
    const auto wrong = search_parameters({"magic"});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error(), HasSubstr("magic"));
}

TEST(Book, WhatIsPlayedOftenCanBeReadBackByWeight) {
    const std::string path = testing::TempDir() + "rokada_book.pgn";
    {
        std::ofstream file(path);
        for (int i = 0; i < 6; ++i) file << "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
        for (int i = 0; i < 3; ++i) file << "[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n";
        file << "[Result \"1-0\"]\n\n1. a3 1-0\n\n";
        // Castling is written in its own way.
        for (int i = 0; i < 3; ++i)
            file << "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n\n";
    }
    BookBuilder builder({});
    ASSERT_EQ(builder.add_pgn(path), "");
    EXPECT_EQ(builder.games(), 13u);
    const auto bytes = builder.bytes();
    const auto book = PolyglotBook::view(bytes);
    ASSERT_TRUE(book) << book.error();
    const auto moves = book->moves(Position());
    ASSERT_EQ(moves.size(), 2u);
    EXPECT_EQ(to_san(Position(), moves[0].move), "e4");
    EXPECT_EQ(moves[0].weight, 18);
    EXPECT_EQ(moves[1].weight, 3);
    Position position;
    for (const char* san : {"e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"})
        position.play(*parse_san(position, san));
    ASSERT_TRUE(book->best(position));
    EXPECT_EQ(to_san(position, *book->best(position)), "O-O");

    BookSettings small;
    small.most_bytes = 40;
    BookBuilder cut(small);
    ASSERT_EQ(cut.add_pgn(path), "");
    EXPECT_EQ(cut.bytes().size(), 32u);
    EXPECT_THAT(cut.add_pgn("/nowhere.pgn"), HasSubstr("cannot be opened"));
}

TEST(Book, OpeningLinesAreReadAndBadOnesNamed) {
    const std::string path = testing::TempDir() + "rokada_book.tsv";
    std::ofstream(path)
        << "eco\tname\tpgn\nC20\tKing's Pawn\t1. e4 e5\nC40\tKnight\t1. e4 e5 2. Nf3\n";
    BookBuilder builder({});
    ASSERT_EQ(builder.add_lines(path), "");
    EXPECT_EQ(builder.games(), 2u);
    std::ofstream(path) << "C20\tKing's Pawn\t1. e4 Ke7\n";
    EXPECT_THAT(builder.add_lines(path), HasSubstr("line 1"));
}

}  // namespace
}  // namespace rokada::lab
