// SPDX-License-Identifier: GPL-3.0-or-later
// Which passwords are accepted: at least 8 characters of any kind, no common ones, none made of the
// user's own name. No composition rules; long phrases and spaces are welcome.
#pragma once

#include <optional>
#include <string_view>

namespace rokada::server {

enum class PasswordError { TooShort, TooLong, Common, LikeName };

std::optional<PasswordError> check_password(std::string_view password, std::string_view user_name);
std::string_view code_of(PasswordError error);
std::string_view message_of(PasswordError error);

}  // namespace rokada::server
