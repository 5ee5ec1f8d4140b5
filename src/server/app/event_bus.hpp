// SPDX-License-Identifier: GPL-3.0-or-later
// Carries what happened to everybody who listens, by topic (a game's id, "games"), and questions to
// whoever answers them. The database is the truth: a lost message shows as a gap in the versions and
// is read again. LocalBus serves one process, NatsBus many; both keep the same promises.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/store/records.hpp"

namespace rokada::server {

// Where a question wants its answer; null: nowhere.
using ReplyAddress = std::shared_ptr<const std::string>;

struct BusMessage {
    std::int64_t version = 0;  // 0: not part of the numbered events
    std::shared_ptr<const std::string> text;
    std::string players = {};  // on the list of games: ids of those who get a version of their own
    std::string game = {};     // on lists: the game it is about, and how that stands
    GameStatus status = GameStatus::Waiting;
    // Instead of a message: some may have been lost, so look at the database again. No text then.
    bool gap = false;
    ReplyAddress answers = {};  // of a question it answers by the way (EventBus::Reply::address)
};

class EventBus {
  public:
    using Listener = std::function<void(const BusMessage&)>;
    // Answers one question, once, from any thread; an answer dropped is no answer. Copies are cheap.
    class Reply {
      public:
        // `address` is that of the question.
        using Say = std::function<void(const std::string& address, std::string_view answer)>;
        // A desk says all its answers in the same way.
        explicit Reply(std::shared_ptr<const Say> say, std::string_view address = {})
            : kept_(std::make_shared<const Kept>(std::move(say), address)) {}
        void operator()(std::string_view answer) const { (*kept_->say)(kept_->address, answer); }
        // For an event that is the answer as well, if whoever asks listens to its topic. Null: not here.
        ReplyAddress address() const {
            return kept_->address.empty() ? nullptr : ReplyAddress(kept_, &kept_->address);
        }

      private:
        struct Kept {
            Kept(std::shared_ptr<const Say> how, std::string_view where)
                : say(std::move(how)), address(where) {}
            std::shared_ptr<const Say> say;
            std::string address;
        };
        std::shared_ptr<const Kept> kept_;
    };
    using Clerk = std::function<void(std::string_view question, const Reply& reply)>;
    using Answered = std::function<void(std::optional<std::string_view> answer)>;
    // Ends the subscription when it is destroyed.
    class Subscription {
      public:
        virtual ~Subscription() = default;
    };

    virtual ~EventBus() = default;
    // False: nobody would hear it, so it need not be written.
    virtual bool wanted(const std::string& topic) const = 0;
    virtual void publish(const std::string& topic, const BusMessage& message) = 0;
    // The listener may be called from any thread and must be quick.
    virtual std::unique_ptr<Subscription> subscribe(const std::string& topic,
                                                    Listener listener) = 0;
    // Takes the questions of a topic; one clerk each. Must be quick.
    virtual std::unique_ptr<Subscription> serve(const std::string& topic, Clerk clerk) = 0;
    // The answer, or nothing when nobody serves the topic, none came in time or the way is cut: then
    // the question may have been heard all the same. Exactly once, from any thread.
    virtual void ask(const std::string& topic, std::string_view question, Millis patience,
                     Answered answered) = 0;
    // Tells every listener of this process of a gap.
    virtual void lose_track() = 0;
};

class LocalBus final : public EventBus {
  public:
    bool wanted(const std::string& topic) const override;
    void publish(const std::string& topic, const BusMessage& message) override;
    std::unique_ptr<Subscription> subscribe(const std::string& topic, Listener listener) override;
    std::unique_ptr<Subscription> serve(const std::string& topic, Clerk clerk) override;
    void ask(const std::string& topic, std::string_view question, Millis patience,
             Answered answered) override;
    void lose_track() override;
    bool serves(const std::string& topic) const;

  private:
    struct Entry {
        std::uint64_t id;
        std::shared_ptr<Listener> listener;
    };
    struct Shared {
        std::mutex mutex;
        std::uint64_t next_id = 1;
        std::unordered_map<std::string, std::vector<Entry>> topics;
        std::unordered_map<std::string, std::pair<std::uint64_t, std::shared_ptr<Clerk>>> clerks;
    };
    class Handle;
    class Desk;
    std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace rokada::server
