// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/games.hpp"

#include <algorithm>

#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

constexpr const char* kLastAlive = "last_alive";

Refusal not_found() { return {404, "not_found", "There is no such game."}; }
Refusal busy() { return {503, "busy", "The server is busy; try again."}; }
Refusal elsewhere(std::string owner) {
    return {503, "elsewhere", "Another server has this game; try again.", std::move(owner)};
}
constexpr Millis kOwnerRemembered = 60'000;
constexpr std::size_t kLoadingLimit = 1024;  // who wait for one game to be read
constexpr int kLoaders = 2;                  // at a time, of games that were taken over

bool goes_on(const GameRecord& game) {
    return game.status == GameStatus::Waiting || game.status == GameStatus::Playing;
}

// A game that its owner, another server, may be changing right now: row and moves belong together if
// the version is still the same afterwards.
std::optional<GameRecord> read_of_one_moment(Store& store, const std::string& id) {
    return store.read([&id](Session& session) {
        auto record = games_table::find(session, id);
        while (record && games_table::version_of(session, id) != record->version)
            record = games_table::find(session, id);
        return record;
    });
}

}  // namespace

class Games::StoreAdapter final : public GameStore {
  public:
    explicit StoreAdapter(Store& store) : store_(store) {}
    void save(GameChange change, std::shared_ptr<const GameRecord> row, Done done) override {
        auto kept = std::make_shared<const GameChange>(std::move(change));
        store_.writer().submit(
            [this, kept, row](Session& session) {
                store_.writer().settle(row->id);
                games_table::apply(session, *kept);
            },
            std::move(done), Writes::Beside);
    }
    void save_turn(std::shared_ptr<const TurnRecord> turn, Done done) override {
        store_.writer().submit_turn(std::move(turn), std::move(done));
    }

  private:
    Store& store_;
};

Games::Games(GamesOptions options)
    : options_(std::move(options)), adapter_(std::make_unique<StoreAdapter>(*options_.store)) {
    options_.services.store = adapter_.get();
    options_.services.forget = [this](const std::string& id) { forget(id); };
}

Games::~Games() = default;

std::shared_ptr<GameActor> Games::make_actor(LiveGame game) {
    const std::string id = game.record().id;
    auto actor =
        std::make_shared<GameActor>(std::move(game), options_.make_strand(id), options_.services);
    {
        const std::lock_guard lock(mutex_);
        actors_[id] = actor;
    }
    actor->start();
    return actor;
}

void Games::forget(const std::string& id) {
    const std::lock_guard lock(mutex_);
    actors_.erase(id);
}

std::size_t Games::loaded() const {
    const std::lock_guard lock(mutex_);
    return actors_.size();
}

void Games::create(GameRecord record, Created created, Also also) {
    record.id = options_.random->id();
    if (options_.cluster != nullptr) {
        record.owner = options_.cluster->id();
        record.epoch = 1;
    }
    const bool open = record.white.kind == SeatKind::Open || record.black.kind == SeatKind::Open;
    record.status = open ? GameStatus::Waiting : GameStatus::Playing;
    auto game = std::make_shared<LiveGame>(std::move(record), options_.services.time->now());
    options_.store->writer().submit(
        [game, also = std::move(also)](Session& session) {
            games_table::insert(session, game->record(), {});
            if (also) also(session, game->record().id);
        },
        [this, game, created = std::move(created)](const WriteOutcome& outcome) {
            if (outcome) {
                const bool full = outcome->fault == StoreFault::DiskFull;
                if (outcome->fault == StoreFault::Unique)
                    return created(nullptr,
                                   Refusal{409, "exists", "There is such a game already."});
                created(nullptr, full ? Refusal{507, "disk_full", "The server's disk is full."}
                                      : Refusal{503, "store_unavailable",
                                                "The server cannot save right now; try again."});
                return;
            }
            const auto actor = make_actor(std::move(*game));
            if (options_.services.listed)
                actor->look([this](const LiveGame& live) { options_.services.listed(live); });
            created(actor, std::nullopt);
        },
        Writes::Beside);
}

GamePlace Games::known(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    if (const auto at = actors_.find(id); at != actors_.end()) return {at->second, {}};
    const auto owner = owners_.find(id);
    return {nullptr, owner == owners_.end() ? std::string() : owner->second.node};
}

