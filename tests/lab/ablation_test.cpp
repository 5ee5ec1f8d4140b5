// SPDX-License-Identifier: GPL-3.0-or-later
// Every technique of the documentation can be switched off, in the lab's engine only, and its worth is
// reported.
#include "lab/ablation/ablation.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "engine/engine.hpp"
#include "lab/plot.hpp"

namespace rokada::lab {
namespace {

using testing::HasSubstr;

std::vector<std::string> lab_engine() {
    const std::string program = ROKADA_BINARY;
    return {program.substr(0, program.rfind('/')) + "/rokada-lab-engine"};
}

// The first column in backticks of the tables between the two headings.
std::set<std::string> documented() {
    std::ifstream file(std::string(ROKADA_SOURCE_DIR) + "/docs/engine.md");
    std::set<std::string> keys;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("## ", 0) == 0)
            inside = line.find("what they are worth") != std::string::npos;
        if (!inside || line.rfind("| `", 0) != 0) continue;
        keys.insert(line.substr(3, line.find('`', 3) - 3));
    }
    return keys;
}

TEST(Ablation, HasOneEntryForEveryTechniqueOfTheDocumentation) {
    std::set<std::string> entries;
    for (const AblationEntry& entry : ablation_entries(2)) entries.insert(entry.key);
    EXPECT_EQ(entries, documented());
}

TEST(Ablation, ThePlayingEngineHasNoSwitches) {
    engine::Engine engine;
    for (const engine::Option& option : engine.options())
        EXPECT_EQ(option.name.find("Use_"), std::string::npos) << option.name;
    EXPECT_TRUE(engine.set_option("Use_null_move", "false"));
}

// What `bench` counts: the nodes of searches to a depth. The lab's engine has no bench of its own.
TEST(Ablation, WithAllSwitchesOnTheLabsEngineIsTheEngine) {
    const std::string script = testing::TempDir() + "rokada_same_bench.uci";
    {
        std::ofstream file(script);
        for (const char* fen :
             {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
              "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
              "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
              "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19"})
            file << "ucinewgame\nposition fen " << fen << "\ngo depth 11\nwait\n";
        file << "quit\n";
    }
    const auto nodes_of = [&](const std::string& program) {
        const std::string command = program + " <" + script;
        std::FILE* pipe = ::popen(command.c_str(), "r");
        std::string nodes, last;
        char line[4096];
        while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr) {
            const std::string text = line;
            if (const std::size_t at = text.find(" nodes "); at != std::string::npos)
                last = text.substr(at + 7, text.find(' ', at + 7) - at - 7);
            if (text.rfind("bestmove", 0) == 0) nodes += last + ' ' + text;
        }
        if (pipe != nullptr) ::pclose(pipe);
        return nodes;
    };
    const std::string ours = nodes_of("'" + std::string(ROKADA_BINARY) + "' uci");
    EXPECT_EQ(std::count(ours.begin(), ours.end(), '\n'), 4) << ours;
    EXPECT_EQ(nodes_of("'" + lab_engine().front() + "'"), ours);
    std::remove(script.c_str());
}

AblationSettings small() {
    AblationSettings settings;
    settings.engine = lab_engine();
    settings.positions = {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                          "8/pp3pkp/2p3p1/3n4/3P4/1P3NP1/P4P1P/6K1 w - - 0 28"};
    settings.depth = 6;
    settings.most_nodes = 30'000;
    settings.nodes = 3'000;
    return settings;
}

TEST(Ablation, EveryTechniqueCanBeSwitchedOffAndTheSearchStillAnswers) {
    Ablation ablation(small());
    const auto results = ablation.run(ablation_entries(2), nullptr, nullptr);
    ASSERT_TRUE(results) << results.error();
    ASSERT_EQ(results->size(), ablation_entries(2).size());
    int changed = 0;
    for (const AblationResult& result : *results) {
        EXPECT_GT(result.without.nodes, 0u) << result.entry.key;
        changed += result.with.nodes != result.without.nodes;
    }
    // Some techniques matter only in positions that these are not.
    EXPECT_GT(changed, static_cast<int>(results->size()) * 2 / 3);
    const auto find = [&](const std::string& key) {
        return *std::find_if(results->begin(), results->end(),
                             [&](const AblationResult& r) { return r.entry.key == key; });
    };
    EXPECT_GT(find("alpha_beta").without.nodes, 2 * find("alpha_beta").with.nodes);
    EXPECT_LT(find("alpha_beta").without.depth, find("alpha_beta").with.depth);
}

TEST(Ablation, ReportsGamesAsTableCsvAndPlots) {
    AblationSettings settings = small();
    settings.games = 2;
    settings.terms = "nodes=200";
    Ablation ablation(settings);
    auto entries = ablation_entries(2);
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [](const AblationEntry& e) { return e.key != "eval_material"; }),
                  entries.end());
    const auto results = ablation.run(entries, nullptr, nullptr);
    ASSERT_TRUE(results) << results.error();
    ASSERT_EQ(results->size(), 1u);
    EXPECT_EQ(results->front().games, 2);
    EXPECT_THAT(ablation_table(*results), HasSubstr("eval_material"));
    EXPECT_THAT(ablation_csv(*results), HasSubstr("\neval_material,"));
    EXPECT_THAT(ablation_html(settings, *results), HasSubstr("<svg"));
}

TEST(Ablation, AMissingEngineIsNamed) {
    AblationSettings settings = small();
    settings.engine = {"/nowhere/engine"};
    const auto results = Ablation(settings).run(ablation_entries(2), nullptr, nullptr);
    ASSERT_FALSE(results);
    EXPECT_THAT(results.error(), HasSubstr("/nowhere/engine"));
}

TEST(Plot, TextIsEscapedAndEmptyPlotsAreStillPlots) {
    EXPECT_THAT(bar_chart("a < b & c", {}), HasSubstr("a &lt; b &amp; c"));
    EXPECT_THAT(line_chart({"t", "x", "y"}, {}), HasSubstr("</svg>"));
    const std::string plot = line_chart({"t", "x", "y"}, {{"one", {{0, 1}, {10, 3}}, false}});
    EXPECT_THAT(plot, HasSubstr("<path"));
    EXPECT_EQ(plot.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace rokada::lab
