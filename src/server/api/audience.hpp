// SPDX-License-Identifier: GPL-3.0-or-later
// Which lists the visitors of the other servers follow ("games", "player:ID"), so that only what somebody
// will hear is written and sent, and so that people who are somewhere on the site count as being here.
// Each change is told to all; every greeting carries a sum over what is followed, and whoever finds that
// it knows something else asks for all of it. Used by Relay. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "server/api/parcel.hpp"

namespace rokada::server {

class Audience {
  public:
    // To all other servers, in order; a hint that may be lost.
    using Tell = std::function<void(Parcel news)>;
    Audience(std::string node, Tell tell) : node_(std::move(node)), tell_(std::move(tell)) {}

    // The first listener of a topic came to this server, or the last one left it.
    void here(std::string_view topic, bool listens);
    std::string sum() const;  // of what is followed here, for the greeting

    bool elsewhere(std::string_view topic) const;
    // Its greeting; nothing: a version that does not say what it follows. Who follows unknown lists is
    // told everything.
    void greeted(const std::string& node, std::optional<std::string_view> sum);
    void hear(const std::string& node,
              const ParcelView& news);  // "listens", "which" and "followed"
    void gone(const std::string& node);

  private:
    // Lists have long names and there may be many: a number each is enough.
    using Topic = std::uint64_t;
    struct Followed {
        std::unordered_set<Topic> topics;
        Topic sum = 0;  // of all of them, exclusive or
        bool add(Topic topic);
        bool remove(Topic topic);
        std::string text() const { return std::to_string(sum); }
    };
    struct Peer {
        Followed followed;
        bool everything = false;  // what we know of it is not all
    };
    static Topic topic_of(std::string_view text);
    static bool is_list(std::string_view topic);
    void tell_all();

    const std::string node_;
    const Tell tell_;
    mutable std::mutex mutex_;
    Followed own_;
    std::unordered_map<std::string, Peer> peers_;
};

}  // namespace rokada::server
