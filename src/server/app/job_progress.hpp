// SPDX-License-Identifier: GPL-3.0-or-later
// How far a job is, in the words in which workers tell it (JobTask::tell) and commands show it. Those of an
// analysis or a review say more than this; what they have in common with a batch is read here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rokada::server {

struct JobProgress {
    std::int64_t done = 0, all = 0;  // games of a batch, positions of a review
    std::int64_t ply = 0;            // of the match game that is being played
};
std::string to_text(const JobProgress& progress);
// Nothing: there is nothing to count yet, or it says something else.
std::optional<JobProgress> read_progress(std::string_view text);

}  // namespace rokada::server
