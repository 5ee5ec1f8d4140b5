// SPDX-License-Identifier: GPL-3.0-or-later
// Offers, endings and seats of a LiveGame.
#include <algorithm>
#include <utility>

#include "chess/notation/fen.hpp"
#include "server/app/live_game.hpp"

namespace rokada::server {
namespace {

const char* word(Color side) { return side == Color::White ? "white" : "black"; }

Error<Refusal> game_over() { return Error{Refusal{409, "game_over", "The game is over."}}; }
Error<Refusal> nothing_offered() {
    return Error{Refusal{409, "nothing_offered", "There is no such offer."}};
}

}  // namespace

Result<Color, Refusal> LiveGame::acting_side(std::string_view player_id) const {
    const Seats seats = seats_of(player_id);
    if (!seats.any()) return Error{Refusal{403, "not_a_player", "You do not play in this game."}};
    if (seats.white && seats.black) {
        // The page's human is the side that is not its computer.
        if (record_.white.kind == SeatKind::Computer) return Color::Black;
        if (record_.black.kind == SeatKind::Computer) return Color::White;
        return turn();
    }
    return seats.white ? Color::White : Color::Black;
}

void LiveGame::clear_offers() {
    record_.draw_offer.clear();
    record_.takeback_offer.clear();
}

void LiveGame::finish(Step& step, Moment now, std::string_view reason) {
    clock_.stop(now.steady);
    clear_offers();
    const Outcome& outcome = *game_.outcome();
    const bool counts = outcome.reason != EndReason::Aborted;
    record_.status = counts ? GameStatus::Finished : GameStatus::Aborted;
    record_.result = !counts                           ? GameResult::None
                     : !outcome.winner                 ? GameResult::Draw
                     : *outcome.winner == Color::White ? GameResult::WhiteWins
                                                       : GameResult::BlackWins;
    record_.reason = std::string(reason.empty() ? to_string(outcome.reason) : reason);
    record_.ended_at = now.wall;
    update_row(now);
    GameEvent& event = add_event(step, GameEvent::Kind::End, now);
    event.status = record_.status;
    event.result = record_.result;
    event.reason = record_.reason;
}

StepResult LiveGame::upload(std::string_view player_id, const std::vector<std::string>& moves,
                            const std::optional<Declared>& declared, bool assisted, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (record_.settings.kind != GameKind::Page && record_.settings.kind != GameKind::Device)
        return Error{Refusal{409, "not_here", "This game is played on the server."}};
    Step step = new_step();
    // Checked on a copy first: a bad move further on must change nothing.
    Game trial = game_;
    std::vector<Move> fresh;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool known = i < game_.plies().size();
        const Position& before = known ? game_.position_after(i) : trial.position();
        const auto move = parse_uci_move(before, moves[i]);
        if (!move)
            return Error{Refusal{422, "illegal_move",
                                 "move " + std::to_string(i + 1) + ": " + move.error().message}};
        if (known) {
            if (*move != game_.plies()[i].move)
                return Error{Refusal{409, "wrong_ply", "Another game has this name."}};
        } else if (!trial.play(*move)) {
            return Error{Refusal{422, "game_over",
                                 "The game was over before move " + std::to_string(i + 1) + "."}};
        } else {
            fresh.push_back(*move);
        }
    }
    if (over() && !fresh.empty()) return game_over();
    if (assisted) note_help(step, now);
    if (over()) return step;
    clock_.halt();  // these moves were made elsewhere; their times are not ours
    for (const Move move : fresh) {
        play_move(step, move, false, now);
        clock_.halt();
    }
    if (declared && playing() && moves.size() == game_.plies().size()) {
        const auto winner = declared->result == GameResult::WhiteWins ? std::optional(Color::White)
                            : declared->result == GameResult::BlackWins
                                ? std::optional(Color::Black)
                                : std::nullopt;
        if (declared->reason == "aborted") {
            game_.abort();
        } else if (!winner) {
            const bool claimed =
                declared->reason == "threefold-repetition" || declared->reason == "fifty-moves";
            if (!claimed || !game_.claim_draw()) game_.agree_draw();
        } else if (declared->reason == "resignation") {
            game_.resign(~*winner);
        } else if (declared->reason == "time") {
            game_.flag_fell(~*winner);
        } else {
            game_.adjudicate(winner);
        }
        finish(step, now);
    }
    return step;
}

