// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/cluster_people.hpp"

#include <algorithm>
#include <future>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"
#include "tests/server/eventually.hpp"

namespace rokada::server::test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

net::ClientResponse Person::send(net::Method method, const std::string& path,
                                 const std::string& body) {
    net::ClientRequest request;
    request.method = method;
    request.url = origin + path;
    request.body = body;
    request.timeout = net::Milliseconds(15'000);
    request.headers.set("Origin", origin);
    if (!body.empty()) request.headers.set("Content-Type", "application/json");
    if (!cookie.empty()) request.headers.set("Cookie", cookie);
    auto result = client_.fetch(std::move(request));
    if (!result) return {};
    if (const auto set = result->headers.get("Set-Cookie"); !set.empty())
        cookie = std::string(set.substr(0, set.find(';')));
    return std::move(*result);
}

net::json::value Person::look(const std::string& game) {
    const auto read = send(net::Method::kGet, "/api/v1/games/" + game);
    auto json = net::parse_json(read.body, 64);
    if (read.status != 200 || !json) return nullptr;
    return std::move(*json);
}

std::string Person::new_game(const std::string& clock) {
    const auto made = send(net::Method::kPost, "/api/v1/games",
                           R"({"opponent":"link","color":"white","clock":)" + clock + "}");
    const auto json = net::parse_json(made.body, 64);
    return made.status == 201 && json ? std::string(json->at("id").get_string()) : "";
}

std::vector<std::string> moves_of(const net::json::value& game) {
    std::vector<std::string> moves;
    if (game.is_null()) return moves;
    for (const auto& move : game.at("moves").get_array()) moves.emplace_back(move.get_string());
    return moves;
}

void Follower::State::hear(const net::json::value& message) {
    const std::string kind(message.at("t").get_string());
    const auto text = [&message](const char* name) {
        return std::string(message.at(name).get_string());
    };
    if (kind == "snapshot") {
        known = true;
        version = message.at("version").get_int64();
        moves = moves_of(message.at("state"));
    } else if (kind == "ack") {
        answers[text("id")] = "ack";
    } else if (kind == "error") {
        const auto* id = message.get_object().if_contains("id");
        if (id != nullptr) answers[std::string(id->get_string())] = text("code");
    } else if (kind == "presence") {
        white = message.at("white").get_bool();
        black = message.at("black").get_bool();
    } else if (kind == "event") {
        const std::int64_t number = message.at("version").get_int64();
        if (number != version + 1 && complaint.empty())
            complaint = "version " + std::to_string(number) + " after " + std::to_string(version);
        version = number;
        if (text("kind") == "move") moves.push_back(text("uci"));
        if (text("kind") == "chat") chat = text("text");
    }
}

Follower::Follower(net::HttpClient& client, const Person& person, std::string game)
    : client_(client), person_(person), game_(std::move(game)) {
    connect();
}

Follower::~Follower() {
    if (socket_) socket_->close(net::CloseCode::kNormal);
}

void Follower::connect() {
    if (socket_) socket_->close(net::CloseCode::kNormal);
    int connection = 0;
    std::string more;
    {
        const std::lock_guard lock(state_->mutex);
        connection = ++state_->connection;
        if (state_->known) more = ",\"version\":" + std::to_string(state_->version);
    }
    net::ClientRequest request;
    request.url = "ws" + person_.origin.substr(4) + "/api/v1/live";
    request.headers.set("Origin", person_.origin);
    if (!person_.cookie.empty()) request.headers.set("Cookie", person_.cookie);
    net::WebSocketEvents events;
    events.on_message = [state = state_, connection](const net::WebSocketPtr&,
                                                     std::string_view text) {
        const auto value = net::parse_json(text, 64);
        const std::lock_guard lock(state->mutex);
        if (!value || state->connection != connection) return;
        state->heard.append(text).append("\n");
        if (!value->is_array()) return state->hear(*value);
        for (const auto& message : value->get_array()) state->hear(message);
    };
    std::promise<Result<net::WebSocketPtr, net::ClientError>> opened;
    auto future = opened.get_future();
    client_.open_websocket(std::move(request), std::move(events),
                           [&opened](Result<net::WebSocketPtr, net::ClientError> result) {
                               opened.set_value(std::move(result));
                           });
    const auto result = future.get();
    socket_ = result ? *result : nullptr;
    say("{\"t\":\"watch\",\"game\":\"" + game_ + "\"" + more + "}");
}

void Follower::say(const std::string& text) {
    if (socket_) socket_->send(text);
}

std::vector<std::string> Follower::moves() const {
    const std::lock_guard lock(state_->mutex);
    return state_->moves;
}

std::string Follower::complaint() const {
    const std::lock_guard lock(state_->mutex);
    return state_->complaint;
}

std::string Follower::answer_to(const std::string& id) const {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->answers.find(id);
    return found == state_->answers.end() ? "" : found->second;
}

bool Follower::sees(bool white, bool black) const {
    const std::lock_guard lock(state_->mutex);
    return state_->white == white && state_->black == black;
}

std::string Follower::heard() const {
    const std::lock_guard lock(state_->mutex);
    return state_->heard + (connected() ? "connected" : "not connected");
}

std::string Follower::last_chat() const {
    const std::lock_guard lock(state_->mutex);
    return state_->chat;
}

namespace {

std::chrono::milliseconds since(Clock::time_point begun) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
}

}  // namespace

