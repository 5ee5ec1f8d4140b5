// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/game_play.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "chess/notation/parse_error.hpp"

namespace rokada::lab {

namespace {

using protocol::Reply;
using protocol::ReplyKind;
using protocol::SteadyTime;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::string_view color_name(Color color) { return color == Color::White ? "White" : "Black"; }

class Referee {
  public:
    Referee(const PerColor<Seat>& seats, const Opening& opening, bool chess960,
            const PlaySettings& settings)
        : seats_(seats),
          opening_(opening),
          settings_(settings),
          game_(opening.start),
          adjudicator_(settings.adjudication),
          clocks_{
              {Clock(seats[Color::White].spec->terms), Clock(seats[Color::Black].spec->terms)}} {
        record_.start = opening.start;
        record_.chess960 = chess960;
        record_.begun = std::chrono::system_clock::now();
        for (const Color color : kColors) {
            record_.names[color] = seats[color].spec->name;
            record_.terms[color] = seats[color].spec->terms;
        }
    }

    GameRecord play() {
        if (!set_up()) return std::move(record_);
        while (!finished_ && !game_.over()) {
            make_move();
            if (settings_.on_ply) settings_.on_ply(static_cast<int>(record_.moves.size()));
        }
        if (!finished_) end_by_rules();
        for (const Color color : kColors) seats_[color].driver->game_over(game_.outcome());
        return std::move(record_);
    }

  private:
    bool set_up() {
        for (const Color color : kColors) {
            protocol::GameStart start{opening_.start, record_.chess960, seats_[color].spec->terms,
                                      seats_[~color].spec->name};
            if (auto problem = seats_[color].driver->new_game(start)) {
                lose(color, Ending::StartFailure,
                     fmt::format("{} cannot begin: {}", color_name(color), *problem));
                return false;
            }
        }
        for (const Move move : opening_.moves) {
            if (!game_.play(move)) break;
            for (const Color color : kColors) seats_[color].driver->play(move);
            PlayedMove played;
            played.move = move;
            played.book = true;
            record_.moves.push_back(played);
        }
        return true;
    }

    void make_move() {
        const Color mover = game_.position().turn();
        Clock& clock = clocks_[mover];
        protocol::TurnLimits limits;
        const auto left = clock.left();
        // The engine is never told of time it does not have.
        if (seats_[mover].spec->terms.base) limits.clock = clock_times(mover);
        const auto patience =
            left ? *left + nanoseconds(seats_[mover].spec->margin) + settings_.flag_grace
                 : nanoseconds(settings_.hang_patience);
        limits.deadline = std::chrono::steady_clock::now() + patience;
        limits.draw_offered = draw_offered_[~mover];
        const Reply reply = seats_[mover].driver->think(limits);
        record_.thinking[mover] += reply.elapsed;
        draw_offered_[mover] = reply.offers_draw;
        // An answer that comes too late is that, whatever it says.
        const bool answered = reply.kind == ReplyKind::Move || reply.kind == ReplyKind::Illegal ||
                              reply.kind == ReplyKind::DrawClaim ||
                              reply.kind == ReplyKind::FalseClaim;
        if (answered && clock.fallen(reply.elapsed, seats_[mover].spec->margin))
            return lose_on_time(mover, reply.elapsed - *left);
        if (reply.kind != ReplyKind::Move) return end_by_reply(mover, reply);
        clock.spend(reply.elapsed);
        game_.play(reply.move);
        seats_[~mover].driver->play(reply.move);
        record_.moves.push_back({reply.move, false, reply.thought.score, reply.thought.depth,
                                 reply.thought.nodes, reply.elapsed, clock.left()});
        if (game_.over()) return;
        if (draw_offered_[mover] && draw_offered_[~mover]) {
            game_.agree_draw();
            return finish(std::nullopt, Ending::Agreement, "Draw by agreement");
        }
        adjudicate(mover, reply);
    }

    engine::ClockTimes clock_times(Color mover) const {
        engine::ClockTimes times;
        for (const Color color : kColors) {
            const GameTerms& terms = seats_[color].spec->terms;
            const auto left = clocks_[color].left().value_or(nanoseconds(0));
            times.left[color] = std::chrono::duration_cast<milliseconds>(left);
            times.increment[color] = terms.increment.value_or(milliseconds(0));
        }
        times.moves_to_go = clocks_[mover].moves_to_go();
        return times;
    }

    // What the tables know is decided; they count from a fifty-move clock of zero.
    bool adjudicate_by_tables() {
        const Position& position = game_.position();
        if (!settings_.tablebases || position.halfmove_clock() != 0 ||
            position.occupied().count() > settings_.tablebases->largest())
            return false;
        const auto result = settings_.tablebases->result(position);
        if (!result) return false;
        std::optional<Color> winner;
        if (*result == engine::TableResult::Win) winner = position.turn();
        if (*result == engine::TableResult::Loss) winner = ~position.turn();
        game_.adjudicate(winner);
        finish(winner, Ending::Adjudication,
               winner ? fmt::format("{} wins by adjudication (tablebase)", color_name(*winner))
                      : std::string("Draw by adjudication (tablebase)"));
        return true;
    }

