// SPDX-License-Identifier: GPL-3.0-or-later
// What a score means: fits the chances to win, draw and lose, by score and material, to played games
// with evaluations. Used by `rokada lab wdl`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rokada::lab {

// P(win) = 1 / (1 + exp((a - x) / b)), P(loss) = 1 / (1 + exp((a + x) / b)) for a score of x centipawns.
// a and b are polynomials of the material on the board: a = a0 + a1 m + a2 m^2 + a3 m^3 with
// m = material / 58, material counted 1, 3, 3, 5, 9 and held between 10 and 78.
struct WdlModel {
    std::array<double, 4> a{}, b{};

    struct Chances {
        double win = 0, draw = 0, loss = 0;
        double points() const { return win + draw / 2; }
    };
    Chances chances(double centipawns, double material) const;
    double at(const std::array<double, 4>& polynomial, double material) const;
};

struct WdlSample {
    std::int16_t centipawns = 0;  // of the side to move
    std::uint8_t material = 0;
    std::uint8_t result = 1;  // 0 lost, 1 drawn, 2 won by the side to move
};

struct WdlData {
    std::vector<WdlSample> samples;
    std::uint64_t games = 0, left_out = 0;
};
// Appends the evaluations of a PGN file's games; mates and the first moves are left out. Empty if all is well.
std::string load_wdl_samples(const std::string& path, int first_ply, WdlData& data);

struct WdlFit {
    WdlModel model;
    double log_loss = 0;   // nats per position
    double base_loss = 0;  // of always saying the same three chances
};
WdlFit fit_wdl(const std::vector<WdlSample>& samples);

// Predicted against real points, in ten classes of equal size.
struct Reliability {
    double predicted = 0, real = 0;
    std::uint64_t positions = 0;
};
std::vector<Reliability> reliability(const WdlModel& model, const std::vector<WdlSample>& samples);
std::string reliability_svg(const std::vector<Reliability>& classes);

}  // namespace rokada::lab