std::string CrowdedGame::insist(std::size_t ply, const std::string& uci, bool by_socket,
                                const Plan& plan, std::chrono::milliseconds& in_vain) {
    Person& mover = ply % 2 == 1 ? white_ : black_;
    Follower& follower = ply % 2 == 1 ? at_white_ : at_black_;
    if (!follower.connected()) follower.connect();
    const std::string id = std::to_string(ply);
    auto begun = Clock::now();
    if (by_socket && follower.connected()) {
        follower.move(ply, uci);
        const auto answered = [&] {
            return !follower.connected() || !follower.answer_to(id).empty();
        };
        eventually(answered, 10s);
        const std::string answer = follower.answer_to(id);
        if (answer == "ack") return "";
        if (!answer.empty() && plan.refused) plan.refused(answer);
        if (answer.empty()) in_vain += since(begun);
    }
    const auto end = Clock::now() + 60s;
    for (;;) {
        begun = Clock::now();
        const auto response = mover.send_move(id_, ply, uci);
        const int status = response.status;
        if (status == 200) return "";
        const bool away = status == 0 || status == 502 || status == 503 || status == 504;
        if (!away || Clock::now() > end) return "ply " + id + ": " + std::to_string(status);
        if (status != 503) in_vain += since(begun);
        if (plan.refused) plan.refused(std::to_string(status) + " " + response.body);
        if (status == 0 && plan.where) mover.origin = plan.where(mover.origin);
        if (!follower.connected() || (status == 0 && plan.where)) follower.connect();
        std::this_thread::sleep_for(100ms);
    }
}

void CrowdedGame::play(const Plan& plan) {
    std::mt19937 random(plan.seed);
    Game game;
    for (const std::string& uci : acknowledged_) game.play(*parse_uci_move(game.position(), uci));
    std::this_thread::sleep_for(plan.pause * static_cast<int>(random() % 100) / 100);
    auto had_the_move = Clock::now();
    std::chrono::milliseconds before{0};  // how long the last move took
    while (!plan.enough(acknowledged_.size()) && !game.over()) {
        std::this_thread::sleep_for(plan.pause);
        const MoveList legal = legal_moves(game.position());
        const Move move = legal[random() % legal.size()];
        const std::string uci = to_uci(move);
        const auto begun = Clock::now();
        Turn turn{since(had_the_move), 0ms, before};
        trouble_ = insist(acknowledged_.size() + 1, uci, random() % 2 == 0, plan, turn.in_vain);
        if (!trouble_.empty()) return;
        had_the_move = Clock::now();
        before = since(begun);
        if (plan.took) plan.took(before);
        turns_.push_back(turn);
        acknowledged_.push_back(uci);
        EXPECT_TRUE(game.play(move));
    }
}

void CrowdedGame::reconnect(const std::vector<std::string>& alive) {
    for (Person* person : {&white_, &black_})
        if (std::find(alive.begin(), alive.end(), person->origin) == alive.end())
            person->origin = alive[0];
    at_white_.connect();
    at_black_.connect();
}

void CrowdedGame::check(const std::vector<std::string>& servers) {
    SCOPED_TRACE(id_);
    EXPECT_EQ(trouble_, "");
    for (const std::string& server : servers) {
        Person visitor = white_;
        visitor.origin = server;
        const auto seen = visitor.look(id_);
        ASSERT_FALSE(seen.is_null()) << server;
        EXPECT_EQ(moves_of(seen), acknowledged_) << server;
        EXPECT_FALSE(seen.get_object().contains("reason") && seen.at("reason") == "time");
    }
    for (Follower* follower : {&at_white_, &at_black_}) {
        EXPECT_TRUE(eventually([&] { return follower->moves() == acknowledged_; }))
            << follower->moves().size() << " of " << acknowledged_.size();
        EXPECT_EQ(follower->complaint(), "");
    }
}

}  // namespace rokada::server::test
