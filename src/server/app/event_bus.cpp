// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/event_bus.hpp"

#include <algorithm>

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

bool LocalBus::wanted(const std::string& topic) const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->topics.count(topic) > 0;
}

void LocalBus::publish(const std::string& topic, const BusMessage& message) {
    std::vector<std::shared_ptr<Listener>> listeners;
    {
        const std::lock_guard lock(shared_->mutex);
        const auto found = shared_->topics.find(topic);
        if (found == shared_->topics.end()) return;
        for (const Entry& entry : found->second) listeners.push_back(entry.listener);
    }
    for (const auto& listener : listeners) (*listener)(message);
}

std::unique_ptr<EventBus::Subscription> LocalBus::subscribe(const std::string& topic,
                                                            Listener listener) {
    const std::lock_guard lock(shared_->mutex);
    const std::uint64_t id = shared_->next_id++;
    shared_->topics[topic].push_back(Entry{id, std::make_shared<Listener>(std::move(listener))});
    return std::make_unique<Handle>(shared_, topic, id);
}

}  // namespace rokada::server
