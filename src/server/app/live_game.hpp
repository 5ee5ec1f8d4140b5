// SPDX-License-Identifier: GPL-3.0-or-later
// One game and its referee: who may do what now, what it changes, which events follow. Pure logic on
// given moments, without disk, threads or sockets. A refused action changes nothing. After an action
// the caller saves the Step; if that fails it throws the object away and loads the game again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/game.hpp"
#include "chess/notation/uci_move.hpp"
#include "chess/result.hpp"
#include "server/app/game_clock.hpp"
#include "server/app/time_source.hpp"
#include "server/store/records.hpp"

namespace rokada::server {

// Why an action was not possible. `status` is the HTTP status of the answer.
struct Refusal {
    int status = 409;
    std::string code;  // stable, for programs
    std::string detail;
    std::string owner = {};  // the server that runs the game and can be asked instead
};

struct ClockReading {
    Millis white_ms = 0, black_ms = 0;
    std::optional<Color> running;
};

struct GameEvent {
    enum class Kind { Start, Move, Takeback, Offer, End, Rematch, Clock, Chat, Mute, Assisted };
    Kind kind = Kind::Start;
    std::int64_t version = 0;
    int ply = 0;
    Key key = 0;
    Millis at = 0;
    std::optional<ClockReading> clocks;
    std::string uci, san, fen;                // Move; fen also for Takeback
    bool can_claim_draw = false;              // Move
    int taken_back = 0;                       // Takeback
    std::string what, side, action;           // Offer; side also for a draw offer with a move
    GameStatus status = GameStatus::Playing;  // End
    GameResult result = GameResult::None;     // End
    std::string reason;                       // End, Clock
    std::string next;                         // Rematch
    std::string name, text;                   // Chat
    bool on = false;                          // Mute
    SeatRecord white, black;                  // Start
};

// What an action changed. Without events nothing changed (the action had been done before).
struct Step {
    std::int64_t version_before = 0;
    std::vector<GameEvent> events;
    std::vector<std::pair<int, MoveRecord>> played;
    int keep_plies = -1;
    bool seats_changed = false;
    bool empty() const { return events.empty(); }
};
using StepResult = Result<Step, Refusal>;

// The side or sides a player has.
struct Seats {
    bool white = false, black = false;
    bool any() const { return white || black; }
    bool has(Color side) const { return side == Color::White ? white : black; }
};

enum class OfferAction { Offer, Accept, Decline, Claim };

class LiveGame {
  public:
    // A new game. The start position of the settings must be legal; both clocks stand still.
    LiveGame(GameRecord record, Moment now);
    // A game from disk; its moves must be legal. Nothing if the record makes no sense.
    static std::optional<LiveGame> load(GameRecord record, Moment now);
    // A game that another server runs, to be looked at: its clock has run since its turn began, and
    // who is there is not known.
    static std::optional<LiveGame> view(GameRecord record, Moment now);

    const GameRecord& record() const { return record_; }  // its `moves` are empty; see moves()
    const std::vector<MoveRecord>& moves() const { return moves_; }
    const Game& game() const { return game_; }
    const GameClock& clock() const { return clock_; }
    Color turn() const { return game_.position().turn(); }
    int ply() const { return static_cast<int>(game_.plies().size()); }
    bool playing() const { return record_.status == GameStatus::Playing; }
    bool over() const {
        return record_.status == GameStatus::Finished || record_.status == GameStatus::Aborted;
    }
    bool computer_to_move() const;
    std::optional<Color> computer_side() const;
    Seats seats_of(std::string_view player_id) const;
    std::optional<ClockReading> read_clocks(Millis steady) const;
    bool can_claim_draw() const;
    std::string uci(std::size_t ply_index) const;  // from 0
    std::vector<std::string> uci_moves() const;
    std::vector<std::string> san_moves() const;

