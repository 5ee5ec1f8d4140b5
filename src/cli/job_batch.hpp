// SPDX-License-Identifier: GPL-3.0-or-later
// Work of the lab put before the workers of a database, one batch for each run of a program. Used by match_jobs.cpp and
// lab_jobs.cpp, which put the work into words.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "chess/result.hpp"
#include "net/json.hpp"
#include "server/app/job_desk.hpp"
#include "server/app/job_progress.hpp"

namespace rokada::cli {

class Batch {
  public:
    // The error is a sentence for the user.
    static Result<std::shared_ptr<Batch>, std::string> open(const std::string& database,
                                                            const std::string& name);
    Batch(const std::string& database, const std::string& name);  // throws StoreError

    // Asks and waits; says so on stderr when nobody does such work. From any thread. The error is a sentence, or "stopped".
    Result<std::string, std::string> run(std::string_view kind, const net::json::object& payload,
                                         const std::function<bool()>& keep_going);
    // What workers have of it just now, for a person: "2 workers: 9 of 32 games". Empty: nothing.
    std::string progress() const;

  private:
    struct InWork {
        std::string worker;
        server::JobProgress progress;
    };
    void note(const server::JobRecord& news);

    std::string id_;
    mutable std::mutex mutex_;
    std::int64_t next_ = 1;
    std::map<std::string, InWork> in_work_;  // by job
    std::atomic<bool> warned_{false};
    std::unique_ptr<server::JobDesk> desk_;
};

inline constexpr std::string_view kNonsense = "the answer of the worker makes no sense";
inline constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
inline constexpr net::TextRules kAnyText{.min_bytes = 0, .max_bytes = std::size_t{16} << 20};

}  // namespace rokada::cli