StepResult LiveGame::resign(std::string_view player_id, std::optional<Color> named, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (!playing()) return game_over();
    const bool device = record_.settings.kind == GameKind::Device;
    Step step = new_step();
    game_.resign(device && named ? *named : *side);
    finish(step, now);
    return step;
}

StepResult LiveGame::abort(std::string_view player_id, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (over()) return game_over();
    if (ply() >= 2)
        return Error{Refusal{409, "too_late", "Both sides have moved; resign instead."}};
    Step step = new_step();
    game_.abort();
    finish(step, now);
    return step;
}

StepResult LiveGame::draw(std::string_view player_id, OfferAction action, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (!playing()) return game_over();
    const std::string me = word(*side), other = word(~*side);
    const bool offered_to_me = record_.draw_offer == other;
    Step step = new_step();
    if (action == OfferAction::Claim) {
        if (turn() != *side) return Error{Refusal{409, "not_your_turn", "Claim on your turn."}};
        if (!game_.claim_draw())
            return Error{Refusal{409, "no_claim", "Neither threefold nor fifty moves."}};
        finish(step, now);
        return step;
    }
    if (record_.settings.kind == GameKind::Device ||
        (action != OfferAction::Decline && offered_to_me)) {
        game_.agree_draw();
        finish(step, now);
        return step;
    }
    if (action != OfferAction::Offer) {
        if (!offered_to_me) return nothing_offered();
        record_.draw_offer.clear();
    } else {
        if (record_.draw_offer == me) return step;  // it stands already
        if (ply() < 2) return Error{Refusal{409, "too_early", "Play a move first."}};
        if (record_.settings.kind == GameKind::Page) {
            // Both sides are in the page, and so is the answer.
            game_.agree_draw();
            finish(step, now);
            return step;
        }
        if (record_.settings.kind == GameKind::Computer && computer_score_ &&
            *computer_score_ <= 0) {
            game_.agree_draw();
            finish(step, now);
            return step;
        }
        if (record_.settings.kind == GameKind::Person) record_.draw_offer = me;
    }
    record_.updated_at = now.wall;
    GameEvent& event = add_event(step, GameEvent::Kind::Offer, now);
    event.what = "draw";
    event.side = action == OfferAction::Offer ? me : other;
    const bool refused_by_computer =
        action == OfferAction::Offer && record_.settings.kind == GameKind::Computer;
    event.action = action == OfferAction::Offer && !refused_by_computer ? "offer" : "decline";
    return step;
}

Step LiveGame::take_back_moves(int count, Moment now) {
    Step step = new_step();
    clock_.stop(now.steady);
    for (int i = 0; i < count; ++i) {
        game_.take_back();
        moves_.pop_back();
    }
    if (moves_.empty()) {
        clock_ = GameClock(record_.settings.clock, record_.settings.white_clock,
                           record_.settings.black_clock);
    } else {
        clock_.set(moves_.back().white_ms, moves_.back().black_ms);
    }
    clock_.halt();
    start_clock(now);
    clear_offers();
    record_.assisted = true;
    step.keep_plies = ply();
    update_row(now);
    GameEvent& event = add_event(step, GameEvent::Kind::Takeback, now);
    event.fen = record_.fen;
    event.taken_back = count;
    return step;
}

