// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/site_fixture.hpp"

#include <algorithm>
#include <future>
#include <thread>

#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::server::test {

std::unique_ptr<MovePicker::Ticket> FirstMovePicker::pick(PickRequest request, Callback callback) {
    ++asked;
    auto ticket = std::make_unique<Ticket>();
    if (silent) return ticket;
    Position position = request.start;
    for (const Move move : request.moves) position.play(move);
    PickedMove picked;
    std::string best;
    for (const Move move : legal_moves(position)) {
        const std::string uci = to_uci(move);
        if (!best.empty() && uci > best) continue;
        best = uci;
        picked.move = move;
    }
    picked.centipawns = 10;
    picked.line = {picked.move};
    if (request.on_thought) {
        Thought thought;
        thought.depth = 1;
        thought.centipawns = 10;
        thought.line = picked.line;
        request.on_thought(thought);
    }
    callback(picked);
    return ticket;
}

std::string Answer::text(std::string_view pointer) const {
    boost::system::error_code error;
    const auto* found = json.find_pointer(pointer, error);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::int64_t Answer::number(std::string_view pointer) const {
    boost::system::error_code error;
    const auto* found = json.find_pointer(pointer, error);
    return found != nullptr && found->is_int64() ? found->get_int64() : -1;
}

SiteTest::SiteTest() {
    options_.data = folder_.path() / "data";
    options_.port = 0;
    options_.loops = 2;
    options_.human_pace = false;
    options_.picker = &picker_;
    options_.password_cost = {std::size_t{1} << 20, 1};
    options_.version = "test";
    options_.log = [](const LogEntry& entry) {
        if (entry.level == LogLevel::Error) ADD_FAILURE() << log_line(entry, LogFormat::Plain, 0);
    };
    start();
    Visitor visitor(*this);
    visitor.check_schema = false;
    const Answer description = visitor.get("/api/openapi.json");
    EXPECT_EQ(description.status, 200);
    schema_ = std::make_unique<SchemaChecker>(description.json);
    schema_->add_definitions(std::string(testing_support::source_folder()) +
                             "/docs/live-protocol.schema.json");
}

SiteTest::~SiteTest() { stop(); }

void SiteTest::start() {
    site_.reset();
    options_.port = port_;
    auto site = Site::start(options_);
    if (!site) throw std::runtime_error(site.error());
    site_ = std::move(*site);
    port_ = site_->port();
}

std::string Visitor::new_game(const std::string& body) {
    const Answer made = post("/api/v1/games", body);
    EXPECT_EQ(made.status, 201) << made.body;
    return made.text("/id");
}

Answer Visitor::await_ply(const std::string& game, std::int64_t ply) {
    Answer read;
    for (int i = 0; i < 200; ++i) {
        read = get("/api/v1/games/" + game);
        if (read.number("/ply") >= ply) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return read;
}

Answer Visitor::send(net::Method method, const std::string& path, const std::string& body) {
    net::ClientRequest request;
    request.method = method;
    request.url = site_.origin() + path;
    request.body = body;
    request.timeout = patience;
    if (!body.empty()) request.headers.set("Content-Type", "application/json");
    if (with_origin) request.headers.set("Origin", site_.origin());
    if (!cookie.empty()) request.headers.set("Cookie", cookie);
    for (const auto& header : extra) request.headers.set(header.name, header.value);
    const auto result = site_.client_.fetch(std::move(request));
    Answer answer;
    if (!result) {
        ADD_FAILURE() << path << ": " << result.error().message;
        return answer;
    }
    answer.status = result->status;
    answer.headers = result->headers;
    answer.body = result->body;
    if (const std::string_view set = result->headers.get("Set-Cookie"); !set.empty()) {
        cookie = std::string(set.substr(0, set.find(';')));
        if (cookie.back() == '=') cookie.clear();
    }
    const std::string type(result->headers.get("Content-Type"));
    if (type.find("json") != std::string::npos && type.find("ndjson") == std::string::npos) {
        auto parsed = net::parse_json(result->body, 64);
        EXPECT_TRUE(parsed) << path << ": " << result->body;
        if (parsed) answer.json = std::move(*parsed);
    }
    if (check_schema && site_.schema_ && path.rfind("/api/", 0) == 0) {
        std::string name(net::to_string(method));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        for (const std::string& complaint : site_.schema_->check_response(
                 name, path.substr(0, path.find('?')), answer.status, type, answer.body))
            ADD_FAILURE() << name << " " << path << " " << answer.status << " " << complaint << "\n"
                          << answer.body;
    }
    return answer;
}

struct LiveClient::Inbox {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<net::json::value> messages;
    int close_code = 0;

    void add(std::string_view text) {
        const auto value = net::parse_json(text, 64);
        ASSERT_TRUE(value) << text;
        const std::lock_guard lock(mutex);
        if (value->is_array()) {
            for (const auto& message : value->get_array()) messages.push_back(message);
        } else {
            messages.push_back(*value);
        }
        wake.notify_all();
    }
};

LiveClient::LiveClient(SiteTest& site, const Visitor& visitor)
    : schema_(*site.schema_), inbox_(std::make_shared<Inbox>()) {
    net::ClientRequest request;
    const std::string origin = site.origin();
    request.url = "ws" + origin.substr(4) + "/api/v1/live";
    if (visitor.with_origin) request.headers.set("Origin", origin);
    if (!visitor.cookie.empty()) request.headers.set("Cookie", visitor.cookie);
    for (const auto& header : visitor.extra) request.headers.set(header.name, header.value);
    net::WebSocketEvents events;
    events.on_message = [inbox = inbox_](const net::WebSocketPtr&, std::string_view text) {
        inbox->add(text);
    };
    events.on_close = [inbox = inbox_](const net::WebSocketPtr&,
                                       const net::WebSocketClosed& closed) {
        const std::lock_guard lock(inbox->mutex);
        inbox->close_code = static_cast<int>(closed.code);
        inbox->wake.notify_all();
    };
    std::promise<Result<net::WebSocketPtr, net::ClientError>> opened;
    auto future = opened.get_future();
    site.client_.open_websocket(std::move(request), std::move(events),
                                [&opened](Result<net::WebSocketPtr, net::ClientError> result) {
                                    opened.set_value(std::move(result));
                                });
    const auto result = future.get();
    if (result) {
        socket_ = *result;
    } else if (result.error().response) {
        refused_ = result.error().response->status;
    }
}

LiveClient::~LiveClient() { close(); }

void LiveClient::close() {
    if (socket_) socket_->close(net::CloseCode::kNormal);
}

void LiveClient::send(const std::string& text) {
    const auto value = net::parse_json(text, 64);
    ASSERT_TRUE(value) << text;
    for (const std::string& complaint : schema_.check_definition("ClientMessage", *value))
        ADD_FAILURE() << "sent: " << complaint << "\n" << text;
    socket_->send(text);
}

void LiveClient::send_nonsense(const std::string& text) { socket_->send(text); }

net::json::value LiveClient::next(std::string_view kind) {
    std::unique_lock lock(inbox_->mutex);
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
        while (!inbox_->messages.empty()) {
            net::json::value message = std::move(inbox_->messages.front());
            inbox_->messages.pop_front();
            for (const std::string& complaint : schema_.check_definition("ServerMessage", message))
                ADD_FAILURE() << "received: " << complaint << "\n" << net::to_text(message);
            if (message.at("t").get_string() == kind) return message;
        }
        if (inbox_->wake.wait_until(lock, deadline) == std::cv_status::timeout) return nullptr;
    }
}

net::json::value LiveClient::next_event(std::string_view kind) {
    for (;;) {
        net::json::value event = next("event");
        if (event.is_null() || event.at("kind").get_string() == kind) return event;
    }
}

int LiveClient::close_code() {
    std::unique_lock lock(inbox_->mutex);
    inbox_->wake.wait_for(lock, kPatience, [this] { return inbox_->close_code != 0; });
    return inbox_->close_code;
}

}  // namespace rokada::server::test
