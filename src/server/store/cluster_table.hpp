// SPDX-License-Identifier: GPL-3.0-or-later
// Who of several servers on one database speaks for a game. A node is alive while its lease runs, by
// the clock of the database; a game belongs to one node and carries an epoch that grows with every
// change of owner, so that a write of an earlier owner is refused (games_table::apply). Runs inside
// the caller's session; `claim` and `leave` inside a write transaction. Throws StoreError.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"

namespace rokada::server::cluster_table {

Millis now(Session& session);  // the only clock leases are measured by

void join(Session& session, const NodeRecord& node, Millis lease);
enum class Renewal {
    InTime,
    Late,  // the lease had run out: others may have taken games meanwhile
    Gone,  // the node is not known any more: it has to join again
};
Renewal renew(Session& session, std::string_view node, Millis lease);
// Its running games belong to nobody from now on. It has been of no use to them for so long already: the
// side to move is charged up to then.
void give_back(Session& session, std::string_view node, Millis useless_for = 0);
// The same, and the node is forgotten.
void leave(Session& session, std::string_view node);
// How many of the others this node hears, for them to know; and those of them that live.
struct Peer {
    std::string id;
    std::int64_t hears = kUnknown;
    Millis left = 0;  // of its lease
    static constexpr std::int64_t kUnknown = -1;
};
void tell_hearing(Session& session, std::string_view node, std::int64_t hears);
std::vector<Peer> living_peers(Session& session, std::string_view node);
std::vector<NodeRecord> nodes(Session& session);  // by name
// Forgets nodes whose lease ran out so long ago.
void forget_dead(Session& session, Millis longer_than);

bool lives(Session& session, std::string_view node);  // its lease runs

struct Ownership {
    std::string owner;
    std::int64_t epoch = 0;
    bool fresh = false;  // just now taken over: read the game after this, not before
    // When the owner before was last heard of; 0: there was none, or it left in good order.
    Millis orphaned_at = 0;
    Millis given_back_at = 0;  // when somebody last left in good order; 0: nobody did
};
// The node's from now on, if it may take it: otherwise whose it is, perhaps nobody's. Nothing: there is
// no such game.
enum class Taking {
    Any,      // also what a dead node had
    Unowned,  // what is nobody's
    Nothing,  // what is its own already
};
std::optional<Ownership> claim(Session& session, std::string_view game, std::string_view node,
                               Millis lease, Taking taking = Taking::Any);
// Running games that somebody must look after (a clock runs, the computer is to move) and whose
// owner is gone.
std::vector<std::string> orphans(Session& session, int limit);
// The same, and they are this node's from now on: many at a time, inside a write transaction. Others may do
// so at the same moment, and each game is one's.
struct Taken {
    std::string game;
    Ownership owned;
};
std::vector<Taken> take_orphans(Session& session, std::string_view node, Millis lease, int limit);
// Of the running games that are this node's: id and epoch.
std::vector<std::pair<std::string, std::int64_t>> owned_by(Session& session, std::string_view node);

}  // namespace rokada::server::cluster_table
