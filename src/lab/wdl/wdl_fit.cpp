// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/wdl/wdl_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "chess/notation/pgn_game_reader.hpp"
#include "lab/file_bytes.hpp"
#include "lab/plot.hpp"

namespace rokada::lab {

namespace {

constexpr double kLeast = 1e-6;

int material_of(const Position& p) {
    return p.pieces(PieceType::Pawn).count() +
           3 * p.pieces(PieceType::Knight, PieceType::Bishop).count() +
           5 * p.pieces(PieceType::Rook).count() + 9 * p.pieces(PieceType::Queen).count();
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double unit(double material) { return std::clamp(material, 10.0, 78.0) / 58; }

// Equal scores with equal material are counted together.
struct Cell {
    double centipawns = 0, material = 0;
    std::array<double, 3> results{};
};

using Parameters = std::array<double, 8>;

WdlModel model_of(const Parameters& p) {
    WdlModel model;
    // The units keep all parameters near one, which the search for the minimum likes.
    for (std::size_t i = 0; i < 4; ++i) model.a[i] = 100 * p[i], model.b[i] = 100 * p[4 + i];
    return model;
}

double loss_of(const WdlModel& model, const std::vector<Cell>& cells) {
    double loss = 0, count = 0;
    for (const Cell& cell : cells) {
        const WdlModel::Chances c = model.chances(cell.centipawns, cell.material);
        loss -= cell.results[2] * std::log(std::max(c.win, kLeast)) +
                cell.results[1] * std::log(std::max(c.draw, kLeast)) +
                cell.results[0] * std::log(std::max(c.loss, kLeast));
        count += cell.results[0] + cell.results[1] + cell.results[2];
    }
    return count > 0 ? loss / count : 0;
}

}  // namespace

double WdlModel::at(const std::array<double, 4>& p, double material) const {
    const double m = unit(material);
    return p[0] + m * (p[1] + m * (p[2] + m * p[3]));
}

WdlModel::Chances WdlModel::chances(double x, double material) const {
    const double mid = at(a, material), spread = std::max(at(b, material), 5.0);
    Chances c;
    c.win = logistic((x - mid) / spread);
    c.loss = logistic((-x - mid) / spread);
    c.draw = std::max(0.0, 1 - c.win - c.loss);
    // Without draws the two curves may overlap; chances still add up to one.
    const double sum = c.win + c.draw + c.loss;
    c.win /= sum;
    c.loss /= sum;
    return c;
}

std::string load_wdl_samples(const std::string& path, int first_ply, WdlData& data) {
    FileBytes source(path);
    if (!source.is_open()) return path + ": cannot be opened";
    PgnGameReader reader(source);
    while (const auto game = reader.next()) {
        const PgnResult result = game->result();
        if (reader.broken() || result == PgnResult::Unfinished) {
            ++data.left_out;
            continue;
        }
        const int white = result == PgnResult::WhiteWins ? 2 : result == PgnResult::Draw ? 1 : 0;
        ++data.games;
        Position position = game->start();
        int ply = 0;
        for (const PgnGame::Node node : game->main_line()) {
            const PgnNotes* const notes = game->find_notes(node);
            if (notes != nullptr && notes->after.evaluation && !notes->after.evaluation->mate &&
                ply >= first_ply) {
                const bool white_moves = position.turn() == Color::White;
                const int cp = std::clamp(notes->after.evaluation->centipawns, -3000, 3000);
                WdlSample sample;
                sample.centipawns = static_cast<std::int16_t>(white_moves ? cp : -cp);
                sample.material = static_cast<std::uint8_t>(std::min(material_of(position), 255));
                sample.result = static_cast<std::uint8_t>(white_moves ? white : 2 - white);
                data.samples.push_back(sample);
            }
            play_or_pass(position, game->move(node));
            ++ply;
        }
    }
    return "";
}

// Coordinate descent with steps that grow while they help and shrink when they do not: eight
// parameters and a smooth, single-valleyed loss need nothing cleverer.
WdlFit fit_wdl(const std::vector<WdlSample>& samples) {
    std::map<std::pair<int, int>, Cell> grid;
    std::array<double, 3> totals{};
    for (const WdlSample& s : samples) {
        const int bin = static_cast<int>(std::lround(s.centipawns / 5.0));
        Cell& cell = grid[{bin, s.material}];
        cell.centipawns = 5.0 * bin;
        cell.material = s.material;
        cell.results[s.result] += 1;
        totals[s.result] += 1;
    }
    std::vector<Cell> cells;
    for (const auto& [key, cell] : grid) cells.push_back(cell);

    WdlFit fit;
    const double all = totals[0] + totals[1] + totals[2];
    for (const double t : totals)
        if (t > 0) fit.base_loss -= t / all * std::log(t / all);
    Parameters p{1.5, 0, 0, 0, 0.8, 0, 0, 0};
    Parameters step;
    step.fill(0.2);
    double best = loss_of(model_of(p), cells);
    for (int round = 0; round < 400; ++round) {
        const double before = best;
        for (std::size_t i = 0; i < p.size(); ++i) {
            bool helped = false;
            for (const double sign : {1.0, -1.0}) {
                Parameters trial = p;
                trial[i] += sign * step[i];
                const double loss = loss_of(model_of(trial), cells);
                if (loss >= best) continue;
                best = loss;
                p = trial;
                helped = true;
                break;
            }
            step[i] *= helped ? 1.6 : 0.5;
        }
        const double largest = *std::max_element(step.begin(), step.end());
        if (before - best < 1e-10 && largest < 1e-5) break;
    }
    fit.model = model_of(p);
    fit.log_loss = best;
    return fit;
}

std::vector<Reliability> reliability(const WdlModel& model, const std::vector<WdlSample>& samples) {
    std::vector<std::pair<double, double>> pairs;
    for (const WdlSample& s : samples)
        pairs.emplace_back(model.chances(s.centipawns, s.material).points(), s.result / 2.0);
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Reliability> classes;
    constexpr std::size_t kClasses = 10;
    for (std::size_t c = 0; c < kClasses; ++c) {
        Reliability r;
        for (std::size_t i = pairs.size() * c / kClasses; i < pairs.size() * (c + 1) / kClasses;
             ++i) {
            r.predicted += pairs[i].first;
            r.real += pairs[i].second;
            ++r.positions;
        }
        if (r.positions == 0) continue;
        r.predicted /= static_cast<double>(r.positions);
        r.real /= static_cast<double>(r.positions);
        classes.push_back(r);
    }
    return classes;
}

std::string reliability_svg(const std::vector<Reliability>& classes) {
    Curve ideal{"ideal", {{0, 0}, {1, 1}}, false};
    Curve real{"games", {}, true};
    for (const Reliability& r : classes) real.points.emplace_back(r.predicted, r.real);
    return line_chart({"Expected and real points", "expected", "real"}, {ideal, real});
}

}  // namespace rokada::lab
