// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/driver/link.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include <poll.h>
#include <time.h>
#include <unistd.h>

namespace rokada::protocol {

namespace {

// Longer waits are cut, so that a cancelled one is noticed.
constexpr std::chrono::milliseconds kLongestNap{100};

timespec until(SteadyTime deadline) {
    const auto left = std::clamp<std::chrono::nanoseconds>(
        deadline - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0), kLongestNap);
    timespec wait{};
    wait.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000);
    wait.tv_nsec = static_cast<long>(left.count() % 1'000'000'000);
    return wait;
}

}  // namespace

void Link::send(std::string_view line) {
    if (log_) log_(Direction::Out, line);
    unsent_ += line;
    unsent_ += '\n';
    write_pending();
}

std::optional<Link::Line> Link::take() {
    if (lines_.empty()) return std::nullopt;
    Line line = std::move(lines_.front());
    lines_.pop_front();
    queued_bytes_ -= line.text.size() + 1;
    return line;
}

std::string Link::last_words() {
    // The end of the output is often seen a moment before the end of the process.
    process_->end(std::chrono::milliseconds(200));
    read_errors();
    return process_->ending() + (last_error_.empty() ? "" : ": " + last_error_);
}

void Link::write_pending() {
    while (!unsent_.empty()) {
        const ssize_t written = ::write(process_->input(), unsent_.data(), unsent_.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (written < 0) {
            unsent_.clear();  // it has closed its input; its output tells the rest
            return;
        }
        unsent_.erase(0, static_cast<std::size_t>(written));
    }
}

void Link::read_output() {
    char buffer[16384];
    const ssize_t size = ::read(process_->output(), buffer, sizeof buffer);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (size <= 0) {
        closed_ = true;
        return;
    }
    const SteadyTime now = std::chrono::steady_clock::now();
    const auto keep = [this, now](std::string_view text) {
        if (log_) log_(Direction::In, text);
        lines_.push_back({std::string(text), now});
        queued_bytes_ += text.size() + 1;
    };
    splitter_.feed({buffer, static_cast<std::size_t>(size)}, keep, [] {});
}

void Link::read_errors() {
    char buffer[4096];
    while (!errors_closed_) {
        const ssize_t size = ::read(process_->errors(), buffer, sizeof buffer);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) return;
        if (size <= 0) {
            errors_closed_ = true;
            return;
        }
        error_splitter_.feed(
            {buffer, static_cast<std::size_t>(size)},
            [this](std::string_view text) {
                if (log_) log_(Direction::Error, text);
                last_error_ = std::string(text.substr(0, 200));
            },
            [] {});
        // One read is enough for now: a flood must not starve the game.
        if (size < static_cast<ssize_t>(sizeof buffer)) return;
    }
}

void LinkGroup::remove(Link& link) {
    links_.erase(std::remove(links_.begin(), links_.end(), &link), links_.end());
}

void LinkGroup::pump(SteadyTime deadline) {
    constexpr std::size_t kMaxLinks = 8;
    pollfd waiting[kMaxLinks * 3];
    nfds_t count = 0;
    for (Link* link : links_) {
        if (count + 3 > kMaxLinks * 3) break;
        // An idle engine that talks without end is left to block on its own pipe.
        const bool reading = !link->closed_ && !link->crowded();
        waiting[count++] = {reading ? link->process_->output() : -1, POLLIN, 0};
        waiting[count++] = {link->errors_closed_ ? -1 : link->process_->errors(), POLLIN, 0};
        waiting[count++] = {link->unsent_.empty() ? -1 : link->process_->input(), POLLOUT, 0};
    }
    const timespec wait = until(deadline);
    if (::ppoll(waiting, count, &wait, nullptr) <= 0) return;
    for (nfds_t i = 0; i < count; i += 3) {
        Link& link = *links_[i / 3];
        if (waiting[i].revents != 0) link.read_output();
        if (waiting[i + 1].revents != 0) link.read_errors();
        if (waiting[i + 2].revents != 0) link.write_pending();
    }
}

std::optional<Link::Line> LinkGroup::wait(Link& link, SteadyTime deadline) {
    while (true) {
        if (auto line = link.take()) return line;
        if (link.closed() || std::chrono::steady_clock::now() >= deadline) return std::nullopt;
        if (cancelled != nullptr && *cancelled) return std::nullopt;
        pump(deadline);
    }
}

}  // namespace rokada::protocol
