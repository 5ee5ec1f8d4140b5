// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/guests.hpp"

#include <algorithm>

namespace rokada::server {
namespace {

constexpr Millis kMissing = 1800;  // greetings come once a second: one is missing
constexpr Millis kMoment = 2500;   // two are
constexpr Millis kSilence = 5000;  // then the visitors of a server are taken for gone
constexpr Millis kForgotten = 600'000;
// A balancer finds another server for them sooner. Whoever stays away for longer does so by himself.
constexpr Millis kLongestExcuse = 6000;
constexpr Millis kUntilNextBeat = 2000;

}  // namespace

bool Guests::Node::silent(Millis now) const { return heard != 0 && now - heard > kMissing; }

Millis Guests::Node::excuse_ends() const { return std::max(heard + kLongestExcuse, excused_until); }

// A player may be at several servers: while one of them is heard he is not out of reach.
GameActor::Silence Guests::silence_of(const std::string& game, const std::string& player,
                                      Millis now) const {
    GameActor::Silence silence;
    for (const auto& [name, node] : nodes_) {
        const auto guests = node.silent(now) ? node.games.find(game) : node.games.end();
        if (guests == node.games.end()) continue;
        for (const Guest& guest : guests->second) {
            if (guest.player != player) continue;
            silence.from = std::max(silence.from, node.heard);
            silence.until = std::max(silence.until, std::min(now, node.excuse_ends()));
            silence.ways += guest.present ? 1 : 0;
        }
    }
    return silence;
}

void Guests::add_excuses(const Node& node, Millis now, std::vector<Excuse>& found) const {
    for (const auto& [game, guests] : node.games)
        for (const Guest& guest : guests)
            if (auto actor = guest.actor.lock())
                found.push_back(
                    {std::move(actor), guest.player, silence_of(game, guest.player, now)});
}

void Guests::tell(const std::vector<Excuse>& excuses) {
    for (const Excuse& excuse : excuses) excuse.actor->excuse(excuse.player, excuse.silence);
}

void Guests::hear(Node& node, Millis now, std::vector<Excuse>& excuses) const {
    if (node.silent(now)) add_excuses(node, now, excuses);
    node.heard = now;
    node.excused_until = 0;
}

Guests::Heard Guests::heard(const std::string& name, std::optional<std::int64_t> greeting,
                            Millis now) {
    Heard result;
    std::vector<Excuse> excuses;
    {
        const std::lock_guard lock(mutex_);
        Node& node = nodes_[name];
        hear(node, now, excuses);
        result.missed.swap(node.missed);
        if (!result.missed.empty())
            for (auto at = node.games.begin(); at != node.games.end();) {
                std::erase_if(at->second, [](const Guest& guest) { return !guest.present; });
                at = at->second.empty() ? node.games.erase(at) : std::next(at);
            }
        if (greeting) {
            result.skipped = node.greetings && greeting != *node.greetings + 1;
            node.greetings = greeting;
        }
    }
    tell(excuses);
    return result;
}

bool Guests::hears(const std::string& node, Millis now) const {
    const std::lock_guard lock(mutex_);
    const auto known = nodes_.find(node);
    return known != nodes_.end() && now - known->second.heard < kMoment;
}

Millis Guests::silence(const std::string& node, Millis now) const {
    const std::lock_guard lock(mutex_);
    const auto known = nodes_.find(node);
    return known != nodes_.end() ? now - known->second.heard : 0;
}

void Guests::enter(const std::string& name, std::string_view visitor, const std::string& player,
                   const std::shared_ptr<GameActor>& actor, Millis now) {
    bool fresh = false;
    std::vector<Excuse> excuses;
    {
        const std::lock_guard lock(mutex_);
        Node& node = nodes_[name];
        hear(node, now, excuses);
        auto& guests = node.games[actor->id()];
        auto found = std::find_if(guests.begin(), guests.end(), [visitor](const Guest& guest) {
            return guest.visitor == visitor;
        });
        if (found == guests.end())
            found = guests.insert(guests.end(), {std::string(visitor), player, {}});
        fresh = !found->present || found->actor.lock() != actor;
        *found = {std::string(visitor), player, actor};
    }
    tell(excuses);
    if (!fresh) return;
    excuse(actor->id(), player, now);
    actor->enter(player);
}

void Guests::leave(const std::string& name, std::string_view visitor, const std::string& game,
                   bool on_purpose) {
    Guest guest;
    {
        const std::lock_guard lock(mutex_);
        const auto node = nodes_.find(name);
        if (node == nodes_.end()) return;
        const auto guests = node->second.games.find(game);
        if (guests == node->second.games.end()) return;
        const auto found =
            std::find_if(guests->second.begin(), guests->second.end(),
                         [visitor](const Guest& one) { return one.visitor == visitor; });
        if (found == guests->second.end()) return;
        guest = std::move(*found);
        guests->second.erase(found);
        if (guests->second.empty()) node->second.games.erase(guests);
    }
    if (const auto actor = guest.actor.lock(); actor && guest.present)
        actor->leave(guest.player, on_purpose);
}

void Guests::excuse(const std::string& game, const std::string& player, Millis now) {
    std::shared_ptr<GameActor> actor;
    GameActor::Silence silence;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [name, node] : nodes_) {
            const auto guests = node.silent(now) ? node.games.find(game) : node.games.end();
            if (guests == node.games.end() || guests->second.empty()) continue;
            actor = guests->second.front().actor.lock();
            break;
        }
        if (actor) silence = silence_of(game, player, now);
    }
    if (actor && silence.until > silence.from) actor->excuse(player, silence);
}

std::vector<std::string> Guests::beat(bool alone, Millis now) {
    std::vector<Guest> gone;
    std::vector<Excuse> excuses;
    std::vector<std::string> silent;
    {
        const std::lock_guard lock(mutex_);
        for (auto at = nodes_.begin(); at != nodes_.end();) {
            Node& node = at->second;
            const Millis time = now - node.heard;
            // Without a break: whoever was away before is not excused by what happens to us now.
            if (alone && node.silent(now) && now <= node.excuse_ends())
                node.excused_until = now + kUntilNextBeat;
            if (time > kSilence) silent.push_back(at->first);
            // While nobody there can come to us nobody there is gone, and his opponent cannot claim the game.
            if (time > kSilence && now >= node.excused_until) {
                for (auto& [game, guests] : node.games)
                    for (Guest& guest : guests)
                        if (std::exchange(guest.present, false)) {
                            node.missed.insert(game);
                            gone.push_back(guest);
                        }
            }
            if (time > kSilence && now > node.excuse_ends()) {
                add_excuses(node, now, excuses);
                node.games.clear();
            }
            at = time > kForgotten ? nodes_.erase(at) : std::next(at);
        }
    }
    for (const Guest& guest : gone)
        if (const auto actor = guest.actor.lock()) actor->leave(guest.player, false);
    tell(excuses);
    return silent;
}

}  // namespace rokada::server
