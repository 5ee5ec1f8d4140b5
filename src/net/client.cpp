// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/client.hpp"

#include <algorithm>
#include <future>
#include <list>
#include <mutex>

#include "net/detail/conversation.hpp"
#include "net/detail/dialer.hpp"
#include "net/detail/websocket_session.hpp"
#include "net/detail/wire.hpp"

namespace rokada::net {

using detail::Conversation;
using detail::Dialer;
using detail::Group;
using detail::Job;

namespace {

ClientError client_closed() { return {ClientError::Kind::kClosed, "the client was closed", {}}; }

std::string origin_of(const Url& url) {
    return (url.tls() ? "s" : "p") + url.authority() + "#" + std::to_string(url.port);
}

// Where the handle of a line stream finds its conversation once that has begun.
struct LineState {
    std::mutex mutex;
    bool cancelled = false;
    std::weak_ptr<Conversation> conversation;
};

// The request as bytes; empty if a header field would break it apart.
std::string serialise(const ClientRequest& request, const Url& url) {
    std::string text(to_string(request.method));
    text.append(" ").append(url.target).append(" HTTP/1.1\r\n");
    const auto field = [&text](std::string_view name, std::string_view value) {
        text.append(name).append(": ").append(value).append("\r\n");
    };
    if (!request.headers.has("Host")) field("Host", url.authority());
    if (!request.headers.has("User-Agent")) field("User-Agent", "rokada");
    for (const Header& header : request.headers) {
        if (!detail::is_token(header.name) || !detail::is_field_value(header.value)) return {};
        field(header.name, header.value);
    }
    const bool may_have_body = request.method != Method::kGet && request.method != Method::kHead &&
                               request.method != Method::kOptions;
    if (!request.headers.has("Content-Length") && (may_have_body || !request.body.empty()))
        field("Content-Length", std::to_string(request.body.size()));
    text.append("\r\n").append(request.body);
    return text;
}

}  // namespace

class HttpClient::Impl : public std::enable_shared_from_this<Impl> {
  public:
    Impl(Loops& loops, ClientOptions options) : loops_(loops), options_(std::move(options)) {
        for (std::size_t i = 0; i < loops_.size(); ++i) {
            homes_.push_back(std::make_shared<Home>());
            homes_.back()->group = std::make_shared<Group>(loops_.executor(i));
        }
        Result<std::shared_ptr<detail::TlsContextHolder>, std::string> tls =
            detail::make_client_context(options_.tls);
        if (tls)
            tls_ = std::move(*tls);
        else
            tls_error_ = tls.error();
    }

    void send(ClientRequest request, std::function<void(ClientResult)> callback);
    std::shared_ptr<LineStream> stream_lines(ClientRequest request, LineEvents events,
                                             Milliseconds idle);
    void open_websocket(ClientRequest request, WebSocketEvents events,
                        detail::WebSocketSession::Opened opened);
    void close();
    const ClientOptions& options() const { return options_; }

  private:
    // Connections of one loop that wait for their next request; the most recently used last.
    struct Home {
        std::shared_ptr<Group> group;
        std::list<std::pair<std::string, std::shared_ptr<Conversation>>> idle;
    };

    Result<std::shared_ptr<Job>, ClientError> make_job(const ClientRequest& request) const;
    void start(const std::shared_ptr<Home>& home, std::shared_ptr<Job> job,
               const std::shared_ptr<LineState>& handle, bool fresh);
    static void fail(const Job& job, ClientError error);
    std::shared_ptr<Home> next_home() { return homes_[next_++ % homes_.size()]; }
    std::optional<ClientError> check_tls(const Url& url) const;

    Loops& loops_;
    ClientOptions options_;
    std::shared_ptr<detail::TlsContextHolder> tls_;
    std::string tls_error_;
    std::vector<std::shared_ptr<Home>> homes_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> closed_{false};
};

class HttpClient::LineStream {
  public:
    explicit LineStream(Executor executor) : executor_(std::move(executor)) {}
    ~LineStream() { cancel(); }
    LineStream(const LineStream&) = delete;
    LineStream& operator=(const LineStream&) = delete;

    void cancel() {
        const std::lock_guard lock(state_->mutex);
        state_->cancelled = true;
        if (const auto conversation = state_->conversation.lock())
            executor_.post([conversation] { conversation->cancel(); });
    }

