// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/output.hpp"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <unistd.h>

namespace rokada::protocol {

void Output::line(std::string_view text) {
    const std::lock_guard lock(mutex_);
    buffer_.assign(text);
    // Foreign text may carry line breaks; a protocol line never does.
    for (char& c : buffer_)
        if (c == '\n' || c == '\r') c = ' ';
    buffer_ += '\n';
    write(buffer_);
    if (log_.is_open()) log_ << ">> " << buffer_ << std::flush;
}

bool Output::log_to(const std::string& path) {
    const std::lock_guard lock(mutex_);
    log_.close();
    log_.clear();
    if (path.empty()) return true;
    log_.open(path, std::ios::app);
    return log_.is_open();
}

void Output::log_input(std::string_view line) {
    const std::lock_guard lock(mutex_);
    if (log_.is_open()) log_ << "<< " << line << '\n' << std::flush;
}

void Output::text(std::string_view text) {
    const std::lock_guard lock(mutex_);
    write(text);
}

FileOutput::FileOutput(int descriptor) : descriptor_(descriptor) { std::signal(SIGPIPE, SIG_IGN); }

void FileOutput::write(std::string_view bytes) {
    while (!bytes.empty() && !broken_) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd waiting{descriptor_, POLLOUT, 0};
            ::poll(&waiting, 1, -1);
        } else if (errno != EINTR) {
            broken_ = true;
        }
    }
}

}  // namespace rokada::protocol
