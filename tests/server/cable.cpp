// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/cable.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>

#include "tests/server/loopback.hpp"

namespace rokada::server::test {
namespace {

constexpr std::size_t kMostOnTheWay = 256 * 1024;

void prepare(int handle) {
    ::fcntl(handle, F_SETFL, ::fcntl(handle, F_GETFL) | O_NONBLOCK);
    const int at_once = 1;
    ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
}

}  // namespace

Cable::Cable(std::uint16_t port) : target_(port) { begin(); }
Cable::Cable(const std::string& socket) : socket_(socket) { begin(); }

void Cable::begin() {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 128) != 0 || ::pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0)
        throw std::runtime_error("no cable");
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
}

Cable::~Cable() {
    stopping_ = true;
    set(cut_);
    thread_.join();
    for (const Line& line : lines_)
        for (const int handle : {line.near.handle, line.far.handle}) ::close(handle);
    for (const int handle : {listener_, wake_[0], wake_[1]}) ::close(handle);
}

void Cable::set(bool cut) {
    cut_ = cut;
    [[maybe_unused]] const auto written = ::write(wake_[1], "!", 1);
}

int Cable::dial() const {
    int handle = -1, result = -1;
    if (socket_.empty()) {
        handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = loopback(target_);
        result = ::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } else {
        handle = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        socket_.copy(address.sun_path, sizeof address.sun_path - 1);
        result = ::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    if (result == 0) return handle;
    ::close(handle);
    return -1;
}

void Cable::accept() {
    const int near = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (near < 0) return;
    const int far = dial();
    if (far < 0) {
        ::close(near);
        return;
    }
    prepare(near);
    prepare(far);
    Line& line = lines_.emplace_back();
    line.near.handle = near;
    line.far.handle = far;
}

bool Cable::pull(End& from, End& to) {
    char bytes[16 * 1024];
    const ssize_t size = ::recv(from.handle, bytes, sizeof bytes, 0);
    if (size > 0) to.coming.append(bytes, static_cast<std::size_t>(size));
    if (size == 0) from.ended = true;
    return size >= 0 || errno == EAGAIN || errno == EINTR;
}

bool Cable::push(End& to, const End& from) {
    if (!to.coming.empty()) {
        const ssize_t size =
            ::send(to.handle, to.coming.data(), to.coming.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size < 0 && errno != EAGAIN && errno != EINTR) return false;
        if (size > 0) to.coming.erase(0, static_cast<std::size_t>(size));
    }
    if (to.coming.empty() && from.ended && !to.told) {
        ::shutdown(to.handle, SHUT_WR);
        to.told = true;
    }
    return true;
}

void Cable::run() {
    std::vector<pollfd> watched;
    while (!stopping_) {
        watched.assign({{wake_[0], POLLIN, 0}});
        const bool cut = cut_;
        const auto watch = [&watched](const End& end, const End& other) {
            short wanted = 0;
            if (!end.ended && other.coming.size() < kMostOnTheWay) wanted |= POLLIN;
            if (!end.coming.empty()) wanted |= POLLOUT;
            watched.push_back({wanted != 0 ? end.handle : -1, wanted, 0});
        };
        if (!cut) {
            watched.push_back({listener_, POLLIN, 0});
            for (const Line& line : lines_) {
                watch(line.near, line.far);
                watch(line.far, line.near);
            }
        }
        ::poll(watched.data(), watched.size(), -1);
        char ignored[64];
        while (::read(wake_[0], ignored, sizeof ignored) > 0) {
        }
        if (cut || cut_) continue;
        auto seen = watched.begin() + 2;
        for (auto line = lines_.begin(); line != lines_.end();) {
            const short near = (seen++)->revents, far = (seen++)->revents;
            constexpr short kSomething = POLLIN | POLLHUP | POLLERR;
            bool fine = true;
            if ((near & kSomething) != 0) fine = pull(line->near, line->far);
            if (fine && (far & kSomething) != 0) fine = pull(line->far, line->near);
            fine = fine && push(line->far, line->near) && push(line->near, line->far);
            if (fine && !(line->near.told && line->far.told)) {
                ++line;
                continue;
            }
            ::close(line->near.handle);
            ::close(line->far.handle);
            line = lines_.erase(line);
        }
        if (watched[1].revents != 0) accept();
    }
}

}  // namespace rokada::server::test
