// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table as a file, so that an analysis goes on after a restart. A file is only taken back by the same
// kind of program and machine, with the same size of table and the same evaluation, and if not a bit has changed.
#pragma once

#include <optional>
#include <string>

#include "engine/search/transposition_table.hpp"

namespace rokada::engine {

// `evaluation` names who judged the positions. The error is a sentence; a file that was there before stays as it was.
std::optional<std::string> save_table(const TranspositionTable& table,
                                      const std::string& evaluation, const std::string& path);
// On error the table stays as it was.
std::optional<std::string> load_table(TranspositionTable& table, const std::string& evaluation,
                                      const std::string& path);

}  // namespace rokada::engine
