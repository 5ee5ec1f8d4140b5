// SPDX-License-Identifier: GPL-3.0-or-later
// The two NDJSON streams of a bot: what concerns its account, and one game. Both listen to the bus only
// as a hint that something changed and then read the game itself, so no line is ever out of date.
#include <functional>
#include <map>

#include "net/json.hpp"
#include "server/api/lichess_access.hpp"
#include "server/api/open_lines.hpp"
#include "server/api/relay.hpp"
#include "server/app/event_bus.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server::lichess {
namespace {

constexpr net::Milliseconds kKeepAlive{7000};

net::Stream open_stream(const net::Responder& responder) {
    net::Stream stream = responder.stream(net::Response(200)
                                              .with("Content-Type", "application/x-ndjson")
                                              .with("X-Accel-Buffering", "no"));
    stream.keep_alive(kKeepAlive, "\n");
    return stream;
}

// Of each kind of stream a program has one: the next one ends the one before.
class OneEach {
  public:
    void replace(const std::string& key, const net::Stream& stream) {
        net::Stream before;
        {
            const std::lock_guard lock(mutex_);
            before = std::exchange(streams_[key], stream);
        }
        if (before) before.close();
    }
    void remove(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = streams_.find(key);
        if (found != streams_.end() && !found->second.open()) streams_.erase(found);
    }

  private:
    std::mutex mutex_;
    std::unordered_map<std::string, net::Stream> streams_;
};

// Games and challenges of one account, each told once per stage of its life.
class EventFeed : public std::enable_shared_from_this<EventFeed> {
  public:
    EventFeed(ApiServices& api, Identity me, std::string site, net::Stream stream,
              std::shared_ptr<DeclineReasons> reasons)
        : api_(api),
          me_(std::move(me)),
          site_(std::move(site)),
          stream_(std::move(stream)),
          reasons_(std::move(reasons)) {}

    void start() {
        subscription_ = api_.bus->subscribe("player:" + me_.player_id,
                                            [weak = weak_from_this()](const BusMessage& message) {
                                                const auto self = weak.lock();
                                                if (!self) return;
                                                if (message.gap) return self->announce_later();
                                                self->notice(message.game, message.status);
                                            });
        announce_later();
    }
    void stop() { subscription_.reset(); }

  private:
    enum class Stage { Challenge, Started };

    void announce_later() {
        const bool taken = api_.workers->try_post([self = shared_from_this()] {
            try {
                self->announce_all();
            } catch (const StoreError&) {
                self->stream_.close();
            }
        });
        if (!taken) stream_.close();
    }

    void announce_all() {
        std::vector<std::string> ids;
        api_.store->read([&](Session& session) {
            for (const GameRecord& game : games_table::challenges_of(session, me_.player_id))
                ids.push_back(game.id);
            GameQuery query;
            query.player_id = me_.player_id;
            query.state = GameQuery::State::Playing;
            query.limit = 100;
            for (const GameRecord& game : games_table::list(session, query)) ids.push_back(game.id);
        });
        announce(std::make_shared<const std::vector<std::string>>(std::move(ids)), 0);
    }

    // One after another: games live on different strands, the order of the list is the order told.
    void announce(std::shared_ptr<const std::vector<std::string>> ids, std::size_t at) {
        if (at == ids->size()) return;
        const std::string& id = (*ids)[at];
        look(id, [self = shared_from_this(), ids, at] { self->announce(ids, at + 1); });
    }

    void notice(const std::string& game, GameStatus status) {
        {
            const std::lock_guard lock(mutex_);
            const auto known = told_.find(game);
            const bool over = status == GameStatus::Finished || status == GameStatus::Aborted;
            if (known == told_.end() && over) return;
            if (known != told_.end() && !over &&
                (known->second == Stage::Started || status == GameStatus::Waiting))
                return;
        }
        look(game, [] {});
    }

    void look(const std::string& id, std::function<void()> then) {
        api_.games->look(id, [self = shared_from_this(), then = std::move(then)](
                                 const LiveGame* game, const GamePlace&, const Refusal&) {
            if (game != nullptr) self->tell(*game);
            then();
        });
    }

