// SPDX-License-Identifier: GPL-3.0-or-later
// What one server asks another arrives as it was sent, and anything else is no question.
#include "server/api/parcel.hpp"

#include <gtest/gtest.h>

#include "server/api/live_out.hpp"

namespace rokada::server::test {
namespace {

TEST(Parcels, AnyBytesArriveAsTheyWere) {
    const Parcel parcel{"", "a:b", std::string("\0\n\xff", 3), "12:"};
    const std::string bytes = pack(parcel);
    EXPECT_EQ(unpack(bytes), ParcelView(parcel.begin(), parcel.end()));
    EXPECT_EQ(unpack(""), ParcelView{});
}

TEST(Parcels, WhatIsCutOrForeignIsNothing) {
    for (const char* bytes : {"3", "3:ab", ":ab", "-1:", "x:y", "99999999999999999999:a", "1:ab"})
        EXPECT_FALSE(unpack(bytes)) << bytes;
    EXPECT_FALSE(request_from({"request", "GET"}));
    EXPECT_FALSE(response_from({"response", "99", "", "0"}));
    EXPECT_FALSE(response_from({"response", "200", "", "1", "name"}));
    EXPECT_TRUE(response_from({"response", "200", "", "0", "more"})) << "of a later version";
}

TEST(Parcels, ARequestAndItsAnswerKeepWhatCounts) {
    net::Request request;
    request.method = net::Method::kPut;
    request.target = "/api/v1/games/x/moves/1?a=b";
    request.path = "/api/v1/games/x/moves/1";
    request.query = {{"a", "b"}};
    request.cookies = {{"rokada", "token"}};
    request.headers.add("Host", "localhost:8080");
    request.remote = *net::Address::parse("192.0.2.7");
    request.tls = true;
    request.body = R"({"uci":"e2e4"})";
    set_on_the_way(request, net::Milliseconds(1234));
    const auto arrived = request_from(*unpack(pack(request_parcel(request))));
    ASSERT_TRUE(arrived);
    EXPECT_EQ(arrived->method, net::Method::kPut);
    EXPECT_EQ(arrived->path, request.path);
    EXPECT_EQ(arrived->query, request.query);
    EXPECT_EQ(arrived->cookie("rokada"), "token");
    EXPECT_EQ(arrived->host(), "localhost:8080");
    EXPECT_EQ(arrived->remote.text(), "192.0.2.7");
    EXPECT_TRUE(arrived->tls);
    EXPECT_EQ(arrived->body, request.body);
    EXPECT_EQ(on_the_way(*arrived).count(), 1234);
    EXPECT_TRUE(arrived->headers.has(kRelayed));
    EXPECT_FALSE(request.headers.has(kRelayed));

    auto response = net::Response::json_text(409, "{}");
    response.headers.add("Set-Cookie", "one");
    response.headers.add("Set-Cookie", "two");
    const auto answer = response_from(*unpack(pack(response_parcel(response))));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 409);
    EXPECT_EQ(*answer->body, "{}");
    EXPECT_EQ(answer->headers.count("Set-Cookie"), 2u);
}

TEST(Parcels, TheEventOfAMoveHoldsItsAcknowledgement) {
    GameEvent event;
    event.kind = GameEvent::Kind::Move;
    event.version = 12;
    event.ply = 11;
    event.uci = "e2e4";
    event.san = "e4";
    event.fen = "fen";
    EXPECT_EQ(live_out::ack("i\"d", "game000001", 11, live_out::event(event, "game000001", {})),
              R"({"t":"ack","id":"i\"d","game":"game000001","ply":11,"version":12})");
    event.clocks = ClockReading{1000, 2000, Color::Black};
    const std::string text = live_out::event(event, "game000001", {});
    const std::string clocks = text.substr(text.find(R"("clocks":)"));
    EXPECT_EQ(live_out::ack("m", "game000001", 11, text),
              R"({"t":"ack","id":"m","game":"game000001","ply":11,"version":12,)" + clocks);
    event.kind = GameEvent::Kind::Clock;
    for (const std::string& other : {live_out::event(event, "game000001", {}), std::string(),
                                     std::string("{}"), text + " ", live_out::pong(1, 2)})
        EXPECT_FALSE(live_out::ack("m", "game000001", 11, other)) << other;
}

}  // namespace
}  // namespace rokada::server::test
