// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/game_actor.hpp"

#include <algorithm>
#include <utility>

#include "engine/levels/pace.hpp"

namespace rokada::server {
namespace {

Refusal elsewhere() { return {503, "elsewhere", "Another server has this game; try again."}; }

Refusal refusal_for(const WriteFailure& failure, bool one_of_several) {
    if (failure.fault == StoreFault::DiskFull)
        return {507, "disk_full", "The server's disk is full; the move was not played."};
    if (failure.fault == StoreFault::Conflict && one_of_several) return elsewhere();
    if (failure.fault == StoreFault::Conflict)
        return {409, "conflict", "The game has moved on; look again."};
    return {503, "store_unavailable", "The server cannot save right now; try again."};
}

}  // namespace

GameActor::GameActor(LiveGame game, std::unique_ptr<GameStrand> strand,
                     const GameServices& services)
    : id_(game.record().id),
      epoch_(game.record().epoch),
      game_(std::move(game)),
      strand_(std::move(strand)),
      services_(services) {
    touch();
}

template <class Run>
void GameActor::run(Run run) {
    if (strand_->here())
        run();
    else
        strand_->post(std::move(run));
}

void GameActor::touch() { last_used_ = services_.time->now().steady; }

void GameActor::start() {
    strand_->post([self = shared_from_this()] { self->after_change(); });
}

void GameActor::act(Action action, Answer answer, ReplyAddress answers) {
    run([self = shared_from_this(), action = std::move(action), answer = std::move(answer),
         answers = std::move(answers)]() mutable {
        if (self->lost_) {
            answer(self->game_, self->epoch_ != 0
                                    ? elsewhere()
                                    : Refusal{503, "store_unavailable", "Try again."});
        } else if (self->waiting_.size() >= kQueueLimit) {
            answer(self->game_, Refusal{503, "busy", "Too many actions wait in this game."});
        } else {
            self->waiting_.push_back({std::move(action), std::move(answer), std::move(answers)});
            self->pump();
        }
    });
}

void GameActor::look(Reader reader, std::function<void()> too_many) {
    strand_->post([self = shared_from_this(), reader = std::move(reader),
                   too_many = std::move(too_many)]() mutable {
        self->touch();
        if (!self->saving_) return reader(self->game_);
        // What is not on disk yet is not shown.
        if (too_many && self->lookers_.size() >= kLookersLimit) return too_many();
        self->lookers_.push_back(std::move(reader));
    });
}

void GameActor::show_lookers() {
    for (const Reader& reader : std::exchange(lookers_, {})) reader(game_);
}

void GameActor::pump() {
    while (!saving_ && !lost_ && !waiting_.empty()) {
        Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        const Moment now = services_.time->now();
        last_used_ = now.steady;
        StepResult result = next.action(game_, now);
        if (!result) {
            next.answer(game_, result.error());
        } else if (result->empty()) {
            next.answer(game_, std::nullopt);
        } else {
            save(std::move(*result), std::move(next));
        }
    }
}

// Nothing when the step is more than a move.
std::shared_ptr<const TurnRecord> GameActor::turn_of(Step& step) const {
    if (step.events.size() != 1 || step.events[0].kind != GameEvent::Kind::Move) return nullptr;
    const GameRecord& row = game_.record();
    GameEvent& event = step.events[0];
    auto turn = std::make_shared<TurnRecord>();
    turn->game_id = id_;
    turn->epoch = row.epoch;
    turn->version = event.version;
    turn->ply = event.ply;
    turn->move = step.played[0].second;
    turn->turn_at = row.turn_at;
    turn->draw_offer = row.draw_offer;
    turn->message = services_.encode_event(event, row);
    turn->fen = std::move(event.fen);
    step.events =
        {};  // all said: its memory serves the next game while this one waits for the disk
    return turn;
}

void GameActor::save(Step step, Waiting asked) {
    resting_ = false;
    auto turn = turn_of(step);
    Saving& saving = saving_.emplace();
    saving.step = std::move(step);
    saving.answer = std::move(asked.answer);
    if (turn) {
        saving.answers = std::move(asked.answers);
        saving.turn = turn;
        return services_.store->save_turn(std::move(turn), when_saved());
    }
    const auto row = std::make_shared<const GameRecord>(game_.record());
    GameChange change;
    change.game = row.get();
    change.version_before = saving.step.version_before;
    change.played = saving.step.played;
    change.keep_plies = saving.step.keep_plies;
    change.seats_changed = saving.step.seats_changed;
    for (const GameEvent& event : saving.step.events) {
        auto text =
            std::make_shared<const std::string>(services_.encode_event(event, game_.record()));
        change.events.push_back({event.version, event.ply, event.at, *text});
        saving.texts.push_back(std::move(text));
    }
    services_.store->save(std::move(change), row, when_saved());
}

GameStore::Done GameActor::when_saved() {
    return [self = shared_from_this()](const WriteOutcome& outcome) {
        // Nearly always there is no failure to be carried along.
        if (!outcome) return self->strand_->post([self] { self->saved(std::nullopt); });
        self->strand_->post([self, outcome] { self->saved(outcome); });
    };
}

void GameActor::saved(const WriteOutcome& outcome) {
    Saving saving = std::move(*saving_);
    saving_.reset();
    const Step& step = saving.step;
    if (outcome) {
        // What stands in memory never happened. The next visitor loads the game from disk.
        lost_ = true;
        thinking_.reset();
        strand_->cancel_alarm();
        const Refusal refusal = refusal_for(*outcome, epoch_ != 0);
        services_.forget(id_);
        saving.answer(game_, refusal);
        fail_waiting(refusal);
        show_lookers();
        // It may be on disk all the same, and whoever follows the game comes in at its next object.
        publish_gap();
        return;
    }
    if (!step.played.empty() || step.keep_plies >= 0 || step.seats_changed)
        game_.committed(services_.time->now());
    if (!saving.answers) saving.answer(game_, std::nullopt);
    if (publish(saving) && services_.listed) services_.listed(game_);
    show_lookers();
    after_change();
    play_premove();
    pump();
}

// True when the lists of games show a difference.
bool GameActor::publish(Saving& saving) {
    if (saving.turn) {
        BusMessage message{saving.turn->version, {saving.turn, &saving.turn->message}};
        message.answers = std::move(saving.answers);
        services_.bus->publish(id_, message);
        return true;
    }
    bool listed = false;
    for (std::size_t i = 0; i < saving.texts.size(); ++i) {
        const GameEvent& event = saving.step.events[i];
        services_.bus->publish(id_, {event.version, saving.texts[i]});
        listed |= event.kind != GameEvent::Kind::Offer && event.kind != GameEvent::Kind::Chat;
    }
    return listed;
}

void GameActor::fail_waiting(const Refusal& refusal) {
    while (!waiting_.empty()) {
        Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        next.answer(game_, refusal);
    }
}

void GameActor::after_change() {
    ask_computer();
    set_alarm();
    update_resting();
}

void GameActor::play_premove() {
    const auto premove = game_.take_premove();
    if (!premove) return;
    waiting_.push_front({[premove](LiveGame& game, Moment now) {
                             // It was there before the clock began to run.
                             if (game.clock().running()) now.steady = game.clock().started();
                             return game.play(premove->player_id, premove->ply, premove->uci, false,
                                              now, 0);
                         },
                         [](const LiveGame&, const std::optional<Refusal>&) {}});
}

void GameActor::update_resting() {
    resting_ = watchers_ == 0 && !saving_ && !thinking_ && !game_.computer_to_move() &&
               !game_.next_deadline(0);
}

Millis GameActor::running_lag() const {
    const auto side = game_.clock().running();
    return side ? lag_[*side] : 0;
}

void GameActor::set_alarm() {
    auto next = game_.next_deadline(running_lag());
    const auto earlier = [&next](Millis at) { next = next ? std::min(*next, at) : at; };
    if (reply_) earlier(reply_->due);
    if (ask_again_at_) earlier(*ask_again_at_);
    if (!next) return strand_->cancel_alarm();
    strand_->set_alarm(*next, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->lost_) return;
        const Millis now = self->services_.time->now().steady;
        if (self->ask_again_at_ && now >= *self->ask_again_at_) {
            self->ask_again_at_.reset();
            self->ask_computer();
        }
        if (self->reply_ && now >= self->reply_->due) self->play_reply();
        self->ask_excuse(now);
        self->act([self](LiveGame& game,
                         Moment at) -> StepResult { return game.tick(at, self->running_lag()); },
                  [self](const LiveGame&, const std::optional<Refusal>&) { self->set_alarm(); });
    });
}

