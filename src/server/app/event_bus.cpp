// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/event_bus.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace rokada::server {

class LocalBus::Handle final : public EventBus::Subscription {
  public:
    Handle(std::shared_ptr<Shared> shared, std::string topic, std::uint64_t id)
        : shared_(std::move(shared)), topic_(std::move(topic)), id_(id) {}
    ~Handle() override {
        const std::lock_guard lock(shared_->mutex);
        const auto found = shared_->topics.find(topic_);
        if (found == shared_->topics.end()) return;
        auto& entries = found->second;
        entries.erase(std::remove_if(entries.begin(), entries.end(),
                                     [this](const Entry& e) { return e.id == id_; }),
                      entries.end());
        if (entries.empty()) shared_->topics.erase(found);
    }

  private:
    std::shared_ptr<Shared> shared_;
    std::string topic_;
    std::uint64_t id_;
};

class LocalBus::Desk final : public EventBus::Subscription {
  public:
    Desk(std::shared_ptr<Shared> shared, std::string topic, std::uint64_t id)
        : shared_(std::move(shared)), topic_(std::move(topic)), id_(id) {}
    ~Desk() override {
        const std::lock_guard lock(shared_->mutex);
        const auto found = shared_->clerks.find(topic_);
        if (found != shared_->clerks.end() && found->second.first == id_)
            shared_->clerks.erase(found);
    }

  private:
    std::shared_ptr<Shared> shared_;
    std::string topic_;
    std::uint64_t id_;
};

bool LocalBus::wanted(const std::string& topic) const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->topics.count(topic) > 0;
}

void LocalBus::publish(const std::string& topic, const BusMessage& message) {
    // Most topics are games, which two players follow: no memory is needed for so few.
    std::array<std::shared_ptr<Listener>, 2> few;
    std::vector<std::shared_ptr<Listener>> many;
    {
        const std::lock_guard lock(shared_->mutex);
        const auto found = shared_->topics.find(topic);
        if (found == shared_->topics.end()) return;
        const std::vector<Entry>& entries = found->second;
        if (entries.size() > few.size()) many.resize(entries.size());
        const auto first = many.empty() ? few.begin() : &many.front();
        std::transform(entries.begin(), entries.end(), first,
                       [](const Entry& entry) { return entry.listener; });
    }
    for (const auto& listener : few)
        if (listener) (*listener)(message);
    for (const auto& listener : many) (*listener)(message);
}

std::unique_ptr<EventBus::Subscription> LocalBus::subscribe(const std::string& topic,
                                                            Listener listener) {
    const std::lock_guard lock(shared_->mutex);
    const std::uint64_t id = shared_->next_id++;
    shared_->topics[topic].push_back(Entry{id, std::make_shared<Listener>(std::move(listener))});
    return std::make_unique<Handle>(shared_, topic, id);
}

std::unique_ptr<EventBus::Subscription> LocalBus::serve(const std::string& topic, Clerk clerk) {
    const std::lock_guard lock(shared_->mutex);
    const std::uint64_t id = shared_->next_id++;
    shared_->clerks[topic] = {id, std::make_shared<Clerk>(std::move(clerk))};
    return std::make_unique<Desk>(shared_, topic, id);
}

bool LocalBus::serves(const std::string& topic) const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->clerks.count(topic) > 0;
}

void LocalBus::ask(const std::string& topic, std::string_view question, Millis /*patience*/,
                   Answered answered) {
    std::shared_ptr<Clerk> clerk;
    {
        const std::lock_guard lock(shared_->mutex);
        if (const auto found = shared_->clerks.find(topic); found != shared_->clerks.end())
            clerk = found->second.second;
    }
    if (!clerk) return answered(std::nullopt);
    // Answers when it is told to, or when the last copy of the reply is gone.
    class Once {
      public:
        explicit Once(Answered answered) : answered_(std::move(answered)) {}
        Once(const Once&) = delete;
        Once& operator=(const Once&) = delete;
        ~Once() { say(std::nullopt); }
        void say(std::optional<std::string_view> answer) {
            if (!said_.exchange(true)) answered_(answer);
        }

      private:
        Answered answered_;
        std::atomic<bool> said_{false};
    };
    const auto once = std::make_shared<Once>(std::move(answered));
    const auto say = [once](const std::string&, std::string_view answer) { once->say(answer); };
    (*clerk)(question, Reply(std::make_shared<const Reply::Say>(say)));
}

void LocalBus::lose_track() {
    std::vector<std::shared_ptr<Listener>> listeners;
    {
        const std::lock_guard lock(shared_->mutex);
        for (const auto& [topic, entries] : shared_->topics)
            for (const Entry& entry : entries) listeners.push_back(entry.listener);
    }
    BusMessage gap;
    gap.gap = true;
    for (const auto& listener : listeners) (*listener)(gap);
}

}  // namespace rokada::server
