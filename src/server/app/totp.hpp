// SPDX-License-Identifier: GPL-3.0-or-later
// Time-based one-time codes (RFC 6238: SHA-1, 30 s, 6 digits), as authenticator apps make them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/app/secrets.hpp"
#include "server/store/records.hpp"

namespace rokada::server {

std::string new_totp_secret(RandomSource& random);  // 160 bits, base32
std::string totp_code(std::string_view secret, std::int64_t step);
// What an app scans.
std::string totp_uri(std::string_view secret, std::string_view user_name);
// The step the code belongs to, at most one step off the wall clock and after `last_step`: a code is
// good once.
std::optional<std::int64_t> check_totp(std::string_view secret, std::string_view code, Millis wall,
                                       std::int64_t last_step);

}  // namespace rokada::server