void GameActor::ask_excuse(Millis now) const {
    const auto due = game_.next_deadline(running_lag());
    if (!due || now < *due || !services_.ask_excuse) return;
    const GameRecord& record = game_.record();
    services_.ask_excuse(
        id_, game_.turn() == Color::White ? record.white.player_id : record.black.player_id);
}

void GameActor::excuse(const std::string& player_id, const Silence& silence) {
    run([self = shared_from_this(), player_id, silence] {
        const auto here = self->present_.find(player_id);
        if (here != self->present_.end() && here->second > silence.ways) return;
        self->act(
            [player_id, silence](LiveGame& game, Moment now) -> StepResult {
                return game.excuse(player_id, silence.from, silence.until, now);
            },
            [self](const LiveGame&, const std::optional<Refusal>&) { self->set_alarm(); });
    });
}

void GameActor::ask_computer() {
    if (!game_.computer_to_move()) {
        thinking_.reset();
        reply_.reset();
        ask_again_at_.reset();
        ++thought_;
        return;
    }
    if (thinking_ || reply_ || ask_again_at_) return;
    PickRequest request;
    request.start = game_.game().start();
    for (const Game::Ply& ply : game_.game().plies()) request.moves.push_back(ply.move);
    const GameSettings& settings = game_.record().settings;
    request.level = settings.level;
    request.elo = settings.elo;
    request.classical = settings.classical;
    request.asked_by = id_;
    request.urgent = true;
    asked_at_ = services_.time->now().steady;
    if (const auto clocks = game_.read_clocks(asked_at_))
        request.clock = PickRequest::Clock{clocks->white_ms, clocks->black_ms,
                                           settings.white_clock.increment_ms,
                                           settings.black_clock.increment_ms};
    const std::uint64_t number = ++thought_;
    thinking_ = services_.picker->pick(
        std::move(request), [weak = weak_from_this(), number](const PickedMove& picked) {
            const auto self = weak.lock();
            if (!self) return;
            self->strand_->post([self, number, picked] {
                if (self->thought_ != number || picked.cancelled || picked.move.none()) return;
                self->thinking_.reset();
                self->answered(picked);
            });
        });
    // The pool is full: look again in a moment.
    if (!thinking_) ask_again_at_ = asked_at_ + 500;
}

