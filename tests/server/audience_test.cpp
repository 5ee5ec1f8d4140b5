// SPDX-License-Identifier: GPL-3.0-or-later
// Each server knows which lists are followed at the others, whatever is lost on the way.
#include "server/api/audience.hpp"

#include <gtest/gtest.h>

namespace rokada::server::test {
namespace {

// Two servers; what one says the other hears when `deliver` is called, if it is not lost.
class Audiences : public ::testing::Test {
  protected:
    struct Said {
        bool by_one;
        Parcel news;
    };
    Audience one_{"one", [this](Parcel news) { say(true, std::move(news)); }};
    Audience two_{"two", [this](Parcel news) { say(false, std::move(news)); }};
    std::vector<Said> said_;

    void say(bool by_one, Parcel news) {
        news.insert(news.begin(), by_one ? "one" : "two");
        said_.push_back({by_one, std::move(news)});
    }
    void deliver() {
        while (!said_.empty()) {
            const Said next = said_.front();
            said_.erase(said_.begin());
            (next.by_one ? two_ : one_)
                .hear(next.by_one ? "one" : "two", {next.news.begin(), next.news.end()});
        }
    }
};

TEST_F(Audiences, WhatIsFollowedElsewhereIsKnown) {
    one_.here("player:ana", true);
    one_.here("games", true);
    deliver();
    EXPECT_TRUE(two_.elsewhere("player:ana"));
    EXPECT_TRUE(two_.elsewhere("games"));
    EXPECT_FALSE(two_.elsewhere("player:ben"));
    EXPECT_FALSE(one_.elsewhere("player:ana")) << "not elsewhere, but here";
    one_.here("player:ana", false);
    deliver();
    EXPECT_FALSE(two_.elsewhere("player:ana"));
    two_.gone("one");
    EXPECT_FALSE(two_.elsewhere("games"));
}

TEST_F(Audiences, OnlyListsAreToldOf) {
    one_.here("abcdefghij", true);
    one_.here("nodes", true);
    EXPECT_TRUE(said_.empty());
}

TEST_F(Audiences, WhatWasLostIsAskedForAtTheNextGreeting) {
    one_.here("player:ana", true);
    said_.clear();
    EXPECT_FALSE(two_.elsewhere("player:ana"));
    two_.greeted("one", one_.sum());
    EXPECT_TRUE(two_.elsewhere("player:ben")) << "until it is known, all may be wanted";
    deliver();
    two_.greeted("one", one_.sum());
    EXPECT_TRUE(said_.empty()) << "nothing to ask";
    EXPECT_TRUE(two_.elsewhere("player:ana"));
    EXPECT_FALSE(two_.elsewhere("player:ben"));
}

TEST_F(Audiences, ManyListsArriveInSeveralParcels) {
    constexpr int kMany = 25'000;
    for (int i = 0; i < kMany; ++i) one_.here("player:" + std::to_string(i), true);
    said_.clear();
    two_.greeted("one", one_.sum());
    deliver();
    two_.greeted("one", one_.sum());
    EXPECT_TRUE(said_.empty());
    for (int i = 0; i < kMany; ++i) ASSERT_TRUE(two_.elsewhere("player:" + std::to_string(i)));
    EXPECT_FALSE(two_.elsewhere("player:" + std::to_string(kMany)));
}

TEST_F(Audiences, AServerThatDoesNotSayIsToldEverything) {
    two_.greeted("one", std::nullopt);
    EXPECT_TRUE(two_.elsewhere("player:anybody"));
    two_.hear("one", {"one", "listens"});
    two_.hear("one", {"one", "listens", "x", "1"});
    two_.hear("one", {"one", "followed"});
    two_.hear("one", {"one", "which"});
    EXPECT_TRUE(said_.empty()) << "what is cut short is left alone";
}

}  // namespace
}  // namespace rokada::server::test
