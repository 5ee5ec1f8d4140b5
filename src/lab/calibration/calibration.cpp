// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "engine/levels/profile.hpp"
#include "lab/match/tournament.hpp"

namespace rokada::lab {

namespace {

// Stockfish 15.1 by `Skill Level`; its own UCI_Elo labels are wrong by up to 490.
constexpr double kSkillElo[] = {1347, 1444, 1566, 1729, 1953, 2197, 2383, 2518, 2624, 2711,
                                2786, 2850, 2910, 2963, 3012, 3057, 3099, 3139, 3176, 3212};
constexpr int kSkills[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 19};
// Below the weakest of these: the same with a share of random moves.
constexpr int kDilutions[] = {10, 20, 30, 45, 60, 80, 100};

std::vector<int> default_dials() {
    std::vector<int> dials;
    for (int dial = 0; dial < engine::kHighestDial; dial += 40) dials.push_back(dial);
    dials.push_back(engine::kMainSearchDial - 1);
    dials.push_back(engine::kNetworkDial - 1);
    dials.push_back(engine::kHighestDial);
    std::sort(dials.begin(), dials.end());
    return dials;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

Calibration::Calibration(CalibrationSettings settings) : settings_(std::move(settings)) {
    if (settings_.dials.empty()) settings_.dials = default_dials();
    for (const int dial : settings_.dials) {
        Player player;
        player.name = fmt::format("dial {}", dial);
        player.dial = dial;
        // A level has a number of nodes of its own; the depth is only there to say "no clock".
        player.engine = fmt::format(
            "cmd={} name={} option.Dial={} {}", quoted("'" + settings_.program + "' uci"),
            quoted(player.name), dial,
            settings_.reference_terms.empty() ? "depth=200" : settings_.reference_terms);
        player.rating.elo = engine::elo_of_dial(dial);
        players_.push_back(std::move(player));
    }
    for (const int skill : kSkills) {
        Player player;
        player.name = fmt::format("skill {}", skill);
        const std::string terms = settings_.reference_terms.empty()
                                      ? fmt::format("depth={}", skill + 1)
                                      : settings_.reference_terms;
        player.engine = fmt::format("cmd={} name={} {} 'option.Skill Level={}'",
                                    quoted(settings_.reference), quoted(player.name), terms, skill);
        player.rating.prior = kSkillElo[skill];
        player.rating.prior_error = settings_.doubt;
        players_.push_back(std::move(player));
    }
    for (const int percent : kDilutions) {
        Player player;
        player.name = fmt::format("diluted {}", percent);
        player.engine =
            fmt::format("cmd={} name={} depth=1 'option.Skill Level=0'",
                        quoted(fmt::format("'{}' lab dilute --random {} '{}'", settings_.program,
                                           percent, settings_.reference)),
                        quoted(player.name));
        player.rating.elo = kSkillElo[0] - 11 * percent;
        players_.push_back(std::move(player));
    }
}

std::optional<std::string> Calibration::load() {
    std::ifstream file(settings_.results);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream words(line);
        std::string name1, name2, value1, value2;
        PairScore score;
        const auto find = [&](const std::string& name) {
            const auto at = std::find_if(players_.begin(), players_.end(),
                                         [&](const Player& p) { return p.name == name; });
            return static_cast<std::size_t>(at - players_.begin());
        };
        if (!(words >> name1 >> value1 >> name2 >> value2 >> score.games >> score.points) ||
            score.games <= 0 || score.points < 0 || score.points > score.games)
            return fmt::format("{}:{}: expected 'dial N skill N GAMES POINTS'", settings_.results,
                               number);
        score.first = find(name1 + " " + value1);
        score.second = find(name2 + " " + value2);
        // Results of players that are not in this run stay in the file.
        if (score.first < players_.size() && score.second < players_.size())
            scores_.push_back(score);
    }
    fit();
    return std::nullopt;
}

void Calibration::fit() {
    // Always from the same beginning: the scores alone decide, not how many fits there were on the way.
    std::vector<Rated> rated;
    for (Player& player : players_) {
        if (!player.begun) player.begun = player.rating.elo;
        rated.push_back(player.rating);
        rated.back().elo = *player.begun;
    }
    fit_ratings(rated, scores_);
    for (std::size_t i = 0; i < players_.size(); ++i) players_[i].rating = rated[i];
}

double Calibration::games_between(std::size_t first, std::size_t second) const {
    double games = 0;
    for (const PairScore& s : scores_)
        if ((s.first == first && s.second == second) || (s.first == second && s.second == first))
            games += s.games;
    return games;
}

double Calibration::games() const {
    double games = 0;
    for (const PairScore& s : scores_) games += s.games;
    return games;
}

// Each dial meets the player of another family that tells most about it: near in strength, and not
// met often yet. Every third time it is a dial, so that the steps are known as well. The diluted
// players have to be tied to the scale too.
std::vector<std::pair<std::size_t, std::size_t>> Calibration::next_round() const {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < players_.size(); ++i) {
        const Player& player = players_[i];
        const bool diluted = player.dial < 0 && !player.rating.prior;
        if (player.dial < 0 && !diluted) continue;
        if (player.rating.elo < settings_.lowest || player.rating.elo > settings_.highest) continue;
        const double played = player.rating.games;
        const bool own_family =
            player.dial >= 0 && static_cast<int>(played / settings_.games) % 3 == 2;
        std::optional<std::size_t> best;
        double best_worth = -1;
        for (std::size_t k = 0; k < players_.size(); ++k) {
            const Player& other = players_[k];
            if (k == i || (other.dial >= 0) != own_family) continue;
            const double p = std::fabs(score_from_elo(player.rating.elo - other.rating.elo) - 0.5);
            const double worth = std::max(0.02, 0.5 - p) / (1 + games_between(i, k) / 40);
            if (worth > best_worth) {
                best = k;
                best_worth = worth;
            }
        }
        if (best) pairs.emplace_back(i, *best);
    }
    return pairs;
}

Result<PairScore, std::string> Calibration::play(std::size_t first, std::size_t second,
                                                 std::uint64_t seed) {
    TournamentSettings settings;
    for (const std::size_t i : {first, second}) {
        auto spec = parse_engine_spec(players_[i].engine);
        if (!spec) return Error{spec.error()};
        settings.engines.push_back(std::move(*spec));
    }
    settings.schedule.games = settings_.games;
    settings.openings.path = settings_.openings;
    settings.openings.plies = 8;
    settings.openings.seed = seed;
    settings.concurrency = settings_.concurrency;
    settings.pin = false;
    settings.play.adjudication.max_moves = 300;
    settings.elsewhere = settings_.elsewhere;
    Tournament tournament(std::move(settings));
    if (auto problem = tournament.prepare()) return Error{std::move(*problem)};
    const auto result = tournament.run([&](const Progress&) {
        if (stopping_) tournament.stop_soon();
    });
    if (!result) return Error{result.error()};
    const Encounter encounter = result->standings.encounter(0, 1);
    const auto games = static_cast<double>(encounter.games.games());
    return PairScore{first, second, games, games * encounter.games.score()};
}

std::optional<std::string> Calibration::run(
    const std::function<void(const CalibrationProgress&)>& on_progress) {
    for (int round = 0; round < settings_.rounds && !stopping_; ++round) {
        const auto pairs = next_round();
        for (std::size_t i = 0; i < pairs.size() && !stopping_; ++i) {
            const auto seed = static_cast<std::uint64_t>(games()) + 1;
            const auto score = play(pairs[i].first, pairs[i].second, seed);
            if (!score) return score.error();
            if (score->games == 0) continue;
            const Player &first = players_[score->first], &second = players_[score->second];
            std::ofstream file(settings_.results, std::ios::app);
            file << fmt::format("{} {} {} {}\n", first.name, second.name, score->games,
                                score->points);
            if (!file.flush()) return "cannot write " + settings_.results;
            scores_.push_back(*score);
            on_progress({first.name, second.name, score->games, score->points,
                         static_cast<int>(i) + 1 + round * static_cast<int>(pairs.size()),
                         settings_.rounds * static_cast<int>(pairs.size())});
        }
        fit();
    }
    return std::nullopt;
}

std::vector<Calibration::Fitted> Calibration::curve() const {
    std::vector<Fitted> points;
    std::vector<double> elo, weight;
    for (const Player& player : players_) {
        if (player.dial < 0 || player.rating.games == 0) continue;
        points.push_back({player.dial, player.rating.elo, player.rating.error});
        elo.push_back(player.rating.elo);
        weight.push_back(1 / (player.rating.error * player.rating.error));
    }
    const std::vector<double> smooth = rising(elo, weight);
    for (std::size_t i = 0; i < points.size(); ++i) points[i].elo = smooth[i];
    return points;
}

std::string Calibration::table() const {
    std::string text = fmt::format("{:<12} {:>6} {:>6} {:>7}\n", "player", "Elo", "+/-", "games");
    std::vector<const Player*> order;
    for (const Player& player : players_)
        if (player.rating.games > 0) order.push_back(&player);
    std::sort(order.begin(), order.end(),
              [](const Player* a, const Player* b) { return a->rating.elo < b->rating.elo; });
    for (const Player* p : order)
        text += fmt::format("{:<12} {:>6.0f} {:>6.0f} {:>7.0f}{}\n", p->name, p->rating.elo,
                            p->rating.error, p->rating.games,
                            p->rating.prior ? fmt::format("  label {:.0f}", *p->rating.prior) : "");
    return text;
}

std::string Calibration::scale() const {
    std::string points;
    int last = -1;
    for (const Fitted& point : curve()) {
        const int elo = static_cast<int>(std::lround(point.elo));
        // Along a flat stretch the lowest dial stands for all.
        if (elo <= last) continue;
        last = elo;
        points += fmt::format("    ScalePoint{{{}, {}}},\n", point.dial, elo);
    }
    return fmt::format(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n"
        "// The measured strength of the dials, as `rokada lab calibrate` writes it; see "
        "docs/levels.md.\n"
        "#pragma once\n\n#include <array>\n\nnamespace rokada::engine {{\n\n"
        "struct ScalePoint {{\n    int dial, elo;\n}};\n\n"
        "// From {:.0f} games.\n"
        "// clang-format off\n"
        "inline constexpr std::array kScale{{\n{}}};\n"
        "// clang-format on\n\n"
        "}}  // namespace rokada::engine\n",
        games(), points);
}

std::string Calibration::plot() const {
    constexpr double kLeft = 60, kTop = 20, kWidth = 640, kHeight = 400;
    const auto points = curve();
    if (points.empty()) return "";
    double low = points.front().elo, high = points.back().elo;
    for (const Fitted& p : points) {
        low = std::min(low, p.elo - p.error);
        high = std::max(high, p.elo + p.error);
    }
    low = std::floor(low / 200) * 200;
    high = std::ceil(high / 200) * 200;
    const auto x = [&](double dial) { return kLeft + kWidth * dial / engine::kHighestDial; };
    const auto y = [&](double elo) { return kTop + kHeight * (high - elo) / (high - low); };
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<title>Elo by dial</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kLeft + kWidth + 20, kTop + kHeight + 50);
    for (double elo = low; elo <= high; elo += 200)
        svg += fmt::format(
            "<path d=\"M{} {:.1f}h{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1f}\" "
            "text-anchor=\"end\">{:.0f}</text>\n",
            kLeft, y(elo), kWidth, kLeft - 8, y(elo) + 4, elo);
    for (int dial = 0; dial <= engine::kHighestDial; dial += 100)
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                           x(dial), kTop + kHeight + 20, dial);
    std::string line;
    for (const Fitted& p : points) {
        line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x(p.dial), y(p.elo));
        svg += fmt::format(
            "<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#88a\"/><circle cx=\"{:.1f}\" "
            "cy=\"{:.1f}\" "
            "r=\"3\" fill=\"#225\"/>\n",
            x(p.dial), y(p.elo - p.error), y(p.elo + p.error), x(p.dial), y(p.elo));
    }
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#225\"/>\n", line);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">dial</text>\n</svg>\n",
                       kLeft + kWidth / 2, kTop + kHeight + 42);
    return svg;
}

}  // namespace rokada::lab