void Games::find(const std::string& id, Found found) {
    std::shared_ptr<GameActor> actor;
    std::string owner;
    bool full = false;
    {
        const std::lock_guard lock(mutex_);
        if (const auto at = actors_.find(id); at != actors_.end()) {
            actor = at->second;
        } else if (const auto known = owners_.find(id); known != owners_.end()) {
            owner = known->second.node;
        } else {
            const auto [waiting, first] = loading_.try_emplace(id);
            full = waiting->second.size() >= kLoadingLimit;
            if (!full) waiting->second.push_back(found);
            if (!first && !full) return;
        }
    }
    if (full) return found(nullptr, busy());
    if (actor) return found(actor, std::nullopt);
    if (!owner.empty()) return found(nullptr, elsewhere(std::move(owner)));
    if (options_.run_blocking([this, id] { load(id); })) return;
    std::vector<Found> waiting;
    {
        const std::lock_guard lock(mutex_);
        waiting.swap(loading_[id]);
        loading_.erase(id);
    }
    for (const Found& answer : waiting) answer(nullptr, busy());
}

// A game that is new to one of several servers is mostly another's: its row, which has to be read anyway,
// says whose.
void Games::look(const std::string& id, Seen seen) {
    const GamePlace place = known(id);
    if (options_.cluster == nullptr || place.actor || !place.owner.empty())
        return look_here(id, seen);
    if (!options_.run_blocking([this, id, seen] {
            if (!view_elsewhere(id, seen)) look_here(id, seen);
        }))
        seen(nullptr, {}, busy());
}

void Games::look_here(const std::string& id, const Seen& seen) {
    find(id, [this, id, seen](const std::shared_ptr<GameActor>& actor,
                              const std::optional<Refusal>& refusal) {
        if (actor)
            return actor->look(
                [this, id, actor, seen](const LiveGame& game) {
                    // What stands in its memory may never have happened.
                    if (actor->lost()) return look(id, seen);
                    // A finished game has no owner: somebody else may have talked in it.
                    if (options_.cluster != nullptr && game.over())
                        return view_later(id, GamePlace{actor, {}}, seen);
                    seen(&game, GamePlace{actor, {}}, {});
                },
                [seen] { seen(nullptr, {}, busy()); });
        if (refusal->owner.empty()) return seen(nullptr, {}, *refusal);
        view_later(id, GamePlace{nullptr, refusal->owner}, seen);
    });
}

void Games::view_later(const std::string& id, const GamePlace& place, const Seen& seen) const {
    if (!options_.run_blocking([this, id, place, seen] { view(id, place, seen); }))
        seen(nullptr, {}, busy());
}

void Games::view(const std::string& id, const GamePlace& place, const Seen& seen) const {
    std::optional<LiveGame> game;
    try {
        if (auto record = read_of_one_moment(*options_.store, id))
            game = LiveGame::view(std::move(*record), options_.services.time->now());
    } catch (const StoreError&) {
        return seen(nullptr, {}, busy());
    }
    if (!game) return seen(nullptr, {}, not_found());
    seen(&*game, place, {});
}

// Somebody else's, and that server lives: there is nothing to claim. If it cannot be found out, claiming does.
bool Games::runs_elsewhere(const GameRecord& record) const {
    if (options_.cluster == nullptr || !goes_on(record) || record.owner.empty() ||
        record.owner == options_.cluster->id())
        return false;
    try {
        return options_.store->read(
            [&record](Session& session) { return cluster_table::lives(session, record.owner); });
    } catch (const StoreError&) {
        return false;
    }
}

// False: nothing has been said yet.
bool Games::view_elsewhere(const std::string& id, const Seen& seen) {
    std::optional<GameRecord> record;
    try {
        record = read_of_one_moment(*options_.store, id);
        if (!record || !runs_elsewhere(*record)) return false;
    } catch (const StoreError&) {
        return false;
    }
    const Moment now = options_.services.time->now();
    const GamePlace place{nullptr, record->owner};
    const auto game = LiveGame::view(std::move(*record), now);
    if (!game) return false;
    {
        const std::lock_guard lock(mutex_);
        owners_[id] = Owner{place.owner, now.steady};
    }
    seen(&*game, place, {});
    return true;
}

void Games::doubt_owner(const std::string& id, const std::string& owner) {
    const std::lock_guard lock(mutex_);
    if (const auto known = owners_.find(id); known != owners_.end() && known->second.node == owner)
        owners_.erase(known);
}

std::optional<GameRecord> Games::read_record(const std::string& id) const {
    const Turns turns = options_.store->writer().waiting_turns(id);
    auto record =
        options_.store->read([&id](Session& session) { return games_table::find(session, id); });
    if (record) add_turns(*record, turns);
    return record;
}

