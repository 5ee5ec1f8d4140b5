// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/events.hpp"

namespace rokada::protocol {

void EventQueue::push(Event event) {
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    arrived_.notify_one();
}

Event EventQueue::pop() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !events_.empty(); });
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
}

std::optional<Event> EventQueue::pop_for(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, patience, [this] { return !events_.empty(); }))
        return std::nullopt;
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
}

void run(Session& session, EventQueue& queue) {
    while (!session.finished()) session.handle(queue.pop());
}

}  // namespace rokada::protocol
