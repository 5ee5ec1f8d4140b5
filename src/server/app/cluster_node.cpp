// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/cluster_node.hpp"

#include <algorithm>
#include <chrono>

namespace rokada::server {
namespace {

constexpr Millis kRemembered = Millis{24} * 3600 * 1000;  // dead nodes, for `cluster status`
constexpr Millis kLongestSilence =
    10'000;  // until somebody steps aside it is less than half of that

Millis steady_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ClusterNode::ClusterNode(ClusterNodeOptions options)
    : options_(std::move(options)), session_(options_.connect()) {
    const Millis before = steady_now();
    join(*session_);
    cluster_table::forget_dead(*session_, kRemembered);
    renewed_ = before;
}

ClusterNode::~ClusterNode() { stop(); }

void ClusterNode::join(Session& session) const {
    NodeRecord node;
    node.id = options_.id;
    node.name = options_.name;
    node.version = options_.version;
    cluster_table::join(session, node, options_.lease);
}

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
    return !draining_ && !aside_ && holds_lease() && steady_now() >= patient_until_;
}

std::optional<cluster_table::Ownership> ClusterNode::claim(const std::string& game) {
    using cluster_table::Taking;
    std::optional<cluster_table::Ownership> result;
    const Taking taking = may_take() ? Taking::Any : aside_ ? Taking::Nothing : Taking::Unowned;
    options_.store->write(
        [&](Session& session) {
            result = cluster_table::claim(session, game, options_.id, options_.lease, taking);
        },
        Writes::Beside);
    return result;
}

void ClusterNode::leave() {
    stop();
    renewed_ = steady_now() - options_.lease;
    options_.store->write([this](Session& session) { cluster_table::leave(session, options_.id); },
                          Writes::Beside);
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
            join(session);
            told_hearing_ = cluster_table::Peer::kUnknown;
        }
        renewed_ = before;
        if (options_.on_lapse) options_.on_lapse(cluster_table::owned_by(session, options_.id));
        return;
    }
    renewed_ = before;
    listen(session);
    if (options_.on_orphans) take_orphans(session);
}

void ClusterNode::take_orphans(Session& session) {
    const auto all = static_cast<std::size_t>(options_.most_orphans);
    std::size_t taken = all;
    // There may be many, but our own lease must not suffer.
    while (taken == all && may_take() && steady_now() - renewed_ < options_.lease / 2) {
        session.begin_write(Writes::Beside);
        try {
            const auto games = cluster_table::take_orphans(session, options_.id, options_.lease,
                                                           options_.most_orphans);
            taken = games.size();
            if (taken > 0) options_.on_orphans(games);
            session.commit();
        } catch (...) {
            session.rollback();
            throw;
        }
    }
}

// The others see in the database that we live, so they leave us our games, whose players may sit at any
// of them. If only we are cut off they are better off without us; if nobody hears anybody, nobody is.
void ClusterNode::listen(Session& session) {
    if (!options_.hears) return;
    const auto peers = cluster_table::living_peers(session, options_.id);
    const std::int64_t heard = options_.hears(peers);
    if (heard != told_hearing_) {
        cluster_table::tell_hearing(session, options_.id, heard);
        told_hearing_ = heard;
    }
    // One that stopped said what it heard before that.
    const Millis fresh = options_.lease / 2;
    const bool cut_off =
        std::any_of(peers.begin(), peers.end(), [heard, fresh](const cluster_table::Peer& peer) {
            return peer.hears > heard && peer.left > fresh;
        });
    if (arriving_ > 0) {
        --arriving_;
        return;
    }
    if (cut_off == aside_) {
        doubts_ = 0;
        return;
    }
    // What the others say is as old as their last beat.
    if (++doubts_ < kSure) return;
    doubts_ = 0;
    aside_ = cut_off;
    // Since then nobody there could move in our games.
    const Millis useless_for =
        options_.silence ? std::min(options_.silence(peers), kLongestSilence) : 0;
    try {
        if (cut_off)
            options_.store->write(
                [this, useless_for](Session& s) {
                    cluster_table::give_back(s, options_.id, useless_for);
                },
                Writes::Beside);
    } catch (const StoreError&) {
        aside_ = false;
        throw;
    }
    if (options_.on_aside) options_.on_aside(cut_off);
}

}  // namespace rokada::server
