// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/live_socket.hpp"

#include <algorithm>
#include <utility>

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
constexpr auto kLoadPause = std::chrono::seconds(1);

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
    auto message = read_live_message(text);
    if (!message) return send_error(message.error().id, "", "bad_message", message.error().detail);
    if (api_.relay != nullptr) message->source = text;
    handle(std::move(*message));
}

void LiveSocket::handle(LiveMessage&& m) {
    using Kind = LiveMessage::Kind;
    switch (m.kind) {
        case Kind::Ping: return send(live_out::pong(m.n, api_.time->now().wall));
        case Kind::Watch: return watch(m.game, m.version);
        case Kind::Leave: return leave(m.game, true);
        case Kind::Games: return follow_games(m.on);
        case Kind::Chat: return chat(std::move(m));
        default: return act(std::move(m));
    }
}

void LiveSocket::chat(LiveMessage&& message) {
    if (!api_.settings->get().chat)
        return send_error(message.id, message.game, "chat_off", "Chat is off on this server.");
    const auto verdict = api_.throttles->chat.take(identity_.player_id);
    if (!verdict.allowed)
        return send_error(message.id, message.game, "too_many_requests", "Not so fast.");
    act(std::move(message));
}

void LiveSocket::act(LiveMessage&& message) {
    if (!identity_.known())
        return send_error(message.id, message.game, "not_a_player", "You do not play here.");
    if (!identity_.covers(Scope::Play))
        return send_error(message.id, message.game, "scope", "This token may not play.");
    if (message.kind == LiveMessage::Kind::Move) measure_lag();
    const auto self = shared_from_this();
    auto call = std::make_shared<LiveCall>();
    call->message = std::move(message);
    call->follows = api_.relay != nullptr && follows(call->message.game);
    call->who = {self, &identity_};
    call->arrived = api_.time->now();
    call->lag = lag();
    perform(api_, std::move(call), [self](std::span<std::string> texts) {
        for (std::string& text : texts) self->send(std::move(text));
    });
}

void LiveSocket::watch(const std::string& game, std::optional<std::int64_t> version) {
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        if (feeds_.count(game) == 0) {
            if (feeds_.size() >= kMostFeeds) {
                send_error("", game, "too_many_games", "Leave another game first.");
                return;
            }
            Feed& feed = feeds_[game];
            feed.attendance = std::make_shared<Attendance>(api_, game, identity_.player_id);
            feed.subscription =
                bus_.subscribe(game, [weak = weak_from_this(), game](const BusMessage& message) {
                    if (const auto self = weak.lock()) self->on_event(game, message);
                });
        }
        Feed& feed = feeds_[game];
        if (feed.load != 0) {
            feed.wanted = version;
            return;
        }
        number = feed.load = ++loads_;
    }
    load(game, number, version);
}

void LiveSocket::resume(const std::string& game) {
    std::uint64_t number = 0;
    std::int64_t from = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end() || closed_) return;
        Feed& feed = found->second;
        if (feed.load != 0) {
            feed.again = true;
            return;
        }
        number = feed.load = ++loads_;
        from = feed.version;
    }
    load(game, number, from);
}

void LiveSocket::load(const std::string& game, std::uint64_t number,
                      std::optional<std::int64_t> version) {
    api_.games->look(
        game, [self = shared_from_this(), game, number, version](
                  const LiveGame* live, const GamePlace& place, const Refusal& refusal) {
            const auto attendance = self->attendance(game, number);
            if (!attendance) return;
            if (live == nullptr && refusal.status == 503)
                return self->load_later(game, number, version);
            if (live == nullptr || !may_see(*live, self->identity_)) {
                self->send_error("", game, "not_found", "There is no such game.");
                return self->leave(game, false);
            }
            attendance->at(place, [weak = self->weak_from_this(), game](auto there) {
                if (const auto socket = weak.lock()) socket->catch_up(game, there);
            });
            const Millis steady = self->api_.time->now().steady;
            if (version && *version == live->record().version) {
                self->send(live_out::watching(*live, steady));
                self->begin_feed(game, number, *version);
            } else if (version && *version < live->record().version) {
                self->send_events(game, number, *version);
            } else {
                self->send(live_out::snapshot(*live, self->identity_.player_id, steady));
                self->begin_feed(game, number, live->record().version);
            }
        });
}

