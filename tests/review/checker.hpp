// SPDX-License-Identifier: GPL-3.0-or-later
// A second opinion on reasons, slow and plain: it takes a reason as a statement about the board and tries to break it by trying moves. It uses the
// rules of chess and nothing of src/review but the type of what it checks.
#pragma once

#include <string>

#include "review/review.hpp"

namespace rokada::testing_support {

// Empty if the statement is true; otherwise what is wrong with it. `before` is the position in which `played` was chosen.
std::string complaint(const Position& before, Move played, const review::Reason& reason);

}  // namespace rokada::testing_support
