// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/live_socket.hpp"

#include <algorithm>

#include "server/api/game_access.hpp"
#include "server/api/live_out.hpp"
#include "server/app/settings.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

// Enough for bullet chess by hand, far too little to hurt: 100 messages in 20 s for players.
constexpr double kRefillSeconds = 20;
// Lag changes slowly; a ping with every move of a time scramble would only add to it.
constexpr auto kPingPause = std::chrono::seconds(2);

// After these the client's board is wrong.
bool needs_snapshot(const std::string& code) {
    return code == "not_your_turn" || code == "wrong_ply" || code == "illegal_move" ||
           code == "conflict" || code == "game_over";
}

}  // namespace

LiveSocket::LiveSocket(ApiServices& api, EventBus& bus, Identity identity)
    : api_(api), bus_(bus), identity_(std::move(identity)) {}

void LiveSocket::open(const net::WebSocketPtr& socket) {
    socket_ = socket;
    send(live_out::hello(identity_, api_.time->now().wall));
    measure_lag();
}

void LiveSocket::send(std::string text) { socket_->send(std::move(text)); }

void LiveSocket::send_error(const std::string& id, const std::string& game, const std::string& code,
                            const std::string& detail) {
    send(live_out::error(id, game, code, detail));
}

void LiveSocket::end(net::CloseCode code, std::string_view reason) {
    if (socket_) socket_->close(code, reason);
}

Millis LiveSocket::lag() const {
    const auto trip = socket_->round_trip();
    return trip ? std::chrono::duration_cast<net::Milliseconds>(*trip).count() : 0;
}

void LiveSocket::measure_lag() {
    const auto now = net::Clock::now();
    if (pinged_ != net::Clock::time_point() && now - pinged_ < kPingPause) return;
    pinged_ = now;
    socket_->ping();
}

bool LiveSocket::within_rate() {
    const double most = api_.throttles->live_messages;
    const double burst = identity_.known() ? most : most / 2;
    const auto now = net::Clock::now();
    const double passed = std::chrono::duration<double>(now - refilled_).count();
    refilled_ = now;
    tokens_ = std::min(burst, tokens_ + passed * burst / kRefillSeconds);
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
}

void LiveSocket::receive(std::string_view text) {
    if (!within_rate()) return end(net::CloseCode::kPolicy, "too many messages");
    if (text.size() > 4096) return end(net::CloseCode::kTooBig, "message too long");
    const auto message = read_live_message(text);
    if (!message) return send_error(message.error().id, "", "bad_message", message.error().detail);
    handle(*message);
}

void LiveSocket::handle(const LiveMessage& m) {
    using Kind = LiveMessage::Kind;
    const std::string& me = identity_.player_id;
    switch (m.kind) {
        case Kind::Ping: return send(live_out::pong(m.n, api_.time->now().wall));
        case Kind::Watch: return watch(m.game, m.version);
        case Kind::Leave: return leave(m.game, true);
        case Kind::Games: return follow_games(m.on);
        case Kind::Move: {
            // The clock stops when the move arrives.
            const Moment arrived = api_.time->now();
            const Millis measured = lag();
            measure_lag();
            return act(m, [m, me, arrived, measured](LiveGame& game, Moment) {
                return game.play(me, m.ply, m.uci, m.draw, arrived, measured);
            });
        }
        case Kind::Resign:
            return act(m, [me, side = m.side](LiveGame& game, Moment now) {
                return game.resign(me, side, now);
            });
        case Kind::Abort:
            return act(m, [me](LiveGame& game, Moment now) { return game.abort(me, now); });
        case Kind::Draw:
            return act(m, [me, action = m.action](LiveGame& game, Moment now) {
                return game.draw(me, action, now);
            });
        case Kind::Takeback:
            return act(m, [me, action = m.action](LiveGame& game, Moment now) {
                return game.takeback(me, action, now);
            });
        case Kind::Claim:
            return act(m, [me, win = m.win](LiveGame& game, Moment now) {
                return game.claim(me, win, now);
            });
        case Kind::Chat: return chat(m);
        case Kind::Premove: return premove(m);
        case Kind::Mute:
            return act(
                m, [me, on = m.on](LiveGame& game, Moment now) { return game.mute(me, on, now); });
        case Kind::Rematch:
            return with_game(
                m.game, m.id,
                [self = shared_from_this(), m](const std::shared_ptr<GameActor>& actor) {
                    self->api_.games->rematch(actor, self->identity_.player_id, m.action,
                                              self->answer_to(m));
                });
    }
}

