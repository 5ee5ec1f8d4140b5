// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/group.hpp"

namespace rokada::net::detail {

namespace {

constexpr Milliseconds kTick{250};

}  // namespace

Member::~Member() { leave(); }

void Member::leave() {
    if (group_) group_->remove(*this);
}

Group::~Group() {
    for (Member* member = first_; member; member = member->next_) member->group_ = nullptr;
}

void Group::add(Member& member) {
    member.group_ = this;
    member.previous_ = nullptr;
    member.next_ = first_;
    if (first_) first_->previous_ = &member;
    first_ = &member;
    if (!armed_) arm();
}

void Group::remove(Member& member) {
    if (cursor_ == &member) cursor_ = member.next_;
    (member.previous_ ? member.previous_->next_ : first_) = member.next_;
    if (member.next_) member.next_->previous_ = member.previous_;
    member.group_ = nullptr;
    member.next_ = member.previous_ = nullptr;
}

void Group::arm() {
    armed_ = true;
    timer_.start(kTick, [weak = weak_from_this()] {
        const std::shared_ptr<Group> group = weak.lock();
        if (!group) return;
        group->armed_ = false;
        const Clock::time_point now = Clock::now();
        group->for_each([now](Member& member) { member.on_tick(now); });
        if (group->first_) group->arm();
    });
}

}  // namespace rokada::net::detail
