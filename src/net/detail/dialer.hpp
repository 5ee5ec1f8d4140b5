// SPDX-License-Identifier: GPL-3.0-or-later
// Opens connections for the client: name, address, TCP, TLS, each step within one deadline.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/client.hpp"
#include "net/detail/group.hpp"
#include "net/detail/transport.hpp"

namespace rokada::net::detail {

class Dialer final : public Member, public std::enable_shared_from_this<Dialer> {
  public:
    // A Transport is handed over by pointer so that the callback can be copied.
    using Dialled = std::function<void(Result<std::shared_ptr<Transport>, ClientError>)>;

    // On the group's loop. The callback comes exactly once, never from inside this call.
    static void dial(const std::shared_ptr<Group>& group, Url url,
                     std::shared_ptr<TlsContextHolder> tls, Clock::time_point deadline,
                     Dialled dialled);

    Dialer(std::shared_ptr<Group> group, Url url, std::shared_ptr<TlsContextHolder> tls,
           Clock::time_point deadline, Dialled dialled);

    void on_tick(Clock::time_point now) override;
    void on_stop() override { on_cut(); }
    void on_cut() override;

  private:
    using Resolver = asio::ip::basic_resolver<tcp, Loop::AsioExecutor>;

    void start();
    void connect();
    void on_connected();
    void fail(ClientError::Kind kind, const std::string& why);
    void finish(Result<std::shared_ptr<Transport>, ClientError> result);

    std::shared_ptr<Group> group_;
    Url url_;
    std::shared_ptr<TlsContextHolder> tls_;
    Clock::time_point deadline_;
    Dialled dialled_;  // null once called
    Resolver resolver_;
    std::shared_ptr<Transport> transport_;
    std::vector<tcp::endpoint> endpoints_;
    std::size_t next_ = 0;
};

}  // namespace rokada::net::detail
