// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/schema_checker.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

namespace rokada::server::test {
namespace json = net::json;

namespace {

bool has_type(const json::value& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    if (type == "number") return value.is_number();
    return false;
}

std::string_view text(const json::value& value) {
    return {value.get_string().data(), value.get_string().size()};
}

std::size_t characters(std::string_view bytes) {
    return static_cast<std::size_t>(std::count_if(
        bytes.begin(), bytes.end(), [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

bool path_matches(std::string_view pattern, std::string_view path) {
    std::string expression;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '{') {
            expression += "[^/]+";
            i = pattern.find('}', i);
        } else {
            if (pattern[i] == '.') expression += '\\';
            expression += pattern[i];
        }
    }
    return std::regex_match(std::string(path), std::regex(expression));
}

}  // namespace

SchemaChecker::SchemaChecker(json::value document) : document_(std::move(document)) {}

const json::value& SchemaChecker::resolve(const json::value& node) const {
    const json::value* current = &node;
    while (current->is_object() && current->get_object().contains("$ref")) {
        const std::string_view target = text(current->get_object().at("$ref"));
        const json::value* found = &document_;
        std::size_t at = 2;  // after "#/"
        while (at <= target.size()) {
            const std::size_t slash = std::min(target.find('/', at), target.size());
            found = &found->get_object().at(target.substr(at, slash - at));
            at = slash + 1;
        }
        current = found;
    }
    return *current;
}

const json::object* SchemaChecker::operation(std::string_view method, std::string_view path) const {
    const json::object* found = nullptr;
    std::size_t longest = 0;
    for (const auto& entry : document_.at("paths").get_object()) {
        const std::string_view pattern(entry.key().data(), entry.key().size());
        if (!path_matches(pattern, path) || !entry.value().get_object().contains(method)) continue;
        // The pattern with more fixed text is meant: {id}.pgn before {id}.
        if (pattern.size() <= longest) continue;
        longest = pattern.size();
        found = &entry.value().get_object().at(method).get_object();
    }
    return found;
}

std::vector<std::string> SchemaChecker::check_response(std::string_view method,
                                                       std::string_view path, int status,
                                                       std::string_view content_type,
                                                       std::string_view body) const {
    const json::object* described = operation(method, path);
    if (described == nullptr)
        return {std::string(method) + " " + std::string(path) + " is not in the description"};
    const json::object& responses = described->at("responses").get_object();
    const std::string code = std::to_string(status);
    const std::string key = responses.contains(code) ? code : "default";
    if (!responses.contains(key)) return {"status " + code + " is not described"};
    const json::object& response = resolve(responses.at(key)).get_object();
    if (!response.contains("content"))
        return body.empty() ? Complaints{} : Complaints{"a body where none is described"};
    const std::string_view type = content_type.substr(0, content_type.find(';'));
    const json::object& content = response.at("content").get_object();
    if (!content.contains(type)) return {"content type " + std::string(type) + " is not described"};
    if (type.find("json") == std::string_view::npos || type.ends_with("ndjson")) return {};
    const auto value = net::parse_json(body, 64);
    if (!value) return {"not JSON: " + value.error().message};
    Complaints complaints;
    check(content.at(type).get_object().at("schema"), *value, "", complaints);
    return complaints;
}

void SchemaChecker::add_definitions(const std::string& file) {
    std::ifstream in(file);
    std::string schema((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    // Both become one document.
    const std::string elsewhere = "\"openapi.json#";
    for (std::size_t at = 0; (at = schema.find(elsewhere, at)) != std::string::npos;)
        schema.replace(at, elsewhere.size(), "\"#");
    const auto parsed = net::parse_json(schema, 64);
    if (!parsed) throw std::runtime_error(file + ": " + parsed.error().message);
    document_.get_object()["$defs"] = parsed->at("$defs");
}

std::vector<std::string> SchemaChecker::check_definition(std::string_view name,
                                                         const json::value& value) const {
    Complaints complaints;
    check(document_.at("$defs").get_object().at(name), value, "", complaints);
    return complaints;
}

std::vector<std::string> SchemaChecker::check_schema(std::string_view name,
                                                     const json::value& value) const {
    Complaints complaints;
    check(document_.at("components").at("schemas").get_object().at(name), value, "", complaints);
    return complaints;
}

void SchemaChecker::check(const json::value& node, const json::value& value,
                          const std::string& where, Complaints& complaints) const {
    const json::object& schema = resolve(node).get_object();
    const auto complain = [&](const std::string& what) {
        complaints.push_back(where + ": " + what);
    };
    for (const auto& entry : schema) {
        const std::string_view keyword(entry.key().data(), entry.key().size());
        const json::value& rule = entry.value();
        if (keyword == "type") {
            bool fits = false;
            if (rule.is_string()) {
                fits = has_type(value, text(rule));
            } else {
                for (const json::value& type : rule.get_array())
                    fits |= has_type(value, text(type));
            }
            if (!fits) complain("wrong type");
        } else if (keyword == "const") {
            if (value != rule) complain("not what it must be");
        } else if (keyword == "enum") {
            bool fits = false;
            for (const json::value& choice : rule.get_array()) fits |= choice == value;
            if (!fits) complain("not one of the choices");
        } else if (keyword == "pattern") {
            if (value.is_string() &&
                !std::regex_search(std::string(text(value)), std::regex(std::string(text(rule)))))
                complain("does not match " + std::string(text(rule)));
        } else if (keyword == "minimum") {
            if (value.is_number() && value.to_number<double>() < rule.to_number<double>())
                complain("too small");
        } else if (keyword == "maximum") {
            if (value.is_number() && value.to_number<double>() > rule.to_number<double>())
                complain("too large");
        } else if (keyword == "maxLength") {
            if (value.is_string() && characters(text(value)) > rule.to_number<std::size_t>())
                complain("too long");
        } else if (keyword == "minLength") {
            if (value.is_string() && characters(text(value)) < rule.to_number<std::size_t>())
                complain("too short");
        } else if (keyword == "items") {
            if (!value.is_array()) continue;
            int index = 0;
            for (const json::value& item : value.get_array())
                check(rule, item, where + "[" + std::to_string(index++) + "]", complaints);
        } else if (keyword == "oneOf") {
            int fitting = 0;
            for (const json::value& option : rule.get_array()) {
                Complaints ignored;
                check(option, value, where, ignored);
                fitting += ignored.empty() ? 1 : 0;
            }
            if (fitting != 1) complain("fits " + std::to_string(fitting) + " of the alternatives");
        } else if (keyword == "properties" || keyword == "required" ||
                   keyword == "additionalProperties") {
            continue;  // below
        } else if (keyword != "description" && keyword != "format" && keyword != "default") {
            complain("the checker does not know '" + std::string(keyword) + "'");
        }
    }
    if (value.is_object()) check_object(schema, value.get_object(), where, complaints);
}

void SchemaChecker::check_object(const json::object& schema, const json::object& value,
                                 const std::string& where, Complaints& complaints) const {
    if (const json::value* required = schema.if_contains("required"))
        for (const json::value& name : required->get_array())
            if (!value.contains(text(name)))
                complaints.push_back(where + ": lacks " + std::string(text(name)));
    const json::value* properties = schema.if_contains("properties");
    const json::value* additional = schema.if_contains("additionalProperties");
    for (const auto& field : value) {
        const json::value* rule =
            properties ? properties->get_object().if_contains(field.key()) : nullptr;
        const std::string name = where + "." + std::string(field.key());
        if (rule != nullptr) {
            check(*rule, field.value(), name, complaints);
        } else if (additional != nullptr && additional->is_bool() && !additional->get_bool()) {
            complaints.push_back(name + ": not described");
        }
    }
}

}  // namespace rokada::server::test
