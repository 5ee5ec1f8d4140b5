// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/json.hpp"

namespace rokada::net {

Response problem_response(const Problem& problem) {
    json::object body;
    body["type"] =
        problem.code.empty() ? std::string("about:blank") : "urn:rokada:problem:" + problem.code;
    body["title"] =
        problem.title.empty() ? std::string(reason_phrase(problem.status)) : problem.title;
    body["status"] = problem.status;
    if (!problem.code.empty()) body["code"] = problem.code;
    if (!problem.detail.empty()) body["detail"] = problem.detail;
    if (!problem.errors.empty()) {
        json::array errors;
        for (const FieldError& error : problem.errors)
            errors.push_back(
                {{"field", error.field}, {"code", error.code}, {"message", error.message}});
        body["errors"] = std::move(errors);
    }
    for (const auto& member : problem.extra) body[member.key()] = member.value();
    return Response::bytes(problem.status, "application/problem+json", to_text(body));
}

Response problem(int status, std::string code, std::string detail) {
    Problem details;
    details.status = status;
    details.code = std::move(code);
    details.detail = std::move(detail);
    return problem_response(details);
}

Response problem_for(const std::vector<FieldError>& errors) {
    Problem details;
    details.status = 422;
    details.code = "invalid";
    if (!errors.empty())
        details.detail =
            errors[0].field.empty() ? errors[0].message : errors[0].field + " " + errors[0].message;
    details.errors = errors;
    return problem_response(details);
}

Response problem_for(const JsonError& error) {
    return problem(400, "bad_json",
                   error.message + " (at byte " + std::to_string(error.offset) + ")");
}

}  // namespace rokada::net
