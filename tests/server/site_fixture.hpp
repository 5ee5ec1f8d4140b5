// SPDX-License-Identifier: GPL-3.0-or-later
// A real server on loopback with a scripted computer, and visitors with cookies. Every answer to a
// visitor and every message of a live socket is checked against its description.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/json.hpp"
#include "server/web/site.hpp"
#include "tests/server/schema_checker.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {

// How long to wait for what must come; only a failing test waits so long, whatever else the machine does.
inline constexpr std::chrono::seconds kPatience{20};

// Plays the first legal move in the alphabet of UCI at once.
class FirstMovePicker final : public MovePicker {
  public:
    std::unique_ptr<Ticket> pick(PickRequest request, Callback callback) override;
    std::unique_ptr<Ticket> run(const std::string&, LongWork work) override {
        work([] { return true; });
        return std::make_unique<Ticket>();
    }
    bool silent = false;  // thinks for ever
    int asked = 0;
};

struct Answer {
    int status = 0;
    net::Headers headers;
    std::string body;
    net::json::value json;  // null when the body is none

    std::string text(std::string_view pointer) const;  // "/white/name"; empty when absent
    std::int64_t number(std::string_view pointer) const;
};

class SiteTest : public ::testing::Test {
  protected:
    SiteTest();
    ~SiteTest() override;
    void start();  // again, on the same data and port
    void stop() { site_.reset(); }
    std::string origin() const { return "http://localhost:" + std::to_string(port_); }

    SiteOptions options_;
    TemporaryFolder folder_;
    FirstMovePicker picker_;
    std::unique_ptr<Site> site_;
    std::uint16_t port_ = 0;
    net::Loops loops_{1};
    net::HttpClient client_{loops_};
    std::unique_ptr<SchemaChecker> schema_;

    friend class Visitor;
    friend class LiveClient;
};

// A browser: keeps its cookie, names its origin.
class Visitor {
  public:
    explicit Visitor(SiteTest& site) : site_(site) {}

    Answer get(const std::string& path) { return send(net::Method::kGet, path, ""); }
    Answer post(const std::string& path, const std::string& body = "{}") {
        return send(net::Method::kPost, path, body);
    }
    Answer put(const std::string& path, const std::string& body) {
        return send(net::Method::kPut, path, body);
    }
    Answer move(const std::string& game, int ply, const std::string& uci) {
        return put("/api/v1/games/" + game + "/moves/" + std::to_string(ply),
                   "{\"uci\":\"" + uci + "\"}");
    }
    std::string new_game(const std::string& body);
    // Reads the game until it has so many plies.
    Answer await_ply(const std::string& game, std::int64_t ply);
    Answer send(net::Method method, const std::string& path, const std::string& body);

    std::string cookie;  // "rokada=..."
    net::Headers extra;  // sent with every request
    bool with_origin = true;
    bool check_schema = true;
    std::chrono::milliseconds patience = kPatience;  // with one answer

  private:
    SiteTest& site_;
};

// The other end of a live socket: messages are taken out in the order they came.
class LiveClient {
  public:
    LiveClient(SiteTest& site, const Visitor& visitor);
    ~LiveClient();
    bool opened() const { return socket_ != nullptr; }
    int refused() const { return refused_; }
    void send(const std::string& text);
    void send_nonsense(const std::string& text);  // what the protocol does not have
    // The next message of that kind; others before it are dropped. Null after two seconds.
    net::json::value next(std::string_view kind);
    net::json::value next_event(std::string_view kind);
    int close_code();  // waits for the end
    void close();

  private:
    struct Inbox;
    const SchemaChecker& schema_;
    std::shared_ptr<Inbox> inbox_;
    net::WebSocketPtr socket_;
    int refused_ = 0;
};

}  // namespace rokada::server::test
