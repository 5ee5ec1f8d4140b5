// SPDX-License-Identifier: GPL-3.0-or-later
// This process as one of several servers on the same PostgreSQL: keeps its lease, notices when it
// was lost, finds games whose owner died, steps aside when it is cut off from the others. Used by Games.
// What makes two owners harmless is the epoch that every write checks; the lease only decides when another
// node may take a game.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/store/cluster_table.hpp"
#include "server/store/store.hpp"

namespace rokada::server {

struct ClusterNodeOptions {
    Store* store = nullptr;
    std::function<std::unique_ptr<Session>()> connect;  // a connection of the node's own
    std::string id;                                     // another one for every start
    std::string name, version;                          // for people
    // A dead node is noticed after `lease`, at most `beat` later. Long enough for a slow database.
    Millis lease = 3000, beat = 500;
    int most_orphans = 1000;  // at a time, so that several who live share them
    // How well we hear these others, who live; more is better. One that is heard of less than another one
    // is of little use to its visitors, and its games are given back.
    std::function<std::int64_t(const std::vector<cluster_table::Peer>& others)> hears;
    // For how long the one of them that is silent for the longest time has been so. May be empty.
    std::function<Millis(const std::vector<cluster_table::Peer>& others)> silence;

    // On the node's thread; may block, but not for longer than a lease.
    // Running games nobody looked after are ours, and their clocks are to go on. Comes just before that is
    // so for everybody: whoever asks for one of them earlier would not know how it became ours.
    std::function<void(const std::vector<cluster_table::Taken>& games)> on_orphans;
    // The lease had run out: only these games, with these epochs, are still ours.
    std::function<void(const std::vector<std::pair<std::string, std::int64_t>>& still)> on_lapse;
    // The database cannot be reached, or can again (nothing). Once for each change.
    std::function<void(const std::optional<std::string>& trouble)> on_trouble;
    // We stepped aside, and no game is ours any more; or we are back.
    std::function<void(bool aside)> on_aside;
};

class ClusterNode {
  public:
    explicit ClusterNode(ClusterNodeOptions options);  // joins; throws StoreError
    ~ClusterNode();                                    // as if it had died, unless it left
    ClusterNode(const ClusterNode&) = delete;
    ClusterNode& operator=(const ClusterNode&) = delete;

    const std::string& id() const { return options_.id; }
    void start();                       // once: keeps the lease from now on, calls the hooks
    void drain() { draining_ = true; }  // takes no more games from the dead
    // Ours from now on, or whose it is; nothing when there is no such game. May block; throws
    // StoreError.
    std::optional<cluster_table::Ownership> claim(const std::string& game);
    // By our own clock, which started before that of the database: never true for too long.
    bool holds_lease() const;
    bool aside() const { return aside_; }
    bool serves() const { return holds_lease() && !aside_; }  // visitors are in good hands here
    // Gives the games back and says goodbye, so that others take them at once. Throws StoreError.
    void leave();

  private:
    void run();
    void stop();
    void beat(Session& session);
    void listen(Session& session);
    void take_orphans(Session& session);
    bool may_take() const;
    void join(Session& session) const;

    ClusterNodeOptions options_;
    std::unique_ptr<Session> session_;
    std::atomic<Millis> renewed_{0}, patient_until_{0};  // steady
    std::atomic<bool> draining_{false}, aside_{false};
    bool troubled_ = false;
    std::int64_t told_hearing_ = cluster_table::Peer::kUnknown;
    int arriving_ = 4;  // beats in which we hear the first greetings
    int doubts_ = 0;    // beats in a row at which it should be the other way round
    static constexpr int kSure = 3;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace rokada::server
