// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/game_pgn.hpp"

#include "chess/material.hpp"

namespace rokada {

namespace {

// The words of the PGN standard.
std::string_view termination_of(EndReason reason) {
    switch (reason) {
        case EndReason::Time:
        case EndReason::TimeAgainstBareKing: return "time forfeit";
        case EndReason::Abandonment:
        case EndReason::Aborted: return "abandoned";
        case EndReason::Adjudication: return "adjudication";
        default: return "normal";
    }
}

PgnResult result_of(const std::optional<Outcome>& outcome) {
    return parse_pgn_result(result_text(outcome));
}

std::optional<Color> winner_of(PgnResult result) {
    if (result == PgnResult::WhiteWins) return Color::White;
    if (result == PgnResult::BlackWins) return Color::Black;
    return std::nullopt;
}

std::string by_reason(const Game& game) {
    const std::optional<Outcome>& outcome = game.outcome();
    return outcome ? " by " + std::string(to_string(outcome->reason)) : "";
}

bool says(std::string_view text, std::string_view word) {
    if (text.size() != word.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (lower != word[i]) return false;
    }
    return true;
}

// A flag that fell without losing, if there is one: against an opponent who can never mate.
bool flag_fell_for_nothing(Game& game) {
    for (const Color who : kColors)
        if (!can_ever_mate(game.position(), ~who)) return game.flag_fell(who);
    return false;
}

// Ends a game the board has not ended, as the file says.
void end_as_written(Game& game, PgnResult result, std::string_view termination) {
    if (result == PgnResult::Unfinished) {
        if (says(termination, "abandoned")) game.abort();
        return;
    }
    const bool on_time = says(termination, "time forfeit");
    if (says(termination, "adjudication")) {
        game.adjudicate(winner_of(result));
    } else if (result == PgnResult::Draw) {
        const bool ended = on_time ? flag_fell_for_nothing(game) : game.claim_draw();
        if (!ended) game.agree_draw();
    } else {
        const Color winner = *winner_of(result);
        if (on_time && can_ever_mate(game.position(), winner))
            game.flag_fell(~winner);
        else if (on_time)
            game.adjudicate(winner);
        else if (says(termination, "abandoned"))
            game.abandon(~winner);
        else
            game.resign(~winner);
    }
}

}  // namespace

PgnGame to_pgn_game(const Game& game) {
    PgnGame pgn(game.start());
    PgnGame::Node node = PgnGame::kRoot;
    for (const Game::Ply& ply : game.plies()) {
        node = pgn.add(node, ply.move);
        if (ply.clock) pgn.notes(node).after.clock = ply.clock;
    }
    const std::optional<Outcome>& outcome = game.outcome();
    pgn.set_result(result_of(outcome));
    if (outcome) pgn.set_tag("Termination", termination_of(outcome->reason));
    return pgn;
}

Result<Game, std::string> to_game(const PgnGame& pgn, DrawRule rule) {
    Game game(pgn.start(), rule);
    for (const PgnGame::Node node : pgn.main_line()) {
        const PgnNotes* notes = pgn.find_notes(node);
        const auto clock = notes != nullptr ? notes->after.clock : std::nullopt;
        if (game.play(pgn.move(node), clock)) continue;
        const std::string ply = "ply " + std::to_string(game.plies().size() + 1);
        if (pgn.move(node).none()) return Error{ply + " is a null move"};
        return Error{game.over() ? ply + " comes after the end of the game" + by_reason(game)
                                 : ply + " is not legal"};
    }
    if (!game.over()) {
        end_as_written(game, pgn.result(), pgn.tag("Termination"));
    } else if (pgn.result() != PgnResult::Unfinished && result_of(game.outcome()) != pgn.result()) {
        return Error{"the result is " + std::string(to_string(pgn.result())) +
                     ", but the game ended " + std::string(result_text(game.outcome())) +
                     by_reason(game)};
    }
    return game;
}

}  // namespace rokada
