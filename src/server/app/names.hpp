// SPDX-License-Identifier: GPL-3.0-or-later
// User names: 2 to 24 letters, digits, '_' or '-'; letters are those of English, Romanian, Polish and
// Croatian. Two names are the same if they differ only in case or in how accents are encoded.
#pragma once

#include <string>
#include <string_view>

#include "chess/result.hpp"

namespace rokada::server {

struct UserName {
    std::string shown;   // composed form, as typed otherwise
    std::string folded;  // what must be unique
};

enum class NameError { TooShort, TooLong, Characters, Reserved };

Result<UserName, NameError> parse_user_name(std::string_view text);
std::string_view code_of(NameError error);     // too_short, too_long, characters, reserved
std::string_view message_of(NameError error);  // one sentence

}  // namespace rokada::server
