// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_visitor.hpp"

namespace rokada {

std::string_view to_string(PgnResult result) {
    switch (result) {
        case PgnResult::Unfinished: return "*";
        case PgnResult::WhiteWins: return "1-0";
        case PgnResult::BlackWins: return "0-1";
        case PgnResult::Draw: return "1/2-1/2";
    }
    return "*";
}

PgnResult parse_pgn_result(std::string_view text) {
    if (text == "1-0") return PgnResult::WhiteWins;
    if (text == "0-1") return PgnResult::BlackWins;
    if (text == "1/2-1/2") return PgnResult::Draw;
    return PgnResult::Unfinished;
}

std::string_view to_string(PgnSeverity severity) {
    switch (severity) {
        case PgnSeverity::Note: return "note";
        case PgnSeverity::Repaired: return "repaired";
        case PgnSeverity::Broken: return "broken";
    }
    return "";
}

}  // namespace rokada