Games::Loaded Games::read(const std::string& id) const {
    Loaded loaded;
    loaded.record = read_record(id);
    // Finished games have no owner: their version is enough for the little that still happens.
    if (options_.cluster == nullptr || !loaded.record || !goes_on(*loaded.record)) return loaded;
    auto owned = taken(id);
    if (!owned && runs_elsewhere(*loaded.record)) {
        loaded.refusal = elsewhere(loaded.record->owner);
        return loaded;
    }
    if (!owned || loaded.record->owner != owned->owner || loaded.record->epoch != owned->epoch) {
        owned = options_.cluster->claim(id);
        // It may have become ours while we waited for its row.
        const auto given = taken(id);
        if (given && owned && owned->owner == given->owner && owned->epoch == given->epoch)
            owned = given;
    }
    if (!owned || owned->owner != options_.cluster->id()) {
        loaded.refusal = elsewhere(owned ? owned->owner : "");
    } else if (owned->fresh || owned->epoch != loaded.record->epoch) {
        // What the owner before wrote up to that moment counts, too.
        if (owned->epoch != loaded.record->epoch) loaded.record = read_record(id);
        loaded.orphaned_at = owned->orphaned_at;
        loaded.given_back_at = owned->given_back_at;
        loaded.taken = true;
    }
    return loaded;
}

bool Games::load(const std::string& id) {
    std::shared_ptr<GameActor> actor;
    Refusal refusal = not_found();
    bool taken = false, failed = false;
    try {
        Loaded loaded = read(id);
        if (loaded.refusal) {
            refusal = *loaded.refusal;
        } else if (loaded.record) {
            const Moment now = options_.services.time->now();
            auto game = LiveGame::load(std::move(*loaded.record), now);
            if (game) actor = make_actor(std::move(*game));
        }
        if (actor && loaded.given_back_at != 0) actor->go_on(loaded.given_back_at);
        if (actor && loaded.orphaned_at != 0) actor->resume_clock(loaded.orphaned_at);
        taken = actor && loaded.taken;
    } catch (const StoreError&) {
        refusal = busy();
        failed = true;
    }
    std::vector<Found> waiting;
    {
        const std::lock_guard lock(mutex_);
        waiting.swap(loading_[id]);
        loading_.erase(id);
        if (!failed) taken_.erase(id);
        if (failed && taken_.count(id) > 0) to_load_.push_back(id);
        if (!refusal.owner.empty())
            owners_[id] = Owner{refusal.owner, options_.services.time->now().steady};
    }
    for (const Found& answer : waiting) {
        if (actor) {
            answer(actor, std::nullopt);
        } else {
            answer(nullptr, refusal);
        }
    }
    if (!taken) return !failed;
    // Those who follow it elsewhere turn to us from now on.
    BusMessage gap;
    gap.gap = true;
    options_.services.bus->publish(id, gap);
    return true;
}

GameRecord Games::rematch_record(const LiveGame& game) const {
    const GameRecord& old = game.record();
    GameRecord next;
    next.settings = old.settings;
    std::swap(next.settings.white_clock, next.settings.black_clock);
    next.white = old.black;
    next.black = old.white;
    next.rematch_of = old.id;
    return next;
}

void Games::rematch(const std::shared_ptr<GameActor>& actor, const std::string& player_id,
                    OfferAction action, GameActor::Answer answer) {
    actor->act(
        [player_id, action](LiveGame& game, Moment now) {
            return game.offer_rematch(player_id, action, now);
        },
        [this, actor, answer = std::move(answer)](const LiveGame& game,
                                                  const std::optional<Refusal>& refusal) {
            if (refusal || !game.rematch_agreed()) return answer(game, refusal);
            create(rematch_record(game), [actor, answer](const std::shared_ptr<GameActor>& next,
                                                         const std::optional<Refusal>& failed) {
                const std::string id = next ? next->id() : "";
                actor->act(
                    [id, failed](LiveGame& old, Moment now) -> StepResult {
                        if (failed) return Error{*failed};
                        if (!old.record().rematch.empty()) {
                            Step nothing;
                            nothing.version_before = old.record().version;
                            return nothing;
                        }
                        return old.link_rematch(id, now);
                    },
                    answer);
            });
        });
}

void Games::adopt(const std::string& guest_id, const SeatRecord& user,
                  const std::vector<std::string>& game_ids) {
    for (const std::string& id : game_ids) {
        std::shared_ptr<GameActor> actor;
        {
            const std::lock_guard lock(mutex_);
            if (const auto at = actors_.find(id); at != actors_.end()) actor = at->second;
        }
        if (actor) actor->adopt(guest_id, user);
    }
}

