// SPDX-License-Identifier: GPL-3.0-or-later
// One of several servers passes on what concerns a game that another one runs, and answers what the
// others pass on: requests, messages of live sockets, who is there. What may have been done without
// an answer is tried again only if doing it twice is the same as once; everything ends after a few
// seconds, with an answer or with one clear refusal.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "server/api/api.hpp"
#include "server/api/audience.hpp"
#include "server/api/guests.hpp"
#include "server/api/live_actions.hpp"
#include "server/api/parcel.hpp"
#include "server/app/event_bus.hpp"

namespace rokada::server {

class Relay {
  public:
    Relay(ApiServices& api, std::string node);
    ~Relay();
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    void start(const net::Router& router);  // once: answers the others from now on
    void stop();                            // answers nobody any more
    void beat();  // about once a second: tells the others we live, notices who does not
    bool hears(const std::string& node) const;      // it told us so a moment ago
    Millis silence(const std::string& node) const;  // since it last did
    void alone(bool alone) { alone_ = alone; }      // others live, and we hear none of them
    // The player came by this way, or is about to lose on time (Guests::excuse).
    void excuse(const std::string& game, const std::string& player);

    void pass_on(const net::RequestPtr& request, const net::Responder& responder,
                 const std::string& game, const std::string& owner);
    void pass_on(const LiveCallPtr& call, LiveReply reply, const std::string& owner);
    // Nothing was done here, because the game has another owner: looks for it again, in a moment.
    void again(const net::RequestPtr& request, const net::Responder& responder,
               net::Clock::time_point since);
    void again(const LiveCallPtr& call, const LiveReply& reply);

    // Somebody of ours follows a game there. Every visitor has a number. Answered with the version
    // the game has, or nothing when that server does not run it.
    using Entered = std::function<void(std::optional<std::int64_t> version)>;
    void enter(const std::string& owner, const std::string& game, const std::string& player,
               std::uint64_t visitor, Entered entered);
    void leave(const std::string& owner, const std::string& game, std::uint64_t visitor,
               bool on_purpose);
    std::uint64_t next_visitor() { return ++visitors_; }

    // What the others must know about visitors of theirs; a hint, which may be lost.
    void announce_end(const std::string& session_hash);
    void announce_adoption(const std::string& guest_id, const SeatRecord& user,
                           const std::vector<std::string>& game_ids);
    void announce_erasure(const std::string& player_id, const std::vector<std::string>& game_ids);
    void announce_change(const std::string& player_id, bool lost_rights);
    void announce_taken(std::string_view limit, std::string_view key, int cost);

    Audience& audience() { return audience_; }

    struct Counters {
        std::atomic<std::uint64_t> passed_on{0}, answered{0}, tried_again{0}, given_up{0};
    };
    const Counters& counters() const { return counters_; }

  private:
    using Reply = EventBus::Reply;

    void answer(std::string_view question, const Reply& reply);
    void answer_request(const ParcelView& parcel, const Reply& reply);
    void answer_live(const ParcelView& parcel, const Reply& reply);
    void answer_enter(const ParcelView& parcel, const Reply& reply);
    void answer_leave(const ParcelView& parcel);
    void run_here(const net::RequestPtr& request, const net::Responder& responder) const;
    void hear(const ParcelView& news);
    void publish(Parcel news);
    void say_goodbye(const std::string& owner, const std::string& parcel, int times);
    void later(std::function<void()> task) const;

    ApiServices& api_;
    const std::string node_;
    const net::Router* router_ = nullptr;
    Audience audience_;
    std::unique_ptr<EventBus::Subscription> desk_, news_;
    std::atomic<std::uint64_t> visitors_{0};
    std::int64_t beats_ = 0;
    std::atomic<bool> alone_{false};
    Counters counters_;
    Guests guests_;
};

// Somebody who follows a game, known to whoever runs it. Thread-safe.
class Attendance {
  public:
    Attendance(ApiServices& api, std::string game, std::string player)
        : api_(api), game_(std::move(game)), player_(std::move(player)) {}
    ~Attendance() { end(false); }
    Attendance(const Attendance&) = delete;
    Attendance& operator=(const Attendance&) = delete;

    // The game is run there, perhaps elsewhere than before. `entered` as in Relay, if it is another
    // server.
    void at(const GamePlace& place, const Relay::Entered& entered);
    void end(bool on_purpose);

  private:
    void leave(bool on_purpose);

    ApiServices& api_;
    const std::string game_, player_;
    std::mutex mutex_;
    bool ended_ = false;
    std::weak_ptr<GameActor> actor_;
    std::string owner_;
    std::uint64_t visitor_ = 0;
};

}  // namespace rokada::server
