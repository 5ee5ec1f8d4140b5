// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/nats_bus.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <mutex>
#include <unordered_map>

namespace rokada::server {
namespace {

// Three greetings of the other servers: by then they have said who listens there.
constexpr auto kUnsure = std::chrono::seconds(3);

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
}

// A text as one token of a subject: letters, digits, '-' and '_' stay, all else is written in hexadecimal.
std::string token(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (text.empty()) return "=";
    std::string result;
    result.reserve(text.size() + 8);
    for (const char c : text) {
        if (is_plain(c)) {
            result.push_back(c);
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        result.push_back('=');
        result.push_back(kDigits[byte >> 4]);
        result.push_back(kDigits[byte & 15]);
    }
    return result;
}

// The same for the time of one call: nothing is copied where nothing changes, as in the names of games.
class Token {
  public:
    explicit Token(std::string_view text) : text_(text) {
        if (text.empty() || !std::all_of(text.begin(), text.end(), is_plain))
            text_ = kept_ = token(text);
    }
    Token(const Token&) = delete;
    Token& operator=(const Token&) = delete;
    operator std::string_view() const { return text_; }

  private:
    std::string kept_;
    std::string_view text_;
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

// The text up to the next mark, which is taken away with it.
std::optional<std::string_view> take(std::string_view& bytes, char mark) {
    const std::size_t end = bytes.find(mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view part = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    return part;
}

// What begins a message: its version and status.
class Head {
  public:
    explicit Head(const BusMessage& message) {
        if (message.gap)
            end_ = std::copy_n("gap", 3, end_);
        else
            end_ = std::to_chars(end_, bytes_ + sizeof bytes_, message.version).ptr;
        *end_++ = '\n';
        end_ = std::to_chars(end_, bytes_ + sizeof bytes_, static_cast<int>(message.status)).ptr;
        *end_++ = '\n';
    }
    Head(const Head&) = delete;
    Head& operator=(const Head&) = delete;
    std::string_view numbers() const { return {bytes_, static_cast<std::size_t>(end_ - bytes_)}; }

  private:
    char bytes_[40];
    char* end_ = bytes_;
};

}  // namespace

// version, status, game, players, each ended by a line break; then the text.
std::string encode_bus_message(const BusMessage& message) {
    std::string bytes(Head(message).numbers());
    bytes.append(message.game).append("\n").append(message.players).append("\n");
    if (message.text) bytes.append(*message.text);
    return bytes;
}

std::optional<BusMessage> decode_bus_message(std::string_view bytes) {
    const auto version = take(bytes, '\n');
    const auto status = take(bytes, '\n');
    const auto game = take(bytes, '\n');
    const auto players = take(bytes, '\n');
    if (!players) return std::nullopt;
    BusMessage message;
    int number = 0;
    message.gap = *version == "gap";
    if ((!message.gap && !read_number(*version, message.version)) || message.version < 0 ||
        !read_number(*status, number) || number < 0 ||
        number > static_cast<int>(GameStatus::Aborted))
        return std::nullopt;
    message.status = static_cast<GameStatus>(number);
    message.game = *game;
    message.players = *players;
    message.text = std::make_shared<const std::string>(bytes);
    return message;
}

std::optional<std::string_view> event_in_answer(std::string_view answer) {
    const auto version = take(answer, '\n');
    std::int64_t number = 0;
    if (!version || !read_number(*version, number)) return std::nullopt;
    for (int skipped = 0; skipped < 3; ++skipped)
        if (!take(answer, '\n')) return std::nullopt;
    return answer;
}

// Kept by subscriptions too, which may outlive the bus.
struct NatsBus::Shared {
    LocalBus local;
    std::string events, questions;  // beginnings of subjects
    std::unique_ptr<net::NatsClient> client;

    struct Topic {
        std::uint64_t id = 0;
        int listeners = 0;
    };
    std::mutex mutex;
    bool connected_before = false;
    std::unordered_map<std::string, Topic> topics;
    Account account;
    // What others said about their listeners while we were away was not heard.
    std::atomic<net::Clock::time_point> back_since{net::Clock::time_point()};

    void listens(const std::string& topic, bool listens) const {
        if (account.here) account.here(topic, listens);
    }
};

class NatsBus::Ear final : public EventBus::Subscription {
  public:
    Ear(std::shared_ptr<Shared> shared, std::string topic, std::unique_ptr<Subscription> local)
        : shared_(std::move(shared)), topic_(std::move(topic)), local_(std::move(local)) {}
    ~Ear() override {
        local_.reset();
        const std::lock_guard lock(shared_->mutex);
        const auto found = shared_->topics.find(topic_);
        if (found == shared_->topics.end() || --found->second.listeners > 0) return;
        if (shared_->client) {
            shared_->client->unsubscribe(found->second.id);
            shared_->listens(topic_, false);
        }
        shared_->topics.erase(found);
    }

  private:
    std::shared_ptr<Shared> shared_;
    std::string topic_;
    std::unique_ptr<Subscription> local_;
};

class NatsBus::Desk final : public EventBus::Subscription {
  public:
    Desk(std::shared_ptr<Shared> shared, std::uint64_t id, std::unique_ptr<Subscription> local)
        : shared_(std::move(shared)), id_(id), local_(std::move(local)) {}
    ~Desk() override {
        const std::lock_guard lock(shared_->mutex);
        if (shared_->client) shared_->client->unsubscribe(id_);
    }

  private:
    std::shared_ptr<Shared> shared_;
    std::uint64_t id_;
    std::unique_ptr<Subscription> local_;
};

NatsBus::NatsBus(net::Executor executor, NatsBusOptions options)
    : shared_(std::make_shared<Shared>()) {
    const std::string begin = "rokada." + token(options.realm);
    shared_->events = begin + ".event.";
    shared_->questions = begin + ".ask.";
    const std::string back = begin + ".back";  // what a node said before it lost NATS may be lost
    const auto tell = [weak = std::weak_ptr(shared_), on_state = std::move(options.on_state), back](
                          bool connected, const std::string& why) {
        if (on_state) on_state(connected, why);
        const auto shared = weak.lock();
        if (!connected || !shared) return;
        shared->back_since = net::Clock::now();
        // Also the first time: what others said since the listeners came was not heard.
        shared->local.lose_track();
        const std::lock_guard lock(shared->mutex);
        if (std::exchange(shared->connected_before, true) && shared->client)
            shared->client->publish(back, "");
    };
    const std::lock_guard lock(shared_->mutex);
    shared_->client =
        std::make_unique<net::NatsClient>(std::move(executor), std::move(options.nats), tell);
    shared_->client->subscribe(back, [weak = std::weak_ptr(shared_)](const net::NatsMessage&) {
        if (const auto shared = weak.lock()) shared->local.lose_track();
    });
}

NatsBus::~NatsBus() {
    const std::lock_guard lock(shared_->mutex);
    shared_->client.reset();
}

bool NatsBus::wanted(const std::string& topic) const {
    if (shared_->local.wanted(topic) || !shared_->account.elsewhere) return true;
    if (net::Clock::now() - shared_->back_since.load() < kUnsure) return true;
    return shared_->account.elsewhere(topic);
}

void NatsBus::keep(Account account) { shared_->account = std::move(account); }

void NatsBus::lose_track() { shared_->local.lose_track(); }

bool NatsBus::connected() const { return shared_->client->connected(); }
net::NatsClient::Counters NatsBus::counters() const { return shared_->client->counters(); }

void NatsBus::publish(const std::string& topic, const BusMessage& message) {
    shared_->local.publish(topic, message);
    // While NATS is away it is dropped, and counted.
    const Head head(message);
    const std::string_view text = message.text ? std::string_view(*message.text) : "";
    shared_->client->publish({shared_->events, Token(topic)},
                             {head.numbers(), message.game, "\n", message.players, "\n", text},
                             message.answers ? std::string_view(*message.answers) : "");
}

std::unique_ptr<EventBus::Subscription> NatsBus::subscribe(const std::string& topic,
                                                           Listener listener) {
    auto local = shared_->local.subscribe(topic, std::move(listener));
    const std::lock_guard lock(shared_->mutex);
    Shared::Topic& known = shared_->topics[topic];
    if (known.listeners++ == 0) {
        known.id = shared_->client->subscribe(
            shared_->events + token(topic),
            [weak = std::weak_ptr(shared_), topic](const net::NatsMessage& received) {
                const auto shared = weak.lock();
                if (!shared) return;
                if (const auto message = decode_bus_message(received.payload))
                    shared->local.publish(topic, *message);
            });
        shared_->listens(topic, true);
    }
    return std::make_unique<Ear>(shared_, topic, std::move(local));
}

std::unique_ptr<EventBus::Subscription> NatsBus::serve(const std::string& topic, Clerk clerk) {
    auto local = shared_->local.serve(topic, clerk);
    const auto say = std::make_shared<const Reply::Say>(
        [weak = std::weak_ptr(shared_)](const std::string& to, std::string_view answer) {
            const auto shared = weak.lock();
            if (!shared || to.empty()) return;
            const std::lock_guard lock(shared->mutex);
            if (shared->client) shared->client->publish(to, answer);
        });
    const std::uint64_t id =
        shared_->client->subscribe(shared_->questions + token(topic),
                                   [say, clerk = std::move(clerk)](const net::NatsMessage& asked) {
                                       clerk(asked.payload, Reply(say, asked.reply));
                                   });
    return std::make_unique<Desk>(shared_, id, std::move(local));
}

void NatsBus::ask(const std::string& topic, std::string_view question, Millis patience,
                  Answered answered) {
    if (shared_->local.serves(topic))
        return shared_->local.ask(topic, question, patience, std::move(answered));
    shared_->client->request({shared_->questions, Token(topic)}, {question},
                             net::Milliseconds(patience), std::move(answered));
}

}  // namespace rokada::server