void GameActor::answered(const PickedMove& picked) {
    const bool chess960 = game_.record().settings.chess960;
    Reply reply;
    reply.uci = to_uci(picked.move,
                       chess960 ? CastlingNotation::KingTakesRook : CastlingNotation::KingMove);
    reply.score = picked.centipawns;
    if (picked.mate) reply.score = *picked.mate > 0 ? 10'000 : -10'000;
    reply.due = asked_at_ + pace(picked.move);
    const bool now = reply.due <= services_.time->now().steady;
    reply_ = std::move(reply);
    if (now) {
        play_reply();
    } else {
        set_alarm();
    }
}

// How long the computer takes for this move in all; nothing at full strength, where it thinks in earnest.
Millis GameActor::pace(Move answer) const {
    const GameSettings& settings = game_.record().settings;
    if (!services_.human_pace || (settings.level == "Full" && settings.elo == 0)) return 0;
    const Game& game = game_.game();
    engine::PaceQuestion question{game.position(), Move(), std::nullopt,
                                  std::hash<std::string>{}(id_)};
    if (!game.plies().empty()) question.last = game.plies().back().move;
    const auto clocks = game_.read_clocks(asked_at_);
    if (clocks) {
        engine::ClockTimes times;
        times.left[Color::White] = engine::Milliseconds(clocks->white_ms);
        times.left[Color::Black] = engine::Milliseconds(clocks->black_ms);
        times.increment[Color::White] = engine::Milliseconds(settings.white_clock.increment_ms);
        times.increment[Color::Black] = engine::Milliseconds(settings.black_clock.increment_ms);
        question.clock = times;
    }
    const Millis wanted = engine::human_pace(question, answer).count();
    // Without a clock nobody likes to wait: a moment, so that one sees a move being made.
    constexpr Millis kLongestMoment = 1000;
    return clocks ? wanted : std::min(wanted / 3, kLongestMoment);
}

