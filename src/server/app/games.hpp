// SPDX-License-Identifier: GPL-3.0-or-later
// All games of this server: makes new ones, finds the one that runs or brings it back from disk, and
// puts idle ones away. The only owner of game actors in this process.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/app/cluster_node.hpp"
#include "server/app/game_actor.hpp"
#include "server/app/secrets.hpp"
#include "server/store/store.hpp"

namespace rokada::server {

struct GamesOptions {
    Store* store = nullptr;
    RandomSource* random = nullptr;
    GameServices services;  // `store` and `forget` are filled in by Games
    std::function<std::unique_ptr<GameStrand>(const std::string& game_id)> make_strand;
    // Runs blocking work; false when it is overloaded.
    std::function<bool(std::function<void()>)> run_blocking;
    ClusterNode* cluster =
        nullptr;  // one of several servers: games are claimed before they are run
};

// Where a game is run: by this actor, or by another server.
struct GamePlace {
    std::shared_ptr<GameActor> actor;
    std::string owner;
};

class Games {
  public:
    // The game, or null and the refusal; from any thread.
    using Found = std::function<void(std::shared_ptr<GameActor>, const std::optional<Refusal>&)>;
    using Created = Found;

    explicit Games(GamesOptions options);
    ~Games();

    // Settings and seats as chosen; id, times and clocks are filled in. The initial FEN must be legal.
    // `also` runs in the same transaction.
    using Also = std::function<void(Session&, const std::string& game_id)>;
    void create(GameRecord record, Created created, Also also = {});
    // As far as it is known without asking the database; `find` does the rest.
    GamePlace known(const std::string& id) const;
    // A game that another server runs is refused as "elsewhere", with its owner.
    void find(const std::string& id, Found found);
    // The game for reading, wherever it is run: on its strand, or as the database has it. Null and the
    // refusal when there is none.
    using Seen = std::function<void(const LiveGame*, const GamePlace&, const Refusal&)>;
    void look(const std::string& id, Seen seen);
    // This server does not run the game, or is silent: it is asked of the database again.
    void doubt_owner(const std::string& id, const std::string& owner);
    // Answers `offer_rematch`, and when both agreed makes the game and links it.
    void rematch(const std::shared_ptr<GameActor>& actor, const std::string& player_id,
                 OfferAction action, GameActor::Answer answer);
    // Gives running games of a guest to the user it became. May block.
    void adopt(const std::string& guest_id, const SeatRecord& user,
               const std::vector<std::string>& game_ids);

    // The account is deleted on disk: whatever is in memory forgets it, and these games, which were
    // going on, end. May block.
    void erase(const std::string& player_id, const std::vector<std::string>& game_ids);

    // At the start: clocks and computers of running games go on. May block. One of several servers
    // finds them by its lease instead.
    void resume_all();
    // Games nobody looked after, which are ours by now or in a moment: they go on here. Those somebody asks
    // for first; they may be thousands.
    void take_over(const std::vector<cluster_table::Taken>& games);
    // All others, and those with another epoch, belong to somebody else now.
    void keep_only(const std::vector<std::pair<std::string, std::int64_t>>& still);
    // Call about once a second: remembers that the server lives while clocks run, puts idle games away.
    void tick();
    // Gives up challenges nobody answered. May block.
    void expire_challenges(Millis made_before);
    std::size_t loaded() const;

  private:
    class StoreAdapter;
    std::shared_ptr<GameActor> make_actor(LiveGame game);
    bool load(const std::string& id);  // false: the database could not be reached
    struct Loaded {
        std::optional<GameRecord> record;
        Millis orphaned_at = 0;    // taken from a dead server, last heard of then
        Millis given_back_at = 0;  // taken from one that left in good order then
        bool taken = false;        // just now
        std::optional<Refusal> refusal;
    };
    Loaded read(const std::string& id) const;
    std::optional<cluster_table::Ownership> taken(const std::string& id) const;
    void begin_loading();
    void load_next();
    std::optional<GameRecord> read_record(const std::string& id) const;
    void view(const std::string& id, const GamePlace& place, const Seen& seen) const;
    bool runs_elsewhere(const GameRecord& record) const;
    void look_here(const std::string& id, const Seen& seen);
    bool view_elsewhere(const std::string& id, const Seen& seen);
    void view_later(const std::string& id, const GamePlace& place, const Seen& seen) const;
    void forget(const std::string& id);
    GameRecord rematch_record(const LiveGame& game) const;

    GamesOptions options_;
    std::unique_ptr<StoreAdapter> adapter_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<GameActor>> actors_;
    std::unordered_map<std::string, std::vector<Found>> loading_;
    // Who runs the games of others that were asked for lately. The owner itself knows better, and
    // whoever asks it in vain doubts this.
    struct Owner {
        std::string node;
        Millis since = 0;
    };
    std::unordered_map<std::string, Owner> owners_;
    // Taken over and not loaded yet: how, and in which order.
    std::unordered_map<std::string, cluster_table::Ownership> taken_;
    std::deque<std::string> to_load_;
    int loaders_ = 0;
    int ticks_ = 0;
};

}  // namespace rokada::server