    StepResult play(std::string_view player_id, int ply, std::string_view uci, bool offer_draw,
                    Moment now, Millis lag);
    // `score` is what the computer thinks of its own position, in centipawns.
    StepResult play_for_computer(std::string_view uci, std::optional<int> score, Moment now);
    // Games played in the page or on the device without us: all moves so far, and how it ended if the
    // board does not say. Sent again it changes nothing; sent with more moves it goes on.
    struct Declared {
        GameResult result = GameResult::None;
        std::string reason;  // resignation, agreement, time, abandonment
    };
    StepResult upload(std::string_view player_id, const std::vector<std::string>& moves,
                      const std::optional<Declared>& declared, bool assisted, Moment now);
    // The player had help (a hint, the engine's opinion). A takeback marks the game by itself.
    StepResult mark_assisted(std::string_view player_id, Moment now);
    StepResult resign(std::string_view player_id, std::optional<Color> side, Moment now);
    StepResult abort(std::string_view player_id, Moment now);
    StepResult draw(std::string_view player_id, OfferAction action, Moment now);
    StepResult takeback(std::string_view player_id, OfferAction action, Moment now);
    StepResult claim(std::string_view player_id, bool win, Moment now);
    StepResult join(const SeatRecord& player, Moment now);
    StepResult decline(std::string_view player_id, Moment now);  // a challenge
    Step withdraw(Moment now);                                   // nobody took the open seat
    bool invites(std::string_view player_id) const {
        return !player_id.empty() && record_.invited == player_id;
    }
    // The directory makes the new game; here only the offers and the link to it.
    StepResult offer_rematch(std::string_view player_id, OfferAction action, Moment now);
    bool rematch_agreed() const { return rematch_agreed_; }
    Step link_rematch(const std::string& next, Moment now);
    StepResult chat(std::string_view player_id, const std::string& text, Moment now);
    StepResult mute(std::string_view player_id, bool on, Moment now);  // the opponent's chat
    // A move for the time after the opponent's: played at once then, if it is legal, and costs nothing.
    // Empty: none after all. Kept in memory only. `ply` is the one it would be.
    struct Premove {
        std::string player_id, uci;
        int ply = 0;
    };
    std::optional<Refusal> hold_premove(const Premove& premove);
    std::optional<Premove> take_premove();                          // the one whose turn has come
    void adopt(std::string_view guest_id, const SeatRecord& user);  // already on disk
    // Nobody has this account any more: its seat is a deleted player's, and the game cannot go on.
    Step erase(std::string_view player_id, Moment now);

    // Time passes: flags fall, games that never began are aborted. An empty step when nothing is due.
    Step tick(Moment now, Millis lag);
    // When tick should be called next, on the steady clock.
    std::optional<Millis> next_deadline(Millis lag) const;
    std::optional<Millis> first_move_deadline() const;

    // The step of a move is on disk: only from now on does the opponent's time run.
    void committed(Moment now);
    // After a crash or stop: the side to move is charged up to the last sign of life and given some
    // time back; the players are told.
    Step resume_clock(Millis last_alive_wall, Moment now);

    // Handed on by a server that stopped in good order at that time: the side to move is charged up to
    // then. Saved like every change, so that the time between is not charged at the next hand-over.
    Step go_on(Millis given_back_wall, Moment now);

    // Between these moments of the steady clock nothing could reach the player, through no fault of his own:
    // what of it lies in his turn is not charged, and the players are told. Once for each moment.
    Step excuse(std::string_view player_id, Millis from, Millis until, Moment now);

    void set_connected(Color side, bool connected, bool on_purpose, Millis steady);
    bool connected(Color side) const { return !gone_since_[side]; }
    // Until the other side may claim the game; nothing while this side is here.
    std::optional<Millis> claim_in(Color side, Millis steady) const;

  private:
    struct Loaded {};
    LiveGame(Loaded, GameRecord record, Position start, Moment now);

    Result<Color, Refusal> acting_side(std::string_view player_id) const;
    GameEvent& add_event(Step& step, GameEvent::Kind kind, Moment now);
    Step new_step() const;
    void play_move(Step& step, Move move, bool offer_draw, Moment now);
    void finish(Step& step, Moment now, std::string_view reason = {});
    void update_row(Moment now);
    void start_clock(Moment now);
    void charge_again_after(Millis steady);
    bool charge_up_to(Millis wall, Moment now);
    Step start_turn_again(std::string reason, Moment now);
    void clear_offers();
    void note_help(Step& step, Moment now);
    CastlingNotation castling() const;
    std::string san_of(std::size_t ply_index) const;
    Step take_back_moves(int count, Moment now);

    GameRecord record_;
    std::vector<MoveRecord> moves_;
    Game game_;
    GameClock clock_;
    Millis turn_began_ = 0;  // steady; for the first-move deadline
    struct Span {
        Millis from = 0, until = 0;
    };
    Span excused_;                       // of this turn, lastly
    std::optional<int> computer_score_;  // of its own position, after its last move
    bool rematch_agreed_ = false;
    std::optional<Premove> premove_;
    PerColor<std::optional<Millis>> gone_since_{};
    PerColor<bool> left_on_purpose_{};
};

}  // namespace rokada::server
