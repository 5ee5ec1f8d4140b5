// SPDX-License-Identifier: GPL-3.0-or-later
// A game being played: takes actions one after the other, saves each before it counts, tells everybody,
// watches the clock and asks the computer for its moves. Used through Games. An answer comes only
// after the change is on disk.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/app/event_bus.hpp"
#include "server/app/live_game.hpp"
#include "server/app/move_picker.hpp"
#include "server/store/writer.hpp"

namespace rokada::server {

// The serial line of work a game lives on, with one alarm.
class GameStrand {
  public:
    virtual ~GameStrand() = default;
    virtual void post(std::function<void()> task) = 0;
    virtual bool here() const = 0;  // the caller runs on it: it need not post
    virtual void set_alarm(Millis steady, std::function<void()> task) = 0;  // replaces the last
    virtual void cancel_alarm() = 0;
};

// Where changes go. `done` may come from any thread.
class GameStore {
  public:
    using Done = std::function<void(const WriteOutcome&)>;
    virtual ~GameStore() = default;
    virtual void save(GameChange change, std::shared_ptr<const GameRecord> row, Done done) = 0;
    // A move that changes nothing else, which most changes are.
    virtual void save_turn(std::shared_ptr<const TurnRecord> turn, Done done) = 0;
};

struct GameServices {
    const TimeSource* time = nullptr;
    GameStore* store = nullptr;
    MovePicker* picker = nullptr;
    EventBus* bus = nullptr;
    bool human_pace = true;  // computers of limited strength take the time a person would
    std::function<std::string(const GameEvent&, const GameRecord& game)> encode_event;
    std::function<std::string(const LiveGame&, Millis steady, int watchers)> encode_presence;
    // The flag of this player is about to fall: whoever knows an excuse calls `excuse` first. May be empty.
    std::function<void(const std::string& game_id, const std::string& player_id)> ask_excuse;
    // A game appeared or changed in the lists; on the game's strand.
    std::function<void(const LiveGame&)> listed;
    // The game cannot be trusted in memory any more and must be loaded again.
    std::function<void(const std::string& game_id)> forget;
};

class GameActor : public std::enable_shared_from_this<GameActor> {
  public:
    using Action = std::function<StepResult(LiveGame& game, Moment now)>;
    // Nothing: done and on disk. On the game's strand.
    using Answer = std::function<void(const LiveGame& game, const std::optional<Refusal>& refusal)>;

    GameActor(LiveGame game, std::unique_ptr<GameStrand> strand, const GameServices& services);

    const std::string& id() const { return id_; }
    std::int64_t epoch() const { return epoch_; }
    void start();  // once, after it is registered: clock, computer
    // Whoever asks from another server and hears the events may say where (BusMessage::answers): the event
    // of a move answers then, and `answer` is not called.
    void act(Action action, Answer answer, ReplyAddress answers = {});
    // As it is on disk. While a save runs only so many wait for it: the rest is told `too_many`, except
    // whoever passes none because it follows an action of its own.
    using Reader = std::function<void(const LiveGame& game)>;
    void look(Reader reader, std::function<void()> too_many = {});

    // A connected player or spectator; every enter is followed by one leave.
    void enter(const std::string& player_id);
    void leave(const std::string& player_id, bool on_purpose);
    void set_lag(const std::string& player_id, Millis lag);
    // The servers at which the player is were silent for that time, on the steady clock. It is not charged
    // to a player who is nowhere else: `ways` are the connections meant.
    struct Silence {
        Millis from = 0, until = 0;
        int ways = 0;
    };
    void excuse(const std::string& player_id, const Silence& silence);
    void adopt(const std::string& guest_id, const SeatRecord& user);
    void erase(const std::string& player_id);
    void resume_clock(Millis last_alive_wall);
    void go_on(Millis given_back_wall);
    // Another server has the game: this object no longer speaks for it.
    void lose();

    // A save failed, or another server has the game. On the game's strand.
    bool lost() const { return lost_; }
    // Nobody is connected, nothing runs and nobody has asked for a while.
    bool idle(Millis steady) const;

  private:
    // A step on its way to the disk.
    struct Saving {
        Step step;
        std::shared_ptr<const TurnRecord> turn;                 // it is a move and nothing else
        std::vector<std::shared_ptr<const std::string>> texts;  // else: of its events
        Answer answer;
        ReplyAddress answers;
    };
    struct Waiting {
        Action action;
        Answer answer;
        ReplyAddress answers = {};
    };
    template <class Run>
    void run(Run run);  // on the strand, now if we are there
    void pump();
    void save(Step step, Waiting asked);
    std::shared_ptr<const TurnRecord> turn_of(Step& step) const;
    GameStore::Done when_saved();
    void saved(const WriteOutcome& outcome);
    bool publish(Saving& saving);
    void fail_waiting(const Refusal& refusal);
    void show_lookers();
    void after_change();
    void set_alarm();
    void ask_excuse(Millis now) const;
    void update_resting();
    void ask_computer();
    void answered(const PickedMove& picked);
    Millis pace(Move answer) const;
    void play_reply();
    void play_premove();
    void publish_presence();
    void publish_gap();  // whoever follows the game finds out where it is now
    void presence_changed(const std::string& player_id, bool on_purpose);
    Millis running_lag() const;
    void touch();

    static constexpr std::size_t kQueueLimit = 64, kLookersLimit = 1024;

    const std::string id_;
    const std::int64_t epoch_;
    LiveGame game_;
    std::unique_ptr<GameStrand> strand_;
    GameServices services_;
    std::deque<Waiting> waiting_;
    std::vector<Reader> lookers_;  // apart: a crowd that watches must not keep a player from moving
    std::optional<Saving> saving_;
    bool lost_ = false;  // this object no longer speaks for the game
    std::unique_ptr<MovePicker::Ticket> thinking_;
    std::uint64_t thought_ = 0;  // numbers the searches, so that late answers are recognised
    Millis asked_at_ = 0;
    // The computer's move, held back until a person would have found it.
    struct Reply {
        std::string uci;
        std::optional<int> score;
        Millis due = 0;
    };
    std::optional<Reply> reply_;
    std::optional<Millis> ask_again_at_;  // the pool was full
    std::map<std::string, int> present_;
    int watchers_ = 0;
    PerColor<Millis> lag_{};
    std::atomic<Millis> last_used_{0};
    std::atomic<bool> resting_{false};
};

}  // namespace rokada::server
