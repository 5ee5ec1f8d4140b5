// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/nats_client.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <deque>
#include <mutex>
#include <random>
#include <unordered_map>
#include <utility>

#include <boost/asio/write.hpp>
#include <openssl/rand.h>

#include "net/detail/dialer.hpp"
#include "net/json.hpp"

namespace rokada::net {

using detail::error_code;
using detail::Transport;

namespace {

constexpr std::size_t kMostServers = 64;
constexpr Milliseconds kExpiryTick{50};
// A write, and everything it wakes, costs as much for one message as for many: where they follow each
// other closely, more are gathered first. What comes after a quiet moment goes at once.
constexpr Milliseconds kWritePause{1};

std::string random_token() {
    std::array<unsigned char, 22> bytes{};
    RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
    constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuv";
    std::string token;
    for (const unsigned char byte : bytes) token.push_back(kDigits[byte % kDigits.size()]);
    return token;
}

std::size_t size_of(NatsClient::Pieces pieces) {
    std::size_t size = 0;
    for (const std::string_view piece : pieces) size += piece.size();
    return size;
}

void append_number(std::string& text, std::uint64_t number) {
    char digits[20];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

unsigned random_seed() {
    unsigned seed = 1;
    RAND_bytes(reinterpret_cast<unsigned char*>(&seed), sizeof seed);
    return seed;
}

}  // namespace

class NatsClient::Impl final : public NatsParser::Sink, public std::enable_shared_from_this<Impl> {
  public:
    Impl(Executor executor, NatsOptions options, StateHook on_state)
        : executor_(std::move(executor)),
          options_(std::move(options)),
          on_state_(std::move(on_state)),
          group_(std::make_shared<detail::Group>(executor_)),
          servers_(options_.servers),
          retry_(executor_),
          beat_(executor_),
          expiry_(executor_),
          gathering_(executor_),
          inbox_("_INBOX." + random_token() + ".") {}

    void start() {
        subscribe(inbox_ + "*", [](const NatsMessage&) {});  // on_message knows whom to answer
        executor_.post([self = shared_from_this()] { self->dial(); });
    }
    void close();

    bool connected() const { return connected_; }
    bool publish(Pieces subject, Pieces payload, std::string_view reply);
    std::uint64_t subscribe(std::string subject, Handler handler);
    void unsubscribe(std::uint64_t id);
    void request(Pieces subject, Pieces payload, Milliseconds patience, Answered answered);
    Counters counters() const { return {connects_, sent_, received_, dropped_}; }

    void on_info(std::string_view json) override;
    void on_message(const NatsMessage& message) override;
    void on_ping() override { say("PONG\r\n"); }
    void on_pong() override;
    void on_error(std::string_view text) override;

  private:
    // One connection; a new one is made for every attempt, so that late completions are recognised.
    struct Link {
        std::shared_ptr<Transport> transport;
        NatsParser parser;
        std::array<char, 64 * 1024> buffer;
        std::string sending;
        bool introduced = false, writing = false;
        Clock::time_point heard = Clock::now();
        Clock::time_point next_write;
    };
    struct Subscribed {
        std::string subject;
        std::shared_ptr<Handler> handler;
    };
    struct Asked {
        Clock::time_point deadline;
        Answered answered;  // empty once it is
    };

    void dial();
    void retry_later(const std::string& why);
    void opened(std::shared_ptr<Transport> transport);
    void introduce();
    void read();
    void lost(const std::string& why);
    void tell(bool connected, const std::string& why);
    void say(std::string_view text);
    void wake_writer();  // with the mutex held
    void flush();
    void beat();
    // With the mutex held:
    bool publish_locked(Pieces subject, Pieces payload, std::string_view reply);
    Answered take_asked(std::string_view inbox);
    void drop_settled();
    void expire();
    void fail_requests();

    const Executor executor_;
    const NatsOptions options_;
    const StateHook on_state_;

    // On the loop's thread only.
    std::shared_ptr<detail::Group> group_;
    std::vector<NatsServer> servers_;
    std::size_t server_ = 0;
    std::size_t failures_ = 0;  // in a row
    std::shared_ptr<Link> link_;
    std::optional<bool> told_;
    Timer retry_, beat_, expiry_, gathering_;
    std::minstd_rand jitter_{random_seed()};

    const std::string inbox_;
    std::atomic<bool> connected_{false}, closed_{false};
    std::atomic<std::uint64_t> connects_{0}, sent_{0}, received_{0}, dropped_{0};
    std::atomic<std::size_t> most_bytes_{std::size_t{1} << 20};  // in one message

