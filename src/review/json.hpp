// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON form of a review: the only one, the same from command line, server and page. docs/review.md describes it.
#pragma once

#include <string>

#include "review/review.hpp"

namespace rokada::review {

std::string to_json(const Review& review);

}  // namespace rokada::review
