// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/job_batch.hpp"

#include <condition_variable>
#include <set>

#include <fmt/format.h>

#include "server/app/secrets.hpp"
#include "server/store/migrations.hpp"
#include "server/store/postgres_session.hpp"

namespace rokada::cli {

namespace json = net::json;

Batch::Batch(const std::string& database, const std::string& name) {
    server::JobDeskOptions options;
    options.connect = [database] { return server::open_postgres(database); };
    id_ = options.id = server::SystemRandom().id();
    options.name = name;
    const auto session = options.connect();
    if (!server::schema_is_ready(*session))
        throw server::StoreError(server::StoreFault::Other,
                                 "the database is not ready: start a server on it first");
    desk_ = std::make_unique<server::JobDesk>(std::move(options));
}

Result<std::shared_ptr<Batch>, std::string> Batch::open(const std::string& database,
                                                        const std::string& name) {
    try {
        return std::make_shared<Batch>(database, name);
    } catch (const server::StoreError& error) {
        return Error{"--workers: " + std::string(error.what())};
    }
}

Result<std::string, std::string> Batch::run(std::string_view kind, const json::object& payload,
                                            const std::function<bool()>& keep_going) {
    struct Answer {
        std::mutex mutex;
        std::condition_variable there;
        std::optional<server::JobRecord> job;
    };
    const auto answer = std::make_shared<Answer>();
    server::JobRecord job;
    job.id = server::SystemRandom().id();
    job.kind = kind;
    job.job_class = server::JobClass::Batch;
    job.owner = id_;
    job.payload = net::to_text(payload);
    {
        const std::lock_guard lock(mutex_);
        job.number = next_++;
    }
    const std::string id = job.id;
    try {
        desk_->submit(std::move(job), [this, answer](const server::JobRecord& news) {
            note(news);
            if (news.state != server::JobState::Done && news.state != server::JobState::Failed)
                return;
            const std::lock_guard lock(answer->mutex);
            answer->job = news;
            answer->there.notify_all();
        });
    } catch (const server::StoreError& error) {
        return Error{std::string(error.what())};
    }
    const auto asked = std::chrono::steady_clock::now();
    std::unique_lock lock(answer->mutex);
    while (!answer->job) {
        answer->there.wait_for(lock, std::chrono::milliseconds(50));
        if (std::chrono::steady_clock::now() - asked > std::chrono::seconds(5) &&
            !desk_->somebody_does(kind) && !warned_.exchange(true))
            fmt::print(stderr, "waiting for a worker: rokada worker --kinds {} --db ...\n", kind);
        if (answer->job || keep_going()) continue;
        desk_->drop(id);
        const std::lock_guard dropped(mutex_);
        in_work_.erase(id);
        return Error{std::string("stopped")};
    }
    if (answer->job->state == server::JobState::Failed)
        return Error{"no worker could do it: " + answer->job->result};
    return answer->job->result;
}

void Batch::note(const server::JobRecord& news) {
    const std::lock_guard lock(mutex_);
    if (news.state != server::JobState::Running) {
        in_work_.erase(news.id);
        return;
    }
    in_work_[news.id] = {news.worker,
                         server::read_progress(news.progress).value_or(server::JobProgress())};
}

std::string Batch::progress() const {
    std::set<std::string_view> workers;
    server::JobProgress sum;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : in_work_) {
        workers.insert(job.worker);
        sum.done += job.progress.done;
        sum.all += job.progress.all;
    }
    if (workers.empty()) return "";
    return fmt::format("{} worker{}: {} of {} games", workers.size(),
                       workers.size() == 1 ? "" : "s", sum.done, sum.all);
}

}  // namespace rokada::cli
