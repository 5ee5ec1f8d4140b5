// SPDX-License-Identifier: GPL-3.0-or-later
// Small pieces that the account routes share.
#pragma once

#include <string>

#include "net/http.hpp"
#include "server/app/accounts.hpp"

namespace rokada::server {

net::Response account_problem(const AccountProblem& problem);
// Names that differ only in form share one bucket.
std::string login_throttle_key(const std::string& username);

}  // namespace rokada::server
