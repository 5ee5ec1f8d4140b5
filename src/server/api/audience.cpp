// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/audience.hpp"

#include <charconv>
#include <vector>

namespace rokada::server {
namespace {

constexpr std::size_t kTopicsInOneParcel = 10'000;

}  // namespace

// The same on every machine, whatever compiled the program (FNV-1a).
Audience::Topic Audience::topic_of(std::string_view text) {
    Topic hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

// Who follows a game is known to its owner; other topics are between servers.
bool Audience::is_list(std::string_view topic) {
    return topic == "games" || topic.substr(0, 7) == "player:";
}

bool Audience::Followed::add(Topic topic) {
    if (!topics.insert(topic).second) return false;
    sum ^= topic;
    return true;
}

bool Audience::Followed::remove(Topic topic) {
    if (topics.erase(topic) == 0) return false;
    sum ^= topic;
    return true;
}

void Audience::here(std::string_view topic, bool listens) {
    if (!is_list(topic)) return;
    const Topic number = topic_of(topic);
    // Told under the lock: the order in which the others hear it is the order in which it happened.
    const std::lock_guard lock(mutex_);
    if (listens ? own_.add(number) : own_.remove(number))
        tell_({"listens", std::to_string(number), listens ? "1" : "0"});
}

std::string Audience::sum() const {
    const std::lock_guard lock(mutex_);
    return own_.text();
}

bool Audience::elsewhere(std::string_view topic) const {
    const Topic number = topic_of(topic);
    const std::lock_guard lock(mutex_);
    for (const auto& [node, peer] : peers_)
        if (peer.everything || peer.followed.topics.count(number) > 0) return true;
    return false;
}

void Audience::greeted(const std::string& node, std::optional<std::string_view> sum) {
    {
        const std::lock_guard lock(mutex_);
        Peer& peer = peers_[node];
        peer.everything = !sum || *sum != peer.followed.text();
        if (!sum || !peer.everything) return;
    }
    tell_({"which", node});
}

void Audience::hear(const std::string& node, const ParcelView& news) {
    const auto number = [&news](std::size_t at) {
        Topic value = 0;
        std::from_chars(news[at].data(), news[at].data() + news[at].size(), value);
        return value;
    };
    const std::string_view kind = news[1];
    if (kind == "which" && news.size() >= 3 && news[2] == node_) return tell_all();
    const std::lock_guard lock(mutex_);
    if (kind == "listens" && news.size() >= 4) {
        Followed& followed = peers_[node].followed;
        news[3] == "1" ? followed.add(number(2)) : followed.remove(number(2));
    } else if (kind == "followed" && news.size() >= 3) {
        Followed& followed = peers_[node].followed;
        if (news[2] == "first") followed = {};
        for (std::size_t at = 3; at < news.size(); ++at) followed.add(number(at));
    }
}

void Audience::gone(const std::string& node) {
    const std::lock_guard lock(mutex_);
    peers_.erase(node);
}

void Audience::tell_all() {
    const std::lock_guard lock(mutex_);
    Parcel news{"followed", "first"};
    for (const Topic topic : own_.topics) {
        if (news.size() == kTopicsInOneParcel) {
            tell_(std::move(news));
            news = {"followed", "more"};
        }
        news.push_back(std::to_string(topic));
    }
    tell_(std::move(news));
}

}  // namespace rokada::server
