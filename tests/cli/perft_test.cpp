// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada perft` and `rokada fen` as scripts use them: exit codes and the form of the answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace rokada {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::Answer;
using testing_support::Workplace;

std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n');
    const std::size_t begin = text.rfind('\n', end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

const std::string kKiwipete =
    "'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'";
constexpr const char* kSpeedLine = "^Nodes: [0-9]+  Time: [0-9]+\\.[0-9]+ s  Nodes/second: [0-9]+$";

TEST(PerftCommand, EndsWithTheCountAndTheSpeed) {
    const Workplace place;
    for (const char* options : {"", "--generator list", "--generator count", "--threads 2",
                                "--hash 4", "--threads 2 --hash 1 --generator list"}) {
        const Answer answer = place.run(std::string("perft 4 ") + options);
        EXPECT_EQ(answer.code, 0) << options;
        EXPECT_THAT(last_line(answer.out), ContainsRegex(kSpeedLine)) << options;
        EXPECT_THAT(last_line(answer.out), StartsWith("Nodes: 197281  ")) << options;
    }
    EXPECT_THAT(place.run("perft 3 --fen " + kKiwipete).out, StartsWith("Nodes: 97862  "));
    EXPECT_THAT(place.run("perft 0").out, StartsWith("Nodes: 1  "));
}

TEST(PerftCommand, DividesByMove) {
    const Workplace place;
    const Answer answer = place.run("perft 3 --divide");
    EXPECT_THAT(answer.out, HasSubstr("e2e4: 600\n"));
    EXPECT_THAT(answer.out, HasSubstr("g1f3: 440\n"));
    EXPECT_THAT(last_line(answer.out), StartsWith("Nodes: 8902  "));
    // Castling is king takes rook only where it has to be.
    EXPECT_THAT(place.run("perft 1 --divide --fen " + kKiwipete).out, HasSubstr("e1g1: 1\n"));
    EXPECT_THAT(place.run("perft 1 --divide --fen '4k3/8/8/8/8/8/8/5K1R w K - 0 1'").out,
                HasSubstr("f1h1: 1\n"));
}

TEST(PerftCommand, AnswersInJson) {
    const Workplace place;
    const Answer answer =
        place.run("perft 2 --divide --json --fen '4k3/8/8/8/8/8/8/4K3 w - - 0 1'");
    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.out,
                StartsWith("{\"fen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\",\"depth\":2,\"moves\":{"));
    EXPECT_THAT(answer.out, HasSubstr("\"e1d1\":5"));
    EXPECT_THAT(answer.out, HasSubstr("\"nodes\":25,"));
}

TEST(PerftCommand, ComparesAFileOfPositionsInAnySpacing) {
    const Workplace place;
    place.write(
        "good.epd",
        "# known counts\n"
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609\n"
        "\n"
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1; D1 20;D5 4975808\r\n"
        "  4k3/8/8/8/8/8/8/4K3 w - -  0 1 ;  D1   5  ; D2 25 ;\n"
        "4k3/8/8/8/8/8/8/4K3 b - - D2 25;\n");
    const Answer answer = place.run("perft --epd good.epd --max-depth 4");
    EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
    EXPECT_EQ(last_line(answer.out), "4 positions, 0 differ");
    EXPECT_EQ(answer.err, "");  // progress is for terminals
    EXPECT_EQ(last_line(place.run("perft --epd good.epd --threads 2").out),
              "4 positions, 0 differ");

    place.write("bad.epd",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 26\n"
                "4k3/8/8/8/8/8/8/4K3 b - - 0 1 ;D1 5\n");
    const Answer bad = place.run("perft --epd bad.epd");
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.out, HasSubstr("depth 2: 26 expected, 25 counted\n"));
    EXPECT_EQ(last_line(bad.out), "2 positions, 1 differ");
    const Answer json = place.run("perft --epd bad.epd --json");
    EXPECT_EQ(json.code, 1);
    EXPECT_THAT(json.out, StartsWith("{\"positions\":2,\"differ\":1,"));
    EXPECT_THAT(json.out, HasSubstr("\"depth\":2,\"expected\":26,\"counted\":25}"));
}

