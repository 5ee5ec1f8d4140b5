// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/metrics.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace rokada::server {
namespace {

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

}  // namespace

void Durations::add(std::chrono::steady_clock::duration duration) {
    const double seconds = std::chrono::duration<double>(duration).count();
    std::size_t bucket = 0;
    while (bucket < kBounds.size() && seconds > kBounds[bucket]) ++bucket;
    counts_[bucket].fetch_add(1, std::memory_order_relaxed);
    microseconds_.fetch_add(
        static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(duration).count()),
        std::memory_order_relaxed);
}

void Durations::write(std::string& text, std::string_view name, const std::string& labels) const {
    const std::string base(name);
    const std::string more = labels.empty() ? "" : labels + ",";
    const std::string alone = labels.empty() ? "" : "{" + labels + "}";
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        sum += counts_[i].load(std::memory_order_relaxed);
        const std::string bound = i < kBounds.size() ? number(kBounds[i]) : "+Inf";
        text += base + "_bucket{" + more + "le=\"" + bound + "\"} " + std::to_string(sum) + "\n";
    }
    text += base + "_sum" + alone + " " +
            number(static_cast<double>(microseconds_.load(std::memory_order_relaxed)) / 1e6) + "\n";
    text += base + "_count" + alone + " " + std::to_string(sum) + "\n";
}

void MetricsText::head(std::string_view name, std::string_view help, std::string_view type) {
    text_ += "# HELP " + std::string(name) + " " + std::string(help) + "\n# TYPE " +
             std::string(name) + " " + std::string(type) + "\n";
}

void MetricsText::line(std::string_view name, const std::string& labels, double value) {
    text_ +=
        std::string(name) + (labels.empty() ? "" : "{" + labels + "}") + " " + number(value) + "\n";
}

void MetricsText::single(std::string_view name, std::string_view help, std::string_view type,
                         double value) {
    head(name, help, type);
    line(name, "", value);
}

void Metrics::answered(std::string_view route, int status) {
    const std::lock_guard lock(mutex_);
    ++by_route_[{std::string(route.empty() ? "other" : route), status / 100}];
}

void Metrics::write(MetricsText& text) const {
    text.head("rokada_move_ack_seconds", "From a move's arrival to its answer, on disk in between.",
              "histogram");
    move_acknowledged.write(text.text(), "rokada_move_ack_seconds", "");
    text.head("rokada_http_request_seconds", "Time to answer a request.", "histogram");
    requests.write(text.text(), "rokada_http_request_seconds", "");
    text.counter("rokada_logins_total", "Successful logins.", static_cast<double>(logins.load()));
    text.counter("rokada_failed_logins_total", "Logins refused.",
                 static_cast<double>(failed_logins.load()));
    text.counter("rokada_registrations_total", "Accounts made.",
                 static_cast<double>(registrations.load()));
    text.head("rokada_http_requests_total", "Answers by route and kind of status.", "counter");
    const std::lock_guard lock(mutex_);
    for (const auto& [key, count] : by_route_)
        text.line("rokada_http_requests_total",
                  "route=\"" + key.first + "\",status=\"" + std::to_string(key.second) + "xx\"",
                  static_cast<double>(count));
}

ProcessUse process_use() {
    ProcessUse use;
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    if (file >> all >> resident)
        use.resident_bytes = resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
    std::error_code ignored;
    for (auto at = std::filesystem::directory_iterator("/proc/self/fd", ignored);
         at != std::filesystem::directory_iterator(); at.increment(ignored))
        ++use.open_files;
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0)
        for (const timeval& part : {usage.ru_utime, usage.ru_stime})
            use.cpu_seconds +=
                static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) / 1e6;
    return use;
}

}  // namespace rokada::server
