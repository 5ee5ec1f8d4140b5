// SPDX-License-Identifier: GPL-3.0-or-later
// Chat and premoves of a LiveGame.
#include "server/app/live_game.hpp"

namespace rokada::server {
namespace {

const char* word(Color side) { return side == Color::White ? "white" : "black"; }

}  // namespace

StepResult LiveGame::chat(std::string_view player_id, const std::string& text, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (record_.settings.kind != GameKind::Person)
        return Error{Refusal{409, "no_chat", "There is nobody to talk to."}};
    if (record_.muted == "both" || record_.muted == word(~*side))
        return Error{Refusal{409, "muted", "Your opponent does not want to chat."}};
    Step step = new_step();
    GameEvent& event = add_event(step, GameEvent::Kind::Chat, now);
    event.side = word(*side);
    event.name = *side == Color::White ? record_.white.name : record_.black.name;
    event.text = text;
    return step;
}

StepResult LiveGame::mute(std::string_view player_id, bool on, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (record_.settings.kind != GameKind::Person)
        return Error{Refusal{409, "no_chat", "There is nobody to talk to."}};
    const std::string me = word(*side), other = word(~*side);
    const bool mine = record_.muted == me || record_.muted == "both";
    const bool theirs = record_.muted == other || record_.muted == "both";
    Step step = new_step();
    if (mine == on) return step;
    record_.muted = on ? (theirs ? "both" : me) : (theirs ? other : "");
    record_.updated_at = now.wall;
    GameEvent& event = add_event(step, GameEvent::Kind::Mute, now);
    event.side = me;
    event.on = on;
    return step;
}

std::optional<Refusal> LiveGame::hold_premove(const Premove& premove) {
    const Seats seats = seats_of(premove.player_id);
    if (!seats.any()) return Refusal{403, "not_a_player", "You do not play in this game."};
    if (!playing()) return Refusal{409, "game_over", "The game is over."};
    if (premove.ply != ply() + 2 || !seats.has(~turn()) || seats.has(turn()))
        return Refusal{409, "wrong_ply", "A premove is for the turn after the opponent's."};
    premove_ = premove;
    if (premove.uci.empty()) premove_.reset();
    return std::nullopt;
}

std::optional<LiveGame::Premove> LiveGame::take_premove() {
    if (!premove_) return std::nullopt;
    // Still the opponent's turn: it waits. Anything else but its own turn makes it void.
    if (playing() && premove_->ply == ply() + 2) return std::nullopt;
    std::optional<Premove> taken;
    taken.swap(premove_);
    if (!playing() || taken->ply != ply() + 1) return std::nullopt;
    return parse_uci_move(game_.position(), taken->uci) ? taken : std::nullopt;
}

}  // namespace rokada::server