TEST(PerftCommand, SaysInOneLineWhatIsWrongWithItsInput) {
    const Workplace place;
    place.write("broken.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\nnonsense ;D1 5\n");
    place.write("without.epd", "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2;\n");
    const struct {
        const char* arguments;
        const char* message;
    } cases[] = {
        {"perft", "rokada perft: give either a depth or --epd FILE\n"},
        {"perft 3 --fen nonsense", "rokada perft: character 2: 'o' is no "},
        {"perft 3 --epd broken.epd", "rokada perft: give either a depth or --epd FILE\n"},
        {"perft --epd missing.epd", "rokada perft: cannot read missing.epd\n"},
        {"perft --epd broken.epd", "rokada perft: broken.epd, line 2: "},
        {"perft --epd without.epd", "rokada perft: without.epd, line 1: no count like D4 197281\n"},
        {"perft 31", ""},
        {"perft x", ""},
        {"perft 3 --generator magic", ""},
        {"perft 3 --threads 0", ""},
        {"perft 3 --fen '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1'",
         "rokada perft: character 1: illegal position: the side that just moved is in check\n"},
    };
    for (const auto& c : cases) {
        const Answer answer = place.run(c.arguments);
        EXPECT_EQ(answer.code, 2) << c.arguments;
        EXPECT_EQ(answer.out, "") << c.arguments;
        EXPECT_THAT(answer.err, Not("")) << c.arguments;
        EXPECT_THAT(answer.err, StartsWith(c.message)) << c.arguments;
    }
}

TEST(FenCommand, ShowsALegalPosition) {
    const Workplace place;
    const Answer answer =
        place.run("fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2'");
    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.out, StartsWith("8 r n b q k b n r\n7 p p . p p p p p\n"));
    EXPECT_THAT(answer.out,
                HasSubstr("FEN: rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"));
    EXPECT_THAT(answer.out, HasSubstr("Opening: B20 Sicilian Defense\n"));
    EXPECT_THAT(answer.out, HasSubstr("White to move, the game goes on\n"));
    EXPECT_THAT(last_line(answer.out), StartsWith("30 legal moves: "));
    EXPECT_THAT(place
                    .run("fen --ep always 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq "
                         "c6 0 2'")
                    .out,
                HasSubstr(" KQkq c6 0 2\n"));
    EXPECT_THAT(place.run("fen --castling shredder 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq -'").out,
                HasSubstr(" HAha - 0 1\n"));
}

TEST(FenCommand, TellsTheStatus) {
    const Workplace place;
    const struct {
        const char* fen;
        const char* status;
    } cases[] = {{"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "Black to move, checkmate\n"},
                 {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Black to move, stalemate\n"},
                 {"R5k1/6pp/8/8/8/8/8/4K3 b - - 0 1", "Black to move, check\n"},
                 {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "White to move, draw: nobody has"}};
    for (const auto& c : cases)
        EXPECT_THAT(place.run("fen '" + std::string(c.fen) + "'").out, HasSubstr(c.status));
}

TEST(FenCommand, NamesEveryReasonOfAnIllegalPosition) {
    const Workplace place;
    const Answer answer = place.run("fen '4k3/8/8/8/8/8/4R3/4K3 w K - 0 1'");
    EXPECT_EQ(answer.code, 1);
    EXPECT_THAT(answer.out, HasSubstr("Illegal:\n- the side that just moved is in check\n"
                                      "- a castling right without its king and rook\n"));
    const Answer json = place.run("fen --json '4k3/8/8/8/8/8/4R3/4K3 w K - 0 1'");
    EXPECT_EQ(json.code, 1);
    EXPECT_THAT(json.out, HasSubstr("\"legal\":false"));
    EXPECT_THAT(json.out, HasSubstr("\"reasons\":[\"opponent-in-check\",\"castling-right\"]"));
}

TEST(FenCommand, AnswersInJson) {
    const Workplace place;
    const Answer answer = place.run("fen --json '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'");
    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.out,
                StartsWith("{\"legal\":true,\"fen\":\"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\","
                           "\"turn\":\"white\",\"status\":\"ongoing\",\"in_check\":false,"));
    EXPECT_THAT(answer.out, HasSubstr("{\"uci\":\"e1c1\",\"san\":\"O-O-O\"}"));
    EXPECT_THAT(
        place.run("fen --json 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'").out,
        HasSubstr("\"polyglot_key\":\"463b96181691fc9c\""));
}

TEST(FenCommand, RefusesWhatIsNoFen) {
    const Workplace place;
    const Answer answer = place.run("fen 'hello'");
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, "rokada fen: character 1: 'h' is no piece, digit or '/'\n");
    EXPECT_EQ(place.run("fen").code, 2);
}

}  // namespace
}  // namespace rokada