// The database is away or the server is busy: it goes on when that is over.
void LiveSocket::load_later(const std::string& game, std::uint64_t number,
                            std::optional<std::int64_t> version) {
    const auto timer = std::make_shared<net::Timer>(api_.loops->next());
    timer->start(kLoadPause, [timer, weak = weak_from_this(), game, number, version] {
        const auto self = weak.lock();
        if (self && self->attendance(game, number)) self->load(game, number, version);
    });
}

// Null when that load is no longer wanted.
std::shared_ptr<Attendance> LiveSocket::attendance(const std::string& game, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = feeds_.find(game);
    return found == feeds_.end() || found->second.load != number ? nullptr
                                                                 : found->second.attendance;
}

// Another server tells the version the game has there, or that it does not run it.
void LiveSocket::catch_up(const std::string& game, std::optional<std::int64_t> version) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end()) return;
        Feed& feed = found->second;
        if (version && feed.load != 0) {
            feed.at_least = std::max(feed.at_least, *version);
            return;
        }
        if (version && *version <= feed.version) return;
    }
    resume(game);
}

void LiveSocket::send_events(const std::string& game, std::uint64_t number, std::int64_t after) {
    const bool taken = api_.workers->try_post([self = shared_from_this(), game, number, after] {
        std::vector<EventRecord> events;
        try {
            const Turns turns = self->api_.store->writer().waiting_turns(game);
            events = self->api_.store->read(
                [&](Session& session) { return games_table::events_after(session, game, after); });
            add_turns(events, after, turns);
        } catch (const StoreError&) {
            return self->load_later(game, number, after);
        }
        std::int64_t version = after;
        for (EventRecord& event : events) {
            self->send(std::move(event.message));
            version = event.version;
        }
        self->begin_feed(game, number, version);
        self->api_.games->look(
            game, [self](const LiveGame* live, const GamePlace&, const Refusal&) {
                if (live != nullptr)
                    self->send(live_out::watching(*live, self->api_.time->now().steady));
            });
    });
    if (!taken) load_later(game, number, after);
}

void LiveSocket::begin_feed(const std::string& game, std::uint64_t number, std::int64_t version) {
    std::optional<std::optional<std::int64_t>> wanted;
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end() || found->second.load != number) return;
        Feed& feed = found->second;
        feed.version = version;
        feed.load = 0;
        // Once is enough: what the other server has not yet written it will tell when it has.
        const bool behind = std::exchange(feed.at_least, 0) > version;
        bool again = std::exchange(feed.again, false) || behind;
        for (const BusMessage& message : std::exchange(feed.waiting, {}))
            again |= !pass_on(feed, message);
        wanted = std::exchange(feed.wanted, std::nullopt);
        if (!wanted && !again) return;
    }
    if (wanted) return watch(game, *wanted);
    resume(game);
}

void LiveSocket::on_event(const std::string& game, const BusMessage& message) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = feeds_.find(game);
        if (found == feeds_.end() || closed_) return;
        Feed& feed = found->second;
        if (feed.load != 0) {
            if (message.gap || feed.waiting.size() == kMostWaiting) {
                feed.again = true;
            } else {
                feed.waiting.push_back(message);
            }
            return;
        }
        if (pass_on(feed, message)) return;
    }
    resume(game);
}

// Under the lock, so that events of one game keep their order. False: something is missing.
bool LiveSocket::pass_on(Feed& feed, const BusMessage& message) {
    if (message.gap) return false;
    if (message.version != 0) {
        if (message.version <= feed.version) return true;
        if (message.version != feed.version + 1) return false;
        feed.version = message.version;
    }
    socket_->send(message.text);
    return true;
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
    feed.attendance->end(on_purpose);
}

bool LiveSocket::follows(const std::string& game) {
    const std::lock_guard lock(mutex_);
    return feeds_.count(game) > 0;
}

void LiveSocket::follow_games(bool on) {
    lists_.clear();
    if (!on) return;
    lists_.push_back(bus_.subscribe("games", [weak = weak_from_this()](const BusMessage& message) {
        const auto self = weak.lock();
        if (!self || message.gap) return;
        // The same as the list over HTTP; it may be switched while we listen.
        if (!self->api_.settings->public_lists() && !self->identity_.admin) return;
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
    for (auto& [game, feed] : feeds) feed.attendance->end(false);
}

}  // namespace rokada::server
