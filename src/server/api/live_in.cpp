// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/live_in.hpp"

#include "net/json.hpp"
#include "server/api/chat_text.hpp"
#include "server/api/plain_move.hpp"

namespace rokada::server {
namespace {

using Kind = LiveMessage::Kind;

std::optional<Kind> kind_of(std::string_view word) {
    constexpr std::pair<std::string_view, Kind> kKinds[] = {
        {"watch", Kind::Watch},       {"leave", Kind::Leave},     {"move", Kind::Move},
        {"resign", Kind::Resign},     {"abort", Kind::Abort},     {"draw", Kind::Draw},
        {"takeback", Kind::Takeback}, {"rematch", Kind::Rematch}, {"claim", Kind::Claim},
        {"chat", Kind::Chat},         {"mute", Kind::Mute},       {"premove", Kind::Premove},
        {"games", Kind::Games},       {"ping", Kind::Ping}};
    for (const auto& [name, kind] : kKinds)
        if (name == word) return kind;
    return std::nullopt;
}

OfferAction action_of(const std::string& word) {
    return word == "accept"    ? OfferAction::Accept
           : word == "decline" ? OfferAction::Decline
           : word == "claim"   ? OfferAction::Claim
                               : OfferAction::Offer;
}

}  // namespace

Result<LiveMessage, LiveMessageError> read_live_message(std::string_view text) {
    if (auto move = read_plain_move(text)) return std::move(*move);
    return read_live_json(text);
}

Result<LiveMessage, LiveMessageError> read_live_json(std::string_view text) {
    const auto value = net::parse_json(text, 4);
    if (!value) return Error{LiveMessageError{"", value.error().message}};
    net::ObjectReader body(*value);
    LiveMessage message;
    const auto kind = kind_of(body.text("t", {.min_bytes = 1, .max_bytes = 16}));
    if (!kind) return Error{LiveMessageError{"", "unknown kind of message"}};
    message.kind = *kind;
    if (message.kind == Kind::Ping) {
        message.n = body.optional_integer("n", 0, INT64_MAX).value_or(0);
    } else if (message.kind == Kind::Games) {
        message.on = body.boolean("on");
    } else {
        message.game = body.text("game", {.min_bytes = 10, .max_bytes = 10});
    }
    switch (message.kind) {
        case Kind::Watch: message.version = body.optional_integer("version", 0, INT64_MAX); break;
        case Kind::Move:
            message.ply = static_cast<int>(body.integer("ply", 1, 12'000));
            message.uci = body.text("uci", {.min_bytes = 4, .max_bytes = 5});
            message.draw = body.optional_boolean("draw").value_or(false);
            break;
        case Kind::Premove:
            message.ply = static_cast<int>(body.integer("ply", 1, 12'000));
            message.uci = body.text("uci", {.min_bytes = 0, .max_bytes = 5});
            break;
        case Kind::Mute: message.on = body.boolean("on"); break;
        case Kind::Resign:
            if (const auto side = body.optional_choice("side", {"white", "black"}))
                message.side = *side == "white" ? Color::White : Color::Black;
            break;
        case Kind::Draw:
            message.action =
                action_of(body.optional_choice("action", {"offer", "accept", "decline", "claim"})
                              .value_or("offer"));
            break;
        case Kind::Takeback:
        case Kind::Rematch:
            message.action = action_of(
                body.optional_choice("action", {"offer", "accept", "decline"}).value_or("offer"));
            break;
        case Kind::Claim: message.win = body.choice("result", {"win", "draw"}) == "win"; break;
        case Kind::Chat:
            if (const auto line =
                    chat_text(body.text("text", {.min_bytes = 1, .max_bytes = 1024}))) {
                message.text = *line;
            } else {
                body.complain("text", "characters", "One line of at most 140 characters.");
            }
            break;
        default: break;
    }
    if (message.kind != Kind::Watch && message.kind != Kind::Leave && message.kind != Kind::Games &&
        message.kind != Kind::Ping)
        message.id = body.text("id", {.min_bytes = 0, .max_bytes = 32});
    if (body.finish()) return message;
    const net::FieldError& first = body.errors().front();
    return Error{LiveMessageError{message.id, first.field + ": " + first.message}};
}

}  // namespace rokada::server