    void tell(const LiveGame& game) {
        const GameRecord& record = game.record();
        const GameKind kind = record.settings.kind;
        if (kind != GameKind::Person && kind != GameKind::Computer) return;
        const Millis steady = api_.time->now().steady;
        std::string line;
        {
            const std::lock_guard lock(mutex_);
            const auto known = told_.find(record.id);
            const bool fresh = known == told_.end();
            if (record.status == GameStatus::Waiting) {
                if (!fresh || record.invited.empty()) return;
                told_[record.id] = Stage::Challenge;
                line = challenge_event("challenge", record, me_.player_id, site_);
            } else if (record.status == GameStatus::Playing) {
                if (!fresh && known->second == Stage::Started) return;
                told_[record.id] = Stage::Started;
                line = game_event("gameStart", game, me_.player_id, steady);
            } else {
                if (fresh) return;
                const bool challenged = known->second == Stage::Challenge;
                told_.erase(known);
                if (!challenged) {
                    line = game_event("gameFinish", game, me_.player_id, steady);
                } else if (record.reason == "declined") {
                    line = challenge_event("challengeDeclined", record, me_.player_id, site_,
                                           reasons_->get(record.id));
                } else {
                    line = challenge_event("challengeCanceled", record, me_.player_id, site_);
                }
            }
        }
        stream_.write(line + "\n");
    }

    ApiServices& api_;
    const Identity me_;
    const std::string site_;
    net::Stream stream_;
    std::shared_ptr<DeclineReasons> reasons_;
    std::unique_ptr<EventBus::Subscription> subscription_;
    std::mutex mutex_;
    std::map<std::string, Stage> told_;
};

// One game as its player sees it. Everything but the chat happens on one strand, the game's if it is
// run here.
class GameFeed : public std::enable_shared_from_this<GameFeed> {
  public:
    GameFeed(ApiServices& api, Identity me, std::string id, net::Stream stream)
        : api_(api),
          me_(std::move(me)),
          id_(std::move(id)),
          stream_(std::move(stream)),
          strand_(api.loops->strand_for(std::hash<std::string>{}(id_))),
          again_(strand_),
          attendance_(api_, id_, me_.player_id) {}

    // The game as it was read just now.
    void start(const LiveGame& game, const GamePlace& place) {
        version_ = game.record().version;
        stream_.write(game_full(game, api_.time->now().steady) + "\n");
        {
            const std::lock_guard lock(mutex_);
            if (stopped_) return;
            subscription_ =
                api_.bus->subscribe(id_, [weak = weak_from_this()](const BusMessage& message) {
                    if (const auto self = weak.lock()) self->notice(message);
                });
        }
        attend(place);
        if (game.over()) stream_.close();
    }

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
            subscription_.reset();
        }
        strand_.post([self = shared_from_this()] { self->again_.cancel(); });
        attendance_.end(false);
    }

  private:
    // Another server tells how far the game is: something may have happened before we listened.
    void attend(const GamePlace& place) {
        attendance_.at(place, [weak = weak_from_this()](std::optional<std::int64_t> version) {
            if (const auto self = weak.lock()) self->look(!version);
        });
    }

    void notice(const BusMessage& message) {
        if (!message.gap && message.text->find("\"kind\":\"chat\"") != std::string::npos) {
            const auto line = net::parse_json(*message.text);
            if (line && line->at("kind") == "chat") {
                stream_.write(chat_line(std::string(line->at("name").get_string()),
                                        std::string(line->at("text").get_string())) +
                              "\n");
                said_ = message.version;
                return;
            }
        }
        look(message.gap);
    }

    // `anew`: whoever runs the game may be another one.
    void look(bool anew = false) {
        api_.games->look(
            id_, [self = shared_from_this(), anew](const LiveGame* game, const GamePlace& place,
                                                   const Refusal& refusal) {
                if (game == nullptr) {
                    if (refusal.status == 503) self->look_later(std::chrono::seconds(1), true);
                    return;
                }
                if (anew) self->attend(place);
                if (self->strand_.on_this_thread()) return self->tell(*game);
                self->strand_.post([self, copy = *game] { self->tell(copy); });
            });
    }

    void look_later(net::Clock::duration pause, bool anew) {
        strand_.dispatch([self = shared_from_this(), pause, anew] {
            if (!self->stream_.open()) return;
            self->again_.start(pause, [weak = self->weak_from_this(), anew] {
                if (const auto alive = weak.lock()) alive->look(anew);
            });
        });
    }

    void tell(const LiveGame& game) {
        if (!stream_.open()) return;
        const Millis steady = api_.time->now().steady;
        const std::int64_t version = game.record().version;
        if (version > version_) {
            if (version > said_) stream_.write(game_state(game, steady) + "\n");
            version_ = version;
        }
        tell_gone(game, steady);
        if (game.over()) stream_.close();
    }

    // The countdown to a claim is repeated while the opponent is away.
    void tell_gone(const LiveGame& game, Millis steady) {
        const Color mine = game.seats_of(me_.player_id).white ? Color::White : Color::Black;
        const auto wait = game.claim_in(~mine, steady);
        if (wait || gone_) stream_.write(opponent_gone(wait) + "\n");
        gone_ = wait.has_value();
        if (!gone_) return again_.cancel();
        look_later(std::chrono::seconds(5), false);
    }

    ApiServices& api_;
    const Identity me_;
    const std::string id_;
    net::Stream stream_;
    net::Strand strand_;
    net::Timer again_;
    Attendance attendance_;
    std::mutex mutex_;
    std::unique_ptr<EventBus::Subscription> subscription_;
    bool stopped_ = false;
    std::int64_t version_ = 0;
    std::atomic<std::int64_t> said_{0};  // version of the last chat line: no change of the game
    bool gone_ = false;
};

