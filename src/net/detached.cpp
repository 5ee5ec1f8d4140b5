// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detached.hpp"

#include "net/detail/exchange.hpp"

namespace rokada::net {
namespace {

class Detached final : public detail::Exchange {
  public:
    Detached(Executor executor, std::function<void(Response)> answer)
        : executor_(std::move(executor)), answer_(std::move(answer)) {}

    Executor executor() const override { return executor_; }
    void answer(std::uint64_t, Response response) override { answer_(std::move(response)); }
    void answer_error(std::uint64_t, int status) override { answer_(Response(status)); }
    void begin_stream(std::uint64_t, Response,
                      std::shared_ptr<detail::StreamCore> stream) override {
        answer_(Response(501));
        stream->over();
    }
    void upgrade(std::uint64_t, WebSocketEvents, std::string) override { answer_(Response(501)); }
    void stream_changed(std::uint64_t) override {}

  private:
    Executor executor_;
    std::function<void(Response)> answer_;
};

}  // namespace

Responder detached_responder(Executor executor, std::function<void(Response)> answer) {
    auto exchange = std::make_shared<Detached>(std::move(executor), std::move(answer));
    return Responder(
        std::make_shared<detail::ResponderState>(std::move(exchange), 0, detail::StreamLimits{}));
}

}  // namespace rokada::net
