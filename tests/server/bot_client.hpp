// SPDX-License-Identifier: GPL-3.0-or-later
// A bot written for lichess as the server sees it: a token, two kinds of streams, form posts.
#pragma once

#include <memory>
#include <string>

#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {

// Lines of an NDJSON stream in the order they came; keep-alives are left out.
class LineReader {
  public:
    LineReader(net::HttpClient& client, net::ClientRequest request);
    ~LineReader();
    net::json::value next();                          // null when patience ends
    net::json::value next_of(std::string_view type);  // others before it are dropped
    bool ended();                                     // waits for the end
    int status();                                     // waits for the head
    std::string header(std::string_view name);
    void cancel();

  private:
    struct Inbox;
    std::shared_ptr<Inbox> inbox_;
    std::shared_ptr<net::HttpClient::LineStream> stream_;
};

class BotClient {
  public:
    // Registers the user, makes a token with these scopes and, if wanted, a bot of it.
    BotClient(SiteTest& site, net::HttpClient& client, const std::string& name, bool upgrade = true,
              const std::string& scopes = R"(["bot:play","play"])");

    Answer get(const std::string& path) { return program_.get(path); }
    Answer post(const std::string& path, const std::string& form = "");
    Answer move(const std::string& game, const std::string& uci) {
        return post("/api/bot/game/" + game + "/move/" + uci);
    }
    LineReader events() { return open("/api/stream/event"); }
    LineReader game(const std::string& id) { return open("/api/bot/game/stream/" + id); }
    LineReader open(const std::string& path, const std::string& form = "");

    Visitor browser;  // logged in as the same user
    const std::string token() const { return token_; }

  private:
    std::string origin_;
    net::HttpClient& client_;
    std::string token_;
    Visitor program_;
};

}  // namespace rokada::server::test
