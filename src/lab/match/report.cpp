// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rokada::lab {

namespace {

std::string signed_number(double value) {
    if (std::isinf(value)) return value > 0 ? "+inf" : "-inf";
    return fmt::format("{:+.1f}", value);
}

std::string elo_text(const Estimate& e) {
    if (std::isinf(e.elo) || std::isinf(e.low) || std::isinf(e.high))
        return fmt::format("{} [{}, {}]", signed_number(e.elo), signed_number(e.low),
                           signed_number(e.high));
    return fmt::format("{:+.1f} +/- {:.1f}", e.elo, e.margin());
}

bool has_pairs(const PairCounts& pairs) {
    return std::any_of(pairs.begin(), pairs.end(), [](auto n) { return n > 0; });
}

Estimate best_estimate(const WinsDrawsLosses& games, const PairCounts& pairs) {
    // Pairs say more, once nearly all games belong to one.
    std::int64_t paired = 0;
    for (const auto n : pairs) paired += 2 * n;
    return paired > 0 && paired * 10 >= games.games() * 9 ? estimate(pairs) : estimate(games);
}

std::string failures_text(const EngineTotals& totals) {
    std::string text;
    const auto add = [&text](int count, std::string_view what) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(totals.time_losses, "on time");
    add(totals.illegal_moves, "illegal moves");
    add(totals.crashes, "crashes");
    add(totals.hangs, "hangs");
    add(totals.other_failures, "other failures");
    return text;
}

std::string sprt_text(const SprtSettings& sprt, double llr) {
    const SprtVerdict v = verdict(sprt, llr);
    return fmt::format("LLR {:.2f} ({:.2f}, {:.2f}) <{:.2f}, {:.2f}>{}{}\n", llr,
                       sprt.lower_bound(), sprt.upper_bound(), sprt.elo0, sprt.elo1,
                       sprt.model == EloModel::Normalized ? " normalized" : "",
                       v == SprtVerdict::H1   ? "  H1 accepted"
                       : v == SprtVerdict::H0 ? "  H0 accepted"
                                              : "");
}

std::string two_engines_text(const TournamentSettings& settings, const Standings& standings,
                             std::optional<double> llr) {
    const Encounter e = standings.encounter(0, 1);
    const Estimate est = best_estimate(e.games, e.pairs);
    const double games = static_cast<double>(std::max<std::int64_t>(e.games.games(), 1));
    std::string text = fmt::format(
        "{} v {}: +{} -{} ={} of {}  {:.1f} %  draws {:.1f} %\n", settings.engines[0].name,
        settings.engines[1].name, e.games.wins, e.games.losses, e.games.draws, e.games.games(),
        100 * e.games.score(), 100 * static_cast<double>(e.games.draws) / games);
    text += fmt::format("Elo {}  LOS {:.1f} %  95 % of the score in {:.1f}..{:.1f} %",
                        elo_text(est), 100 * est.los, 100 * est.score_low, 100 * est.score_high);
    if (has_pairs(e.pairs))
        text +=
            fmt::format("  nElo {:+.1f}\nPairs (0 to 2 points): {} {} {} {} {}", est.normalized_elo,
                        e.pairs[0], e.pairs[1], e.pairs[2], e.pairs[3], e.pairs[4]);
    text += '\n';
    if (settings.sprt && llr) text += sprt_text(*settings.sprt, *llr);
    return text;
}

std::string table_text(const TournamentSettings& settings, const Standings& standings) {
    std::size_t width = 6;
    for (const EngineSpec& engine : settings.engines) width = std::max(width, engine.name.size());
    std::string text =
        fmt::format("{:>3} {:<{}} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}  {}\n", "#", "Engine", width,
                    "Games", "+", "=", "-", "Points", "%", "Elo against the field");
    int place = 0;
    for (const std::size_t i : standings.ranking()) {
        const WinsDrawsLosses& games = standings.engine(i).games;
        const double points =
            static_cast<double>(games.wins) + static_cast<double>(games.draws) / 2;
        text += fmt::format(
            "{:>3} {:<{}} {:>7} {:>6} {:>6} {:>6} {:>6.1f} {:>7.1f}  {}\n", ++place,
            settings.engines[i].name, width, games.games(), games.wins, games.draws, games.losses,
            points, 100 * games.score(),
            games.games() > 0 ? elo_text(best_estimate(games, standings.pairs_of(i))) : "");
    }
    return text;
}

std::string duration_text(std::chrono::duration<double> time) {
    const auto seconds = std::llround(time.count());
    if (seconds >= 3600)
        return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\', out += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", c);
        else
            out += c;
    }
    return out + '"';
}

// Infinite estimates have no number in JSON.
std::string json_number(double value) {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null";
}

