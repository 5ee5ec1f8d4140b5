// SPDX-License-Identifier: GPL-3.0-or-later
// `lab calibrate` without its games: who meets whom, and what becomes of the scores.
#include "lab/calibration/calibration.hpp"

#include <filesystem>
#include <set>

#include <gmock/gmock.h>

namespace rokada::lab {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// All games are drawn at once.
Result<std::vector<FinishedGame>, std::string> draw_all(const TournamentSettings&,
                                                        const std::vector<Pairing>& games,
                                                        const Opening&, const std::atomic<bool>&) {
    std::vector<FinishedGame> finished(games.size());
    for (FinishedGame& game : finished) game.record.ending = Ending::Agreement;
    return finished;
}

CalibrationSettings three_dials(const std::string& name) {
    CalibrationSettings settings;
    settings.program = ROKADA_BINARY;
    settings.results = testing::TempDir() + "rokada_calibration_" + name;
    std::filesystem::remove(settings.results);
    settings.dials = {100, 300, 500};
    settings.games = 4;
    settings.rounds = 3;
    settings.elsewhere = draw_all;
    return settings;
}

TEST(Calibration, MeetsReferencesTwiceAndTheOwnFamilyEveryThirdTime) {
    const CalibrationSettings settings = three_dials("pairs");
    Calibration calibration(settings);
    ASSERT_EQ(calibration.load(), std::nullopt);
    std::map<std::string, std::vector<std::string>> met;
    ASSERT_EQ(calibration.run([&](const CalibrationProgress& p) {
        EXPECT_EQ(p.games, 4);
        EXPECT_EQ(p.points, 2);
        met[p.first].push_back(p.second);
    }),
              std::nullopt);
    bool family = false;
    for (const char* dial : {"dial 100", "dial 300", "dial 500"}) {
        ASSERT_EQ(met[dial].size(), 3u) << dial;
        EXPECT_THAT(met[dial][0], testing::Not(StartsWith("dial"))) << dial;
        for (const std::string& other : met[dial]) {
            EXPECT_NE(other, dial);
            family = family || other.rfind("dial", 0) == 0;
        }
        EXPECT_GE(std::set<std::string>(met[dial].begin(), met[dial].end()).size(), 2u)
            << dial << ": whom one has met is worth less";
    }
    EXPECT_TRUE(family) << "or the dials would hang together by the references alone";
    // The scores are kept and found again.
    Calibration again(settings);
    ASSERT_EQ(again.load(), std::nullopt);
    EXPECT_EQ(again.games(), calibration.games());
    EXPECT_EQ(again.scale(), calibration.scale());
    std::filesystem::remove(settings.results);
}

TEST(Calibration, TheScaleRisesAndThePlotShowsEveryDial) {
    CalibrationSettings settings = three_dials("scale");
    Calibration calibration(settings);
    ASSERT_EQ(calibration.load(), std::nullopt);
    ASSERT_EQ(calibration.run([](const CalibrationProgress&) {}), std::nullopt);
    const std::string scale = calibration.scale();
    EXPECT_THAT(scale, HasSubstr("kScale"));
    // {dial, elo}, ... in the order of the dials, and never falling.
    std::vector<std::pair<int, int>> points;
    for (std::size_t at = scale.find('{'); at != std::string::npos; at = scale.find('{', at + 1)) {
        int dial = 0, elo = 0;
        if (std::sscanf(scale.c_str() + at, "{%d, %d}", &dial, &elo) == 2)
            points.emplace_back(dial, elo);
    }
    ASSERT_GE(points.size(), 3u) << scale;
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_GT(points[i].first, points[i - 1].first);
        EXPECT_GE(points[i].second, points[i - 1].second);
    }
    const std::string plot = calibration.plot();
    EXPECT_THAT(plot, StartsWith("<svg"));
    EXPECT_THAT(plot, HasSubstr("</svg>"));
    const std::string table = calibration.table();
    for (const char* dial : {"dial 100", "dial 300", "dial 500"})
        EXPECT_THAT(table, HasSubstr(dial));
    std::filesystem::remove(settings.results);
}

}  // namespace
}  // namespace rokada::lab
