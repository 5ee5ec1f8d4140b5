// SPDX-License-Identifier: GPL-3.0-or-later
// librokada keeps the promises of its header.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rokada/rokada.hpp>

namespace {

using rokada::Failure;
using rokada::Game;
using rokada::Position;

TEST(Library, NamesItsVersions) {
    EXPECT_STRNE(rokada_version(), "");
    EXPECT_EQ(rokada_api_version(), (ROKADA_API_MAJOR << 16) + ROKADA_API_MINOR);
    EXPECT_STREQ(rokada_error_name(ROKADA_ERROR_MOVE), "move");
}

TEST(Library, TextFitsLikeSnprintf) {
    const Position start;
    const std::string whole = start.fen();
    EXPECT_EQ(whole, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    EXPECT_EQ(rokada_position_fen(start.get(), nullptr, 0), whole.size());
    char small[6] = "xxxxx";
    EXPECT_EQ(rokada_position_fen(start.get(), small, sizeof small), whole.size());
    EXPECT_STREQ(small, "rnbqk");
    char none[1] = {'x'};
    EXPECT_EQ(rokada_position_fen(nullptr, none, 1), 0U);
    EXPECT_STREQ(none, "");
}

TEST(Library, PositionsKnowTheRules) {
    Position position;
    EXPECT_EQ(position.legal_moves().size(), 20U);
    EXPECT_EQ(position.piece(4), 'K');
    EXPECT_EQ(position.piece(63), 'r');
    EXPECT_EQ(position.piece(28), 0);
    EXPECT_EQ(position.piece(64), 0);
    const rokada_move e4 = position.parse_uci("e2e4");
    EXPECT_EQ(rokada_move_from(e4), 12);
    EXPECT_EQ(rokada_move_to(e4), 28);
    EXPECT_EQ(rokada_move_promotion(e4), 0);
    EXPECT_EQ(position.san(e4), "e4");
    const auto key = rokada_position_key(position.get());
    position.play(e4);
    EXPECT_NE(rokada_position_key(position.get()), key);
    EXPECT_EQ(position.turn(), ROKADA_BLACK);
    EXPECT_EQ(rokada_position_play(position.get(), e4), ROKADA_ERROR_MOVE);
    EXPECT_EQ(position.san(e4), "");
    std::uint64_t leaves = 0;
    EXPECT_EQ(rokada_position_perft(Position().get(), 4, &leaves), ROKADA_OK);
    EXPECT_EQ(leaves, 197281U);
    EXPECT_EQ(Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").status(), ROKADA_STALEMATE);
    EXPECT_EQ(Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").status(), ROKADA_CHECKMATE);
    EXPECT_EQ(Position("7k/8/6K1/8/8/8/8/8 b - - 0 1").status(), ROKADA_INSUFFICIENT_MATERIAL);
    EXPECT_EQ(Position("8/P6k/8/8/8/8/8/K7 w - - 0 1")
                  .uci(Position("8/P6k/8/8/8/8/8/K7 w - - 0 1").parse_san("a8=N")),
              "a7a8n");
}

TEST(Library, CastlingIsWrittenAsThePositionWantsIt) {
    const Position usual("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    EXPECT_EQ(usual.uci(usual.parse_san("O-O")), "e1g1");
    const Position other("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    EXPECT_EQ(other.uci(other.parse_san("O-O")), "f1h1");
    EXPECT_EQ(Position::chess960(518).fen(), Position().fen());
    EXPECT_THROW(Position::chess960(960), Failure);
}

TEST(Library, EveryFailureHasItsCodeAndSentence) {
    try {
        const Position wrong("this is not a position");
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ROKADA_ERROR_POSITION);
        EXPECT_NE(std::string(failure.what()), "");
    }
    rokada_move move = 7;
    EXPECT_EQ(rokada_position_parse_san(Position().get(), "Ke2", &move), ROKADA_ERROR_MOVE);
    EXPECT_EQ(move, 0);
    EXPECT_NE(std::string(rokada_last_error()).find("e2"), std::string::npos);
    EXPECT_EQ(rokada_position_new(nullptr, nullptr), ROKADA_ERROR_ARGUMENT);
    EXPECT_EQ(rokada_game_play(nullptr, 0), ROKADA_ERROR_ARGUMENT);
    EXPECT_EQ(rokada_engine_go(nullptr, nullptr), ROKADA_ERROR_ARGUMENT);
    const rokada::Engine engine;
    EXPECT_EQ(rokada_engine_set_option(engine.get(), "No such", "1"), ROKADA_ERROR_OPTION);
    EXPECT_EQ(rokada_engine_set_option(engine.get(), "Hash", "much"), ROKADA_ERROR_OPTION);
    EXPECT_EQ(rokada_engine_set_elo(engine.get(), rokada_weakest_elo() - 1), ROKADA_ERROR_OPTION);
    EXPECT_EQ(rokada_engine_load_network(engine.get(), "no", 2), ROKADA_ERROR_NETWORK);
    rokada_limits limits{};
    EXPECT_EQ(rokada_engine_go(engine.get(), &limits), ROKADA_ERROR_ARGUMENT);  // size not set
    limits = rokada::limits();
    limits.depth = -1;
    EXPECT_EQ(rokada_engine_go(engine.get(), &limits), ROKADA_ERROR_ARGUMENT);
    const rokada_move illegal = 1234;
    EXPECT_EQ(rokada_engine_set_position(engine.get(), Position().get(), &illegal, 1),
              ROKADA_ERROR_MOVE);
    // A failure in another thread is not ours.
    std::thread([] { EXPECT_STREQ(rokada_last_error(), ""); }).join();
}

TEST(Library, GamesEndByTheRulesAndByPlayers) {
    Game game;
    for (const char* move : {"f3", "e5", "g4"}) game.play_san(move);
    game.play_uci("d8h4");
    EXPECT_EQ(game.result(), ROKADA_BLACK_WINS);
    EXPECT_EQ(game.end_reason(), "checkmate");
    EXPECT_EQ(rokada_game_play_san(game.get(), "e4"), ROKADA_ERROR_MOVE);
    game.take_back();
    EXPECT_EQ(game.result(), ROKADA_UNFINISHED);
    EXPECT_EQ(rokada_game_resign(game.get(), ROKADA_WHITE), ROKADA_OK);
    EXPECT_EQ(rokada_game_resign(game.get(), ROKADA_WHITE), ROKADA_ERROR_STATE);
    EXPECT_EQ(game.result(), ROKADA_BLACK_WINS);

    Game claim(ROKADA_DRAWS_CLAIMED);
    EXPECT_EQ(rokada_game_claim_draw(claim.get()), ROKADA_ERROR_STATE);
    for (int i = 0; i < 2; ++i)
        for (const char* move : {"Nf3", "Nf6", "Ng1", "Ng8"}) claim.play_san(move);
    EXPECT_EQ(rokada_game_repetitions(claim.get()), 3);
    EXPECT_FALSE(claim.over());
    EXPECT_EQ(rokada_game_claim_draw(claim.get()), ROKADA_OK);
    EXPECT_EQ(claim.result(), ROKADA_DRAW);
}

TEST(Library, PgnComesBackAsItWent) {
    Game game;
    game.set_tag("White", "Me \"and\" you");
    for (const char* move : {"e4", "c5", "Nf3", "d6", "d4"}) game.play_san(move);
    EXPECT_EQ(game.opening().substr(0, 1), "B");
    const std::string text = game.pgn();
    const auto games = rokada::parse_pgn(text + "\n" + text);
    ASSERT_EQ(games.size(), 2U);
    EXPECT_EQ(games[1].tag("White"), "Me \"and\" you");
    EXPECT_EQ(games[1].length(), 5U);
    EXPECT_EQ(games[1].position().fen(), game.position().fen());
    EXPECT_EQ(games[1].pgn(), text);
    EXPECT_THROW(game.set_tag("Result", "1-0"), Failure);
    EXPECT_THROW(game.set_tag("a b", "1-0"), Failure);

    rokada_pgn* broken = nullptr;
    const std::string bad = "1. e4 e5 2. Ke8 *";
    ASSERT_EQ(rokada_pgn_parse(bad.data(), bad.size(), &broken), ROKADA_OK);
    EXPECT_EQ(rokada_pgn_games(broken), 1U);
    ASSERT_GE(rokada_pgn_problems(broken), 1U);
    char message[200];
    EXPECT_GT(rokada_pgn_problem(broken, 0, message, sizeof message), 0U);
    EXPECT_EQ(std::string(message).rfind("game 1, line 1, column 13", 0), 0U) << message;
    rokada_pgn_free(broken);
}

TEST(Library, EngineCallsBackAndAnswersOnce) {
    std::atomic<int> infos{0}, answers{0};
    std::atomic<rokada_move> found{0};
    std::string line;
    rokada::Engine::Events events;
    events.on_info = [&](const rokada_info& info) {
        ++infos;
        line = info.line_uci;
        EXPECT_EQ(info.size, sizeof info);
        ASSERT_GT(info.line_length, 0U);
    };
    events.on_best_move = [&](rokada_move move, rokada_move) {
        ++answers;
        found = move;
    };
    rokada::Engine engine(std::move(events));
    engine.set_position(Position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"));
    rokada_limits limits = rokada::limits();
    limits.depth = 4;
    engine.go(limits);
    engine.wait();
    EXPECT_EQ(answers, 1);
    EXPECT_GT(infos, 0);
    EXPECT_EQ(line.substr(0, 4), "a1a8");
    EXPECT_EQ(rokada_move_to(found), 56);
    limits = rokada::limits();
    limits.infinite = 1;
    engine.go(limits);
    engine.stop();
    engine.wait();
    EXPECT_EQ(answers, 2);
    EXPECT_EQ(rokada_engine_searching(engine.get()), 0);
    limits = rokada::limits();
    limits.nodes = 500;
    const auto first = Position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").parse_uci("g1f1");
    limits.search_moves = &first;
    limits.search_moves_length = 1;
    EXPECT_EQ(engine.think(limits), first);
}

TEST(Library, AnEngineIsNotFreedFromItsOwnCallback) {
    struct State {
        std::atomic<rokada_engine*> engine{nullptr};
        std::atomic<int> freed{-1}, waited{-1};
    } state;
    rokada_callbacks callbacks{};
    callbacks.size = sizeof callbacks;
    callbacks.user = &state;
    callbacks.on_best_move = [](void* user, rokada_move, rokada_move) {
        auto& s = *static_cast<State*>(user);
        s.waited = rokada_engine_wait(s.engine);
        s.freed = rokada_engine_free(s.engine);
    };
    rokada_engine* engine = nullptr;
    ASSERT_EQ(rokada_engine_new(&callbacks, &engine), ROKADA_OK);
    state.engine = engine;
    rokada_limits limits = rokada::limits();
    limits.depth = 1;
    ASSERT_EQ(rokada_engine_go(engine, &limits), ROKADA_OK);
    EXPECT_EQ(rokada_engine_wait(engine), ROKADA_OK);
    EXPECT_EQ(state.freed, ROKADA_ERROR_STATE);
    EXPECT_EQ(state.waited, ROKADA_ERROR_STATE);
    EXPECT_EQ(rokada_engine_free(engine), ROKADA_OK);
}

TEST(Library, OptionsAreListedWithTheirValues) {
    rokada::Engine engine;
    const auto field = [&](std::size_t i, rokada_option_field which) {
        char text[400];
        rokada_engine_option(engine.get(), i, which, text, sizeof text);
        return std::string(text);
    };
    engine.set_option("hash", "8");
    bool seen = false;
    for (std::size_t i = 0; i < rokada_engine_options(engine.get()); ++i) {
        EXPECT_NE(field(i, ROKADA_OPTION_HELP), "");
        if (field(i, ROKADA_OPTION_NAME) != "Hash") continue;
        seen = true;
        EXPECT_EQ(field(i, ROKADA_OPTION_TYPE), "spin");
        EXPECT_EQ(field(i, ROKADA_OPTION_VALUE), "8");
        EXPECT_EQ(field(i, ROKADA_OPTION_DEFAULT), "16");
        EXPECT_EQ(field(i, ROKADA_OPTION_MIN), "1");
    }
    EXPECT_TRUE(seen);
}

TEST(Library, ReviewsAGameAndCanBeCancelled) {
    Game game;
    for (const char* move : {"f3", "e5", "g4", "Qh4"}) game.play_san(move);
    EXPECT_NE(game.review(2000).find("\"blunder\""), std::string::npos);

    rokada_review_options options{};
    options.size = sizeof options;
    options.nodes = 2000;
    rokada_review* review = nullptr;
    ASSERT_EQ(rokada_review_game(game.get(), &options, &review), ROKADA_OK);
    ASSERT_EQ(rokada_review_moves(review), 4U);
    rokada_reviewed_move move{};
    EXPECT_EQ(rokada_review_move(review, 2, &move), ROKADA_ERROR_ARGUMENT);  // size not set
    move.size = sizeof move;
    ASSERT_EQ(rokada_review_move(review, 2, &move), ROKADA_OK);
    EXPECT_STREQ(move.judgement, "blunder");
    EXPECT_GT(move.loss, 10);
    EXPECT_EQ(rokada_review_accuracy(review, ROKADA_WHITE), -1);  // two moves say nothing
    rokada_review_free(review);

    options.on_progress = [](void*, int, int) { return 1; };
    EXPECT_EQ(rokada_review_game(game.get(), &options, &review), ROKADA_ERROR_CANCELLED);
    EXPECT_EQ(review, nullptr);
}

TEST(Library, ThreadsMayShareObjects) {
    Game game(ROKADA_DRAWS_CLAIMED);
    Position position;
    rokada::Engine engine;
    engine.set_option("Hash", "1");
    std::vector<std::thread> threads;
    std::atomic<int> played{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int n = 0; n < 50; ++n) {
                if (rokada_game_play_san(game.get(), n % 2 ? "Nf3" : "Nf6") == ROKADA_OK) ++played;
                if (rokada_game_take_back(game.get()) == ROKADA_OK) --played;
                EXPECT_NE(game.pgn(), "");
                EXPECT_EQ(position.legal_moves().size(), 20U);
                if (i == 0 && n % 10 == 0) {
                    rokada_limits limits = rokada::limits();
                    limits.nodes = 100;
                    EXPECT_EQ(rokada_engine_go(engine.get(), &limits), ROKADA_OK);
                }
                EXPECT_EQ(rokada_engine_stop(engine.get()), ROKADA_OK);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(static_cast<int>(game.length()), played);
}

}  // namespace
