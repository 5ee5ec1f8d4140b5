// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/responder.hpp"

#include "net/detail/exchange.hpp"

namespace rokada::net {

namespace detail {

ResponderState::~ResponderState() {
    if (answered_) return;
    exchange_->executor().dispatch(
        [exchange = exchange_, number = number_] { exchange->answer_error(number, 500); });
}

StreamCore::StreamCore(std::shared_ptr<Exchange> exchange, std::uint64_t number,
                       StreamLimits limits)
    : exchange_(std::move(exchange)), number_(number), limits_(limits), last_write_(Clock::now()) {}

// One task for any number of changes until the connection has looked.
void StreamCore::wake(std::unique_lock<std::mutex>& lock) {
    if (woken_ || !exchange_) return;
    woken_ = true;
    const std::shared_ptr<Exchange> exchange = exchange_;
    lock.unlock();
    exchange->executor().post([exchange, number = number_] { exchange->stream_changed(number); });
}

bool StreamCore::write(SharedText piece) {
    std::unique_lock lock(mutex_);
    if (over_ || closing_ || slow_) return false;
    if (!piece || piece->empty()) return true;
    const std::size_t waiting = pending_bytes_ + taken_bytes_;
    if (waiting > 0 && waiting + piece->size() > limits_.queue_bytes) {
        slow_ = true;
        wake(lock);
        return false;
    }
    last_write_ = Clock::now();
    if (pending_.empty()) pending_since_ = last_write_;
    pending_bytes_ += piece->size();
    pending_.push_back(std::move(piece));
    wake(lock);
    return true;
}

void StreamCore::close() {
    std::unique_lock lock(mutex_);
    if (over_ || closing_) return;
    closing_ = true;
    wake(lock);
}

void StreamCore::on_closed(std::function<void()> callback) {
    std::unique_lock lock(mutex_);
    if (!over_) {
        closed_callback_ = std::move(callback);
        return;
    }
    lock.unlock();
    if (callback) callback();  // it was over before anybody asked
}

void StreamCore::on_drained(std::function<void()> callback) {
    std::unique_lock lock(mutex_);
    if (over_) return;
    drained_callback_ = std::move(callback);
    wake(lock);  // perhaps everything has left already
}

void StreamCore::keep_alive(Milliseconds interval, std::string text) {
    const std::lock_guard lock(mutex_);
    keep_alive_ = interval;
    keep_alive_text_ = share(std::move(text));
}

bool StreamCore::open() const {
    const std::lock_guard lock(mutex_);
    return !over_ && !closing_ && !slow_;
}

std::size_t StreamCore::queued_bytes() const {
    const std::lock_guard lock(mutex_);
    return pending_bytes_ + taken_bytes_;
}

StreamCore::Next StreamCore::take(std::string& out) {
    std::unique_lock lock(mutex_);
    woken_ = false;
    if (slow_) return Next::kSlow;
    if (pending_.empty() && !closing_ && drained_callback_) {
        const std::function<void()> drained = drained_callback_;
        lock.unlock();
        drained();
        lock.lock();
    }
    if (slow_) return Next::kSlow;
    if (pending_.empty()) return closing_ ? Next::kEnd : Next::kWait;
    for (const SharedText& piece : pending_) out += *piece;
    pending_.clear();
    taken_bytes_ = std::exchange(pending_bytes_, 0);
    taken_since_ = pending_since_;
    return Next::kData;
}

void StreamCore::sent() {
    const std::lock_guard lock(mutex_);
    taken_bytes_ = 0;
}

StreamCore::Next StreamCore::tick(Clock::time_point now) {
    std::unique_lock lock(mutex_);
    if (slow_) return Next::kSlow;
    const bool waiting = taken_bytes_ > 0 || !pending_.empty();
    if (waiting && now - (taken_bytes_ > 0 ? taken_since_ : pending_since_) > limits_.queue_age)
        return Next::kSlow;
    if (!waiting && !closing_ && keep_alive_.count() > 0 && now - last_write_ >= keep_alive_) {
        last_write_ = pending_since_ = now;
        pending_bytes_ += keep_alive_text_->size();
        pending_.push_back(keep_alive_text_);
        return Next::kData;
    }
    return Next::kWait;
}

void StreamCore::over() {
    std::unique_lock lock(mutex_);
    if (std::exchange(over_, true)) return;
    pending_.clear();
    pending_bytes_ = taken_bytes_ = 0;
    const std::function<void()> closed = std::move(closed_callback_);
    const std::function<void()> drained = std::move(drained_callback_);
    closed_callback_ = drained_callback_ = nullptr;
    const std::shared_ptr<Exchange> exchange = std::move(exchange_);
    lock.unlock();
    if (closed) closed();
}

}  // namespace detail

bool Stream::write(SharedText piece) const {
    return state_ && state_->core().write(std::move(piece));
}

void Stream::close() const {
    if (state_) state_->core().close();
}

void Stream::on_closed(std::function<void()> callback) const {
    if (state_) state_->core().on_closed(std::move(callback));
}

void Stream::on_drained(std::function<void()> callback) const {
    if (state_) state_->core().on_drained(std::move(callback));
}

void Stream::keep_alive(std::chrono::milliseconds interval, std::string text) const {
    if (state_) state_->core().keep_alive(interval, std::move(text));
}

bool Stream::open() const { return state_ && state_->core().open(); }

std::size_t Stream::queued_bytes() const { return state_ ? state_->core().queued_bytes() : 0; }

bool Responder::send(Response response) const {
    if (!state_ || !state_->claim()) return false;
    const std::shared_ptr<detail::Exchange>& exchange = state_->exchange();
    exchange->executor().dispatch(
        [exchange, number = state_->number(), response = std::move(response)]() mutable {
            exchange->answer(number, std::move(response));
        });
    return true;
}

Stream Responder::stream(Response head) const {
    if (!state_ || !state_->claim()) return {};
    const std::shared_ptr<detail::Exchange>& exchange = state_->exchange();
    const auto core =
        std::make_shared<detail::StreamCore>(exchange, state_->number(), state_->limits());
    exchange->executor().dispatch(
        [exchange, number = state_->number(), head = std::move(head), core]() mutable {
            exchange->begin_stream(number, std::move(head), core);
        });
    return Stream(std::make_shared<detail::StreamHandle>(core));
}

bool Responder::answered() const { return state_ && state_->answered(); }

void Upgrader::accept(WebSocketEvents events, std::string subprotocol) const {
    if (!state_->claim()) return;
    const std::shared_ptr<detail::Exchange>& exchange = state_->exchange();
    exchange->executor().dispatch([exchange, number = state_->number(), events = std::move(events),
                                   subprotocol = std::move(subprotocol)]() mutable {
        exchange->upgrade(number, std::move(events), std::move(subprotocol));
    });
}

void Upgrader::refuse(Response response) const { Responder(state_).send(std::move(response)); }

std::string sse_event(std::string_view data, std::string_view event, std::string_view id) {
    std::string text;
    if (!id.empty()) text.append("id: ").append(id).append("\n");
    if (!event.empty()) text.append("event: ").append(event).append("\n");
    for (;;) {
        const std::size_t end = data.find_first_of("\r\n");
        text.append("data: ").append(data.substr(0, end)).append("\n");
        if (end == data.npos) break;
        data.remove_prefix(data.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
    }
    return text += "\n";
}

}  // namespace rokada::net