void LiveSocket::chat(const LiveMessage& message) {
    if (!api_.settings->get().chat)
        return send_error(message.id, message.game, "chat_off", "Chat is off on this server.");
    const auto verdict = api_.throttles->chat.take(identity_.player_id);
    if (!verdict.allowed)
        return send_error(message.id, message.game, "too_many_requests", "Not so fast.");
    act(message, [me = identity_.player_id, text = message.text](LiveGame& game, Moment now) {
        return game.chat(me, text, now);
    });
}

void LiveSocket::premove(const LiveMessage& m) {
    if (!identity_.known())
        return send_error(m.id, m.game, "not_a_player", "You do not play here.");
    const Moment arrived = api_.time->now();
    with_game(m.game, m.id,
              [self = shared_from_this(), m, arrived](const std::shared_ptr<GameActor>& actor) {
                  actor->act(
                      [self, m, arrived](LiveGame& game, Moment) -> StepResult {
                          const std::string& me = self->identity_.player_id;
                          // The opponent was quicker: it is an ordinary move now.
                          if (m.ply <= game.ply() + 1 && !m.uci.empty())
                              return game.play(me, m.ply, m.uci, false, arrived, 0);
                          if (const auto refusal = game.hold_premove({me, m.uci, m.ply}))
                              return Error{*refusal};
                          Step nothing;
                          nothing.version_before = game.record().version;
                          return nothing;
                      },
                      [self, m](const LiveGame& game, const std::optional<Refusal>& refusal) {
                          if (!refusal && game.ply() < m.ply)
                              return self->send(live_out::held(m.id, m.game, m.ply));
                          LiveMessage as_move = m;
                          as_move.kind = LiveMessage::Kind::Move;
                          self->answer_to(as_move)(game, refusal);
                      });
              });
}

void LiveSocket::with_game(const std::string& game, const std::string& message_id,
                           std::function<void(const std::shared_ptr<GameActor>&)> next) {
    api_.games->find(
        game, [self = shared_from_this(), game, message_id, next = std::move(next)](
                  const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>& refusal) {
            if (refusal) return self->send_error(message_id, game, refusal->code, refusal->detail);
            next(actor);
        });
}

GameActor::Answer LiveSocket::answer_to(const LiveMessage& message) {
    return [self = shared_from_this(), message, begun = net::Clock::now()](
               const LiveGame& game, const std::optional<Refusal>& refusal) {
        const Millis steady = self->api_.time->now().steady;
        if (!refusal) {
            if (message.kind == LiveMessage::Kind::Move)
                self->api_.metrics->move_acknowledged.add(net::Clock::now() - begun);
            const int ply = message.kind == LiveMessage::Kind::Move ? message.ply : game.ply();
            return self->send(live_out::ack(message.id, game, ply, steady));
        }
        self->send_error(message.id, message.game, refusal->code, refusal->detail);
        if (needs_snapshot(refusal->code) && may_see(game, self->identity_))
            self->send(live_out::snapshot(game, self->identity_.player_id, steady));
    };
}

void LiveSocket::act(const LiveMessage& message, GameActor::Action action) {
    if (!identity_.known())
        return send_error(message.id, message.game, "not_a_player", "You do not play here.");
    with_game(message.game, message.id,
              [self = shared_from_this(), message,
               action = std::move(action)](const std::shared_ptr<GameActor>& actor) {
                  if (message.kind == LiveMessage::Kind::Move)
                      actor->set_lag(self->identity_.player_id, self->lag());
                  actor->act(action, self->answer_to(message));
              });
}

