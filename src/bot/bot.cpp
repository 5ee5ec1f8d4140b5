// SPDX-License-Identifier: GPL-3.0-or-later
#include "bot/bot.hpp"

#include <algorithm>

#include "net/url.hpp"

namespace rokada::bot {

namespace {

constexpr std::chrono::hours kDay{24};
constexpr int kTooMany = 429;
// An accepted challenge whose game does not begin within this time never will.
constexpr std::chrono::seconds kStartPatience{20};

}  // namespace

Bot::Bot(Settings settings)
    : settings_(std::move(settings)),
      ledger_(settings_.ledger),
      seek_at_(Clock::now() + settings_.matchmaking.idle),
      random_(std::random_device{}()),
      connection_(std::make_unique<Connection>(settings_)) {}

Bot::~Bot() {
    for (auto& [id, running] : games_) {
        running.player->leave();
        running.thread.join();
    }
    games_.clear();
    connection_.reset();  // before what its callbacks use
}

void Bot::stop() { events_.push(Stop{}); }

void Bot::post(const std::string& path, const std::string& form, int tries) {
    connection_->later({net::Method::kPost, path, form, tries},
                       [connection = connection_.get(), path](const Answer& answer) {
                           if (!answer.ok()) connection->log(path + ": " + answer.error);
                       });
}

std::optional<std::string> Bot::upgrade() {
    const Answer answer =
        connection_->wait_for({net::Method::kPost, "/api/bot/account/upgrade", {}, 3});
    if (!answer.ok()) return "the account was not changed: " + answer.error;
    return std::nullopt;
}

std::optional<std::string> Bot::run() {
    const Answer answer = connection_->wait_for({net::Method::kGet, "/api/account", {}, 3});
    if (!answer.ok()) return settings_.url + ": " + answer.error;
    const Account account = parse_account(answer.body);
    if (!account.error.empty()) return settings_.url + ": " + account.error;
    if (!account.person.is_bot())
        return "the account " + account.person.name +
               " is not a bot's; --upgrade makes it one, which cannot be undone";
    me_ = account.person.id;
    rating_ = account.person.rating;
    if (!settings_.book.empty()) {
        auto book = PolyglotBook::read(settings_.book);
        if (!book) return book.error();
        book_ = *book;
        table_.book = &book_;
    }
    connection_->log("playing as " + account.person.name + " at " + settings_.url);

    Connection::FeedEvents events;
    events.on_connected = [connection = connection_.get()] { connection->log("listening"); };
    events.on_line = [this](std::string_view line) { events_.push(Line{std::string(line)}); };
    events.on_refused = [this](int status) { events_.push(Refused{status}); };
    const auto feed = connection_->open_feed("/api/stream/event", std::move(events),
                                             settings_.waits.longest_retry);
    while (!error_ && stops_ < 2 && (stops_ == 0 || busy())) {
        const auto wait = std::min<Milliseconds>(settings_.matchmaking.idle, Milliseconds(500));
        if (const auto event = events_.pop_until(Clock::now() + wait))
            std::visit([this](const auto& what) { handle(what); }, *event);
        const auto now = Clock::now();
        for (auto at = accepted_.begin(); at != accepted_.end();)
            at = now >= at->second.until ? accepted_.erase(at) : std::next(at);
        if (pending_ && now >= pending_->until) give_up_pending();
        seek_opponent();
    }
    feed->close();
    return error_;
}

int Bot::committed(bool with_clock) const {
    int count = with_clock && pending_ ? 1 : 0;
    for (const auto& [id, running] : games_) count += running.player->has_clock() == with_clock;
    for (const auto& [id, accepted] : accepted_) count += accepted.has_clock == with_clock;
    return count;
}

// Games by letter that wait for the opponent go on when the bot is started again: the server tells of them.
bool Bot::busy() const {
    return !accepted_.empty() || std::any_of(games_.begin(), games_.end(), [](const auto& game) {
        return game.second.player->busy();
    });
}

void Bot::handle(const Line& line) {
    const bot::Event told = parse_event(line.text);
    if (told.kind == "gameStart") {
        start_game(told.game_id);
    } else if (told.kind == "gameFinish") {
        // Usually its own stream has said so; if that was lost, it is asked for.
        const auto found = games_.find(told.game_id);
        if (found != games_.end()) found->second.player->look();
    } else if (told.kind == "challenge") {
        answer(told.challenge);
    } else if (told.kind == "challengeCanceled") {
        accepted_.erase(told.challenge.id);
    } else if (told.kind == "challengeDeclined") {
        if (pending_ && pending_->id == told.challenge.id) {
            connection_->log(pending_->user + " declined: " + told.challenge.decline_reason);
            pending_.reset();
        }
    }
}

void Bot::handle(const Refused& refused) {
    error_ = "the server refuses the token (" + std::to_string(refused.status) + ")";
}

void Bot::handle(const Stop&) {
    ++stops_;
    connection_->log(stops_ == 1 ? "stopping after the games that run" : "leaving");
    if (pending_) give_up_pending();
    // Games by letter are left where they are, unless they are over and nobody has told us yet.
    for (const auto& [id, running] : games_)
        if (!running.player->has_clock()) running.player->look();
}

void Bot::answer(const Challenge& challenge) {
    if (challenge.id.empty() || net::equal_ignoring_case(challenge.challenger.id, me_)) return;
    if (challenge.status != "created" || !answered_.insert(challenge.id).second) return;
    auto reason =
        reason_to_decline(settings_.policy, challenge, committed(challenge.limit.has_value()));
    if (!reason && stops_ > 0) reason = "later";
    const std::string path = "/api/challenge/" + net::percent_encode(challenge.id);
    if (reason) {
        connection_->log("declined " + challenge.challenger.name + ": " + *reason);
        post(path + "/decline", net::build_query({{"reason", *reason}}));
        return;
    }
    connection_->log("accepted " + challenge.challenger.name);
    accepted_[challenge.id] = {Clock::now() + kStartPatience, challenge.limit.has_value()};
    connection_->later({net::Method::kPost, path + "/accept", {}, 5},
                       [this, id = challenge.id](const Answer& answer) {
                           if (!answer.ok()) events_.push(NotAccepted{id, answer.status});
                       });
}

void Bot::handle(const NotAccepted& refusal) {
    connection_->log("challenge " + refusal.id +
                     " was not accepted: " + std::to_string(refusal.status));
    accepted_.erase(refusal.id);
    // If only the network was in the way, the next list of what is open has it again.
    if (refusal.status == 0 || refusal.status >= kTooMany) answered_.erase(refusal.id);
}

void Bot::start_game(const std::string& id) {
    accepted_.erase(id);
    if (pending_ && pending_->id == id) pending_.reset();
    const bool plain =
        !id.empty() && id.size() <= 32 && std::all_of(id.begin(), id.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   c == '-' || c == '_';
        });
    if (!plain || games_.count(id) != 0 || finished_.count(id) != 0) return;
    Running running;
    running.player = std::make_unique<GamePlayer>(*connection_, settings_, table_, id, me_);
    running.thread = std::thread([this, id, player = running.player.get()] {
        auto entry = player->play();
        events_.push(GameOver{id, std::move(entry)});
    });
    games_.emplace(id, std::move(running));
}

