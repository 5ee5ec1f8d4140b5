// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/network.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "engine/network/accumulator.hpp"

namespace rokada::engine {
namespace {

std::vector<unsigned char> network_file() {
    std::ifstream file(std::string(ROKADA_SOURCE_DIR) + "/src/engine/network/default.nn",
                       std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int evaluate(const Position& position) {
    return AccumulatorStack::evaluate_from_scratch(*Network::embedded(), position);
}

int evaluate(const char* fen) { return evaluate(parse_position(fen).value()); }

// The same position with colours exchanged, and with left and right exchanged.
Position colors_swapped(const Position& position) {
    Setup before = position.to_setup(), after;
    for (int i = 0; i < 64; ++i) {
        const Piece p = before.board[square_at(i)];
        if (p != Piece::None)
            after.board[flip_rank(square_at(i))] = make_piece(~color_of(p), type_of(p));
    }
    after.turn = ~before.turn;
    return Position::from_setup(after).value();
}
Position mirrored(const Position& position) {
    Setup before = position.to_setup(), after;
    for (int i = 0; i < 64; ++i) after.board[flip_file(square_at(i))] = before.board[square_at(i)];
    after.turn = before.turn;
    return Position::from_setup(after).value();
}

// Calls back after every ply of random games that reach promotions, castlings and long king walks.
template <class Visit>
void random_games(int games, int plies, Visit visit) {
    std::mt19937 random(20);
    for (int g = 0; g < games; ++g) {
        Position position =
            Position::from_setup(Setup::chess960(static_cast<int>(random() % 960))).value();
        for (int ply = 0; ply < plies; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            const Move move = moves[random() % moves.size()];
            if (!visit(position, move)) break;
            position.play(move);
        }
    }
}

TEST(Network, IsBuiltIntoTheProgram) { ASSERT_NE(Network::embedded(), nullptr); }

TEST(Network, UpdatesStepByStepAgreeWithAFreshStart) {
    AccumulatorStack stack(Network::embedded());
    std::mt19937 random(7);
    int compared = 0;
    std::vector<Position> line;
    random_games(60, 200, [&](const Position& before, Move move) {
        if (before.fullmove_number() == 1 && before.turn() == Color::White) {
            stack.reset(before);
            line.clear();
        }
        line.push_back(before);
        stack.push(before, move);
        Position after = before;
        after.play(move);
        // Evaluating only now and then leaves several moves to catch up with.
        if (random() % 3 == 0) {
            EXPECT_EQ(stack.evaluate(after), evaluate(after)) << to_fen(after);
            ++compared;
        }
        // A branch that is taken back must leave no trace.
        if (const MoveList moves = legal_moves(after); !moves.empty()) {
            const Move branch = moves[random() % moves.size()];
            Position leaf = after;
            leaf.play(branch);
            stack.push(after, branch);
            EXPECT_EQ(stack.evaluate(leaf), evaluate(leaf)) << to_fen(leaf);
            stack.pop();
        }
        if (!after.in_check()) {
            Position passed = after;
            passed.pass();
            stack.push_null();
            EXPECT_EQ(stack.evaluate(passed), evaluate(passed));
            stack.pop();
        }
        return true;
    });
    EXPECT_GT(compared, 1000);
}

TEST(Network, SeesBothSidesAlike) {
    random_games(30, 120, [](const Position& position, Move) {
        if (position.castling().any()) return true;
        EXPECT_EQ(evaluate(position), evaluate(colors_swapped(position))) << to_fen(position);
        EXPECT_EQ(evaluate(position), evaluate(mirrored(position))) << to_fen(position);
        return true;
    });
}

TEST(Network, KnowsWhatPiecesAreWorth) {
    EXPECT_LT(std::abs(evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")), 80);
    EXPECT_GT(evaluate("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 500);
    EXPECT_LT(evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"), -500);
    EXPECT_GT(evaluate("8/8/4k3/8/8/8/8/QK6 w - - 0 1"), 500);
    EXPECT_LT(std::abs(evaluate("8/5k2/8/3r4/8/4R3/8/2K5 w - - 0 1")), 150);
}

// The formula of engine/network/format.hpp, word for word and value by value, without vectors.
int evaluate_by_the_book(const std::vector<unsigned char>& file, const Position& position) {
    const auto short_at = [&](std::size_t i) {
        const unsigned char* p = file.data() + sizeof(NetworkHeader) + 2 * i;
        return static_cast<std::int16_t>(p[0] | p[1] << 8);
    };
    constexpr std::size_t width = kHiddenNeurons;
    const std::size_t biases = kNetworkInputs * width, outputs = biases + width;
    const auto bucket = static_cast<std::size_t>(output_bucket(position.occupied().count()));
    std::int64_t sum = 0;
    for (std::size_t view = 0; view < 2; ++view) {
        const Color side = view == 0 ? position.turn() : ~position.turn();
        const View eyes(side, position.king(side));
        for (std::size_t n = 0; n < width; ++n) {
            int x = short_at(biases + n);
            for (const Square s : position.occupied())
                x +=
                    short_at(static_cast<std::size_t>(eyes.feature(position.at(s), s)) * width + n);
            x = std::clamp(x, 0, 255);
            sum += static_cast<std::int64_t>(x) * x *
                   short_at(outputs + (bucket * 2 + view) * width + n);
        }
    }
    std::int32_t bias = 0;
    const std::size_t at =
        sizeof(NetworkHeader) + 2 * (outputs + kOutputBuckets * 2 * width) + 4 * bucket;
    for (std::size_t i = 0; i < 4; ++i) bias |= static_cast<std::int32_t>(file[at + i]) << (8 * i);
    return static_cast<int>((sum / 255 + bias) * 400 / (255 * 64));
}

TEST(Network, VectorCodeGivesTheIntegersOfTheFormula) {
    const auto file = network_file();
    random_games(25, 100, [&](const Position& position, Move) {
        EXPECT_EQ(evaluate(position), evaluate_by_the_book(file, position)) << to_fen(position);
        return true;
    });
}

TEST(Network, BucketsCoverEveryNumberOfMen) {
    EXPECT_EQ(output_bucket(2), 0);
    EXPECT_EQ(output_bucket(5), 0);
    EXPECT_EQ(output_bucket(6), 1);
    EXPECT_EQ(output_bucket(29), 6);
    EXPECT_EQ(output_bucket(30), 7);
    EXPECT_EQ(output_bucket(32), 7);
}

TEST(NetworkFile, DamagedFilesAreRefusedWithTheReason) {
    const auto good = network_file();
    ASSERT_TRUE(Network::load(good.data(), good.size()));
    const auto refused = [](std::vector<unsigned char> bytes, const char* reason) {
        const auto result = Network::load(bytes.data(), bytes.size());
        ASSERT_FALSE(result);
        EXPECT_NE(result.error().find(reason), std::string::npos) << result.error();
    };
    refused({}, "too short");
    refused(std::vector<unsigned char>(good.begin(), good.begin() + 63), "too short");
    refused(std::vector<unsigned char>(good.begin(), good.end() - 1), "length");
    auto bytes = good;
    bytes[0] ^= 1;
    refused(bytes, "no Rokada network");
    bytes = good;
    bytes[8] = 9;
    refused(bytes, "version 9");
    bytes = good;
    bytes[17] = 7;
    refused(bytes, "shape");
    bytes = good;
    bytes[good.size() / 2] ^= 64;
    refused(bytes, "checksum");
}

TEST(NetworkFile, ADeviceWithoutEndIsNoNetwork) {
    const auto result = Network::from_file("/dev/zero");
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().find("no Rokada network"), std::string::npos) << result.error();
}

}  // namespace
}  // namespace rokada::engine
