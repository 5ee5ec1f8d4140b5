// SPDX-License-Identifier: GPL-3.0-or-later
#include "bot/game_player.hpp"

#include <algorithm>

#include "chess/game.hpp"
#include "chess/material.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "net/url.hpp"

namespace rokada::bot {

namespace {

// A game stream comes back sooner than others: a clock is running.
constexpr Milliseconds kGameRetry{2'000};
constexpr int kMostRefusals = 3;  // before it asks less eagerly
constexpr int kMateScore = 10'000;

int centipawns(engine::Score score) {
    if (!score.is_mate()) return score.centipawns();
    return score.moves_to_mate() > 0 ? kMateScore : -kMateScore;
}

}  // namespace

GamePlayer::GamePlayer(Connection& connection, const Settings& settings, Table& table,
                       std::string id, std::string me)
    : connection_(connection),
      settings_(settings),
      table_(table),
      id_(std::move(id)),
      me_(std::move(me)),
      mood_(settings.manners),
      random_(std::random_device{}()) {
    engine::Callbacks callbacks;
    callbacks.on_info = [this](const engine::Info& info) {
        if (info.multipv == 1) last_score_ = centipawns(info.score);
    };
    callbacks.on_best_move = [this](const engine::BestMove& best) {
        events_->push(Found{++answers_, best, last_score_});
        last_score_.reset();
    };
    engine_ = std::make_unique<engine::Engine>(std::move(callbacks));
    const auto set = [this](const std::string& name, const std::string& value) {
        if (const auto error = engine_->set_option(name, value)) log(*error);
    };
    const Policy& policy = settings_.policy;
    const int games = policy.games + (policy.correspondence ? policy.correspondence_games : 0);
    set("Hash", std::to_string(std::max(1, settings_.hash_megabytes / games)));
    if (settings_.elo > 0) {
        set("UCI_Elo", std::to_string(settings_.elo));
        set("UCI_LimitStrength", "true");
    }
    for (const auto& [name, value] : settings_.engine_options) set(name, value);
    set_busy(true);
}

GamePlayer::~GamePlayer() {
    if (feed_) feed_->close();
    set_busy(false);
}

void GamePlayer::leave() { events_->push(Leave{}); }

void GamePlayer::look() {
    asked_ = true;
    events_->push(Look{});
}

void GamePlayer::handle(Look&) {
    const auto soon = Clock::now() + settings_.waits.farewell;
    look_at_ = look_at_ ? std::min(*look_at_, soon) : soon;
}

void GamePlayer::set_busy(bool busy) {
    if (busy_.exchange(busy) != busy) table_.games += busy ? 1 : -1;
}

std::optional<LedgerEntry> GamePlayer::play() {
    open_feed();
    while (!over_ && !left_) {
        if (auto event = events_->pop_until(next_deadline()))
            std::visit([this](auto& what) { handle(what); }, *event);
        check_time();
    }
    stop_search();
    feed_->close();
    if (!full_ || !over_) return std::nullopt;
    if (state_.moves.size() >= 2) say(settings_.manners.goodbye);
    return entry();
}

void GamePlayer::open_feed() {
    if (feed_) {
        earlier_reconnects_ += feed_->reconnects() + 1;
        feed_->close();
    }
    Connection::FeedEvents events;
    events.on_connected = [inbox = events_] { inbox->push(Connected{}); };
    events.on_line = [inbox = events_, number = ++feeds_](std::string_view line) {
        inbox->push(Line{std::string(line), number});
    };
    events.on_refused = [inbox = events_](int status) { inbox->push(Refused{status}); };
    feed_ = connection_.open_feed("/api/bot/game/stream/" + id_, std::move(events), kGameRetry);
}

// The first line of every stream is the whole state; until it comes nothing is known.
void GamePlayer::handle(Connected&) {
    if (sending_) sending_->reconnected = true;
}

void GamePlayer::handle(Refused& refused) {
    log("the server knows this game no more (" + std::to_string(refused.status) + ")");
    left_ = true;
}

void GamePlayer::handle(Line& line) {
    if (line.feed != feeds_) return;
    const GameLine read = parse_game_line(line.text);
    if (read.full) {
        if (!full_) begin(*read.full);
        if (!over_ && !left_) follow(read.full->state, true);
        if (looking_) asked_ = looking_ = false;
    } else if (read.state && full_) {
        follow(*read.state, false);
    } else if (read.gone) {
        claim_at_.reset();
        if (read.gone->gone && read.gone->claim_in_seconds)
            claim_at_ = Clock::now() + std::chrono::seconds(*read.gone->claim_in_seconds);
    }
}

void GamePlayer::begin(const GameFull& full) {
    const bool white = net::equal_ignoring_case(full.white.id, me_);
    if (!white && !net::equal_ignoring_case(full.black.id, me_)) {
        log("this is not a game of ours");
        left_ = true;
        return;
    }
    const bool usual = full.initial_fen == "startpos" || full.initial_fen.empty();
    const auto start =
        usual ? Result<Position, ParseError>(Position()) : parse_position(full.initial_fen);
    if (!start) {
        log("the start position cannot be read: " + start.error().to_string());
        left_ = true;
        return;
    }
    full_ = full;
    has_clock_ = full.has_clock;
    color_ = white ? Color::White : Color::Black;
    start_ = position_ = *start;
    abort_at_ = Clock::now() + settings_.waits.first_move;
    log(std::string(white ? "White" : "Black") + " against " + opponent().name);
    if (full.state.moves.size() < 2) say(settings_.manners.hello);
}

bool GamePlayer::rebuild(const std::vector<std::string>& moves) {
    Position position = start_;
    std::vector<Move> line;
    for (const std::string& text : moves) {
        const auto move = parse_uci_move(position, text);
        if (!move) {
            log("a move of the server cannot be read: " + move.error().to_string());
            return false;
        }
        line.push_back(*move);
        position.play(*move);
    }
    position_ = position;
    line_ = std::move(line);
    return true;
}

// fresh: the whole state on a new stream, so what is not in it never arrived.
void GamePlayer::follow(const GameState& state, bool fresh) {
    const bool shorter = state.moves.size() < state_.moves.size();
    if (shorter && !fresh && state.running() && sending_) {
        // A takeback while a move is on its way: only a new stream tells what came first.
        feed_->again();
    }
    if (!rebuild(state.moves)) {
        feed_->again();
        return;
    }
    if (shorter) mood_.take_back();
    state_ = state;
    if (!state.running()) {
        over_ = true;
        log("over: " + state.status + (state.winner.empty() ? "" : ", " + state.winner + " wins"));
        return;
    }
    if (sending_ && state.moves != sending_->before) {
        sending_.reset();  // it arrived, or the game went elsewhere
        refusals_ = 0;
    }
    if (ready_ && state.moves != ready_->before) ready_.reset();
    answer_offers(state, fresh);
    set_busy(full_->has_clock || my_turn());
    if (my_turn()) {
        take_turn(fresh);
    } else {
        // A search for a position that is gone, or a guess at another reply than is possible now.
        const bool useful =
            search_ && search_->pondering && search_->moves.size() == state.moves.size() + 1 &&
            std::equal(state.moves.begin(), state.moves.end(), search_->moves.begin());
        if (search_ && !useful) stop_search();
        if (!full_->has_clock) {
            feed_->close();
            look_at_ = Clock::now() + settings_.waits.correspondence;
        }
    }
}

void GamePlayer::answer_offers(const GameState& state, bool fresh) {
    const bool white = color_ == Color::White;
    const bool draw = white ? state.black_draw : state.white_draw;
    if (!draw) draw_answered_ = false;
    if (draw && !draw_answered_) {
        draw_answered_ = true;
        post(mood_.wants_draw() ? "draw/yes" : "draw/no");
    }
    const bool takeback = white ? state.black_takeback : state.white_takeback;
    if (!takeback || (held_ && *held_ != state.moves)) {
        takeback_answered_ = false;
        held_.reset();
    }
    if (held_) {
        if (fresh) post("takeback/yes");  // the first may have been lost
        return;
    }
    // A move on its way answers the request as well.
    if (!takeback || takeback_answered_ || sending_) return;
    takeback_answered_ = true;
    if (opponent().is_bot() || takebacks_ >= settings_.manners.takebacks) {
        post("takeback/no");
        return;
    }
    // A move found now might arrive after the takeback, in another position.
    ++takebacks_;
    held_ = state.moves;
    stop_search();
    post("takeback/yes");
}

void GamePlayer::take_turn(bool fresh) {
    if (held_ || ready_) return;
    if (sending_) {
        const bool lost = sending_->reconnected && (sending_->state == Sending::Unsure ||
                                                    sending_->state == Sending::Refused);
        if (!fresh || !lost) return;  // the answer is still to come
        if (sending_->state == Sending::Refused) {
            sending_.reset();
        } else {
            const Sending again = *sending_;
            send_move(again.uci, again.offering_draw, again.before);
            return;
        }
    }
    if (search_ && search_->moves == state_.moves) {
        if (search_->pondering) {
            search_->pondering = false;
            ++guessed_;
            engine_->ponder_hit();
        }
        return;
    }
    think();
}

void GamePlayer::stop_search() {
    if (search_) engine_->stop();
    search_.reset();
}

// Threads are shared by the games that run; the overhead follows the latency.
void GamePlayer::tune_engine() {
    const int share = share_of_threads(settings_.threads, table_.games.load());
    if (share != engine_threads_) engine_->set_option("Threads", std::to_string(share));
    engine_threads_ = share;
    const std::lock_guard lock(table_.mutex);
    engine_->set_option("Move Overhead", std::to_string(table_.latency.overhead().count()));
}

engine::Limits GamePlayer::limits() const {
    engine::Limits limits;
    if (!full_->has_clock) {
        limits.move_time = settings_.correspondence_move;
        return limits;
    }
    engine::ClockTimes clock;
    clock.left[Color::White] = state_.white_time;
    clock.left[Color::Black] = state_.black_time;
    clock.increment[Color::White] = state_.white_increment;
    clock.increment[Color::Black] = state_.black_increment;
    limits.clock = clock;
    return limits;
}

void GamePlayer::start_search(const engine::Limits& limits, std::vector<std::string> moves,
                              bool pondering) {
    tune_engine();
    search_ = Search{++searches_, std::move(moves), pondering};
    engine_->go(limits);
}

void GamePlayer::think() {
    stop_search();
    if (table_.book && state_.moves.size() < static_cast<std::size_t>(settings_.book_plies))
        if (const auto move = table_.book->random(position_, random_())) {
            send_move(to_uci(*move, castling_notation_for(position_)), false, state_.moves);
            return;
        }
    engine_->set_position(start_, line_);
    start_search(limits(), state_.moves, false);
}

void GamePlayer::ponder(Move reply) {
    const std::vector<std::string>& before = sending_->before;
    Position position = position_;
    const auto own = parse_uci_move(position, sending_->uci);
    if (!own) return;
    position.play(*own);
    if (!reply || !position.is_legal(reply)) return;
    std::vector<Move> line = line_;
    line.push_back(*own);
    line.push_back(reply);
    std::vector<std::string> moves = before;
    moves.push_back(sending_->uci);
    moves.push_back(to_uci(reply, castling_notation_for(position)));
    engine_->set_position(start_, line);
    engine::Limits wanted = limits();
    wanted.ponder = true;
    start_search(wanted, std::move(moves), true);
}

void GamePlayer::handle(Found& found) {
    if (!search_ || found.search != search_->number || search_->pondering) return;
    search_.reset();
    if (!found.best.move || !my_turn()) return;
    if (found.score) mood_.add(*found.score, state_.moves.size());
    const std::string uci = to_uci(found.best.move, castling_notation_for(position_));
    if (mood_.would_claim() && may_claim_draw()) {
        // A server that does not know the claim takes it for an offer, and the game goes on.
        ready_ = Ready{uci, state_.moves, Clock::now() + settings_.manners.claim_patience};
        post("draw/yes");
        return;
    }
    if (mood_.wants_to_resign() && !resigned_) {
        resigned_ = true;
        post("resign");
        return;
    }
    send_move(uci, mood_.wants_draw(), state_.moves);
    if (settings_.ponder && full_->has_clock) ponder(found.best.ponder);
}

bool GamePlayer::may_claim_draw() const {
    Game game(start_, DrawRule::Claim);
    for (const Move move : line_) game.play(move);
    return game.claimable_draw().has_value();
}

void GamePlayer::send_move(const std::string& uci, bool offering_draw,
                           std::vector<std::string> before) {
    sending_ =
        Sending{++sendings_, uci, offering_draw, std::move(before), Sending::OnItsWay, {}, false};
    connection_.now(
        "/api/bot/game/" + id_ + "/move/" + uci + (offering_draw ? "?offeringDraw=true" : ""),
        [inbox = events_, number = sendings_](const Answer& answer) {
            inbox->push(Sent{number, answer});
        });
}

void GamePlayer::handle(Sent& sent) {
    const Answer& answer = sent.answer;
    if (answer.ok()) {
        const std::lock_guard lock(table_.mutex);
        table_.latency.add(answer.took);
    }
    if (!sending_ || sent.number != sending_->number) return;
    sending_->reconnected = false;  // only a state asked for from now on tells what became of it
    constexpr int too_many = 429;
    if (answer.ok()) {
        sending_->state = Sending::Accepted;
        sending_->again = Clock::now() + settings_.waits.request;
    } else if (answer.status == too_many) {
        sending_->state = Sending::Limited;
        sending_->again = Clock::now() + answer.retry_after.value_or(settings_.waits.rate_limited);
    } else if (answer.status == 0 || answer.status >= 500) {
        log("no word about " + sending_->uci + ": " + answer.error);
        sending_->state = Sending::Unsure;
        feed_->again();
    } else {
        log(sending_->uci + " was refused: " + answer.error);
        sending_->state = Sending::Refused;
        if (++refusals_ < kMostRefusals)
            feed_->again();
        else
            sending_->again = Clock::now() + settings_.waits.request;
    }
}

void GamePlayer::post(const std::string& action, const std::string& form) {
    Connection::Request request;
    request.path = "/api/bot/game/" + id_ + "/" + action;
    request.form = form;
    connection_.later(std::move(request), [&connection = connection_, feed = feed_,
                                           what = id_ + ": " + action](const Answer& answer) {
        if (answer.ok()) return;
        connection.log(what + ": " + answer.error);
        feed->again();  // the whole state tells what is true now
    });
}

void GamePlayer::say(const std::string& text) {
    if (text.empty()) return;
    Connection::Request request;
    request.path = "/api/bot/game/" + id_ + "/chat";
    constexpr std::size_t longest = 140;
    request.form = net::build_query({{"room", "player"}, {"text", text.substr(0, longest)}});
    request.tries = 1;  // better silent than twice
    connection_.later(std::move(request));
}

Clock::time_point GamePlayer::next_deadline() const {
    auto next = Clock::now() + std::chrono::seconds(60);
    for (const auto& when : {claim_at_, look_at_, abort_at_})
        if (when) next = std::min(next, *when);
    if (ready_) next = std::min(next, ready_->at);
    if (sending_ && sending_->again != Clock::time_point{}) next = std::min(next, sending_->again);
    return next;
}

void GamePlayer::check_time() {
    if (over_ || left_) return;
    const auto now = Clock::now();
    if (claim_at_ && now >= *claim_at_) {
        claim_at_.reset();
        post(can_ever_mate(position_, color_) ? "claim-victory" : "claim-draw");
    }
    if (look_at_ && now >= *look_at_) {
        look_at_.reset();
        looking_ = asked_;
        open_feed();
    }
    if (ready_ && now >= ready_->at) {
        const Ready ready = *ready_;
        ready_.reset();
        send_move(ready.uci, false, ready.before);
    }
    if (sending_ && sending_->state == Sending::Limited && now >= sending_->again) {
        const Sending again = *sending_;
        send_move(again.uci, again.offering_draw, again.before);
    }
    const bool due = sending_ && sending_->again != Clock::time_point{} && now >= sending_->again;
    if (due && (sending_->state == Sending::Accepted || sending_->state == Sending::Refused)) {
        // Accepted, but no state has shown it since; or refused again and again.
        if (sending_->state == Sending::Accepted) sending_->state = Sending::Unsure;
        sending_->again = {};
        sending_->reconnected = false;
        feed_->again();
    }
    if (abort_at_ && full_ && (state_.moves.size() >= 2 || !full_->has_clock)) abort_at_.reset();
    if (abort_at_ && now >= *abort_at_) {
        abort_at_.reset();
        if (full_ && !my_turn() && !aborted_) {
            aborted_ = true;
            post("abort");
        }
    }
}

LedgerEntry GamePlayer::entry() const {
    LedgerEntry entry;
    const std::string mine = color_ == Color::White ? "white" : "black";
    entry.time = utc_now();
    entry.id = id_;
    entry.opponent = opponent().name;
    entry.opponent_is_bot = opponent().is_bot();
    entry.opponent_rating = std::max(0, opponent().rating);
    entry.color = mine;
    entry.variant = full_->variant;
    entry.speed = full_->speed;
    entry.rated = full_->rated;
    entry.status = state_.status;
    const bool counts = state_.status != "aborted" && state_.status != "noStart";
    entry.result = !counts                 ? "none"
                   : state_.winner.empty() ? "draw"
                   : state_.winner == mine ? "win"
                                           : "loss";
    entry.plies = static_cast<int>(state_.moves.size());
    entry.guessed = guessed_;
    entry.reconnects = earlier_reconnects_ + feed_->reconnects();
    const std::lock_guard lock(table_.mutex);
    entry.latency_ms = static_cast<int>(table_.latency.mean().count());
    return entry;
}

}  // namespace rokada::bot
