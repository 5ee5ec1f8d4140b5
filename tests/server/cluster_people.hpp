// SPDX-License-Identifier: GPL-3.0-or-later
// Visitors of a site of several servers: a person who is connected to one of them and may change to
// another, a live socket that follows a game over such changes and notices what it missed, and two
// persons who play on whatever happens.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/client.hpp"
#include "net/json.hpp"
#include "tests/server/clock_ledger.hpp"

namespace rokada::server::test {

// A Spanish game, for those that need legal moves.
inline const std::vector<std::string> kMoves{"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6",
                                             "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5"};

class Person {
  public:
    Person(net::HttpClient& client, std::string server)
        : origin(std::move(server)), client_(client) {}

    // Status 0: no answer.
    net::ClientResponse send(net::Method method, const std::string& path,
                             const std::string& body = "");
    net::ClientResponse act(const std::string& game, const std::string& what,
                            const std::string& body = "{}") {
        return send(net::Method::kPost, "/api/v1/games/" + game + "/" + what, body);
    }
    net::ClientResponse send_move(const std::string& game, std::size_t ply,
                                  const std::string& uci) {
        return send(net::Method::kPut, "/api/v1/games/" + game + "/moves/" + std::to_string(ply),
                    "{\"uci\":\"" + uci + "\"}");
    }
    int move(const std::string& game, std::size_t ply, const std::string& uci) {
        return send_move(game, ply, uci).status;
    }
    net::json::value look(const std::string& game);  // null when it cannot be seen
    // Against whoever joins, with White.
    std::string new_game(const std::string& clock);

    std::string origin;  // of the server it is connected to
    std::string cookie;

  private:
    net::HttpClient& client_;
};

std::vector<std::string> moves_of(const net::json::value& game);

class Follower {
  public:
    Follower(net::HttpClient& client, const Person& person, std::string game);
    ~Follower();
    // To the person's server of now; goes on where it was.
    void connect();
    bool connected() const { return socket_ && socket_->open(); }
    void say(const std::string& text);
    void move(std::size_t ply, const std::string& uci) {
        say("{\"t\":\"move\",\"game\":\"" + game_ + "\",\"ply\":" + std::to_string(ply) +
            ",\"uci\":\"" + uci + "\",\"id\":\"" + std::to_string(ply) + "\"}");
    }

    std::vector<std::string> moves() const;
    std::string complaint() const;  // what was left out or came twice; empty: nothing
    std::string answer_to(const std::string& id) const;  // "ack", the code of an error, or empty
    bool sees(bool white, bool black) const;             // who is said to be there
    std::string last_chat() const;
    std::string heard() const;  // everything, to find out what went wrong

  private:
    struct State {
        mutable std::mutex mutex;
        int connection = 0;  // only the last one counts
        bool known = false;
        std::int64_t version = 0;
        std::vector<std::string> moves;
        std::map<std::string, std::string> answers;
        std::string complaint, chat, heard;
        bool white = false, black = false;

        void hear(const net::json::value& message);  // locked
    };
    net::HttpClient& client_;
    const Person& person_;
    const std::string game_;
    std::shared_ptr<State> state_ = std::make_shared<State>();
    net::WebSocketPtr socket_;
};

// Random moves from both sides, over HTTP or the live socket as it comes. A move that is not
// acknowledged is sent again until it is.
class CrowdedGame {
  public:
    CrowdedGame(net::HttpClient& client, const Person& white, const Person& black, std::string id)
        : white_(white),
          black_(black),
          id_(std::move(id)),
          at_white_(client, white_, id_),
          at_black_(client, black_, id_) {}

    struct Plan {
        unsigned seed = 0;
        std::chrono::milliseconds pause{40};  // before each move
        std::function<bool(std::size_t plies)> enough;
        // Where to go when a server does not answer at all.
        std::function<std::string(const std::string& silent)> where = {};
        // How long a move took from the first attempt to its acknowledgement.
        std::function<void(std::chrono::milliseconds)> took = {};
        // An attempt that came to nothing, and what the answer was.
        std::function<void(const std::string& answer)> refused = {};
    };
    void play(const Plan& plan);  // from where the last call ended

    // To one of these servers, if the old one is none of them.
    void reconnect(const std::vector<std::string>& alive);
    // What was acknowledged is what everybody sees, once and in order, also at these servers.
    void check(const std::vector<std::string>& servers);

    const std::string& id() const { return id_; }
    const std::vector<std::string>& acknowledged() const { return acknowledged_; }
    const std::vector<Turn>& turns() const { return turns_; }  // one for each acknowledged move

  private:
    // An empty complaint: acknowledged. Adds up what was spent on connections that gave no answer.
    std::string insist(std::size_t ply, const std::string& uci, bool by_socket, const Plan& plan,
                       std::chrono::milliseconds& in_vain);

    Person white_, black_;
    const std::string id_;
    Follower at_white_, at_black_;
    std::vector<std::string> acknowledged_;
    std::vector<Turn> turns_;
    std::string trouble_;
};

}  // namespace rokada::server::test
