// SPDX-License-Identifier: GPL-3.0-or-later
// rokada cluster: looks at the servers that share one PostgreSQL database.
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/json_text.hpp"
#include "server/api/analysis_work.hpp"
#include "server/app/job_progress.hpp"
#include "server/store/cluster_table.hpp"
#include "server/store/jobs_table.hpp"
#include "server/store/migrations.hpp"
#include "server/store/postgres_session.hpp"

namespace rokada::cli {
namespace {

using namespace server;

std::string duration(Millis time) {
    const Millis seconds = time / 1000;
    if (seconds < 120) return fmt::format("{} s", seconds);
    if (seconds < 7200) return fmt::format("{} min", seconds / 60);
    if (seconds < 48 * 3600) return fmt::format("{} h", seconds / 3600);
    return fmt::format("{} days", seconds / 86400);
}

// "2 of 16 games"; empty when it counts nothing.
std::string how_far(const JobRecord& job) {
    const auto progress = read_progress(job.progress);
    if (!progress) return "";
    const bool review = job.kind == kReviewKind;
    std::string text =
        fmt::format("{} of {} {}", progress->done, progress->all, review ? "positions" : "games");
    if (progress->ply > 0) text += fmt::format(", move {}", (progress->ply + 1) / 2);
    return text;
}

std::string as_json(const std::vector<JobRecord>& jobs) {
    std::string list;
    for (const JobRecord& job : jobs) {
        const auto progress = read_progress(job.progress).value_or(JobProgress());
        list += fmt::format(
            R"({}{{"id":{},"kind":{},"worker":{},"tries":{},"asked_at":{},"done":{},"all":{}}})",
            list.empty() ? "" : ",", json_quoted(job.id), json_quoted(job.kind),
            json_quoted(job.worker), job.tries, job.created_at, progress.done, progress.all);
    }
    return "[" + list + "]";
}

// 0: every server that is known lives; 1: one does not, or there is none.
int status(const std::string& database, bool for_programs) {
    const auto session = open_postgres(database);
    if (!schema_is_ready(*session))
        throw StoreError(StoreFault::Other, "the database is of an older Rokada");
    const Millis now = cluster_table::now(*session);
    const auto nodes = cluster_table::nodes(*session);
    const auto waiting = cluster_table::orphans(*session, 1'000'000).size();
    const auto workers = jobs_table::workers(*session);
    const auto jobs = jobs_table::counts(*session);
    const auto in_work = jobs_table::in_work(*session);
    const auto living = std::count_if(nodes.begin(), nodes.end(),
                                      [](const NodeRecord& node) { return node.alive; });
    const bool fine = living > 0 && living == static_cast<std::ptrdiff_t>(nodes.size());
    if (for_programs) {
        std::string list;
        for (const NodeRecord& node : nodes)
            list += fmt::format(
                R"({}{{"id":{},"name":{},"version":{},"alive":{},"lease_ms":{},"started_at":{},"games":{}}})",
                list.empty() ? "" : ",", json_quoted(node.id), json_quoted(node.name),
                json_quoted(node.version), node.alive, node.until - now, node.started_at,
                node.games);
        fmt::print("{{\"nodes\":[{}],\"games_without_a_server\":{},", list, waiting);
        list.clear();
        for (const WorkerRecord& worker : workers)
            list += fmt::format(
                R"({}{{"id":{},"name":{},"version":{},"alive":{},"started_at":{},"kinds":{},"threads":{},"jobs":{}}})",
                list.empty() ? "" : ",", json_quoted(worker.id), json_quoted(worker.name),
                json_quoted(worker.version), worker.alive, worker.started_at,
                json_quoted(worker.kinds), worker.threads, worker.jobs);
        fmt::print(
            "\"workers\":[{}],\"jobs_waiting\":{},\"jobs_running\":{},\"jobs_in_work\":{}}}\n",
            list, jobs.waiting, jobs.running, as_json(in_work));
        return fine ? 0 : 1;
    }
    for (const NodeRecord& node : nodes)
        fmt::print("{:<20} {:<12} {:<10} {:>6} games  {}\n", node.name, node.id, node.version,
                   node.games,
                   node.alive ? "up for " + duration(now - node.started_at)
                              : "not heard of for " + duration(now - node.until));
    fmt::print("{} of {} servers alive, {} running games without one\n", living, nodes.size(),
               waiting);
    for (const WorkerRecord& worker : workers) {
        fmt::print("{:<20} {:<12} {:<10} {:>3} of {} jobs  {}  ({})\n", worker.name, worker.id,
                   worker.version, worker.jobs, worker.threads,
                   worker.alive ? "up for " + duration(now - worker.started_at)
                                : "not heard of for " + duration(now - worker.until),
                   worker.kinds);
        for (const JobRecord& job : in_work)
            if (job.worker == worker.id)
                fmt::print("  {:<18} {:<12} {}\n", job.kind, job.id, how_far(job));
    }
    if (!workers.empty() || jobs.waiting + jobs.running > 0)
        fmt::print("{} jobs in work, {} waiting\n", jobs.running, jobs.waiting);
    return fine ? 0 : 1;
}

}  // namespace

void add_cluster(CLI::App& app, int& exit_code) {
    CLI::App* cluster = app.add_subcommand("cluster", "The servers that share one database");
    cluster->require_subcommand(1);
    CLI::App* command = cluster->add_subcommand("status", "Which live, and what they do");
    auto database = std::make_shared<std::string>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("--db", *database, "postgres://... that they share")
        ->envname("ROKADA_DB")
        ->required();
    command->add_flag("--json", *as_json, "For programs");
    command->callback([database, as_json, &exit_code] {
        try {
            exit_code = status(*database, *as_json);
        } catch (const StoreError& error) {
            fmt::print(stderr, "rokada cluster: {}\n", error.what());
            exit_code = 2;
        }
    });
}

}  // namespace rokada::cli
