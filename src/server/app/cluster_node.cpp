// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/cluster_node.hpp"

#include <chrono>

namespace rokada::server {
namespace {

constexpr Millis kRemembered = Millis{24} * 3600 * 1000;  // dead nodes, for `cluster status`

Millis steady_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ClusterNode::ClusterNode(ClusterNodeOptions options)
    : options_(std::move(options)), session_(options_.connect()) {
    const Millis before = steady_now();
    NodeRecord node;
    node.id = options_.id;
    node.name = options_.name;
    node.version = options_.version;
    cluster_table::join(*session_, node, options_.lease);
    cluster_table::forget_dead(*session_, kRemembered);
    renewed_ = before;
}

ClusterNode::~ClusterNode() { stop(); }

void ClusterNode::start() {
    thread_ = std::thread([this] { run(); });
}

void ClusterNode::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

bool ClusterNode::holds_lease() const { return steady_now() - renewed_ < options_.lease; }

bool ClusterNode::may_take() const {
    return !draining_ && holds_lease() && steady_now() >= patient_until_;
}

std::optional<cluster_table::Ownership> ClusterNode::claim(const std::string& game) {
    using cluster_table::FromTheDead;
    std::optional<cluster_table::Ownership> result;
    const FromTheDead dead = may_take() ? FromTheDead::Take : FromTheDead::Leave;
    options_.store->write([&](Session& session) {
        result = cluster_table::claim(session, game, options_.id, options_.lease, dead);
    });
    return result;
}

void ClusterNode::leave() {
    stop();
    renewed_ = steady_now() - options_.lease;
    options_.store->write([this](Session& session) { cluster_table::leave(session, options_.id); });
}

void ClusterNode::run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        lock.unlock();
        std::optional<std::string> trouble;
        try {
            if (!session_) session_ = options_.connect();
            beat(*session_);
        } catch (const StoreError& error) {
            trouble = error.what();
            session_.reset();
        }
        if (trouble.has_value() != troubled_) {
            troubled_ = trouble.has_value();
            if (options_.on_trouble) options_.on_trouble(trouble);
        }
        lock.lock();
        wake_.wait_for(lock, std::chrono::milliseconds(options_.beat),
                       [this] { return stopping_; });
    }
}

void ClusterNode::beat(Session& session) {
    using cluster_table::Renewal;
    const Millis before = steady_now();
    const Renewal renewal = cluster_table::renew(session, options_.id, options_.lease);
    if (renewal != Renewal::InTime) {
        // If it was the database that was away, the others are late as well: they get the time of a
        // lease to say that they are alive before anything is taken from them.
        patient_until_ = before + options_.lease;
        if (renewal == Renewal::Gone) {
            NodeRecord node;
            node.id = options_.id;
            node.name = options_.name;
            node.version = options_.version;
            cluster_table::join(session, node, options_.lease);
        }
        renewed_ = before;
        if (options_.on_lapse) options_.on_lapse(cluster_table::owned_by(session, options_.id));
        return;
    }
    renewed_ = before;
    if (!may_take() || !options_.on_orphans) return;
    const auto orphans = cluster_table::orphans(session, options_.most_orphans);
    if (!orphans.empty()) options_.on_orphans(orphans);
}

}  // namespace rokada::server
