// SPDX-License-Identifier: GPL-3.0-or-later
// The connections of one loop: told the time four times a second, so that deadlines cost a
// comparison instead of a timer each, and reachable together when the server stops. Used on the
// loop's thread only.
#pragma once

#include <memory>

#include "net/loop.hpp"

namespace rokada::net::detail {

class Group;

class Member {
  public:
    Member() = default;
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    virtual ~Member();

    virtual void on_tick(Clock::time_point now) = 0;
    virtual void on_stop() = 0;  // end as soon as politeness allows
    virtual void on_cut() = 0;   // end now

  protected:
    void leave();

  private:
    friend class Group;
    Group* group_ = nullptr;
    Member* next_ = nullptr;
    Member* previous_ = nullptr;
};

class Group : public std::enable_shared_from_this<Group> {
  public:
    explicit Group(Executor executor) : executor_(executor), timer_(std::move(executor)) {}
    ~Group();

    void add(Member& member);
    void remove(Member& member);
    // Members may leave, and be destroyed, while this runs.
    template <typename Visit>
    void for_each(Visit visit) {
        for (Member* member = first_; member; member = cursor_) {
            cursor_ = member->next_;
            visit(*member);
        }
    }
    const Executor& executor() const { return executor_; }

  private:
    void arm();

    Executor executor_;
    Timer timer_;
    Member* first_ = nullptr;
    Member* cursor_ = nullptr;  // the next one of a running for_each
    bool armed_ = false;
};

}  // namespace rokada::net::detail