    const std::shared_ptr<LineState>& state() const { return state_; }

  private:
    Executor executor_;
    std::shared_ptr<LineState> state_ = std::make_shared<LineState>();
};

std::optional<ClientError> HttpClient::Impl::check_tls(const Url& url) const {
    if (!url.tls() || tls_) return {};
    return ClientError{ClientError::Kind::kTls, tls_error_, {}};
}

Result<std::shared_ptr<Job>, ClientError> HttpClient::Impl::make_job(
    const ClientRequest& request) const {
    const std::optional<Url> url = parse_url(request.url);
    if (!url)
        return Error{ClientError{ClientError::Kind::kBadUrl, "not an address: " + request.url, {}}};
    if (std::optional<ClientError> error = check_tls(*url)) return Error{std::move(*error)};
    auto job = std::make_shared<Job>();
    job->url = *url;
    job->bytes = serialise(request, *url);
    if (job->bytes.empty())
        return Error{ClientError{
            ClientError::Kind::kProtocol, "a header field has forbidden characters", {}}};
    job->head = request.method == Method::kHead;
    job->repeatable = request.method != Method::kPost && request.method != Method::kPatch;
    job->deadline = Clock::now() + request.timeout.value_or(options_.timeout);
    job->body_limit = options_.body_limit;
    return job;
}

void HttpClient::Impl::fail(const Job& job, ClientError error) {
    if (!job.lines)
        job.callback(Error{std::move(error)});
    else if (job.lines->on_end)
        job.lines->on_end(std::move(error));
}

void HttpClient::Impl::start(const std::shared_ptr<Home>& home, std::shared_ptr<Job> job,
                             const std::shared_ptr<LineState>& handle, bool fresh) {
    if (closed_) return fail(*job, client_closed());
    const std::string origin = origin_of(job->url);
    while (!fresh) {
        const auto found = std::find_if(home->idle.rbegin(), home->idle.rend(),
                                        [&](const auto& entry) { return entry.first == origin; });
        if (found == home->idle.rend()) break;
        const std::shared_ptr<Conversation> conversation = found->second;
        home->idle.erase(std::next(found).base());
        if (conversation->usable()) return conversation->run(std::move(job));
        conversation->cancel();
    }
    const std::weak_ptr<Impl> weak = weak_from_this();
    Dialer::dial(home->group, job->url, tls_, job->deadline,
                 [weak, home, job, handle, origin](auto dialled) {
                     const std::shared_ptr<Impl> self = weak.lock();
                     if (!dialled || !self || self->closed_) {
                         return fail(*job, dialled ? client_closed() : dialled.error());
                     }
                     const auto retry = [weak, home](std::shared_ptr<Job> again) {
                         if (const auto impl = weak.lock())
                             impl->start(home, std::move(again), nullptr, true);
                         else
                             fail(*again, client_closed());
                     };
                     const auto idle = [weak, home,
                                        origin](const std::shared_ptr<Conversation>& free) {
                         const auto impl = weak.lock();
                         if (!impl || impl->closed_) return free->cancel();
                         home->idle.emplace_back(origin, free);
                         if (home->idle.size() <= impl->options_.idle_connections) return;
                         const std::shared_ptr<Conversation> oldest = home->idle.front().second;
                         home->idle.pop_front();
                         oldest->cancel();
                     };
                     const auto conversation =
                         std::make_shared<Conversation>(home->group, *dialled, retry, idle);
                     bool cancelled = false;
                     if (handle) {
                         const std::lock_guard lock(handle->mutex);
                         handle->conversation = conversation;
                         cancelled = handle->cancelled;
                     }
                     conversation->run(job);
                     if (cancelled) conversation->cancel();
                 });
}

void HttpClient::Impl::send(ClientRequest request, std::function<void(ClientResult)> callback) {
    const std::shared_ptr<Home> home = next_home();
    Result<std::shared_ptr<Job>, ClientError> job = make_job(request);
    if (!job) {
        home->group->executor().post([callback, error = job.error()] { callback(Error{error}); });
        return;
    }
    (*job)->callback = std::move(callback);
    home->group->executor().post(
        [self = shared_from_this(), home, job = *job] { self->start(home, job, nullptr, false); });
}

std::shared_ptr<HttpClient::LineStream> HttpClient::Impl::stream_lines(ClientRequest request,
                                                                       LineEvents events,
                                                                       Milliseconds idle) {
    const std::shared_ptr<Home> home = next_home();
    const auto handle = std::make_shared<LineStream>(home->group->executor());
    Result<std::shared_ptr<Job>, ClientError> job = make_job(request);
    if (!job) {
        home->group->executor().post([events, error = job.error()] {
            if (events.on_end) events.on_end(error);
        });
        return handle;
    }
    (*job)->lines = std::make_shared<const LineEvents>(std::move(events));
    (*job)->idle = idle;
    home->group->executor().post(
        [self = shared_from_this(), home, job = *job, state = handle->state()] {
            self->start(home, job, state, true);
        });
    return handle;
}

void HttpClient::Impl::open_websocket(ClientRequest request, WebSocketEvents events,
                                      detail::WebSocketSession::Opened opened) {
    const std::shared_ptr<Home> home = next_home();
    const std::optional<Url> url = parse_url(request.url);
    std::optional<ClientError> error;
    if (!url)
        error = ClientError{ClientError::Kind::kBadUrl, "not an address: " + request.url, {}};
    else
        error = check_tls(*url);
    if (error) {
        home->group->executor().post([opened, error] {
            if (opened) opened(Error{*error});
        });
        return;
    }
    const Milliseconds timeout = request.timeout.value_or(options_.timeout);
    home->group->executor().post([self = shared_from_this(), home, url = *url,
                                  headers = request.headers, events, opened, timeout] {
        Dialer::dial(home->group, url, self->tls_, Clock::now() + timeout,
                     [self, home, url, headers, events, opened, timeout](auto dialled) {
                         if (!dialled) {
                             if (opened) opened(Error{dialled.error()});
                             return;
                         }
                         detail::WebSocketHome place;
                         place.group = home->group;
                         detail::WebSocketSession::connect(std::move(**dialled), url, headers,
                                                           events, self->options_.websocket,
                                                           std::move(place), timeout, opened);
                     });
    });
}

// Ends everything; when this returns no callback of ours is running, unless we are called from one.
void HttpClient::Impl::close() {
    closed_ = true;
    std::vector<std::future<void>> done;
    for (const std::shared_ptr<Home>& home : homes_) {
        const auto finished = std::make_shared<std::promise<void>>();
        const bool wait = loops_.threaded() && !home->group->executor().on_this_thread();
        if (wait) done.push_back(finished->get_future());
        home->group->executor().dispatch([home, finished] {
            home->group->for_each([](detail::Member& member) { member.on_cut(); });
            home->idle.clear();
            finished->set_value();
        });
    }
    for (std::future<void>& each : done) {
        try {
            each.get();
        } catch (const std::future_error&) {
            // The loops were stopped before the client: nothing runs any more.
        }
    }
    if (!done.empty())
        for (const std::shared_ptr<Home>& home : homes_) home->idle.clear();
}

HttpClient::HttpClient(Loops& loops, ClientOptions options)
    : impl_(std::make_shared<Impl>(loops, std::move(options))) {}

HttpClient::~HttpClient() { impl_->close(); }

void HttpClient::send(ClientRequest request, std::function<void(ClientResult)> callback) {
    impl_->send(std::move(request), std::move(callback));
}

ClientResult HttpClient::fetch(ClientRequest request) {
    const auto promise = std::make_shared<std::promise<ClientResult>>();
    std::future<ClientResult> result = promise->get_future();
    impl_->send(std::move(request),
                [promise](ClientResult answer) { promise->set_value(std::move(answer)); });
    try {
        return result.get();
    } catch (const std::future_error&) {
        return Error{client_closed()};  // the loops were stopped
    }
}

std::shared_ptr<HttpClient::LineStream> HttpClient::stream_lines(ClientRequest request,
                                                                 LineEvents events,
                                                                 Milliseconds idle) {
    return impl_->stream_lines(std::move(request), std::move(events), idle);
}

void HttpClient::open_websocket(ClientRequest request, WebSocketEvents events,
                                std::function<void(Result<WebSocketPtr, ClientError>)> opened) {
    impl_->open_websocket(std::move(request), std::move(events), std::move(opened));
}

}  // namespace rokada::net
