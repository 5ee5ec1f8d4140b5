// SPDX-License-Identifier: GPL-3.0-or-later
// Loading, moving and the passing of time; offers and endings are in live_game_actions.cpp.
#include "server/app/live_game.hpp"

#include <algorithm>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"

namespace rokada::server {
namespace {

constexpr Millis kFirstMoveTime = 30'000;
constexpr Millis kTimeBackAfterRestart = 15'000;

Position start_of(const GameSettings& settings) {
    const auto position = parse_position(settings.initial_fen);
    return position ? *position : Position();
}

DrawRule rule_of(const GameSettings& settings) {
    return settings.auto_draw ? DrawRule::Automatic : DrawRule::Claim;
}

}  // namespace

LiveGame::LiveGame(Loaded, GameRecord record, Position start, Moment now)
    : record_(std::move(record)),
      game_(start, rule_of(record_.settings)),
      clock_(record_.settings.clock, record_.settings.white_clock, record_.settings.black_clock),
      turn_began_(now.steady) {
    // Nobody is connected yet; absence counts from now.
    gone_since_[Color::White] = gone_since_[Color::Black] = now.steady;
}

LiveGame::LiveGame(GameRecord record, Moment now)
    : LiveGame(Loaded{}, std::move(record), Position(), now) {
    game_ = Game(start_of(record_.settings), rule_of(record_.settings));
    record_.settings.initial_fen = to_fen(game_.position());
    record_.created_at = now.wall;
    update_row(now);
}

std::optional<LiveGame> LiveGame::load(GameRecord record, Moment now) {
    const auto start = parse_position(record.settings.initial_fen);
    if (!start) return std::nullopt;
    LiveGame loaded(Loaded{}, std::move(record), *start, now);
    loaded.moves_.swap(loaded.record_.moves);
    for (const MoveRecord& played : loaded.moves_) {
        const auto move = parse_uci_move(loaded.game_.position(), played.uci);
        if (!move || !loaded.game_.play(*move)) return std::nullopt;
    }
    loaded.clock_.set(loaded.record_.white_ms, loaded.record_.black_ms);
    if (loaded.playing() && loaded.record_.turn_at != 0) {
        // The time nobody looked after the game is not the player's: see resume_clock.
        loaded.clock_.start(loaded.turn(), now.steady);
    }
    return loaded;
}

std::optional<LiveGame> LiveGame::view(GameRecord record, Moment now) {
    const Millis since = record.turn_at == 0 ? 0 : std::max<Millis>(0, now.wall - record.turn_at);
    auto game = load(std::move(record), {now.steady - since, now.wall});
    if (!game) return std::nullopt;
    for (const Color side : kColors) game->set_connected(side, true, false, now.steady);
    return game;
}

CastlingNotation LiveGame::castling() const {
    return record_.settings.chess960 ? CastlingNotation::KingTakesRook : CastlingNotation::KingMove;
}

std::optional<Color> LiveGame::computer_side() const {
    if (record_.settings.kind != GameKind::Computer) return std::nullopt;
    return record_.white.kind == SeatKind::Computer ? Color::White : Color::Black;
}

bool LiveGame::computer_to_move() const { return playing() && computer_side() == turn(); }

Seats LiveGame::seats_of(std::string_view player_id) const {
    if (player_id.empty()) return {};
    const Seats seats{record_.white.player_id == player_id, record_.black.player_id == player_id};
    // In the page the browser moves for its own computer too.
    if (record_.settings.kind == GameKind::Page && seats.any()) return {true, true};
    return seats;
}

std::optional<ClockReading> LiveGame::read_clocks(Millis steady) const {
    if (!clock_.exists()) return std::nullopt;
    return ClockReading{clock_.left(Color::White, steady), clock_.left(Color::Black, steady),
                        clock_.running()};
}

bool LiveGame::can_claim_draw() const {
    return playing() && !record_.settings.auto_draw && game_.claimable_draw().has_value();
}

std::string LiveGame::uci(std::size_t ply_index) const {
    return to_uci(game_.plies()[ply_index].move, castling());
}

std::string LiveGame::san_of(std::size_t ply_index) const {
    return to_san(game_.position_after(ply_index), game_.plies()[ply_index].move);
}

std::vector<std::string> LiveGame::uci_moves() const {
    std::vector<std::string> moves;
    moves.reserve(game_.plies().size());
    for (std::size_t i = 0; i < game_.plies().size(); ++i) moves.push_back(uci(i));
    return moves;
}

std::vector<std::string> LiveGame::san_moves() const {
    std::vector<std::string> moves;
    moves.reserve(game_.plies().size());
    for (std::size_t i = 0; i < game_.plies().size(); ++i) moves.push_back(san_of(i));
    return moves;
}

Step LiveGame::new_step() const {
    Step step;
    step.version_before = record_.version;
    return step;
}

GameEvent& LiveGame::add_event(Step& step, GameEvent::Kind kind, Moment now) {
    GameEvent& event = step.events.emplace_back();
    event.kind = kind;
    event.version = ++record_.version;
    event.ply = ply();
    event.key = game_.position().key();
    event.at = now.wall;
    event.clocks = read_clocks(now.steady);
    return event;
}

void LiveGame::update_row(Moment now) {
    record_.fen = to_fen(game_.position());
    record_.ply = ply();
    record_.last_move = ply() > 0 ? uci(static_cast<std::size_t>(ply()) - 1) : "";
    record_.white_ms = clock_.stored(Color::White);
    record_.black_ms = clock_.stored(Color::Black);
    record_.turn_at = clock_.running() ? now.wall : 0;
    record_.updated_at = now.wall;
}

void LiveGame::start_clock(Moment now) {
    turn_began_ = now.steady;
    excused_ = {};
    if (clock_.exists() && ply() >= 2) clock_.start(turn(), now.steady);
}

void LiveGame::committed(Moment now) {
    turn_began_ = now.steady;
    if (clock_.running()) clock_.start(*clock_.running(), now.steady);
}

StepResult LiveGame::play(std::string_view player_id, int at_ply, std::string_view text,
                          bool offer_draw, Moment now, Millis lag) {
    const Seats seats = seats_of(player_id);
    if (!seats.any()) return Error{Refusal{403, "not_a_player", "You do not play in this game."}};
    if (at_ply >= 1 && at_ply <= ply()) {
        // Sent again: the same move is answered again, another one is too late. A move is compared
        // as a move, so that both notations of castling are the same.
        const auto index = static_cast<std::size_t>(at_ply) - 1;
        const auto again = parse_uci_move(game_.position_after(index), text);
        if (again && *again == game_.plies()[index].move &&
            seats.has(game_.position_after(index).turn()))
            return new_step();
        return Error{Refusal{409, "wrong_ply", "Another move has been played there."}};
    }
    if (record_.status == GameStatus::Waiting)
        return Error{Refusal{409, "not_started", "The other seat is still open."}};
    if (over()) return Error{Refusal{409, "game_over", "The game is over."}};
    if (at_ply != ply() + 1)
        return Error{Refusal{409, "wrong_ply", "This is not the next move of the game."}};
    if (!seats.has(turn())) return Error{Refusal{409, "not_your_turn", "It is not your turn."}};
    const auto move = parse_uci_move(game_.position(), text);
    if (!move) return Error{Refusal{422, "illegal_move", move.error().message}};
    Step step = new_step();
    charge_again_after(now.steady);
    if (!clock_.press(now.steady, lag)) {
        clock_.set(turn() == Color::White ? 0 : clock_.stored(Color::White),
                   turn() == Color::Black ? 0 : clock_.stored(Color::Black));
        game_.flag_fell(turn());
        finish(step, now);
        return step;
    }
    play_move(step, *move, offer_draw, now);
    return step;
}

StepResult LiveGame::play_for_computer(std::string_view text, std::optional<int> score,
                                       Moment now) {
    if (!computer_to_move()) return Error{Refusal{409, "not_your_turn", "It is not its turn."}};
    const auto move = parse_uci_move(game_.position(), text);
    if (!move) return Error{Refusal{422, "illegal_move", move.error().message}};
    computer_score_ = score;
    Step step = new_step();
    if (!clock_.press(now.steady, 0)) {
        game_.flag_fell(turn());
        finish(step, now);
        return step;
    }
    play_move(step, *move, false, now);
    return step;
}

void LiveGame::play_move(Step& step, Move move, bool offer_draw, Moment now) {
    const Color mover = turn();
    const std::string name = mover == Color::White ? "white" : "black";
    game_.play(move);
    if (!game_.over()) start_clock(now);
    // A move answers what the opponent offered and withdraws what no longer fits.
    if (record_.draw_offer != name) record_.draw_offer.clear();
    record_.takeback_offer.clear();
    if (offer_draw && record_.settings.kind == GameKind::Person) record_.draw_offer = name;

    MoveRecord row;
    row.uci = uci(static_cast<std::size_t>(ply()) - 1);
    row.white_ms = clock_.stored(Color::White);
    row.black_ms = clock_.stored(Color::Black);
    row.at = now.wall;
    moves_.push_back(row);
    step.played.emplace_back(ply(), row);

    update_row(now);
    GameEvent& event = add_event(step, GameEvent::Kind::Move, now);
    event.uci = row.uci;
    event.san = san_of(static_cast<std::size_t>(ply()) - 1);
    event.fen = record_.fen;
    event.side = record_.draw_offer;
    event.can_claim_draw = can_claim_draw();
    if (game_.over()) finish(step, now);
}

std::optional<Millis> LiveGame::first_move_deadline() const {
    if (!playing() || record_.settings.kind != GameKind::Person || !clock_.exists() || ply() >= 2)
        return std::nullopt;
    return turn_began_ + kFirstMoveTime;
}

std::optional<Millis> LiveGame::next_deadline(Millis lag) const {
    if (!playing()) return std::nullopt;
    if (const auto first = first_move_deadline()) return first;
    return clock_.flag_moment(lag);
}

Step LiveGame::tick(Moment now, Millis lag) {
    Step step = new_step();
    if (!playing()) return step;
    if (const auto first = first_move_deadline()) {
        if (now.steady < *first) return step;
        game_.abort();
        finish(step, now);
        return step;
    }
    const auto flag = clock_.flag_moment(lag);
    if (!flag || now.steady < *flag) return step;
    const Color late = turn();
    clock_.stop(now.steady);
    game_.flag_fell(late);
    finish(step, now);
    return step;
}

// The turn begins anew now, with the clock as it stood then. Nothing but that, if no clock runs.
bool LiveGame::charge_up_to(Millis wall, Moment now) {
    if (!playing() || !clock_.running() || record_.turn_at == 0) return false;
    // From disk: the value when the turn began.
    const Millis thought = std::max<Millis>(0, wall - record_.turn_at);
    clock_.set(record_.white_ms, record_.black_ms);
    clock_.start(turn(), now.steady - thought);
    clock_.stop(now.steady);
    return true;
}

Step LiveGame::start_turn_again(std::string reason, Moment now) {
    Step step = new_step();
    start_clock(now);
    update_row(now);
    add_event(step, GameEvent::Kind::Clock, now).reason = std::move(reason);
    return step;
}

Step LiveGame::go_on(Millis given_back_wall, Moment now) {
    if (!charge_up_to(given_back_wall, now)) return new_step();
    return start_turn_again("handover", now);
}

Step LiveGame::resume_clock(Millis last_alive_wall, Moment now) {
    if (!charge_up_to(last_alive_wall, now)) return new_step();
    clock_.add(turn(), kTimeBackAfterRestart);
    return start_turn_again("restart", now);
}

Step LiveGame::excuse(std::string_view player_id, Millis from, Millis until, Moment now) {
    constexpr Millis kWorthTelling = 100;
    if (!playing() || !seats_of(player_id).has(turn())) return new_step();
    const bool runs = clock_.running().has_value();
    const Millis begun = runs ? clock_.started() : turn_began_;
    const Millis begin = std::max({from, begun, excused_.until});
    const Millis time = until - begin;
    if (time < kWorthTelling) return new_step();
    excused_ = {begin == excused_.until ? excused_.from : begin, until};
    // As if the turn had begun so much later.
    turn_began_ += time;
    if (!runs) return new_step();
    clock_.start(turn(), begun + time);
    record_.turn_at += time;
    record_.updated_at = now.wall;
    Step step = new_step();
    add_event(step, GameEvent::Kind::Clock, now).reason = "outage";
    return step;
}

// The move had left the player's hands then: what was excused after it is not his time at all.
void LiveGame::charge_again_after(Millis steady) {
    if (!clock_.running() || excused_.until <= steady) return;
    const Millis time = excused_.until - std::max(excused_.from, steady);
    clock_.start(turn(), clock_.started() - time);
}

}  // namespace rokada::server