StepResult LiveGame::takeback(std::string_view player_id, OfferAction action, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (!playing()) return game_over();
    const bool device = record_.settings.kind == GameKind::Device;
    const std::string me = word(*side), other = word(~*side);
    // Back to the position in which the asking side was to move.
    const auto reach = [this, device](Color asking) {
        return device ? 1 : turn() == asking ? 2 : 1;
    };
    if (record_.settings.kind != GameKind::Person) {
        if (ply() < reach(*side))
            return Error{Refusal{409, "too_early", "There is no move of yours to take back."}};
        return take_back_moves(reach(*side), now);
    }
    const bool offered_to_me = record_.takeback_offer == other;
    if (offered_to_me && action != OfferAction::Decline && action != OfferAction::Claim) {
        if (ply() < reach(~*side)) return nothing_offered();
        return take_back_moves(reach(~*side), now);
    }
    Step step = new_step();
    if (action != OfferAction::Offer) {
        if (!offered_to_me) return nothing_offered();
        record_.takeback_offer.clear();
    } else {
        if (record_.takeback_offer == me) return step;
        if (ply() < reach(*side))
            return Error{Refusal{409, "too_early", "There is no move of yours to take back."}};
        record_.takeback_offer = me;
    }
    record_.updated_at = now.wall;
    GameEvent& event = add_event(step, GameEvent::Kind::Offer, now);
    event.what = "takeback";
    event.side = action == OfferAction::Offer ? me : other;
    event.action = action == OfferAction::Offer ? "offer" : "decline";
    return step;
}

void LiveGame::note_help(Step& step, Moment now) {
    if (std::exchange(record_.assisted, true)) return;
    record_.updated_at = now.wall;
    add_event(step, GameEvent::Kind::Assisted, now);
}

StepResult LiveGame::mark_assisted(std::string_view player_id, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (!playing()) return game_over();
    if (record_.settings.kind == GameKind::Person)
        return Error{Refusal{409, "no_help", "There is no help in games between people."}};
    Step step = new_step();
    note_help(step, now);
    return step;
}

StepResult LiveGame::claim(std::string_view player_id, bool win, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (!playing()) return game_over();
    const auto wait = claim_in(~*side, now.steady);
    if (!wait || *wait > 0)
        return Error{Refusal{409, "opponent_here", "Your opponent has not been away long enough."}};
    Step step = new_step();
    if (win) {
        game_.abandon(~*side);
    } else {
        game_.agree_draw();
    }
    finish(step, now);
    return step;
}

StepResult LiveGame::join(const SeatRecord& player, Moment now) {
    if (record_.status != GameStatus::Waiting) {
        if (seats_of(player.player_id).any()) return new_step();
        return Error{Refusal{409, "seat_taken", "Both seats are taken; you can watch."}};
    }
    if (seats_of(player.player_id).any())
        return Error{Refusal{409, "own_game", "You cannot play against yourself here."}};
    if (!record_.invited.empty() && !invites(player.player_id))
        return Error{Refusal{403, "not_invited", "This challenge is for somebody else."}};
    Step step = new_step();
    SeatRecord& open = record_.white.kind == SeatKind::Open ? record_.white : record_.black;
    open = player;
    record_.status = GameStatus::Playing;
    turn_began_ = now.steady;
    step.seats_changed = true;
    update_row(now);
    GameEvent& event = add_event(step, GameEvent::Kind::Start, now);
    event.white = record_.white;
    event.black = record_.black;
    return step;
}

StepResult LiveGame::decline(std::string_view player_id, Moment now) {
    if (!invites(player_id))
        return Error{Refusal{403, "not_invited", "This challenge is for somebody else."}};
    if (record_.status != GameStatus::Waiting) {
        if (record_.reason == "declined") return new_step();
        return Error{Refusal{409, "too_late", "This challenge has been answered."}};
    }
    Step step = new_step();
    game_.abort();
    finish(step, now, "declined");
    return step;
}

Step LiveGame::withdraw(Moment now) {
    Step step = new_step();
    if (record_.status != GameStatus::Waiting) return step;
    game_.abort();
    finish(step, now);
    return step;
}