void Games::erase(const std::string& player_id, const std::vector<std::string>& game_ids) {
    std::vector<std::shared_ptr<GameActor>> loaded;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, actor] : actors_) loaded.push_back(actor);
    }
    for (const auto& actor : loaded) actor->erase(player_id);
    for (const std::string& id : game_ids)
        find(id,
             [player_id](const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>&) {
                 if (actor) actor->erase(player_id);
             });
}

void Games::resume_all() {
    const auto [ids, alive] = options_.store->read([](Session& session) {
        return std::pair{games_table::to_resume(session), games_table::fact(session, kLastAlive)};
    });
    const Millis last_alive = alive ? std::strtoll(alive->c_str(), nullptr, 10) : 0;
    for (const std::string& id : ids)
        find(id,
             [last_alive](const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>&) {
                 if (actor) actor->resume_clock(last_alive);
             });
}

void Games::take_over(const std::vector<cluster_table::Taken>& games) {
    std::vector<std::shared_ptr<GameActor>> stale;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, owned] : games) {
            owners_.erase(id);
            if (const auto at = actors_.find(id); at != actors_.end()) {
                stale.push_back(at->second);
                actors_.erase(at);
            }
            taken_[id] = owned;
            to_load_.push_back(id);
        }
    }
    for (const auto& actor : stale) actor->lose();
    begin_loading();
}

std::optional<cluster_table::Ownership> Games::taken(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = taken_.find(id);
    if (found == taken_.end()) return std::nullopt;
    return found->second;
}

void Games::begin_loading() {
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (loaders_ >= kLoaders || to_load_.empty()) return;
            ++loaders_;
        }
        if (options_.run_blocking([this] { load_next(); })) continue;
        const std::lock_guard lock(mutex_);
        --loaders_;
        return;  // overloaded; the next tick tries again
    }
}

// One after the other, so that what visitors ask for meanwhile is not behind all of them.
void Games::load_next() {
    std::string id;
    {
        const std::lock_guard lock(mutex_);
        while (id.empty() && !to_load_.empty()) {
            const std::string next = std::move(to_load_.front());
            to_load_.pop_front();
            if (taken_.count(next) > 0 && actors_.count(next) == 0 &&
                loading_.try_emplace(next).second)
                id = next;
        }
    }
    const bool loaded = !id.empty() && load(id);
    {
        const std::lock_guard lock(mutex_);
        --loaders_;
    }
    if (loaded) begin_loading();  // else the next tick does
}

void Games::keep_only(const std::vector<std::pair<std::string, std::int64_t>>& still) {
    const std::unordered_map<std::string, std::int64_t> kept(still.begin(), still.end());
    std::vector<std::shared_ptr<GameActor>> lost;
    {
        const std::lock_guard lock(mutex_);
        for (auto at = actors_.begin(); at != actors_.end();) {
            const auto known = kept.find(at->first);
            if (known != kept.end() && known->second == at->second->epoch()) {
                ++at;
                continue;
            }
            lost.push_back(at->second);
            at = actors_.erase(at);
        }
        std::erase_if(taken_, [&kept](const auto& game) {
            const auto known = kept.find(game.first);
            return known == kept.end() || known->second != game.second.epoch;
        });
    }
    for (const auto& actor : lost) actor->lose();
}

void Games::expire_challenges(Millis made_before) {
    const auto ids = options_.store->read([made_before](Session& session) {
        return games_table::stale_challenges(session, made_before);
    });
    for (const std::string& id : ids)
        find(id, [](const std::shared_ptr<GameActor>& actor, const std::optional<Refusal>&) {
            if (!actor) return;
            actor->act([](LiveGame& game, Moment now) { return game.withdraw(now); },
                       [](const LiveGame&, const std::optional<Refusal>&) {});
        });
}

void Games::tick() {
    const Moment now = options_.services.time->now();
    bool any = false;
    {
        const std::lock_guard lock(mutex_);
        any = !actors_.empty();
        if (++ticks_ % 10 == 0)
            for (auto at = actors_.begin(); at != actors_.end();)
                at = at->second->idle(now.steady) ? actors_.erase(at) : std::next(at);
        std::erase_if(owners_, [&now](const auto& known) {
            return now.steady - known.second.since > kOwnerRemembered;
        });
    }
    begin_loading();
    options_.store->writer().settle_later();
    // One of several is known to live by its lease.
    if (!any || options_.cluster != nullptr) return;
    options_.store->writer().submit(
        [wall = now.wall](Session& session) {
            games_table::set_fact(session, kLastAlive, std::to_string(wall));
        },
        [](const WriteOutcome&) {}, Writes::Beside);
}

}  // namespace rokada::server
