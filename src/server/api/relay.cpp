// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/relay.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "net/detached.hpp"
#include "net/json.hpp"
#include "server/api/live_out.hpp"
#include "server/api/open_lines.hpp"
#include "server/app/nats_bus.hpp"

namespace rokada::server {
namespace {

constexpr const char* kNews = "nodes";  // for all servers
// Longer than a move takes on a busy server, shorter than a lease.
constexpr Millis kAnswerTime = 2500;
// What may be asked again is asked again soon: whoever takes over a hanging server answers then.
constexpr Millis kSoon = 1000;
// A dead server is replaced within five seconds.
constexpr net::Milliseconds kPatience{8000};
constexpr int kGoodbyes = 3;
constexpr net::Milliseconds kPause{200};

std::string desk_of(const std::string& node) { return "node:" + node; }

Refusal unanswered() {
    return {
        503, "unanswered",
        "The server that runs this game did not answer; look at the game before you try again."};
}
Refusal elsewhere() {
    return {503, "elsewhere", "Another server has this game and cannot be reached; try again."};
}

// Done twice it is as if done once: a move and an upload name their place, a bot's move is known by
// being the last one, and who sits already sits.
bool repeatable(const net::Request& request) {
    if (request.method == net::Method::kGet || request.method == net::Method::kPut) return true;
    if (request.route == "/api/bot/game/{id}/move/{uci}") return true;
    return request.route == "/api/v1/games/{id}/join" && !visit_of(request).token.empty();
}
bool repeatable(const LiveMessage& message) {
    return message.kind == LiveMessage::Kind::Move || message.kind == LiveMessage::Kind::Premove;
}

Millis patience(bool repeatable) { return repeatable ? kSoon : kAnswerTime; }

std::string moved() { return pack({"moved"}); }  // asked the wrong server

std::optional<ParcelView> parcel_of(const std::optional<std::string_view>& answer) {
    return answer ? unpack(*answer) : std::nullopt;
}

std::string pack_live(const LiveCall& call, Millis under_way) {
    const LiveMessage& message = call.message;
    const std::string way = std::to_string(under_way), lag = std::to_string(call.lag),
                      kind = std::to_string(static_cast<int>(call.who->kind));
    const std::string_view admin = call.who->admin ? "1" : "0";
    // What most messages are need not be read once more. A player who follows the game hears the event of
    // his move: it is the answer as well, but not again if that did not come.
    if (message.kind == LiveMessage::Kind::Move)
        return pack({"live", way, lag, kind, call.who->player_id, admin, message.source, "move",
                     message.game, std::to_string(message.ply), message.uci,
                     message.draw ? "1" : "0", message.id,
                     call.follows && under_way < kSoon ? "event" : ""});
    return pack({"live", way, lag, kind, call.who->player_id, admin, message.source});
}

// What somebody at another server does, in one piece of memory with who it is.
struct VisitorsCall {
    LiveCall call;
    Identity who;
};

std::optional<LiveMessage> live_message_from(const ParcelView& parcel) {
    if (parcel.size() < 13 || parcel[7] != "move") {
        auto message = read_live_message(parcel[6]);
        if (!message) return std::nullopt;
        return std::move(*message);
    }
    const auto ply = number_from(parcel[9]);
    if (!ply || *ply < 1 || *ply > INT16_MAX) return std::nullopt;
    LiveMessage message;
    message.kind = LiveMessage::Kind::Move;
    message.game = parcel[8];
    message.ply = static_cast<int>(*ply);
    message.uci = parcel[10];
    message.draw = parcel[11] == "1";
    message.id = parcel[12];
    return message;
}

// The acknowledgement of a move that was answered with its event.
std::optional<std::string> acknowledged(const LiveMessage& message,
                                        const std::optional<std::string_view>& answer) {
    const auto event = answer ? event_in_answer(*answer) : std::nullopt;
    if (!event) return std::nullopt;
    return live_out::ack(message.id, message.game, message.ply, *event);
}

std::string pack_said(std::span<const std::string> texts) {
    if (texts.size() == 1) return pack({"said", texts[0]});
    Parcel said{"said"};
    said.insert(said.end(), texts.begin(), texts.end());
    return pack(said);
}

}  // namespace

Relay::Relay(ApiServices& api, std::string node)
    : api_(api),
      node_(std::move(node)),
      audience_(node_, [this](Parcel news) { publish(std::move(news)); }) {}
Relay::~Relay() = default;

void Relay::start(const net::Router& router) {
    router_ = &router;
    desk_ = api_.bus->serve(desk_of(node_), [this](std::string_view question, const Reply& reply) {
        answer(question, reply);
    });
    news_ = api_.bus->subscribe(kNews, [this](const BusMessage& message) {
        if (message.gap || !message.text) return;
        const auto news = unpack(*message.text);
        if (news && news->size() > 1 && news->front() != node_) hear(*news);
    });
}

void Relay::stop() {
    desk_.reset();
    news_.reset();
}

void Relay::later(std::function<void()> task) const {
    const auto timer = std::make_shared<net::Timer>(api_.loops->next());
    timer->start(kPause, [timer, task = std::move(task)] { task(); });
}

void Relay::run_here(const net::RequestPtr& request, const net::Responder& responder) const {
    const auto match = router_->match(request->method, request->path);
    if (match.route == nullptr || !match.route->handler)
        return reply(responder, net::problem(404, "not_found"));
    auto routed = std::make_shared<net::Request>(*request);
    routed->params = match.params;
    routed->route = match.route->pattern;
    match.route->handler(routed, responder);
}

void Relay::pass_on(const net::RequestPtr& request, const net::Responder& responder,
                    const std::string& game, const std::string& owner) {
    const auto since = net::Clock::now() - on_the_way(*request);
    if (request->headers.has(kRelayed)) return again(request, responder, since);
    ++counters_.passed_on;
    const bool harmless = repeatable(*request);
    api_.bus->ask(desk_of(owner), pack(request_parcel(*request)), patience(harmless),
                  [this, request, responder, game, owner, since,
                   harmless](std::optional<std::string_view> answer) {
                      const auto parcel = parcel_of(answer);
                      if (parcel) {
                          if (auto response = response_from(*parcel))
                              return reply(responder, std::move(*response));
                      } else if (!harmless) {
                          ++counters_.given_up;
                          return reply(responder, refusal_response(unanswered()));
                      }
                      api_.games->doubt_owner(game, owner);
                      again(request, responder, since);
                  });
}

void Relay::again(const net::RequestPtr& request, const net::Responder& responder,
                  net::Clock::time_point since) {
    // Asked by another server, which knows how to look for the right one.
    if (request->headers.has(kRelayed)) return reply(responder, net::Response(421));
    if (net::Clock::now() - since > kPatience) {
        ++counters_.given_up;
        return reply(responder, refusal_response(elsewhere()));
    }
    ++counters_.tried_again;
    later([this, request, responder, since] {
        auto copy = std::make_shared<net::Request>(*request);
        set_on_the_way(*copy,
                       std::chrono::duration_cast<net::Milliseconds>(net::Clock::now() - since));
        run_here(copy, responder);
    });
}

void Relay::pass_on(const LiveCallPtr& call, LiveReply reply, const std::string& owner) {
    const Millis since = std::max<Millis>(0, api_.time->now().steady - call->arrived.steady);
    ++counters_.passed_on;
    const bool harmless = repeatable(call->message);
    api_.bus->ask(desk_of(owner), pack_live(*call, since), patience(harmless),
                  [this, call, reply = std::move(reply), owner, harmless,
                   begun = net::Clock::now()](std::optional<std::string_view> answer) {
                      if (auto ack = acknowledged(call->message, answer)) {
                          api_.metrics->move_acknowledged.add(net::Clock::now() - begun);
                          return reply({&*ack, 1});
                      }
                      const auto parcel = parcel_of(answer);
                      if (parcel && parcel->size() > 1 && parcel->front() == "said") {
                          std::vector<std::string> texts{parcel->begin() + 1, parcel->end()};
                          return reply(texts);
                      }
                      if (!parcel && !harmless) {
                          ++counters_.given_up;
                          return refuse(*call, unanswered(), reply);
                      }
                      api_.games->doubt_owner(call->message.game, owner);
                      again(call, reply);
                  });
}

void Relay::again(const LiveCallPtr& call, const LiveReply& reply) {
    if (api_.time->now().steady - call->arrived.steady > kPatience.count()) {
        ++counters_.given_up;
        return refuse(*call, elsewhere(), reply);
    }
    ++counters_.tried_again;
    later([this, call, reply] { perform(api_, call, reply); });
}

void Relay::enter(const std::string& owner, const std::string& game, const std::string& player,
                  std::uint64_t visitor, Entered entered) {
    const auto asked = net::Clock::now();
    api_.bus->ask(desk_of(owner), pack({"enter", node_, std::to_string(visitor), game, player}),
                  kAnswerTime,
                  [this, owner, game, asked,
                   entered = std::move(entered)](std::optional<std::string_view> answer) {
                      const auto parcel = parcel_of(answer);
                      if (parcel && parcel->size() >= 2 && parcel->front() == "entered")
                          return entered(number_from((*parcel)[1]));
                      // Nobody is there: whoever takes the game says so. One that is silent is asked again.
                      if (!parcel && net::Clock::now() - asked < net::Milliseconds(kAnswerTime))
                          return;
                      api_.games->doubt_owner(game, owner);
                      later([entered] { entered(std::nullopt); });
                  });
}

void Relay::leave(const std::string& owner, const std::string& game, std::uint64_t visitor,
                  bool on_purpose) {
    say_goodbye(owner,
                pack({"leave", node_, std::to_string(visitor), game, on_purpose ? "1" : "0"}),
                kGoodbyes);
}

void Relay::say_goodbye(const std::string& owner, const std::string& parcel, int times) {
    api_.bus->ask(
        desk_of(owner), parcel, kAnswerTime,
        [this, owner, parcel, times](std::optional<std::string_view> answer) {
            if (answer || times <= 1) return;
            later([this, owner, parcel, times] { say_goodbye(owner, parcel, times - 1); });
        });
}

void Relay::answer(std::string_view question, const Reply& reply) {
    const auto parcel = unpack(question);
    if (!parcel || parcel->empty()) return;
    ++counters_.answered;
    const std::string_view kind = parcel->front();
    if (kind == "request") return answer_request(*parcel, reply);
    if (kind == "live") return answer_live(*parcel, reply);
    if (kind == "enter") return answer_enter(*parcel, reply);
    if (kind == "leave") {
        answer_leave(*parcel);
        reply(pack({"left"}));
    }
}

void Relay::answer_request(const ParcelView& parcel, const Reply& reply) {
    auto request = request_from(parcel);
    if (!request) return;
    const auto responder =
        net::detached_responder(api_.loops->next(), [reply](const net::Response& response) {
            reply(response.status == 421 ? moved() : pack(response_parcel(response)));
        });
    run_here(std::make_shared<const net::Request>(std::move(*request)), responder);
}

void Relay::answer_live(const ParcelView& parcel, const Reply& reply) {
    if (parcel.size() < 7) return;
    const auto under_way = number_from(parcel[1]), lag = number_from(parcel[2]),
               kind = number_from(parcel[3]);
    auto message = live_message_from(parcel);
    if (!under_way || !lag || !kind || *kind < 0 || *kind > 2 || !message) return;
    const auto visitors = std::make_shared<VisitorsCall>();
    Identity& who = visitors->who;
    who.kind = static_cast<Identity::Kind>(*kind);
    who.player_id = parcel[4];
    who.admin = parcel[5] == "1";
    const std::shared_ptr<LiveCall> call(visitors, &visitors->call);
    call->message = std::move(*message);
    call->who = {std::shared_ptr<void>(), &who};  // lives as long as the call
    call->lag = *lag;
    call->relayed = true;
    if (parcel.size() > 13 && parcel[13] == "event") call->answers = reply.address();
    call->arrived = earlier(api_.time->now(), std::clamp<Millis>(*under_way, 0, 60'000));
    LiveReply said = [reply](std::span<std::string> texts) { reply(pack_said(texts)); };
    // Nearly always, since the other server asks whoever it knows to run the game.
    if (const auto place = api_.games->known(call->message.game); place.actor)
        return perform_here(api_, place.actor, call, std::move(said));
    api_.games->find(call->message.game,
                     [this, call, reply, said](const std::shared_ptr<GameActor>& actor,
                                               const std::optional<Refusal>& refusal) {
                         if (!actor && !refusal->owner.empty()) return reply(moved());
                         if (!actor) return refuse(*call, *refusal, said);
                         perform_here(api_, actor, call, said);
                     });
}

void Relay::answer_enter(const ParcelView& parcel, const Reply& reply) {
    if (parcel.size() < 5) return;
    api_.games->find(std::string(parcel[3]),
                     [this, node = std::string(parcel[1]), visitor = std::string(parcel[2]),
                      player = std::string(parcel[4]), reply](
                         const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>&) {
                         if (!actor) return reply(moved());
                         guests_.enter(node, visitor, player, actor, api_.time->now().steady);
                         actor->look([reply](const LiveGame& live) {
                             reply(pack({"entered", std::to_string(live.record().version)}));
                         });
                     });
}

void Relay::answer_leave(const ParcelView& parcel) {
    if (parcel.size() < 5) return;
    guests_.leave(std::string(parcel[1]), parcel[2], std::string(parcel[3]), parcel[4] == "1");
}

void Relay::publish(Parcel news) {
    news.insert(news.begin(), node_);
    api_.bus->publish(kNews, {0, std::make_shared<const std::string>(pack(news))});
}

void Relay::announce_end(const std::string& session_hash) { publish({"ended", session_hash}); }

void Relay::announce_adoption(const std::string& guest_id, const SeatRecord& user,
                              const std::vector<std::string>& game_ids) {
    Parcel news{"adopted", guest_id, user.player_id, user.name};
    news.insert(news.end(), game_ids.begin(), game_ids.end());
    publish(std::move(news));
}

void Relay::announce_erasure(const std::string& player_id,
                             const std::vector<std::string>& game_ids) {
    Parcel news{"erased", player_id};
    news.insert(news.end(), game_ids.begin(), game_ids.end());
    publish(std::move(news));
}

void Relay::announce_change(const std::string& player_id, bool lost_rights) {
    publish({"changed", player_id, lost_rights ? "1" : "0"});
}

void Relay::announce_taken(std::string_view limit, std::string_view key, int cost) {
    publish({"taken", std::string(limit), std::string(key), std::to_string(cost)});
}

void Relay::hear(const ParcelView& news) {
    const std::string_view kind = news[1];
    const std::string from(news[0]);
    if (kind == "ended" && news.size() >= 3) {
        api_.accounts->session_ended(std::string(news[2]), Accounts::Where::Elsewhere);
    } else if (kind == "adopted" && news.size() >= 5) {
        SeatRecord user;
        user.kind = SeatKind::User;
        user.player_id = news[3];
        user.name = news[4];
        api_.games->adopt(std::string(news[2]), user, {news.begin() + 5, news.end()});
    } else if (kind == "erased" && news.size() >= 3) {
        api_.accounts->forget_player(std::string(news[2]));
        api_.lines->close_player(std::string(news[2]));
        api_.games->erase(std::string(news[2]), {news.begin() + 3, news.end()});
    } else if (kind == "changed" && news.size() >= 4) {
        api_.accounts->forget_player(std::string(news[2]));
        if (news[3] == "1") api_.lines->close_player(std::string(news[2]));
    } else if (kind == "taken" && news.size() >= 5) {
        const auto cost = number_from(news[4]);
        if (cost && *cost >= 0 && *cost <= 1000)
            api_.throttles->taken_elsewhere(news[2], news[3], static_cast<int>(*cost));
    }
    audience_.hear(from, news);
    std::optional<std::int64_t> greeting;
    if (kind == "alive") {
        audience_.greeted(
            from, news.size() >= 4 ? std::optional<std::string_view>(news[3]) : std::nullopt);
        if (news.size() >= 3) greeting = number_from(news[2]);
    }
    const auto heard = guests_.heard(from, greeting, api_.time->now().steady);
    // What it said did not reach us for a while, nor what happened in its games.
    if (heard.skipped) api_.bus->lose_track();
    // Only the way was cut: its visitors are still there and come in again.
    BusMessage gap;
    gap.gap = true;
    for (const std::string& game : heard.missed) api_.bus->publish(game, gap);
}

bool Relay::hears(const std::string& node) const {
    return guests_.hears(node, api_.time->now().steady);
}

Millis Relay::silence(const std::string& node) const {
    return guests_.silence(node, api_.time->now().steady);
}

void Relay::excuse(const std::string& game, const std::string& player) {
    guests_.excuse(game, player, api_.time->now().steady);
}

void Relay::beat() {
    publish({"alive", std::to_string(++beats_), audience_.sum()});
    for (const std::string& node : guests_.beat(alone_, api_.time->now().steady))
        audience_.gone(node);
}

void Attendance::at(const GamePlace& place, const Relay::Entered& entered) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (place.actor) {
        if (actor_.lock() == place.actor) return;
        leave(false);
        actor_ = place.actor;
        if (api_.relay != nullptr) api_.relay->excuse(game_, player_);
        return place.actor->enter(player_);
    }
    if (api_.relay == nullptr) return;
    if (owner_ != place.owner) {
        leave(false);
        owner_ = place.owner;
        visitor_ = api_.relay->next_visitor();
    }
    // Also when we were there before: it may have forgotten us, and knows the version.
    api_.relay->enter(owner_, game_, player_, visitor_, entered);
}

void Attendance::leave(bool on_purpose) {
    if (const auto actor = actor_.lock()) actor->leave(player_, on_purpose);
    if (!owner_.empty()) api_.relay->leave(owner_, game_, visitor_, on_purpose);
    actor_.reset();
    owner_.clear();
}

void Attendance::end(bool on_purpose) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true)) return;
    leave(on_purpose);
}

}  // namespace rokada::server
