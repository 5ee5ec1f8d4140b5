// SPDX-License-Identifier: GPL-3.0-or-later
// The lab's long work as jobs for `rokada worker`: how it is put into words, asked for and done. Used by
// `rokada match --workers`, `rokada lab ... --workers` and by the worker.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lab/data/datagen.hpp"
#include "lab/data/files.hpp"
#include "lab/match/tournament.hpp"

#ifdef ROKADA_WITH_SERVER
#include "server/app/job_worker.hpp"
#endif

namespace rokada::cli {

inline constexpr std::string_view kMatchKind = "match", kDatagenKind = "datagen",
                                  kRelabelKind = "relabel";
inline constexpr int kUsualJobs = 64;  // at the same time: waiting costs nothing

template <class Elsewhere>
struct AtWorkers {
    Elsewhere elsewhere;
    std::function<std::string()> progress;  // how far they are with what they have; empty: nothing
};

#ifdef ROKADA_WITH_SERVER
// Whoever plays or makes games in our place: the workers of that database. The error is a sentence.
Result<AtWorkers<lab::PlayElsewhere>, std::string> play_with_workers(const std::string& database,
                                                                     const std::string& name);
Result<AtWorkers<lab::DatagenElsewhere>, std::string> make_with_workers(
    const std::string& database, const lab::DatagenPlan& plan);
Result<AtWorkers<lab::RelabelElsewhere>, std::string> relabel_with_workers(
    const std::string& database, const lab::RelabelPlan& plan);

// What a worker does.
server::JobHandler match_handler();
server::JobHandler datagen_handler();
server::JobHandler relabel_handler();
#else
inline const std::string kNoWorkers = "this program was built without servers and workers";
inline Result<AtWorkers<lab::PlayElsewhere>, std::string> play_with_workers(const std::string&,
                                                                            const std::string&) {
    return Error{kNoWorkers};
}
inline Result<AtWorkers<lab::DatagenElsewhere>, std::string> make_with_workers(
    const std::string&, const lab::DatagenPlan&) {
    return Error{kNoWorkers};
}
inline Result<AtWorkers<lab::RelabelElsewhere>, std::string> relabel_with_workers(
    const std::string&, const lab::RelabelPlan&) {
    return Error{kNoWorkers};
}
#endif

}  // namespace rokada::cli
