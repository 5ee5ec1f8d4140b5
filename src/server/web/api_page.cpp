// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/api_page.hpp"

#include <algorithm>

#include "net/asset.hpp"
#include "net/json.hpp"

namespace rokada::server {
namespace {

namespace json = net::json;

constexpr const char* kStyle =
    ":root{color-scheme:dark light;--ink:#e9e6e1;--paper:#14171a;--soft:#9aa3ab;--line:#2c3238}\n"
    "@media(prefers-color-scheme:light){:root{--ink:#1c2024;--paper:#f4f1ec;--soft:#5a636b;"
    "--line:#d6d0c6}}\n"
    "body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "a{color:inherit}h2{margin-top:2.5rem}code,pre{font-family:ui-monospace,monospace}\n"
    "article{border-top:1px solid var(--line);padding:.75rem 0}h3{margin:0;font-size:1rem}\n"
    "h3 b{display:inline-block;min-width:4.5em}p{margin:.25rem 0}.soft{color:var(--soft)}\n"
    "table{border-collapse:collapse;margin:.5rem 0}td,th{text-align:left;vertical-align:top;"
    "padding:.15rem 1rem .15rem 0}pre{overflow:auto;padding:1rem;border:1px solid var(--line)}\n";

std::string text_of(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

const json::object* object_of(const json::value* value) {
    return value != nullptr ? value->if_object() : nullptr;
}

std::string schema_name(const json::object& schema);

std::string type_of(const json::object& schema) {
    const json::value* type = schema.if_contains("type");
    if (const json::value* choices = schema.if_contains("enum"); choices && choices->is_array()) {
        std::string text;
        for (const json::value& choice : choices->get_array())
            text += (text.empty() ? "" : " | ") +
                    (choice.is_string() ? std::string(choice.get_string()) : net::to_text(choice));
        return text;
    }
    if (type == nullptr) return "";
    if (type->is_array()) {
        std::string text;
        for (const json::value& one : type->get_array())
            if (one.is_string())
                text += (text.empty() ? "" : " or ") + std::string(one.get_string());
        return text;
    }
    std::string word = type->is_string() ? std::string(type->get_string()) : "";
    if (word == "array")
        if (const json::object* items = object_of(schema.if_contains("items")))
            return "array of " + schema_name(*items);
    return word;
}

std::string schema_name(const json::object& schema) {
    const std::string reference = text_of(schema, "$ref");
    return reference.empty() ? type_of(schema) : reference.substr(reference.rfind('/') + 1);
}

// A link when the schema has a name of its own.
std::string schema_html(const json::object& schema) {
    const std::string name = html_escaped(schema_name(schema));
    return text_of(schema, "$ref").empty()
               ? "<code>" + name + "</code>"
               : "<a href=\"#" + name + "\"><code>" + name + "</code></a>";
}

std::string content_html(const json::object& holder) {
    std::string html;
    const json::object* content = object_of(holder.if_contains("content"));
    if (content == nullptr) return html;
    for (const auto& entry : *content) {
        html += " <span class=\"soft\">" + html_escaped(entry.key()) + "</span> ";
        if (const json::object* media = object_of(&entry.value()))
            if (const json::object* schema = object_of(media->if_contains("schema")))
                html += schema_html(*schema);
    }
    return html;
}

std::string properties_html(const json::object& schema) {
    const json::object* properties = object_of(schema.if_contains("properties"));
    if (properties == nullptr) return "";
    std::string html = "<table>";
    for (const auto& entry : *properties) {
        const json::object* property = object_of(&entry.value());
        if (property == nullptr) continue;
        html += "<tr><td><code>" + html_escaped(entry.key()) + "</code></td><td>" +
                schema_html(*property) + "</td><td>" +
                html_escaped(text_of(*property, "description")) + "</td></tr>";
    }
    return html + "</table>";
}

std::string operation_html(std::string_view path, std::string_view method,
                           const json::object& operation) {
    std::string verb(method);
    std::transform(verb.begin(), verb.end(), verb.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    std::string html = "<article id=\"" + html_escaped(text_of(operation, "operationId")) +
                       "\"><h3><b>" + verb + "</b> <code>" + html_escaped(path) +
                       "</code></h3><p>" + html_escaped(text_of(operation, "summary")) + "</p>";
    if (const std::string more = text_of(operation, "description"); !more.empty())
        html += "<p class=\"soft\">" + html_escaped(more) + "</p>";
    if (const json::value* list = operation.if_contains("parameters"); list && list->is_array()) {
        std::string rows;
        for (const json::value& value : list->get_array()) {
            const json::object* parameter = value.if_object();
            if (parameter == nullptr || text_of(*parameter, "in") == "path" ||
                parameter->contains("$ref"))
                continue;
            rows += "<tr><td><code>" + html_escaped(text_of(*parameter, "name")) +
                    "</code></td><td class=\"soft\">" + html_escaped(text_of(*parameter, "in")) +
                    "</td><td>";
            if (const json::object* schema = object_of(parameter->if_contains("schema")))
                rows += schema_html(*schema);
            rows += "</td><td>" + html_escaped(text_of(*parameter, "description")) + "</td></tr>";
        }
        if (!rows.empty()) html += "<table>" + rows + "</table>";
    }
    if (const json::object* body = object_of(operation.if_contains("requestBody")))
        html += "<p>Body:" + content_html(*body) + "</p>";
    if (const json::object* responses = object_of(operation.if_contains("responses")))
        for (const auto& entry : *responses) {
            const json::object* response = object_of(&entry.value());
            if (response == nullptr || entry.key() == "default") continue;
            html += "<p>" + html_escaped(entry.key()) + " " +
                    html_escaped(text_of(*response, "description")) + content_html(*response) +
                    "</p>";
        }
    return html + "</article>";
}

}  // namespace

std::string html_escaped(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\'': escaped += "&#39;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

std::string api_page(std::string_view openapi_json) {
    const auto document = net::parse_json(openapi_json, 64);
    const json::object* root = document ? document->if_object() : nullptr;
    if (root == nullptr) return "";
    std::string html =
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>Rokada: the programming interface</title><link "
        "rel=\"stylesheet\" href=\"/api/page.css\"></head><body><h1>The programming interface</h1>";
    if (const json::object* info = object_of(root->if_contains("info")))
        html += "<p>" + html_escaped(text_of(*info, "description")) + "</p>";
    html +=
        "<p>For programs: <a href=\"/api/openapi.json\">/api/openapi.json</a></p>"
        "<pre>curl 'http://localhost:8080/api/v1/bestmove?elo=1500'</pre>";
    const json::object* paths = object_of(root->if_contains("paths"));
    const json::value* tags = root->if_contains("tags");
    if (paths == nullptr || tags == nullptr || !tags->is_array()) return html;
    for (const json::value& tag_value : tags->get_array()) {
        const json::object* tag = tag_value.if_object();
        if (tag == nullptr) continue;
        const std::string name = text_of(*tag, "name");
        html += "<h2 id=\"" + html_escaped(name) + "\">" + html_escaped(name) +
                "</h2><p class=\"soft\">" + html_escaped(text_of(*tag, "description")) + "</p>";
        for (const auto& path : *paths)
            for (const auto& entry : path.value().get_object()) {
                const json::object* operation = entry.value().if_object();
                const json::value* own =
                    operation != nullptr ? operation->if_contains("tags") : nullptr;
                if (own != nullptr && own->is_array() && !own->get_array().empty() &&
                    own->get_array()[0] == json::value(name))
                    html += operation_html(path.key(), entry.key(), *operation);
            }
    }
    html += "<h2>Schemas</h2>";
    const json::object* components = object_of(root->if_contains("components"));
    const json::object* schemas =
        components != nullptr ? object_of(components->if_contains("schemas")) : nullptr;
    if (schemas != nullptr)
        for (const auto& entry : *schemas) {
            const json::object* schema = object_of(&entry.value());
            if (schema == nullptr) continue;
            const std::string name = html_escaped(entry.key());
            html += "<article id=\"" + name + "\"><h3><code>" + name +
                    "</code> <span class=\"soft\">" + html_escaped(type_of(*schema)) +
                    "</span></h3><p>" + html_escaped(text_of(*schema, "description")) + "</p>" +
                    properties_html(*schema) + "</article>";
        }
    return html + "</body></html>\n";
}

void add_api_page(net::Router& router, std::string_view openapi_json) {
    const auto serve = [&router](const char* path, const char* type, std::string text) {
        auto asset = std::make_shared<net::Asset>();
        asset->content_type = type;
        asset->etag = net::make_etag(text);
        asset->cache_control = "no-cache";
        asset->identity = net::share(std::move(text));
        router.get(path, [asset](const net::RequestPtr& request, const net::Responder& responder) {
            responder.send(net::asset_response(*request, *asset));
        });
    };
    serve("/api", "text/html; charset=utf-8", api_page(openapi_json));
    serve("/api/page.css", "text/css; charset=utf-8", kStyle);
}

}  // namespace rokada::server
