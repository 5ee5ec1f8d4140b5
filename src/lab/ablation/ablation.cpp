// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/ablation/ablation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "engine/search/switches.hpp"
#include "lab/match/tournament.hpp"
#include "protocol/driver/driver.hpp"

namespace rokada::lab {

std::vector<AblationEntry> ablation_entries(int threads) {
    std::vector<AblationEntry> entries;
    for (const engine::SwitchInfo& info : engine::kSwitchList) {
        AblationEntry entry;
        entry.key = std::string(info.name);
        entry.text = std::string(info.text);
        // A part of the classical evaluation is missed only where that evaluation is used.
        if (entry.key.compare(0, 5, "eval_") == 0) entry.with = {{"Evaluation", "classical"}};
        entry.without = entry.with;
        entry.without.emplace_back("Use_" + entry.key, "false");
        entries.push_back(std::move(entry));
    }
    entries.push_back({"network",
                       "the network instead of the classical evaluation",
                       {},
                       {{"Evaluation", "classical"}}});
    entries.push_back({"threads",
                       fmt::format("{} threads", std::max(threads, 2)),
                       {{"Threads", std::to_string(std::max(threads, 2))}},
                       {}});
    return entries;
}

Result<Effort, std::string> Ablation::measure(const OptionValues& options) {
    for (const auto& [known, effort] : measured_)
        if (known == options) return effort;
    protocol::LinkGroup group;
    protocol::DriverSettings settings;
    settings.process.arguments = settings_.engine;
    settings.options = options;
    auto driver = protocol::start_engine(protocol::EngineProtocol::Uci, std::move(settings), group);
    if (!driver) return Error{driver.error()};
    if (auto problem = (*driver)->start()) return Error{*problem};

    const auto search =
        [&](const Position& position,
            const protocol::GameTerms& terms) -> Result<protocol::Reply, std::string> {
        protocol::GameStart start;
        start.position = position;
        start.terms = terms;
        if (auto problem = (*driver)->new_game(start)) return Error{*problem};
        protocol::TurnLimits limits;
        limits.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
        protocol::Reply reply = (*driver)->think(limits);
        if (reply.kind != protocol::ReplyKind::Move)
            return Error{"the lab's engine gave no move in " + to_fen(position)};
        return reply;
    };
    Effort effort;
    for (const std::string& fen : settings_.positions) {
        const auto position = parse_position(fen);
        if (!position) return Error{fen + ": " + position.error().to_string()};
        protocol::GameTerms to_depth, by_nodes;
        to_depth.depth = settings_.depth;
        to_depth.nodes = settings_.most_nodes;
        by_nodes.nodes = settings_.nodes;
        const auto deep = search(*position, to_depth);
        if (!deep) return Error{deep.error()};
        effort.nodes += deep->thought.nodes;
        effort.seconds += std::chrono::duration<double>(deep->elapsed).count();
        effort.cut_short += deep->thought.depth < settings_.depth;
        const auto wide = search(*position, by_nodes);
        if (!wide) return Error{wide.error()};
        effort.depth += wide->thought.depth / static_cast<double>(settings_.positions.size());
        if (stopping_) break;
    }
    measured_.emplace_back(options, effort);
    return effort;
}

Result<Estimate, std::string> Ablation::play(const AblationEntry& entry, std::int64_t& games) {
    const auto spec = [&](const std::string& name,
                          const OptionValues& options) -> Result<EngineSpec, std::string> {
        auto parsed = parse_engine_spec("cmd=x name=" + name, settings_.terms);
        if (!parsed) return Error{parsed.error()};
        parsed->command = settings_.engine;
        for (const auto& option : options) parsed->options.push_back(option);
        return parsed;
    };
    TournamentSettings settings;
    for (const auto& [name, options] :
         {std::pair{std::string("without"), entry.without}, {std::string("with"), entry.with}}) {
        auto engine = spec(name, options);
        if (!engine) return Error{engine.error()};
        settings.engines.push_back(std::move(*engine));
    }
    settings.schedule.engines = 2;
    settings.schedule.games = settings_.games;
    settings.openings = settings_.openings;
    settings.concurrency = settings_.concurrency;
    settings.pin = false;
    settings.play.adjudication.resign = AdjudicationSettings::Resign{4, 1000, true};
    settings.play.adjudication.draw = AdjudicationSettings::Draw{40, 8, 10};
    Tournament tournament(settings);
    if (auto problem = tournament.prepare()) return Error{*problem};
    const auto result = tournament.run([&](const Progress&) {
        if (stopping_) tournament.stop_soon();
    });
    if (!result) return Error{result.error()};
    const Encounter encounter = result->standings.encounter(0, 1);
    games = encounter.games.games();
    return estimate(encounter.pairs);
}

Result<std::vector<AblationResult>, std::string> Ablation::run(
    const std::vector<AblationEntry>& entries,
    const std::function<void(const std::string& doing)>& on_progress,
    const std::function<void(const AblationResult&)>& on_result) {
    std::vector<AblationResult> results;
    for (const AblationEntry& entry : entries) {
        if (stopping_) break;
        AblationResult result;
        result.entry = entry;
        const std::string place =
            fmt::format("{} of {}: {}", results.size() + 1, entries.size(), entry.text);
        if (on_progress) on_progress(place + ", searching");
        const auto with = measure(entry.with);
        if (!with) return Error{with.error()};
        const auto without = measure(entry.without);
        if (!without) return Error{without.error()};
        result.with = *with;
        result.without = *without;
        if (settings_.games > 0 && !stopping_) {
            if (on_progress) on_progress(place + fmt::format(", {} games", settings_.games));
            const auto elo = play(entry, result.games);
            if (!elo) return Error{elo.error()};
            if (result.games > 0) result.elo = *elo;
        }
        if (stopping_) break;
        results.push_back(result);
        if (on_result) on_result(result);
    }
    return results;
}

}  // namespace rokada::lab
