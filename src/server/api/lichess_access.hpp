// SPDX-License-Identifier: GPL-3.0-or-later
// The steps every route of the lichess Bot API shares: whose token it is, reading forms, answers in
// the form bots expect. Used by the lichess_* route files only.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/api/api.hpp"
#include "server/api/lichess_json.hpp"

namespace rokada::server::lichess {

net::Response failure(int status, std::string_view message);
net::Response refused(const Refusal& refusal);
net::Response fine();

// Goes on with the owner of the token, which must have the scope bot:play (or play or read, if that will do).
enum class Needs { Token, TokenToRead, TokenToPlay, BotAccount };
void with_token(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                Needs needs, std::function<void(const Identity&)> next);
// The same, and finds the game of the path; 404 when it is not the caller's.
void with_own_game(ApiServices& api, const net::RequestPtr& request,
                   const net::Responder& responder, Needs needs,
                   std::function<void(const std::shared_ptr<GameActor>&, const Identity&)> next);
// Answers {"ok":true} or the refusal.
GameActor::Answer plain_answer(const net::Responder& responder);

// The body as names and values: a form or a flat JSON object. None when it is neither.
std::optional<net::Pairs> read_form(const net::Request& request);
std::string value_of(const net::Pairs& form, std::string_view name, std::string_view fallback = {});

// Why challenges were declined; told to the challenger, not kept on disk.
class DeclineReasons {
  public:
    void set(const std::string& game, std::string reason);
    std::string get(const std::string& game) const;

  private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::string> reasons_;
};

void add_stream_routes(net::Router& router, ApiServices& api,
                       const std::shared_ptr<DeclineReasons>& reasons);
void add_play_routes(net::Router& router, ApiServices& api);
void add_challenge_routes(net::Router& router, ApiServices& api,
                          const std::shared_ptr<DeclineReasons>& reasons);
void add_account_routes(net::Router& router, ApiServices& api);

}  // namespace rokada::server::lichess
