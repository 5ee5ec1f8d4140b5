// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of an event loop, for the files of net that talk to Asio.
#pragma once

#include <atomic>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/loop.hpp"

namespace rokada::net {

namespace asio = boost::asio;

class Loop : public std::enable_shared_from_this<Loop> {
  public:
    using AsioExecutor = asio::io_context::executor_type;
    using AsioTimer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, AsioExecutor>;

    explicit Loop(ErrorHook on_error);

    void run();  // until stop
    std::size_t poll();
    std::size_t poll_for(Clock::duration time);
    void stop() { context_.stop(); }
    // Destroys every task and operation still waiting, so that nothing they hold keeps this loop
    // alive.
    void drop_everything();
    void start_measuring();
    Clock::duration take_worst_lag();

    // Any thread; dropped once the loop has been emptied. Tasks that come close together wake the
    // loop once: a commit of the store answers many players at the same moment.
    void post(Task task);
    void dispatch(Task task);

    asio::io_context& context() { return context_; }
    AsioExecutor asio_executor() { return context_.get_executor(); }
    void report(const std::string& what) const {
        if (on_error_) on_error_(what);
    }

  private:
    // Lets us end the services' operations while handles to the loop are still around.
    struct Context : asio::io_context {
        Context() : asio::io_context(1) {}
        using asio::execution_context::shutdown;
    };

    template <typename Run>
    std::size_t guarded(Run run);
    void measure(Clock::time_point due);
    void run_posted();

    ErrorHook on_error_;
    Context context_;
    AsioTimer lag_timer_;
    std::atomic<Clock::rep> worst_lag_{0};
    std::vector<Task> room_;  // of the loop's thread: memory for the next tasks

    std::mutex mutex_;  // guards what follows
    std::vector<Task> posted_;
    bool closed_ = false;
};

}  // namespace rokada::net
