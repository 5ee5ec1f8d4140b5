// SPDX-License-Identifier: GPL-3.0-or-later
// The opening book the engine plays from: the small one inside the program or a Polyglot file of the user.
#pragma once

#include "chess/polyglot.hpp"

namespace rokada::engine {

inline constexpr const char* kBuiltInBook = "<built in>";
inline constexpr const char* kNoBook = "<none>";

// By one of the names above, or a file's; nothing is no book. The error says why a file cannot be used.
Result<PolyglotBook, std::string> open_book(const std::string& name);

// For how many plies a player of that level (Profile::dial) follows the book: a beginner knows a few moves, a master many.
constexpr int book_plies(int dial) { return 2 + dial / 60; }

}  // namespace rokada::engine
