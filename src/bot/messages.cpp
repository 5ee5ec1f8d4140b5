// SPDX-License-Identifier: GPL-3.0-or-later
#include "bot/messages.hpp"

#include <algorithm>

#include "net/json.hpp"

namespace rokada::bot {

namespace {

namespace json = net::json;

// Lines of a long correspondence game stay far below this depth; hostile ones do not.
constexpr std::size_t kDepth = 32;

// An object that may be missing: every question has an answer.
class Fields {
  public:
    explicit Fields(const json::value* value)
        : object_(value != nullptr ? value->if_object() : nullptr) {}

    const json::value* find(std::string_view name) const {
        return object_ != nullptr ? object_->if_contains(name) : nullptr;
    }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    Fields object(std::string_view name) const { return Fields(find(name)); }
    std::string text(std::string_view name, std::string otherwise = {}) const {
        const json::value* value = find(name);
        if (value == nullptr || !value->is_string()) return otherwise;
        return std::string(value->get_string());
    }
    std::optional<std::int64_t> number(std::string_view name) const {
        const json::value* value = find(name);
        if (value == nullptr) return std::nullopt;
        constexpr std::int64_t most = std::int64_t{1} << 40;
        std::int64_t found = 0;
        if (value->is_int64())
            found = value->get_int64();
        else if (value->is_uint64())
            found = most;
        else if (value->is_double())
            found = static_cast<std::int64_t>(std::clamp(value->get_double(), -1e12, 1e12));
        else
            return std::nullopt;
        return std::clamp(found, -most, most);
    }
    std::optional<int> small(std::string_view name) const {
        const auto found = number(name);
        if (!found) return std::nullopt;
        return static_cast<int>(std::clamp<std::int64_t>(*found, -1'000'000'000, 1'000'000'000));
    }
    bool truth(std::string_view name) const {
        const json::value* value = find(name);
        return value != nullptr && value->is_bool() && value->get_bool();
    }

  private:
    const json::object* object_;
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) found.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return found;
}

Person person_of(const Fields& fields) {
    Person person;
    person.id = fields.text("id");
    person.name = fields.text("name", fields.text("username", person.id));
    person.title = fields.text("title");
    person.rating = fields.small("rating").value_or(0);
    person.computer = fields.small("aiLevel").value_or(0);
    if (person.computer != 0 && person.name.empty())
        person.name = "computer level " + std::to_string(person.computer);
    return person;
}

Challenge challenge_of(const Fields& fields) {
    Challenge challenge;
    challenge.id = fields.text("id");
    challenge.status = fields.text("status", "created");
    challenge.challenger = person_of(fields.object("challenger"));
    challenge.opponent = fields.object("destUser").text("id");
    challenge.variant = fields.object("variant").text("key", "standard");
    challenge.rated = fields.truth("rated");
    challenge.decline_reason = fields.text("declineReasonKey");
    const Fields time = fields.object("timeControl");
    if (time.text("type") == "clock") {
        challenge.limit = time.small("limit").value_or(0);
        challenge.increment = time.small("increment").value_or(0);
    }
    challenge.days = time.small("daysPerTurn");
    return challenge;
}

GameState state_of(const Fields& fields) {
    GameState state;
    state.moves = words(fields.text("moves"));
    state.white_time = Milliseconds(fields.number("wtime").value_or(0));
    state.black_time = Milliseconds(fields.number("btime").value_or(0));
    state.white_increment = Milliseconds(fields.number("winc").value_or(0));
    state.black_increment = Milliseconds(fields.number("binc").value_or(0));
    state.status = fields.text("status", "started");
    state.winner = fields.text("winner");
    state.white_draw = fields.truth("wdraw");
    state.black_draw = fields.truth("bdraw");
    state.white_takeback = fields.truth("wtakeback");
    state.black_takeback = fields.truth("btakeback");
    return state;
}

GameFull full_of(const Fields& fields) {
    GameFull full;
    full.id = fields.text("id");
    full.variant = fields.object("variant").text("key", "standard");
    full.speed = fields.text("speed");
    full.rated = fields.truth("rated");
    full.initial_fen = fields.text("initialFen", "startpos");
    full.has_clock = fields.object("clock").has("initial");
    full.white = person_of(fields.object("white"));
    full.black = person_of(fields.object("black"));
    full.state = state_of(fields.object("state"));
    return full;
}

}  // namespace

Event parse_event(std::string_view line) {
    const auto value = net::parse_json(line, kDepth);
    if (!value) return {};
    const Fields fields(&*value);
    Event event;
    event.kind = fields.text("type");
    const Fields game = fields.object("game");
    event.game_id = game.text("gameId", game.text("id"));
    event.challenge = challenge_of(fields.object("challenge"));
    return event;
}

GameLine parse_game_line(std::string_view line) {
    const auto value = net::parse_json(line, kDepth);
    if (!value) return {};
    const Fields fields(&*value);
    const std::string kind = fields.text("type");
    GameLine read;
    if (kind == "gameFull") read.full = full_of(fields);
    if (kind == "gameState") read.state = state_of(fields);
    if (kind == "chatLine")
        read.chat = ChatLine{fields.text("room"), fields.text("username"), fields.text("text")};
    if (kind == "opponentGone")
        read.gone = OpponentGone{fields.truth("gone"), fields.small("claimWinInSeconds")};
    return read;
}

Account parse_account(std::string_view body) {
    const auto value = net::parse_json(body, kDepth);
    if (!value) return {{}, "the server's answer is no account"};
    const Fields fields(&*value);
    Account account;
    account.person = person_of(fields);
    if (account.person.id.empty())
        account.error = fields.text("error", "the server's answer is no account");
    return account;
}

std::vector<Person> parse_people(std::string_view body) {
    std::vector<Person> people;
    while (!body.empty()) {
        const std::size_t end = std::min(body.find('\n'), body.size());
        if (const auto value = net::parse_json(body.substr(0, end), kDepth))
            if (const Person person = person_of(Fields(&*value)); !person.id.empty())
                people.push_back(person);
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return people;
}

Complaint parse_complaint(std::string_view body) {
    const auto value = net::parse_json(body, kDepth);
    if (!value) return {};
    const Fields fields(&*value);
    return {fields.text("error"), fields.object("ratelimit").small("seconds")};
}

std::string parse_challenge_id(std::string_view body) {
    const auto value = net::parse_json(body, kDepth);
    if (!value) return {};
    const Fields fields(&*value);
    return fields.text("id", fields.object("challenge").text("id"));
}

}  // namespace rokada::bot
