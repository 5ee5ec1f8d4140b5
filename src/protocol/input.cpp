// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/input.hpp"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace rokada::protocol {

LineReader::LineReader(int descriptor, EventQueue& queue) : descriptor_(descriptor), queue_(queue) {
    if (::pipe2(wake_, O_CLOEXEC) != 0) wake_[0] = wake_[1] = -1;
    thread_ = std::thread([this] { read_lines(); });
}

LineReader::~LineReader() {
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = ::write(wake_[1], &byte, 1);
    thread_.join();
    ::close(wake_[0]);
    ::close(wake_[1]);
}

void LineReader::read_lines() {
    LineSplitter splitter;
    char buffer[4096];
    while (true) {
        pollfd waiting[2] = {{descriptor_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
        if (::poll(waiting, 2, -1) < 0 && errno != EINTR) break;
        if (waiting[1].revents != 0) return;
        if (waiting[0].revents == 0) continue;
        const ssize_t size = ::read(descriptor_, buffer, sizeof buffer);
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (size <= 0) break;
        splitter.feed(
            {buffer, static_cast<std::size_t>(size)},
            [this](std::string_view line) { queue_.push(InputLine{std::string(line)}); },
            [this] { queue_.push(OverlongLine{}); });
    }
    if (!splitter.pending().empty()) queue_.push(InputLine{splitter.pending()});
    queue_.push(EndOfInput{});
}

}  // namespace rokada::protocol