    std::mutex mutex_;       // what follows
    bool writable_ = false;  // introduced: lines may be added
    bool waking_ = false;
    std::string outgoing_;
    std::uint64_t next_id_ = 1;
    std::unordered_map<std::uint64_t, Subscribed> subscribed_;
    // In the order of their numbers, which end the subjects for the answers.
    std::deque<Asked> asked_;
    std::uint64_t asked_first_ = 1;
    std::string reply_;      // room for such a subject
    bool watching_ = false;  // the clock looks at them, or is about to
};

void NatsClient::Impl::dial() {
    if (closed_) return;
    const NatsServer& server = servers_[server_];
    Url url{"http", server.host, server.port, "/"};  // TLS begins later, inside the conversation
    detail::Dialer::dial(
        group_, std::move(url), nullptr, Clock::now() + options_.connect_timeout,
        [self = shared_from_this()](Result<std::shared_ptr<Transport>, ClientError> result) {
            if (self->closed_) return;
            if (!result) return self->retry_later(result.error().message);
            self->opened(std::move(*result));
        });
}

void NatsClient::Impl::opened(std::shared_ptr<Transport> transport) {
    link_ = std::make_shared<Link>();
    link_->transport = std::move(transport);
    read();
    beat();
}

// The next server at once; once all have failed, with growing pauses.
void NatsClient::Impl::retry_later(const std::string& why) {
    tell(false, why);
    server_ = (server_ + 1) % servers_.size();
    const std::size_t rounds = failures_++ / servers_.size();
    Milliseconds pause = options_.retry_min * (1 << std::min<std::size_t>(rounds, 10));
    pause = std::min(pause, options_.retry_max);
    pause += Milliseconds(jitter_() % (static_cast<unsigned>(pause.count()) / 2 + 1));
    retry_.start(pause, [self = shared_from_this()] { self->dial(); });
}

void NatsClient::Impl::lost(const std::string& why) {
    if (!link_) return;
    link_->transport->close();
    link_.reset();
    {
        const std::lock_guard lock(mutex_);
        writable_ = false;
        connected_ = false;
        outgoing_.clear();
    }
    fail_requests();
    if (closed_) return;
    retry_later(why);
}

void NatsClient::Impl::tell(bool connected, const std::string& why) {
    if (told_ == connected) return;
    told_ = connected;
    if (on_state_) on_state_(connected, why);
}

void NatsClient::Impl::read() {
    link_->transport->async_read_some(
        asio::buffer(link_->buffer),
        [self = shared_from_this(), link = link_](error_code error, std::size_t size) {
            if (self->link_ != link) return;
            if (error) return self->lost(error.message());
            link->heard = Clock::now();
            const auto complaint =
                link->parser.feed(std::string_view(link->buffer.data(), size), *self);
            if (self->link_ != link) return;
            if (complaint) return self->lost("the server does not speak NATS: " + *complaint);
            // While TLS begins nothing else may read.
            if (link->introduced || !link->transport->encrypted()) self->read();
        });
}

void NatsClient::Impl::on_info(std::string_view text) {
    if (!link_) return;
    const auto info = parse_json(text);
    const json::object* fields = info ? info->if_object() : nullptr;
    if (fields == nullptr) return lost("the server's greeting cannot be read");
    const auto flag = [fields](std::string_view name) {
        const json::value* value = fields->if_contains(name);
        return value != nullptr && value->is_bool() && value->get_bool();
    };
    if (const json::value* others = fields->if_contains("connect_urls");
        others && others->is_array())
        for (const json::value& other : others->get_array()) {
            if (!other.is_string() || servers_.size() >= kMostServers) continue;
            const auto parsed = parse_nats_urls(std::string_view(other.get_string()));
            if (!parsed) continue;
            const NatsServer& found = parsed->servers.front();
            const bool known =
                std::any_of(servers_.begin(), servers_.end(), [&found](const NatsServer& server) {
                    return server.host == found.host && server.port == found.port;
                });
            if (!known) servers_.push_back({found.host, found.port, servers_.front().tls});
        }
    if (const json::value* most = fields->if_contains("max_payload"); most && most->is_int64())
        most_bytes_ = static_cast<std::size_t>(std::max<std::int64_t>(0, most->get_int64()));
    if (flag("ldm")) return lost("the server is going down");
    if (link_->introduced) return;
    if (!flag("tls_required") && !servers_[server_].tls) return introduce();
    auto context = detail::make_client_context(options_.tls);
    if (!context) return lost(context.error());
    link_->transport->start_tls(std::move(*context));
    link_->transport->connect_handshake(
        servers_[server_].host, [self = shared_from_this(), link = link_](error_code error) {
            if (self->link_ != link) return;
            if (error) return self->lost("TLS: " + error.message());
            self->introduce();
            self->read();
        });
}

void NatsClient::Impl::introduce() {
    json::object hello;
    hello["verbose"] = false;
    hello["pedantic"] = false;
    hello["echo"] = false;  // what we say ourselves we know
    hello["headers"] = true;
    hello["no_responders"] = true;
    hello["protocol"] = 1;
    hello["lang"] = "rokada";
    hello["version"] = "1";
    hello["name"] = options_.name;
    hello["tls_required"] = link_->transport->encrypted();
    if (!options_.user.empty()) {
        hello["user"] = options_.user;
        hello["pass"] = options_.password;
    }
    if (!options_.token.empty()) hello["auth_token"] = options_.token;
    link_->introduced = true;
    const std::lock_guard lock(mutex_);
    outgoing_ = "CONNECT " + to_text(hello) + "\r\n";
    for (const auto& [id, subscribed] : subscribed_)
        outgoing_ += "SUB " + subscribed.subject + " " + std::to_string(id) + "\r\n";
    // The answer comes when the server has read all of this.
    outgoing_ += "PING\r\n";
    writable_ = true;
    wake_writer();
}

void NatsClient::Impl::on_pong() {
    if (!link_ || !link_->introduced || connected_) return;
    failures_ = 0;
    ++connects_;
    connected_ = true;
    const NatsServer& server = servers_[server_];
    tell(true, server.host + ":" + std::to_string(server.port));
}

void NatsClient::Impl::on_error(std::string_view text) {
    // Refused permissions leave the connection as it is; all else ends it.
    if (text.substr(0, 23) == "Permissions Violation f") return;
    lost(std::string(text));
}

void NatsClient::Impl::beat() {
    const auto silence = options_.ping_interval * 3;
    beat_.start(options_.ping_interval, [self = shared_from_this(), link = link_, silence] {
        if (self->link_ != link) return;
        if (Clock::now() - link->heard > silence) return self->lost("the server is silent");
        if (self->connected_) self->say("PING\r\n");
        self->beat();
    });
}

void NatsClient::Impl::on_message(const NatsMessage& message) {
    ++received_;
    std::shared_ptr<Handler> handler;
    Answered answered;
    {
        const std::lock_guard lock(mutex_);
        const auto found = subscribed_.find(message.subscription);
        if (found == subscribed_.end()) return;
        handler = found->second.handler;
        if (message.subject.starts_with(inbox_))
            answered = take_asked(message.subject);
        else if (message.reply.starts_with(inbox_))
            answered = take_asked(message.reply);
    }
    if (answered) {
        if (message.status == 503)
            answered(std::nullopt);
        else
            answered(message.payload);
    }
    (*handler)(message);
}

void NatsClient::Impl::say(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (!writable_) return;
    outgoing_ += text;
    wake_writer();
}

void NatsClient::Impl::wake_writer() {
    if (waking_) return;
    waking_ = true;
    executor_.post([self = shared_from_this()] { self->flush(); });
}

void NatsClient::Impl::flush() {
    const Clock::time_point now = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        waking_ = false;
        if (!link_ || link_->writing || outgoing_.empty()) return;
        waking_ = now < link_->next_write;
        if (!waking_) {
            link_->sending.swap(outgoing_);
            outgoing_.clear();
            link_->writing = true;
        }
    }
    if (!link_->writing)
        return gathering_.start_at(link_->next_write,
                                   [self = shared_from_this()] { self->flush(); });
    link_->next_write = now + kWritePause;
    asio::async_write(*link_->transport, asio::buffer(link_->sending),
                      [self = shared_from_this(), link = link_](error_code error, std::size_t) {
                          link->writing = false;
                          if (self->link_ != link) return;
                          if (error) return self->lost(error.message());
                          self->flush();
                      });
}

bool NatsClient::Impl::publish(Pieces subject, Pieces payload, std::string_view reply) {
    const std::lock_guard lock(mutex_);
    return publish_locked(subject, payload, reply);
}

bool NatsClient::Impl::publish_locked(Pieces subject, Pieces payload, std::string_view reply) {
    const std::size_t size = size_of(payload);
    // The server would end the connection over a message that is too long for it.
    if (!connected_ || closed_ || size > most_bytes_) {
        ++dropped_;
        return false;
    }
    if (outgoing_.size() + size > options_.most_unsent) {
        ++dropped_;
        outgoing_.clear();
        writable_ = connected_ = false;
        executor_.post([self = shared_from_this()] { self->lost("the server reads too slowly"); });
        return false;
    }
    outgoing_.append("PUB ");
    for (const std::string_view piece : subject) outgoing_.append(piece);
    outgoing_.push_back(' ');
    if (!reply.empty()) outgoing_.append(reply).push_back(' ');
    append_number(outgoing_, size);
    outgoing_.append("\r\n");
    for (const std::string_view piece : payload) outgoing_.append(piece);
    outgoing_.append("\r\n");
    ++sent_;
    wake_writer();
    return true;
}

std::uint64_t NatsClient::Impl::subscribe(std::string subject, Handler handler) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t id = next_id_++;
    if (writable_) {
        outgoing_ += "SUB " + subject + " " + std::to_string(id) + "\r\n";
        wake_writer();
    }
    subscribed_[id] = {std::move(subject), std::make_shared<Handler>(std::move(handler))};
    return id;
}

