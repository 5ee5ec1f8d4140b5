// SPDX-License-Identifier: GPL-3.0-or-later
#include "bot/connection.hpp"

#include <algorithm>
#include <charconv>
#include <future>

namespace rokada::bot {

namespace {

constexpr int kUnauthorized = 401, kForbidden = 403, kNotFound = 404, kTooMany = 429;

net::ClientOptions client_options(const Settings& settings) {
    net::ClientOptions options;
    options.tls.ca_file = settings.ca_file;
    options.timeout = settings.waits.request;
    return options;
}

std::chrono::milliseconds since(Clock::time_point begin) {
    return std::chrono::duration_cast<Milliseconds>(Clock::now() - begin);
}

}  // namespace

std::optional<Milliseconds> parse_retry_after(std::string_view text) {
    int seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || seconds < 0)
        return std::nullopt;
    return std::chrono::seconds(std::min(seconds, 86'400));
}

Connection::Connection(const Settings& settings)
    : settings_(settings), loops_(1), client_(loops_, client_options(settings)) {
    worker_ = std::thread([this] { work(); });
}

Connection::~Connection() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    wake_.notify_all();
    worker_.join();
}

void Connection::log(const std::string& line) const {
    if (!settings_.log) return;
    std::string text = line;
    const std::string& token = settings_.token;
    if (!token.empty())
        for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token))
            text.replace(at, token.size(), "***");
    settings_.log(text);
}

net::ClientRequest Connection::make(const Request& request) const {
    net::ClientRequest made;
    made.method = request.method;
    made.url = settings_.url + request.path;
    made.headers.set("Authorization", "Bearer " + settings_.token);
    made.headers.set("User-Agent", "rokada");
    if (!request.form.empty())
        made.headers.set("Content-Type", "application/x-www-form-urlencoded");
    made.body = request.form;
    return made;
}

Answer Connection::read(const net::ClientResult& result, Clock::time_point begin) const {
    Answer answer;
    answer.took = since(begin);
    if (!result) {
        answer.error = result.error().message;
        return answer;
    }
    answer.status = result->status;
    answer.body = result->body;
    answer.retry_after = parse_retry_after(result->headers.get("Retry-After"));
    if (!answer.ok()) {
        const std::string told = parse_complaint(answer.body).error;
        answer.error = std::to_string(answer.status) + (told.empty() ? "" : ": " + told);
    }
    return answer;
}

bool Connection::sleep_for(Milliseconds time) {
    std::unique_lock lock(mutex_);
    return !wake_.wait_for(lock, time, [this] { return quit_; });
}

Answer Connection::try_until_done(const Request& request) {
    const Waits& waits = settings_.waits;
    Milliseconds pause = waits.first_retry, limited = waits.rate_limited;
    for (int left = request.tries;; --left) {
        const auto begin = Clock::now();
        Answer answer = read(client_.fetch(make(request)), begin);
        const bool again = answer.status == 0 || answer.status == kTooMany || answer.status >= 500;
        if (!again || left <= 1) return answer;
        Milliseconds wait = pause;
        if (answer.status == kTooMany) {
            wait = answer.retry_after.value_or(limited);
            limited = std::min(limited * 2, waits.longest_rate_limited);
            log("the server asks for patience: waiting " + std::to_string(wait.count()) + " ms");
        } else {
            pause = std::min(pause * 2, waits.longest_retry);
        }
        if (!sleep_for(wait)) return answer;
    }
}

void Connection::work() {
    for (;;) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return quit_ || !jobs_.empty(); });
            if (quit_) return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        const Answer answer = try_until_done(job.request);
        if (job.done) job.done(answer);
    }
}

void Connection::later(Request request, Done done) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back({std::move(request), std::move(done)});
    }
    wake_.notify_all();
}

Answer Connection::wait_for(Request request) {
    std::promise<Answer> promise;
    later(std::move(request), [&promise](const Answer& answer) { promise.set_value(answer); });
    return promise.get_future().get();
}

void Connection::now(const std::string& path, Done done) {
    Request request;
    request.path = path;
    client_.send(make(request),
                 [this, begin = Clock::now(), done = std::move(done)](
                     const net::ClientResult& result) { done(read(result, begin)); });
}

std::shared_ptr<Feed> Connection::open_feed(const std::string& path, FeedEvents events,
                                            Milliseconds longest_retry) {
    auto feed = std::make_shared<Feed>(*this, path, std::move(events), longest_retry);
    feed->start();
    return feed;
}

Feed::Feed(Connection& connection, std::string path, Connection::FeedEvents events,
           Milliseconds longest_retry)
    : connection_(connection),
      path_(std::move(path)),
      events_(std::move(events)),
      longest_retry_(longest_retry),
      executor_(connection.loops_.executor(0)),
      timer_(executor_),
      pause_(connection.settings_.waits.first_retry),
      limited_(connection.settings_.waits.rate_limited) {}

void Feed::start() {
    executor_.post([self = shared_from_this()] { self->open(); });
}

void Feed::again() {
    executor_.post([self = shared_from_this()] {
        if (!self->closed_) self->stream_.reset();
    });
}

void Feed::close() {
    executor_.post([self = shared_from_this()] {
        self->closed_ = true;
        self->timer_.cancel();
        self->stream_.reset();
    });
}

void Feed::open() {
    if (closed_) return;
    ++reconnects_;
    opened_ = Clock::now();
    status_ = 0;
    retry_after_.reset();
    Connection::Request request;
    request.method = net::Method::kGet;
    request.path = path_;
    net::LineEvents events;
    events.on_head = [weak = weak_from_this()](const net::ClientResponse& head) {
        const auto self = weak.lock();
        if (!self || self->closed_) return;
        self->status_ = head.status;
        self->retry_after_ = parse_retry_after(head.headers.get("Retry-After"));
        if (head.status == 200) self->events_.on_connected();
    };
    events.on_line = [weak = weak_from_this()](std::string_view line) {
        const auto self = weak.lock();
        if (!self || self->closed_ || self->status_ != 200) return;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (!line.empty()) self->events_.on_line(line);
    };
    events.on_end = [weak = weak_from_this()](const std::optional<net::ClientError>& error) {
        if (const auto self = weak.lock()) self->ended(error);
    };
    stream_ = connection_.client_.stream_lines(connection_.make(request), std::move(events),
                                               connection_.settings_.waits.silence);
}

void Feed::ended(const std::optional<net::ClientError>& error) {
    if (closed_) return;
    if (status_ == kUnauthorized || status_ == kForbidden || status_ == kNotFound) {
        closed_ = true;
        events_.on_refused(status_);
        return;
    }
    const Waits& waits = connection_.settings_.waits;
    Milliseconds wait = pause_;
    if (status_ == kTooMany) {
        wait = retry_after_.value_or(limited_);
        limited_ = std::min(limited_ * 2, waits.longest_rate_limited);
    } else if (status_ == 200 && since(opened_) > 10 * waits.first_retry) {
        pause_ = wait = waits.first_retry;  // it had been well
        limited_ = waits.rate_limited;
    } else {
        pause_ = std::min(pause_ * 2, longest_retry_);
    }
    if (error && status_ == 0) connection_.log(error->message);
    timer_.start(wait, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->open();
    });
}

}  // namespace rokada::bot