void GameActor::play_reply() {
    const Reply reply = *std::exchange(reply_, std::nullopt);
    waiting_.push_back({[reply](LiveGame& game, Moment now) {
                            return game.play_for_computer(reply.uci, reply.score, now);
                        },
                        [](const LiveGame&, const std::optional<Refusal>&) {}});
    pump();
}

void GameActor::enter(const std::string& player_id) {
    strand_->post([self = shared_from_this(), player_id] {
        self->touch();
        ++self->watchers_;
        ++self->present_[player_id];
        self->presence_changed(player_id, false);
    });
}

void GameActor::leave(const std::string& player_id, bool on_purpose) {
    strand_->post([self = shared_from_this(), player_id, on_purpose] {
        self->touch();
        --self->watchers_;
        if (--self->present_[player_id] <= 0) self->present_.erase(player_id);
        self->presence_changed(player_id, on_purpose);
    });
}

void GameActor::presence_changed(const std::string& player_id, bool on_purpose) {
    const Seats seats = game_.seats_of(player_id);
    const bool here = present_.count(player_id) > 0;
    for (const Color side : kColors)
        if (seats.has(side))
            game_.set_connected(side, here, on_purpose, services_.time->now().steady);
    update_resting();
    publish_presence();
}

void GameActor::publish_presence() {
    if (watchers_ == 0) return;
    auto text = std::make_shared<const std::string>(
        services_.encode_presence(game_, services_.time->now().steady, watchers_));
    services_.bus->publish(id_, {0, std::move(text)});
}

void GameActor::set_lag(const std::string& player_id, Millis lag) {
    if (!strand_->here())
        return strand_->post(
            [self = shared_from_this(), player_id, lag] { self->set_lag(player_id, lag); });
    const Seats seats = game_.seats_of(player_id);
    for (const Color side : kColors)
        if (seats.has(side)) lag_[side] = lag;
}

void GameActor::adopt(const std::string& guest_id, const SeatRecord& user) {
    strand_->post([self = shared_from_this(), guest_id, user] {
        self->game_.adopt(guest_id, user);
        const auto found = self->present_.find(guest_id);
        if (found == self->present_.end()) return;
        self->present_[user.player_id] += found->second;
        self->present_.erase(guest_id);
    });
}

void GameActor::erase(const std::string& player_id) {
    act([player_id](LiveGame& game,
                    Moment now) -> StepResult { return game.erase(player_id, now); },
        [](const LiveGame&, const std::optional<Refusal>&) {});
}

void GameActor::resume_clock(Millis last_alive_wall) {
    act(
        [last_alive_wall](LiveGame& game, Moment now) -> StepResult {
            return game.resume_clock(last_alive_wall, now);
        },
        [](const LiveGame&, const std::optional<Refusal>&) {});
}

void GameActor::go_on(Millis given_back_wall) {
    act([given_back_wall](LiveGame& game,
                          Moment now) -> StepResult { return game.go_on(given_back_wall, now); },
        [](const LiveGame&, const std::optional<Refusal>&) {});
}

void GameActor::lose() {
    strand_->post([self = shared_from_this()] {
        // A save that is on its way fails by itself.
        self->lost_ = true;
        self->thinking_.reset();
        self->strand_->cancel_alarm();
        self->fail_waiting(elsewhere());
        self->publish_gap();
    });
}

void GameActor::publish_gap() {
    BusMessage gap;
    gap.gap = true;
    services_.bus->publish(id_, gap);
}

bool GameActor::idle(Millis steady) const {
    constexpr Millis kPatience = 60'000;
    return resting_ && steady - last_used_ > kPatience;
}

}  // namespace rokada::server