void NatsClient::Impl::unsubscribe(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    if (subscribed_.erase(id) == 0 || !writable_) return;
    outgoing_ += "UNSUB " + std::to_string(id) + "\r\n";
    wake_writer();
}

void NatsClient::Impl::request(Pieces subject, Pieces payload, Milliseconds patience,
                               Answered answered) {
    const Clock::time_point now = Clock::now();
    std::uint64_t number = 0;
    bool sent = false, watched = false;
    {
        const std::lock_guard lock(mutex_);
        number = asked_first_ + asked_.size();
        reply_.assign(inbox_);
        append_number(reply_, number);
        sent = publish_locked(subject, payload, reply_);
        // What could not be sent is over at once.
        asked_.push_back({sent ? now + patience : now, std::move(answered)});
        watched = std::exchange(watching_, true);
    }
    if (sent && watched) return;
    executor_.post([self = shared_from_this()] { self->expire(); });
}

// Whoever asked with that subject for the answer; nobody if it is too late. With the mutex held.
NatsClient::Answered NatsClient::Impl::take_asked(std::string_view inbox) {
    const std::string_view digits = inbox.substr(inbox_.size());
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) return {};
    if (number < asked_first_ || number - asked_first_ >= asked_.size()) return {};
    Answered answered = std::exchange(asked_[number - asked_first_].answered, nullptr);
    drop_settled();
    return answered;
}

