// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <fmt/format.h>

#include "lab/ablation/ablation.hpp"
#include "lab/plot.hpp"

namespace rokada::lab {

namespace {

double ratio(double without, double with) { return with > 0 ? without / with : 0; }

double node_ratio(const AblationResult& r) {
    return ratio(static_cast<double>(r.without.nodes), static_cast<double>(r.with.nodes));
}

std::string elo_text(const AblationResult& r) {
    if (!r.elo) return "";
    if (!std::isfinite(r.elo->elo)) return r.elo->elo < 0 ? "lost all" : "won all";
    return fmt::format("{:+.0f} ± {:.0f}", r.elo->elo, r.elo->margin());
}

}  // namespace

std::string ablation_table(const std::vector<AblationResult>& results) {
    const bool games = !results.empty() && results.front().elo.has_value();
    std::string out = fmt::format(
        "| without | nodes to the same depth | time | depth with the same nodes "
        "|{}\n|---|---|---|---|{}\n",
        games ? " Elo |" : "", games ? "---|" : "");
    for (const AblationResult& r : results) {
        out += fmt::format("| {} (`{}`) | {}{:.2f} x | {:.2f} x | {:+.1f} |{}\n", r.entry.text,
                           r.entry.key, r.without.cut_short > 0 ? "> " : "", node_ratio(r),
                           ratio(r.without.seconds, r.with.seconds), r.without.depth - r.with.depth,
                           games ? " " + elo_text(r) + " |" : "");
    }
    return out;
}

std::string ablation_csv(const std::vector<AblationResult>& results) {
    std::string out =
        "technique,nodes_with,nodes_without,seconds_with,seconds_without,depth_with,depth_without,"
        "cut_short,games,elo,elo_low,elo_high\n";
    for (const AblationResult& r : results) {
        out += fmt::format("{},{},{},{:.3f},{:.3f},{:.2f},{:.2f},{},{}", r.entry.key, r.with.nodes,
                           r.without.nodes, r.with.seconds, r.without.seconds, r.with.depth,
                           r.without.depth, r.without.cut_short, r.games);
        out += r.elo ? fmt::format(",{:.1f},{:.1f},{:.1f}\n", r.elo->elo, r.elo->low, r.elo->high)
                     : std::string(",,,\n");
    }
    return out;
}

std::string ablation_svg(const std::vector<AblationResult>& results) {
    std::vector<Bar> bars;
    const bool games = !results.empty() && results.front().elo.has_value();
    for (const AblationResult& r : results) {
        Bar bar;
        bar.label = r.entry.key;
        if (games) {
            if (!r.elo) continue;
            const auto bounded = [](double elo) {
                return std::max(-1000.0, std::min(1000.0, elo));
            };
            bar.value = bounded(r.elo->elo);
            bar.low = bounded(r.elo->low);
            bar.high = bounded(r.elo->high);
            bar.note = elo_text(r);
        } else {
            // Twice the nodes and half the nodes are the same distance from one.
            bar.value = std::log2(std::max(node_ratio(r), 1e-3));
            bar.note =
                fmt::format("{}{:.2f} x", r.without.cut_short > 0 ? "> " : "", node_ratio(r));
        }
        bars.push_back(std::move(bar));
    }
    return bar_chart(games ? "Elo of the engine without each technique, 95 % intervals"
                           : "Nodes to the same depth without each technique (doublings)",
                     bars);
}

std::string ablation_html(const AblationSettings& settings,
                          const std::vector<AblationResult>& results) {
    std::string rows;
    for (const AblationResult& r : results)
        rows += fmt::format(
            "<tr><td>{}</td><td>{}{:.2f} ×</td><td>{:.2f} ×</td><td>{:.1f} → {:.1f}</td><td>{}</td>"
            "<td>{}</td></tr>\n",
            escaped(r.entry.text), r.without.cut_short > 0 ? "&gt; " : "", node_ratio(r),
            ratio(r.without.seconds, r.with.seconds), r.with.depth, r.without.depth, r.games,
            elo_text(r));
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Ablation</title>\n"
        "<style>body{{font-family:sans-serif;max-width:60em;margin:2em auto}}"
        "td,th{{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccd}}</style>\n"
        "<h1>What each technique is worth</h1>\n"
        "<p>{} positions: nodes and time to depth {} (at most {} nodes each), depth reached with "
        "{} nodes. "
        "Games: {} each, "
        "{}.</p>\n{}\n<table><tr><th>without<th>nodes<th>time<th>depth<th>games<th>Elo"
        "</tr>\n{}</table></html>\n",
        settings.positions.size(), settings.depth, settings.most_nodes, settings.nodes,
        settings.games, escaped(settings.terms), ablation_svg(results), rows);
}

}  // namespace rokada::lab