void open_events(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                 const std::shared_ptr<OneEach>& open,
                 const std::shared_ptr<DeclineReasons>& reasons) {
    with_token(api, request, responder, Needs::TokenToPlay,
               [&api, request, responder, open, reasons](const Identity& me) {
                   const std::string key = token_hash(visit_of(*request).token);
                   const net::Stream stream = open_stream(responder);
                   const auto feed = std::make_shared<EventFeed>(api, me, visited_address(*request),
                                                                 stream, reasons);
                   open->replace(key, stream);
                   const auto line = api.lines->add(me, [stream] { stream.close(); });
                   stream.on_closed([&api, me, line, feed, open, key] {
                       feed->stop();
                       open->remove(key);
                       api.lines->remove(me, line);
                   });
                   feed->start();
               });
}

void open_game(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               const std::shared_ptr<OneEach>& open) {
    const auto begin = [&api, request, responder, open](const Identity& me, const LiveGame& game,
                                                        const GamePlace& place) {
        if (!game.seats_of(me.player_id).any() || game.record().status == GameStatus::Waiting)
            return reply(responder, failure(404, "Not your game"));
        const std::string& id = game.record().id;
        const std::string key =
            me.player_id + " " + id + " " + std::string(request->header("User-Agent"));
        const net::Stream stream = open_stream(responder);
        const auto feed = std::make_shared<GameFeed>(api, me, id, stream);
        open->replace(key, stream);
        const auto line = api.lines->add(me, [stream] { stream.close(); });
        stream.on_closed([&api, me, line, feed, open, key] {
            feed->stop();
            open->remove(key);
            api.lines->remove(me, line);
        });
        feed->start(game, place);
    };
    with_token(api, request, responder, Needs::TokenToPlay,
               [&api, request, responder, begin](const Identity& me) {
                   api.games->look(
                       std::string(request->param("id")),
                       [responder, begin, me](const LiveGame* game, const GamePlace& place,
                                              const Refusal& refusal) {
                           if (game == nullptr) return reply(responder, refused(refusal));
                           begin(me, *game, place);
                       });
               });
}

}  // namespace

void add_stream_routes(net::Router& router, ApiServices& api,
                       const std::shared_ptr<DeclineReasons>& reasons) {
    router.get("/api/stream/event",
               [&api, reasons, open = std::make_shared<OneEach>()](
                   const net::RequestPtr& request, const net::Responder& responder) {
                   open_events(api, request, responder, open, reasons);
               });
    router.get("/api/bot/game/stream/{id}",
               [&api, open = std::make_shared<OneEach>()](const net::RequestPtr& request,
                                                          const net::Responder& responder) {
                   open_game(api, request, responder, open);
               });
}

}  // namespace rokada::server::lichess
