// SPDX-License-Identifier: GPL-3.0-or-later
// The conversation with one server: requests one at a time with patience for its limits, moves at once, and line streams that come
// back by themselves. The token is sent and never told to anybody else. Used by Bot and GamePlayer.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "bot/messages.hpp"
#include "bot/queue.hpp"
#include "bot/settings.hpp"
#include "net/client.hpp"

namespace rokada::bot {

struct Answer {
    int status = 0;  // 0: there was none
    std::string body;
    std::string error;  // one line, if anything went wrong
    std::optional<Milliseconds> retry_after;
    Milliseconds took{0};

    bool ok() const { return status >= 200 && status < 300; }
};
using Done = std::function<void(const Answer&)>;

class Feed;

class Connection {
  public:
    explicit Connection(const Settings& settings);
    ~Connection();  // drops what has not been sent
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    struct Request {
        net::Method method = net::Method::kPost;
        std::string path{};
        std::string form{};
        // How often it is tried when the network, the server or its limits are in the way. One try answers with whatever came.
        int tries = 5;
    };
    // In order, one at a time; done is called from a thread of the connection.
    void later(Request request, Done done = {});
    // At once and only once: for moves, whose sender decides by the state of the game what comes next.
    void now(const std::string& path, Done done);
    Answer wait_for(Request request);  // later, and waits

    // Lines until it is closed; see Feed.
    struct FeedEvents {
        std::function<void()> on_connected;
        std::function<void(std::string_view line)> on_line;  // keep-alives left out
        std::function<void(int status)> on_refused;  // for good: 401, 403, 404; the last call
    };
    std::shared_ptr<Feed> open_feed(const std::string& path, FeedEvents events,
                                    Milliseconds longest_retry);

    void log(const std::string& line) const;

  private:
    friend class Feed;
    struct Job {
        Request request;
        Done done;
    };
    net::ClientRequest make(const Request& request) const;
    Answer read(const net::ClientResult& result, Clock::time_point begin) const;
    Answer try_until_done(const Request& request);
    bool sleep_for(Milliseconds time);  // false: the end has come
    void work();

    const Settings& settings_;
    net::Loops loops_;
    net::HttpClient client_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> jobs_;
    bool quit_ = false;
    std::thread worker_;
};

// A line stream that is opened again whenever it ends, with growing pauses while that fails.
class Feed : public std::enable_shared_from_this<Feed> {
  public:
    Feed(Connection& connection, std::string path, Connection::FeedEvents events,
         Milliseconds longest_retry);
    void start();
    void again();  // drop the stream and ask for the whole state anew
    void close();  // no event follows soon after
    int reconnects() const { return reconnects_; }

  private:
    void open();
    void ended(const std::optional<net::ClientError>& error);

    Connection& connection_;
    const std::string path_;
    const Connection::FeedEvents events_;
    const Milliseconds longest_retry_;
    net::Executor executor_;
    // From here on: touched on the executor only.
    std::shared_ptr<net::HttpClient::LineStream> stream_;
    net::Timer timer_;
    Clock::time_point opened_{};
    Milliseconds pause_, limited_;
    int status_ = 0;
    std::optional<Milliseconds> retry_after_;
    bool closed_ = false;
    std::atomic<int> reconnects_{-1};
};

// The value of Retry-After in seconds, if it is one.
std::optional<Milliseconds> parse_retry_after(std::string_view text);

}  // namespace rokada::bot