void LiveSocket::watch(const std::string& game, std::optional<std::int64_t> version) {
    {
        const std::lock_guard lock(mutex_);
        if (feeds_.count(game) == 0) {
            if (feeds_.size() >= kMostFeeds) {
                send_error("", game, "too_many_games", "Leave another game first.");
                return;
            }
            Feed& feed = feeds_[game];
            feed.subscription =
                bus_.subscribe(game, [weak = weak_from_this(), game](const BusMessage& message) {
                    if (const auto self = weak.lock()) self->on_event(game, message);
                });
        }
        feeds_[game].ready = false;
    }
    api_.games->find(
        game, [self = shared_from_this(), game, version](const std::shared_ptr<GameActor>& actor,
                                                         const std::optional<Refusal>& refusal) {
            if (refusal) {
                self->send_error("", game, refusal->code, refusal->detail);
                return self->leave(game, false);
            }
            actor->look([self, game, version, actor](const LiveGame& live) {
                if (!may_see(live, self->identity_)) {
                    self->send_error("", game, "not_found", "There is no such game.");
                    return self->leave(game, false);
                }
                bool enters = false;
                {
                    const std::lock_guard lock(self->mutex_);
                    const auto feed = self->feeds_.find(game);
                    if (feed == self->feeds_.end()) return;
                    enters = feed->second.actor.lock() != actor;
                    feed->second.actor = actor;
                }
                if (enters) actor->enter(self->identity_.player_id);
                const Millis steady = self->api_.time->now().steady;
                if (version && *version == live.record().version) {
                    self->send(live_out::watching(live, steady));
                    self->begin_feed(game, *version);
                } else if (version && *version < live.record().version) {
                    self->send_events(game, actor, *version);
                } else {
                    self->send(live_out::snapshot(live, self->identity_.player_id, steady));
                    self->begin_feed(game, live.record().version);
                }
            });
        });
}

void LiveSocket::send_events(const std::string& game, const std::shared_ptr<GameActor>& actor,
                             std::int64_t after) {
    const bool taken = api_.workers->try_post([self = shared_from_this(), game, actor, after] {
        std::vector<EventRecord> events;
        try {
            const Turns turns = self->api_.store->writer().waiting_turns(game);
            events = self->api_.store->read(
                [&](Session& session) { return games_table::events_after(session, game, after); });
            add_turns(events, after, turns);
        } catch (const StoreError&) {
            return self->send_error("", game, "store_unavailable", "Try again.");
        }
        std::int64_t version = after;
        for (EventRecord& event : events) {
            self->send(std::move(event.message));
            version = event.version;
        }
        self->begin_feed(game, version);
        actor->look([self](const LiveGame& live) {
            self->send(live_out::watching(live, self->api_.time->now().steady));
        });
    });
    if (!taken) send_error("", game, "busy", "Try again.");
}

void LiveSocket::begin_feed(const std::string& game, std::int64_t version) {
    std::vector<BusMessage> waiting;
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end()) return;
        found->second.version = version;
        found->second.ready = true;
        waiting.swap(found->second.waiting);
    }
    for (const BusMessage& message : waiting) on_event(game, message);
}

void LiveSocket::on_event(const std::string& game, const BusMessage& message) {
    std::int64_t resume_from = -1;
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end() || closed_) return;
        Feed& feed = found->second;
        if (!feed.ready) {
            if (feed.waiting.size() < kMostWaiting) feed.waiting.push_back(message);
            return;
        }
        if (message.gap) {
            resume_from = feed.version;
        } else if (message.version != 0) {
            if (message.version <= feed.version) return;
            if (message.version == feed.version + 1) {
                feed.version = message.version;
            } else {
                resume_from = feed.version;
            }
        }
        // Sent under the lock, so that events of one game keep their order.
        if (resume_from < 0) socket_->send(message.text);
    }
    if (resume_from >= 0) watch(game, resume_from);
}

void LiveSocket::leave(const std::string& game, bool on_purpose) {
    Feed feed;
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end()) return;
        feed = std::move(found->second);
        feeds_.erase(found);
    }
    if (const auto actor = feed.actor.lock()) actor->leave(identity_.player_id, on_purpose);
}

void LiveSocket::follow_games(bool on) {
    lists_.clear();
    if (!on) return;
    lists_.push_back(bus_.subscribe("games", [weak = weak_from_this()](const BusMessage& message) {
        const auto self = weak.lock();
        if (!self || message.gap) return;
        const std::string& me = self->identity_.player_id;
        if (!me.empty() && message.players.find(me) != std::string::npos) return;
        self->socket_->send(message.text);
    }));
    if (identity_.known())
        lists_.push_back(bus_.subscribe("player:" + identity_.player_id,
                                        [weak = weak_from_this()](const BusMessage& message) {
                                            const auto self = weak.lock();
                                            if (self && !message.gap)
                                                self->socket_->send(message.text);
                                        }));
}

void LiveSocket::close() {
    std::unordered_map<std::string, Feed> feeds;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        feeds.swap(feeds_);
    }
    lists_.clear();
    for (auto& [game, feed] : feeds)
        if (const auto actor = feed.actor.lock()) actor->leave(identity_.player_id, false);
}

}  // namespace rokada::server
