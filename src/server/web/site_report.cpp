// SPDX-License-Identifier: GPL-3.0-or-later
// What a site tells about itself: the log of requests, metrics, the details of the admin port.
#include "server/api/json_text.hpp"
#include "server/web/cluster_metrics.hpp"
#include "server/web/site_parts.hpp"

namespace rokada::server {

void Site::Parts::request_done(const net::ServerHooks::Done& done) {
    metrics.requests.add(done.duration);
    const std::string_view route = done.request ? done.request->route : "";
    metrics.answered(route, done.status);
    if (!options.log || !options.log_requests) return;
    // The pattern, not the path with its query: nothing private can be in it.
    LogEntry entry{LogLevel::Info, "request", {}};
    if (done.request) {
        entry.fields.emplace_back("method", done.request->method_text.empty()
                                                ? std::string(net::to_string(done.request->method))
                                                : done.request->method_text);
        entry.fields.emplace_back("route", route.empty() ? "other" : std::string(route));
        entry.fields.emplace_back("address", done.request->remote.text());
    }
    entry.fields.emplace_back("status", std::to_string(done.status));
    entry.fields.emplace_back(
        "ms", std::to_string(
                  std::chrono::duration_cast<std::chrono::milliseconds>(done.duration).count()));
    options.log(entry);
}

std::string Site::Parts::metrics_text() {
    MetricsText text;
    const auto count = [](auto value) { return static_cast<double>(value); };
    metrics.write(text);
    const net::ServerStats stats = server->stats();
    text.gauge("rokada_connections", "Open connections.", count(stats.connections));
    text.gauge("rokada_websockets", "Live sockets.", count(stats.websockets));
    text.gauge("rokada_streams", "Open event streams.", count(stats.streams));
    text.counter("rokada_connections_refused_total", "Over a limit.", count(stats.refused));
    text.counter("rokada_bad_requests_total", "Malformed or too big.", count(stats.bad_requests));
    text.counter("rokada_timeouts_total", "Clients that were too slow.", count(stats.timeouts));
    text.counter("rokada_slow_readers_total", "Sockets and streams dropped for that reason.",
                 count(stats.slow_readers));
    text.gauge("rokada_games_loaded", "Games in memory.", count(games->loaded()));
    const Writer::Counters& writes = store->writer().counters();
    text.counter("rokada_store_commits_total", "Commits on disk.", count(writes.commits.load()));
    text.counter("rokada_store_writes_total", "Changes in them.", count(writes.writes.load()));
    text.counter("rokada_store_failures_total", "Changes that failed.",
                 count(writes.failures.load()));
    text.counter("rokada_store_busy_seconds_total", "Time spent committing.",
                 count(writes.busy_us.load()) / 1e6);
    text.gauge("rokada_store_broken", "1 after a failed sync.", store->writer().broken() ? 1 : 0);
    text.gauge("rokada_store_queue", "Reads and writes that wait for a thread.",
               count(workers->queued()));
    text.gauge("rokada_password_queue", "Passwords that wait to be checked.",
               count(hashing->queued()));
    if (engines) text.gauge("rokada_engine_queue", "Searches that wait.", count(engines->queued()));
    text.gauge("rokada_analyses", "Analyses that run or wait.", count(analyses->running()));
    if (desk) text.gauge("rokada_workers", "Workers that are there.", count(desk->workers()));
    if (node) write_cluster_metrics(text, *node, *nats, *relay);
    text.gauge("rokada_loop_lag_seconds", "Longest wait for an event loop since the last look.",
               std::chrono::duration<double>(loops->take_worst_lag()).count());
    const ProcessUse use = process_use();
    text.gauge("process_resident_memory_bytes", "Resident memory.", use.resident_bytes);
    text.gauge("process_open_fds", "Open files.", use.open_files);
    text.counter("process_cpu_seconds_total", "Processor time.", use.cpu_seconds);
    text.head("rokada_info", "The version.", "gauge");
    text.line("rokada_info", "version=\"" + options.version + "\"", 1);
    return std::move(text.text());
}

std::string Site::Parts::details() {
    JsonText json;
    json.open_object().field("version", options.version);
    json.field("ready", ready());
    json.field("stopping", server->stopping())
        .field("store", store->is_sqlite() ? "sqlite" : "postgres");
    json.field("store_broken", store->writer().broken());
    json.field("store_answers", store->writer().takes_writes());
    json.field("games_loaded", static_cast<std::int64_t>(games->loaded()));
    json.field("analyses", static_cast<std::int64_t>(analyses->running()));
    return json.close_object().take();
}

}  // namespace rokada::server
