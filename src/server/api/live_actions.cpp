// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/live_actions.hpp"

#include <array>

#include "server/api/game_access.hpp"
#include "server/api/live_out.hpp"
#include "server/api/relay.hpp"

namespace rokada::server {
namespace {

using Kind = LiveMessage::Kind;

// After these the client's board is wrong.
bool needs_snapshot(const std::string& code) {
    return code == "not_your_turn" || code == "wrong_ply" || code == "illegal_move" ||
           code == "conflict" || code == "game_over";
}

StepResult hold_premove(LiveGame& game, const LiveCall& call) {
    const LiveMessage& m = call.message;
    const std::string& me = call.who->player_id;
    // The opponent was quicker: it is an ordinary move now.
    if (m.ply <= game.ply() + 1 && !m.uci.empty())
        return game.play(me, m.ply, m.uci, false, call.arrived, 0);
    if (const auto refusal = game.hold_premove({me, m.uci, m.ply})) return Error{*refusal};
    Step nothing;
    nothing.version_before = game.record().version;
    return nothing;
}

StepResult apply(LiveGame& game, const LiveCall& call, Moment now) {
    const LiveMessage& m = call.message;
    const std::string& me = call.who->player_id;
    switch (m.kind) {
        case Kind::Move: return game.play(me, m.ply, m.uci, m.draw, call.arrived, call.lag);
        case Kind::Premove: return hold_premove(game, call);
        case Kind::Resign: return game.resign(me, m.side, now);
        case Kind::Abort: return game.abort(me, now);
        case Kind::Draw: return game.draw(me, m.action, now);
        case Kind::Takeback: return game.takeback(me, m.action, now);
        case Kind::Claim: return game.claim(me, m.win, now);
        case Kind::Chat: return game.chat(me, m.text, now);
        case Kind::Mute: return game.mute(me, m.on, now);
        default: return Error{Refusal{400, "bad_message", "Nothing a game can do."}};
    }
}

void say(const LiveReply& reply, std::string text) { reply({&text, 1}); }

}  // namespace

void refuse(const LiveCall& call, const Refusal& refusal, const LiveReply& reply) {
    say(reply, live_out::error(call.message.id, call.message.game, refusal.code, refusal.detail));
}

void perform_here(ApiServices& api, const std::shared_ptr<GameActor>& actor, LiveCallPtr call,
                  LiveReply reply) {
    const LiveMessage& m = call->message;
    if (m.kind == Kind::Move) actor->set_lag(call->who->player_id, call->lag);
    if (api.relay != nullptr) api.relay->excuse(m.game, call->who->player_id);
    GameActor::Answer answer = [&api, call, reply = std::move(reply), begun = net::Clock::now()](
                                   const LiveGame& game, const std::optional<Refusal>& refusal) {
        const Millis steady = api.time->now().steady;
        const LiveMessage& asked = call->message;
        const bool move = asked.kind == Kind::Move || asked.kind == Kind::Premove;
        if (refusal && refusal->code == "elsewhere") {
            if (call->relayed) return reply({});
            if (api.relay != nullptr) return api.relay->again(call, reply);
        }
        if (refusal) {
            std::array<std::string, 2> texts{
                live_out::error(asked.id, asked.game, refusal->code, refusal->detail)};
            const bool wrong_board = needs_snapshot(refusal->code) && may_see(game, *call->who);
            if (wrong_board) texts[1] = live_out::snapshot(game, call->who->player_id, steady);
            return reply(std::span(texts).first(wrong_board ? 2 : 1));
        }
        if (asked.kind == Kind::Premove && game.ply() < asked.ply)
            return say(reply, live_out::held(asked.id, asked.game, asked.ply));
        if (move) api.metrics->move_acknowledged.add(net::Clock::now() - begun);
        say(reply, live_out::ack(asked.id, game, move ? asked.ply : game.ply(), steady));
    };
    if (m.kind == Kind::Rematch)
        return api.games->rematch(actor, call->who->player_id, m.action, std::move(answer));
    ReplyAddress answers = call->answers;
    actor->act(
        [call = std::move(call)](LiveGame& game, Moment now) { return apply(game, *call, now); },
        std::move(answer), std::move(answers));
}

void perform(ApiServices& api, LiveCallPtr call, LiveReply reply) {
    const std::string& game = call->message.game;
    const GamePlace place = api.games->known(game);
    if (place.actor) return perform_here(api, place.actor, std::move(call), std::move(reply));
    if (!place.owner.empty() && api.relay != nullptr)
        return api.relay->pass_on(call, std::move(reply), place.owner);
    api.games->find(game,
                    [&api, call, reply = std::move(reply)](const std::shared_ptr<GameActor>& actor,
                                                           const std::optional<Refusal>& refusal) {
                        if (actor) return perform_here(api, actor, call, reply);
                        if (refusal->owner.empty() || api.relay == nullptr)
                            return refuse(*call, *refusal, reply);
                        api.relay->pass_on(call, reply, refusal->owner);
                    });
}

}  // namespace rokada::server
