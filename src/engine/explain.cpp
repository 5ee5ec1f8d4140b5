// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explain.hpp"

#include <algorithm>

#include "engine/evaluation/classical.hpp"
#include "engine/evaluation/endgame.hpp"

namespace rokada::engine {

std::string_view to_string(TermGroup group) {
    switch (group) {
        case TermGroup::Material: return "material";
        case TermGroup::Placement: return "placement";
        case TermGroup::Mobility: return "mobility";
        case TermGroup::Pawns: return "pawns";
        case TermGroup::PassedPawns: return "passed pawns";
        case TermGroup::Pieces: return "pieces";
        case TermGroup::King: return "king";
        case TermGroup::Threats: return "threats";
        case TermGroup::Space: return "space";
        case TermGroup::Tempo: return "tempo";
        case TermGroup::Winnable: return "winnable";
    }
    return "";
}

Explanation explain(const Position& position) {
    Trace trace;
    const ClassicalResult result = trace_classical(position, trace);
    const Tapered* const weights = kWeights.material.data();
    Explanation out;
    for (const Term& term : kTerms) {
        ExplainedTerm row;
        row.group = to_string(term.group);
        row.name = term.name;
        std::replace(row.name.begin(), row.name.end(), '_', ' ');
        bool applies = false;
        for (const Color side : kColors)
            for (std::size_t i = term.first; i < term.first + term.count; ++i) {
                const int count = trace.counts[i][side];
                if (count == 0) continue;
                applies = true;
                row.count[side] += count;
                row.value[side].middlegame += weights[i].middlegame() * count;
                row.value[side].endgame += weights[i].endgame() * count;
            }
        if (applies) out.terms.push_back(std::move(row));
    }
    ExplainedTerm danger;
    danger.group = "king";
    danger.name = "king danger";
    for (const Color side : kColors)
        danger.value[side] = {trace.king_danger[side].middlegame(),
                              trace.king_danger[side].endgame()};
    const auto felt = [](const Centipawns& c) { return c.middlegame != 0 || c.endgame != 0; };
    if (felt(danger.value[Color::White]) || felt(danger.value[Color::Black]))
        out.terms.push_back(std::move(danger));

    out.sum = {result.sum.middlegame(), result.sum.endgame()};
    out.phase_percent = result.phase * 100 / 24;
    out.scale_percent = result.scale * 100 / kFullScale;
    out.special = result.special;
    out.centipawns = result.value;
    return out;
}

}  // namespace rokada::engine
