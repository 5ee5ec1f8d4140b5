// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a setup or an error inside the text; a legal setup is a position on which both generators, the slow
// rules of the tests and every question of the rules agree.
#include "chess/notation/fen.hpp"

#include "chess/counter.hpp"
#include "chess/material.hpp"
#include "chess/movegen.hpp"
#include "chess/openings.hpp"
#include "tests/chess/slow_rules.hpp"
#include "tests/fuzz/move_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto setup = parse_fen(text);
    if (!setup) {
        fuzz::require(!setup.error().message.empty() && setup.error().offset <= size);
        return 0;
    }
    const auto again = parse_fen(to_fen(*setup, CastlingStyle::Shredder));
    const SetupErrors errors = check(*setup);
    const auto position = Position::from_setup(*setup);
    fuzz::require(position.ok() != errors.any());
    fuzz::require(errors.codes().size() == errors.messages().size());
    if (!position) return 0;

    fuzz::require(again.ok() && *again == *setup);
    for (const CastlingStyle style : {CastlingStyle::XFen, CastlingStyle::Shredder}) {
        const auto back = parse_position(to_fen(*position, style));
        fuzz::require(back.ok() && *back == *position && back->key() == position->key());
    }
    const MoveList moves = legal_moves(*position);
    const auto slow = testing_support::SlowRules::legal_moves(position->to_setup());
    fuzz::require(moves.size() == slow.size() && moves.empty() != has_legal_move(*position));
    fuzz::require(count_leaves(*position, 1) == moves.size());
    std::uint64_t leaves = 0;
    for (const auto& [move, after] : slow) {
        fuzz::require(moves.contains(move) && position->is_legal(move));
        Position next = *position;
        next.play(move);
        fuzz::require(next.to_setup() == after && next.key() == next.key_from_scratch());
        leaves += legal_moves(next).size();
    }
    fuzz::require(count_leaves(*position, 2) == leaves);
    for (const Color side : kColors)
        fuzz::require(!insufficient_material(*position) || !can_ever_mate(*position, side));
    find_opening(*position);
    return 0;
}
