// SPDX-License-Identifier: GPL-3.0-or-later
// Small pieces that the account routes share.
#pragma once

#include <string>

#include "net/responder.hpp"
#include "server/api/api.hpp"
#include "server/app/accounts.hpp"

namespace rokada::server {

net::Response account_problem(const AccountProblem& problem);
// Names that differ only in form share one bucket.
std::string login_throttle_key(const std::string& username);

// The logged-in answer with its cookie, or the problem.
void answer_login(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                  int status, const Result<LoggedIn, AccountProblem>& result);

}  // namespace rokada::server