void NatsClient::Impl::drop_settled() {
    for (; !asked_.empty() && !asked_.front().answered; ++asked_first_) asked_.pop_front();
}

// Ends the requests whose time is over and comes back while others wait.
void NatsClient::Impl::expire() {
    std::vector<Answered> over;
    bool waiting = false;
    {
        const std::lock_guard lock(mutex_);
        const Clock::time_point now = Clock::now();
        for (Asked& asked : asked_)
            if (asked.answered && asked.deadline <= now)
                over.push_back(std::exchange(asked.answered, nullptr));
        drop_settled();
        waiting = watching_ = !asked_.empty();
    }
    if (waiting) expiry_.start(kExpiryTick, [self = shared_from_this()] { self->expire(); });
    for (const Answered& answered : over) answered(std::nullopt);
}

void NatsClient::Impl::fail_requests() {
    std::deque<Asked> asked;
    {
        const std::lock_guard lock(mutex_);
        asked_first_ += asked_.size();
        asked.swap(asked_);
    }
    for (const Asked& request : asked)
        if (request.answered) request.answered(std::nullopt);
}

void NatsClient::Impl::close() {
    closed_ = true;
    executor_.post([self = shared_from_this()] {
        self->lost("closed");
        self->fail_requests();
        self->retry_.cancel();
        self->beat_.cancel();
        self->expiry_.cancel();
        self->gathering_.cancel();
        self->group_->for_each([](detail::Member& member) { member.on_cut(); });
        const std::lock_guard lock(self->mutex_);
        self->subscribed_.clear();
    });
}

NatsClient::NatsClient(Executor executor, NatsOptions options, StateHook on_state)
    : impl_(std::make_shared<Impl>(std::move(executor), std::move(options), std::move(on_state))) {
    impl_->start();
}
NatsClient::~NatsClient() { impl_->close(); }

bool NatsClient::connected() const { return impl_->connected(); }
bool NatsClient::publish(Pieces subject, Pieces payload, std::string_view reply) {
    return impl_->publish(subject, payload, reply);
}
std::uint64_t NatsClient::subscribe(std::string subject, Handler handler) {
    return impl_->subscribe(std::move(subject), std::move(handler));
}
void NatsClient::unsubscribe(std::uint64_t id) { impl_->unsubscribe(id); }
void NatsClient::request(Pieces subject, Pieces payload, Milliseconds patience, Answered answered) {
    impl_->request(subject, payload, patience, std::move(answered));
}
NatsClient::Counters NatsClient::counters() const { return impl_->counters(); }

}  // namespace rokada::net