StepResult LiveGame::offer_rematch(std::string_view player_id, OfferAction action, Moment now) {
    const auto side = acting_side(player_id);
    if (!side) return Error{side.error()};
    if (!over()) return Error{Refusal{409, "game_running", "The game is still going on."}};
    Step step = new_step();
    if (!record_.rematch.empty()) return step;
    const std::string me = word(*side), other = word(~*side);
    const SeatRecord& opponent = *side == Color::White ? record_.black : record_.white;
    const bool offered_to_me = record_.rematch_offer == other && opponent.kind != SeatKind::Deleted;
    if (record_.settings.kind != GameKind::Person ||
        (offered_to_me && (action == OfferAction::Offer || action == OfferAction::Accept))) {
        rematch_agreed_ = true;
        return step;
    }
    if (action == OfferAction::Offer) {
        if (record_.rematch_offer == me) return step;
        if (record_.white.kind == SeatKind::Open || record_.black.kind == SeatKind::Open)
            return Error{Refusal{409, "nobody_there", "Nobody had joined this game."}};
        if (record_.white.kind == SeatKind::Deleted || record_.black.kind == SeatKind::Deleted)
            return Error{Refusal{409, "nobody_there", "Your opponent's account is deleted."}};
        record_.rematch_offer = me;
    } else {
        if (!offered_to_me) return nothing_offered();
        record_.rematch_offer.clear();
    }
    record_.updated_at = now.wall;
    GameEvent& event = add_event(step, GameEvent::Kind::Offer, now);
    event.what = "rematch";
    event.side = action == OfferAction::Offer ? me : other;
    event.action = action == OfferAction::Offer ? "offer" : "decline";
    return step;
}

Step LiveGame::link_rematch(const std::string& next, Moment now) {
    Step step = new_step();
    rematch_agreed_ = false;
    record_.rematch = next;
    record_.rematch_offer.clear();
    record_.updated_at = now.wall;
    GameEvent& event = add_event(step, GameEvent::Kind::Rematch, now);
    event.next = next;
    return step;
}

void LiveGame::adopt(std::string_view guest_id, const SeatRecord& user) {
    for (SeatRecord* seat : {&record_.white, &record_.black}) {
        if (seat->player_id != guest_id) continue;
        seat->player_id = user.player_id;
        if (seat->kind != SeatKind::Guest) continue;
        seat->kind = SeatKind::User;
        seat->name = user.name;
    }
}

Step LiveGame::erase(std::string_view player_id, Moment now) {
    Step step = new_step();
    for (SeatRecord* seat : {&record_.white, &record_.black}) {
        if (seat->player_id != player_id) continue;
        *seat = SeatRecord{};
        seat->kind = SeatKind::Deleted;
    }
    const bool waiting = record_.status == GameStatus::Waiting;
    const bool challenge = waiting && invites(player_id);
    if (invites(player_id)) {
        record_.invited.clear();
        record_.invited_name.clear();
        record_.invited_bot = false;
    }
    // Also when it was read from disk after the deletion.
    const Seats gone{record_.white.kind == SeatKind::Deleted,
                     record_.black.kind == SeatKind::Deleted};
    if (over() || (!gone.any() && !challenge)) return step;
    step.seats_changed = true;
    premove_.reset();
    // A game that has hardly begun, or was one player's alone, has no winner.
    const bool alone = (gone.white && gone.black) || record_.settings.kind == GameKind::Page;
    if (waiting || ply() < 2 || alone) {
        game_.abort();
    } else {
        game_.abandon(gone.white ? Color::White : Color::Black);
    }
    finish(step, now, challenge ? "declined" : "");
    return step;
}

void LiveGame::set_connected(Color side, bool connected, bool on_purpose, Millis steady) {
    left_on_purpose_[side] = !connected && on_purpose;
    if (connected) {
        gone_since_[side].reset();
    } else if (!gone_since_[side]) {
        gone_since_[side] = steady;
    }
}

std::optional<Millis> LiveGame::claim_in(Color side, Millis steady) const {
    const SeatRecord& seat = side == Color::White ? record_.white : record_.black;
    if (playing() && record_.settings.kind == GameKind::Person && seat.kind == SeatKind::Deleted)
        return 0;  // will never come back
    // Without a clock there is no hurry: people come back days later.
    if (!playing() || record_.settings.kind != GameKind::Person || !clock_.exists() || ply() < 2)
        return std::nullopt;
    if (!gone_since_[side]) return std::nullopt;
    const Millis length = clock_.estimated_length();
    const Millis factor = length >= 25 * 60'000  ? 10
                          : length >= 8 * 60'000 ? 4
                          : length >= 3 * 60'000 ? 2
                                                 : 1;
    const Millis patience = left_on_purpose_[side] ? 10'000 : 30'000 * factor;
    return std::max<Millis>(0, *gone_since_[side] + patience - steady);
}

}  // namespace rokada::server
