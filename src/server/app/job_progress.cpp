// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/job_progress.hpp"

#include "net/json.hpp"

namespace rokada::server {

std::string to_text(const JobProgress& progress) {
    net::json::object text{{"done", progress.done}, {"all", progress.all}};
    if (progress.ply > 0) text["ply"] = progress.ply;
    return net::to_text(text);
}

std::optional<JobProgress> read_progress(std::string_view text) {
    const auto value = net::parse_json(text);
    if (!value || !value->is_object()) return std::nullopt;
    const auto number = [&value](std::string_view name) -> std::int64_t {
        const auto* found = value->get_object().if_contains(name);
        return found != nullptr && found->is_int64() && found->get_int64() > 0 ? found->get_int64()
                                                                               : 0;
    };
    const JobProgress progress{number("done"), number("all"), number("ply")};
    if (progress.all == 0) return std::nullopt;
    return progress;
}

}  // namespace rokada::server