std::string json_estimate(const Estimate& e) {
    return fmt::format(
        R"("elo":{},"elo_low":{},"elo_high":{},"los":{},"normalized_elo":{},"score_low":{},"score_high":{})",
        json_number(e.elo), json_number(e.low), json_number(e.high), json_number(e.los),
        json_number(e.normalized_elo), json_number(e.score_low), json_number(e.score_high));
}

}  // namespace

std::string game_line(const GameRecord& record, const Progress& progress) {
    return fmt::format("Game {} ({} of {}): {} v {}  {}  {}", record.number,
                       progress.standings.finished(), progress.planned, record.names[Color::White],
                       record.names[Color::Black], record.result(), record.reason);
}

std::string standings_text(const TournamentSettings& settings, const Standings& standings,
                           std::optional<double> llr) {
    std::string text = settings.engines.size() == 2 ? two_engines_text(settings, standings, llr)
                                                    : table_text(settings, standings);
    for (std::size_t i = 0; i < settings.engines.size(); ++i)
        if (const std::string failures = failures_text(standings.engine(i)); !failures.empty())
            text += fmt::format("{} lost: {}\n", settings.engines[i].name, failures);
    return text;
}

std::string time_text(const TournamentSettings& settings, const TournamentResult& result) {
    const double possible = result.elapsed.count() * settings.concurrency;
    if (result.thinking.count() <= 0 || possible <= 0) return "";
    return fmt::format("{:.1f} s, of which the engines thought {:.1f} % ({} at a time)\n",
                       result.elapsed.count(), 100 * result.thinking.count() / possible,
                       settings.concurrency);
}

std::string progress_text(const Progress& progress) {
    std::string text =
        fmt::format("{} of {} games, {} running, {}", progress.standings.finished(),
                    progress.planned, progress.running, duration_text(progress.elapsed));
    if (progress.left) text += fmt::format(", at most {} left", duration_text(*progress.left));
    return text;
}

std::string to_json(const TournamentSettings& settings, const TournamentResult& result) {
    const Standings& standings = result.standings;
    std::string json = fmt::format(
        R"({{"event":{},"end":"{}","games":{},"planned":{},"resumed":{},"seconds":{},"thinking_seconds":{},"engines":[)",
        json_text(settings.event),
        result.end == TournamentEnd::Complete      ? "complete"
        : result.end == TournamentEnd::SprtDecided ? "sprt"
                                                   : "stopped",
        standings.finished(), result.planned, result.resumed, json_number(result.elapsed.count()),
        json_number(result.thinking.count()));
    for (std::size_t i = 0; i < settings.engines.size(); ++i) {
        const EngineTotals& t = standings.engine(i);
        json += fmt::format(
            R"({}{{"name":{},"tc":{},"wins":{},"draws":{},"losses":{},"score":{},{},"time_losses":{},"illegal_moves":{},"crashes":{},"hangs":{},"other_failures":{}}})",
            i > 0 ? "," : "", json_text(settings.engines[i].name),
            json_text(to_text(settings.engines[i].terms)), t.games.wins, t.games.draws,
            t.games.losses, json_number(t.games.score()),
            json_estimate(best_estimate(t.games, standings.pairs_of(i))), t.time_losses,
            t.illegal_moves, t.crashes, t.hangs, t.other_failures);
    }
    json += R"(],"encounters":[)";
    bool first = true;
    for (std::size_t i = 0; i < settings.engines.size(); ++i)
        for (std::size_t j = i + 1; j < settings.engines.size(); ++j) {
            const Encounter e = standings.encounter(i, j);
            if (e.games.games() == 0) continue;
            json += fmt::format(
                R"({}{{"first":{},"second":{},"wins":{},"draws":{},"losses":{},"pairs":[{},{},{},{},{}],{}}})",
                first ? "" : ",", i, j, e.games.wins, e.games.draws, e.games.losses, e.pairs[0],
                e.pairs[1], e.pairs[2], e.pairs[3], e.pairs[4],
                json_estimate(best_estimate(e.games, e.pairs)));
            first = false;
        }
    json += ']';
    if (settings.sprt && result.llr) {
        const SprtVerdict v = verdict(*settings.sprt, *result.llr);
        json += fmt::format(
            R"(,"sprt":{{"elo0":{},"elo1":{},"llr":{},"lower":{},"upper":{},"verdict":"{}"}})",
            json_number(settings.sprt->elo0), json_number(settings.sprt->elo1),
            json_number(*result.llr), json_number(settings.sprt->lower_bound()),
            json_number(settings.sprt->upper_bound()),
            v == SprtVerdict::H1   ? "H1"
            : v == SprtVerdict::H0 ? "H0"
                                   : "undecided");
    }
    return json + "}";
}

}  // namespace rokada::lab