void Bot::handle(const GameOver& over) {
    const auto found = games_.find(over.id);
    if (found == games_.end()) return;
    found->second.thread.join();
    games_.erase(found);
    if (over.entry) finished_.insert(over.id);  // one that was left may be told of again
    seek_at_ = Clock::now() + settings_.matchmaking.idle;
    if (over.entry && !settings_.ledger.empty() && !ledger_.add(*over.entry))
        connection_->log("the ledger cannot be written: " + settings_.ledger);
}

void Bot::seek_opponent() {
    const Matchmaking& wish = settings_.matchmaking;
    const auto now = Clock::now();
    while (!asked_.empty() && now - asked_.front() > kDay) asked_.pop_front();
    if (!wish.on || stops_ > 0 || seeking_ || committed(true) > 0 || now < seek_at_) return;
    if (static_cast<int>(asked_.size()) >= wish.per_day) return;
    seeking_ = true;
    connection_->later({net::Method::kGet, "/api/bot/online?nb=100", {}, 1},
                       [this](const Answer& answer) { events_.push(BotsOnline{answer}); });
}

void Bot::handle(const BotsOnline& online) {
    const Matchmaking& wish = settings_.matchmaking;
    const auto now = Clock::now();
    seeking_ = false;
    seek_at_ = now + wish.idle;
    if (!online.answer.ok()) {
        seek_at_ = now + std::max(wish.idle, online.answer.retry_after.value_or(wish.idle));
        return;
    }
    if (committed(true) > 0 || stops_ > 0) return;
    std::vector<Person> possible;
    for (const Person& person : parse_people(online.answer.body)) {
        const auto tried = tried_.find(person.id);
        const bool recent = tried != tried_.end() && now - tried->second < wish.same_opponent;
        const bool far = wish.rating_difference > 0 && rating_ > 0 && person.rating > 0 &&
                         std::abs(person.rating - rating_) > wish.rating_difference;
        if (!recent && !far && !net::equal_ignoring_case(person.id, me_))
            possible.push_back(person);
    }
    if (possible.empty()) return;
    const Person& chosen = possible[random_() % possible.size()];
    tried_[chosen.id] = now;
    asked_.push_back(now);
    seeking_ = true;
    Connection::Request request;
    request.path = "/api/challenge/" + net::percent_encode(chosen.id);
    request.form = net::build_query({{"rated", wish.rated ? "true" : "false"},
                                     {"clock.limit", std::to_string(wish.limit)},
                                     {"clock.increment", std::to_string(wish.increment)},
                                     {"color", "random"},
                                     {"variant", wish.variant}});
    request.tries = 1;  // a second one might be a second challenge
    connection_->later(std::move(request), [this, user = chosen.id](const Answer& answer) {
        events_.push(Challenged{user, answer});
    });
}

void Bot::handle(const Challenged& challenged) {
    const Answer& answer = challenged.answer;
    seeking_ = false;
    if (answer.ok()) {
        const std::string id = parse_challenge_id(answer.body);
        if (id.empty() || games_.count(id) != 0 || finished_.count(id) != 0) return;
        connection_->log("challenged " + challenged.user);
        pending_ = Pending{id, challenged.user, Clock::now() + settings_.matchmaking.patience};
        if (stops_ > 0) give_up_pending();
        return;
    }
    connection_->log("challenge of " + challenged.user + ": " + answer.error);
    if (answer.status != kTooMany) return;
    // Our own limit, perhaps that of a whole day.
    Milliseconds wait = answer.retry_after.value_or(settings_.waits.rate_limited);
    if (const auto seconds = parse_complaint(answer.body).seconds)
        wait = std::max<Milliseconds>(wait, std::chrono::seconds(std::clamp(*seconds, 0, 86'400)));
    seek_at_ = Clock::now() + wait;
}

void Bot::give_up_pending() {
    post("/api/challenge/" + net::percent_encode(pending_->id) + "/cancel", {}, 2);
    pending_.reset();
}

}  // namespace rokada::bot
