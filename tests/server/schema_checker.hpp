// SPDX-License-Identifier: GPL-3.0-or-later
// Checks answers against docs/openapi.yaml and live messages against docs/live-protocol.schema.json: the
// part of JSON Schema these files use, and nothing else;
// an unknown keyword is an error, so that a check is never silently left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/json.hpp"

namespace rokada::server::test {

class SchemaChecker {
  public:
    explicit SchemaChecker(net::json::value document);

    // Every complaint about the response of this operation; empty when it is as described.
    std::vector<std::string> check_response(std::string_view method, std::string_view path,
                                            int status, std::string_view content_type,
                                            std::string_view body) const;
    // The definitions of another file, which refers to the document of this one as "openapi.json".
    void add_definitions(const std::string& file);
    // A name among those.
    std::vector<std::string> check_definition(std::string_view name,
                                              const net::json::value& value) const;
    std::vector<std::string> check_schema(std::string_view name,
                                          const net::json::value& value) const;

  private:
    using Complaints = std::vector<std::string>;
    const net::json::object* operation(std::string_view method, std::string_view path) const;
    const net::json::value& resolve(const net::json::value& node) const;
    void check(const net::json::value& schema, const net::json::value& value,
               const std::string& where, Complaints& complaints) const;
    void check_object(const net::json::object& schema, const net::json::object& value,
                      const std::string& where, Complaints& complaints) const;

    net::json::value document_;
};

}  // namespace rokada::server::test