    void adjudicate(Color mover, const Reply& reply) {
        if (adjudicate_by_tables()) return;
        const bool irreversible = game_.position().halfmove_clock() == 0;
        const auto judgement = adjudicator_.after_move(
            mover, reply.thought.score, game_.position().fullmove_number(), irreversible);
        if (!judgement) return;
        game_.adjudicate(judgement->winner);
        finish(judgement->winner, Ending::Adjudication,
               judgement->winner
                   ? fmt::format("{} wins by adjudication", color_name(*judgement->winner))
                   : std::string("Draw by adjudication"));
    }

    void end_by_reply(Color mover, const Reply& reply) {
        const std::string who(color_name(mover));
        switch (reply.kind) {
            case ReplyKind::Move: return;
            case ReplyKind::Cancelled:
                record_.reason = "stopped";
                finished_ = true;
                return;
            case ReplyKind::Resign:
                game_.resign(mover);
                return finish(~mover, Ending::Resignation, who + " resigns");
            case ReplyKind::DrawClaim:
                if (game_.repetitions() >= 3 || game_.position().halfmove_clock() >= 100)
                    return finish(std::nullopt, Ending::Rules, "Draw by claim");
                return lose(mover, Ending::FalseClaim, who + " claims a draw that is none");
            case ReplyKind::FalseClaim:
                return lose(mover, Ending::FalseClaim, who + " claims a win that is none");
            case ReplyKind::Illegal:
                return lose(mover, Ending::IllegalMove,
                            fmt::format("{} makes an illegal move: {}", who, quoted(reply.text)));
            case ReplyKind::Crash:
                return lose(mover, Ending::Crash, fmt::format("{}'s engine {}", who, reply.text));
            case ReplyKind::Garbage:
                return lose(mover, Ending::Garbage,
                            fmt::format("{} breaks the protocol: {}", who, quoted(reply.text)));
            case ReplyKind::Silence: break;
        }
        if (const auto left = clocks_[mover].left()) {
            record_.culprit = mover;
            return lose_on_time(mover, reply.elapsed - *left);
        }
        lose(mover, Ending::Hang, who + "'s engine does not answer");
    }

    void lose_on_time(Color mover, nanoseconds late) {
        game_.flag_fell(mover);
        const bool drawn = game_.outcome() && !game_.outcome()->winner;
        finish(drawn ? std::nullopt : std::optional(~mover), Ending::TimeLoss,
               fmt::format("{} {} ({:.3f} ms too late)", color_name(mover),
                           drawn ? "oversteps the time, but cannot be mated" : "loses on time",
                           static_cast<double>(late.count()) / 1e6));
    }

    void end_by_rules() {
        const Outcome& outcome = *game_.outcome();
        record_.winner = outcome.winner;
        record_.ending = Ending::Rules;
        if (outcome.reason == EndReason::Checkmate)
            record_.reason = std::string(color_name(*outcome.winner)) + " mates";
        else
            record_.reason = "Draw by " + std::string(to_string(outcome.reason));
        finished_ = true;
    }

    void finish(std::optional<Color> winner, Ending ending, std::string reason) {
        record_.winner = winner;
        record_.ending = ending;
        record_.reason = std::move(reason);
        finished_ = true;
    }
    void lose(Color who, Ending ending, std::string reason) {
        game_.adjudicate(~who);
        record_.culprit = who;
        finish(~who, ending, std::move(reason));
    }

    const PerColor<Seat>& seats_;
    const Opening& opening_;
    const PlaySettings& settings_;
    Game game_;
    Adjudicator adjudicator_;
    PerColor<Clock> clocks_;
    PerColor<bool> draw_offered_{};
    GameRecord record_;
    bool finished_ = false;
};

}  // namespace

std::string_view GameRecord::result() const {
    if (ending == Ending::Cancelled) return "*";
    if (!winner) return "1/2-1/2";
    return *winner == Color::White ? "1-0" : "0-1";
}

Ending ending_from_reason(std::string_view reason) {
    const auto has = [reason](std::string_view part) {
        return reason.find(part) != std::string_view::npos;
    };
    if (has(" breaks the protocol: ")) return Ending::Garbage;
    if (has("loses on time") || has("oversteps the time")) return Ending::TimeLoss;
    if (has("makes an illegal move")) return Ending::IllegalMove;
    if (has("cannot start") || has("cannot begin")) return Ending::StartFailure;
    if (has("'s engine does not answer")) return Ending::Hang;
    if (has("'s engine ")) return Ending::Crash;
    if (has(" that is none")) return Ending::FalseClaim;
    if (has("by adjudication")) return Ending::Adjudication;
    return Ending::Rules;
}

GameRecord play_game(const PerColor<Seat>& seats, const Opening& opening, bool chess960,
                     const PlaySettings& settings) {
    return Referee(seats, opening, chess960, settings).play();
}

}  // namespace rokada::lab
