// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/router.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace rokada::net {

// One level of the tree: what may stand between two slashes.
struct Router::Node {
    struct Parameter {
        std::string name;
        std::string suffix;  // ".pgn" in "{id}.pgn"
        std::unique_ptr<Node> next;
    };

    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
    std::vector<Parameter> parameters;  // longer suffixes first
    std::string rest_name;              // "{rest...}"
    std::unique_ptr<Node> rest;
    std::vector<const Route*> routes;  // patterns that end here

    Node& child_for(std::string_view segment, bool last);
    const Node* find(std::string_view path, Pairs& params) const;
};

struct Router::Impl {
    std::vector<std::unique_ptr<Route>> routes;
    Node root;
    Handler fallback;
};

namespace {

[[noreturn]] void bad_pattern(std::string_view pattern, const char* why) {
    throw std::invalid_argument("route " + std::string(pattern) + ": " + why);
}

// Cuts the first segment off a path that begins with '/'; the rest again begins with '/' or is
// empty.
std::string_view take_segment(std::string_view& path) {
    const std::size_t slash = path.find('/', 1);
    const std::string_view segment = path.substr(1, slash == path.npos ? path.npos : slash - 1);
    path = slash == path.npos ? std::string_view() : path.substr(slash);
    return segment;
}

}  // namespace

Router::Node& Router::Node::child_for(std::string_view segment, bool last) {
    const auto owned = [](std::unique_ptr<Node>& slot) -> Node& {
        if (!slot) slot = std::make_unique<Node>();
        return *slot;
    };
    if (segment.empty() || segment.front() != '{') {
        if (segment.find_first_of("{}") != segment.npos)
            bad_pattern(segment, "a parameter starts its segment");
        return owned(literals[std::string(segment)]);
    }
    const std::size_t close = segment.find('}');
    if (close == segment.npos || close == 1) bad_pattern(segment, "a parameter is {name}");
    std::string name(segment.substr(1, close - 1));
    std::string suffix(segment.substr(close + 1));
    if (suffix.find_first_of("{}") != suffix.npos)
        bad_pattern(segment, "one parameter for each segment");
    if (name.size() > 3 && name.ends_with("...")) {
        if (!last || !suffix.empty()) bad_pattern(segment, "{rest...} comes last");
        name.resize(name.size() - 3);
        if (rest && rest_name != name) bad_pattern(segment, "another name is in use at this place");
        rest_name = std::move(name);
        return owned(rest);
    }
    for (Parameter& parameter : parameters) {
        if (parameter.suffix != suffix) continue;
        if (parameter.name != name) bad_pattern(segment, "another name is in use at this place");
        return *parameter.next;
    }
    const auto place =
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const Parameter& other) { return other.suffix.size() < suffix.size(); });
    return *parameters
                .insert(place,
                        Parameter{std::move(name), std::move(suffix), std::make_unique<Node>()})
                ->next;
}

const Router::Node* Router::Node::find(std::string_view path, Pairs& params) const {
    if (path.empty()) return routes.empty() ? nullptr : this;
    const std::string_view whole = path;
    const std::string_view segment = take_segment(path);
    if (const auto literal = literals.find(segment); literal != literals.end())
        if (const Node* node = literal->second->find(path, params)) return node;
    for (const Parameter& parameter : parameters) {
        if (segment.size() <= parameter.suffix.size() || !segment.ends_with(parameter.suffix))
            continue;
        params.emplace_back(parameter.name,
                            segment.substr(0, segment.size() - parameter.suffix.size()));
        if (const Node* node = parameter.next->find(path, params)) return node;
        params.pop_back();
    }
    if (rest) {
        params.emplace_back(rest_name, whole.substr(1));
        return rest.get();
    }
    return nullptr;
}

Router::Router() : impl_(std::make_unique<Impl>()) {}
Router::~Router() = default;
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;

const Route& Router::insert(Route route) {
    std::string_view path = route.pattern;
    if (path.empty() || path.front() != '/') bad_pattern(path, "must begin with '/'");
    Node* node = &impl_->root;
    while (!path.empty()) {
        const std::string_view segment = take_segment(path);
        node = &node->child_for(segment, path.empty());
    }
    for (const Route* other : node->routes)
        if (other->method == route.method && !other->upgrade == !route.upgrade)
            bad_pattern(route.pattern, "is there twice");
    impl_->routes.push_back(std::make_unique<Route>(std::move(route)));
    node->routes.push_back(impl_->routes.back().get());
    return *impl_->routes.back();
}

void Router::add(Method method, std::string pattern, Handler handler, RouteOptions options) {
    insert(Route{std::move(pattern), method, options, std::move(handler), {}});
}

void Router::websocket(std::string pattern, UpgradeHandler handler) {
    insert(Route{std::move(pattern), Method::kGet, RouteOptions{0}, {}, std::move(handler)});
}

void Router::fallback(Handler handler) { impl_->fallback = std::move(handler); }

const Handler& Router::fallback_handler() const { return impl_->fallback; }

std::vector<const Route*> Router::routes() const {
    std::vector<const Route*> list;
    for (const auto& route : impl_->routes) list.push_back(route.get());
    return list;
}

Router::Match Router::match(Method method, std::string_view path, bool upgrade) const {
    Match match;
    if (path.empty() || path.front() != '/') return match;
    const Node* node = impl_->root.find(path, match.params);
    if (!node) return match;
    match.path_known = true;

    const Route* get = nullptr;
    for (const Route* route : node->routes) {
        if (route->upgrade) {
            if (method != Method::kGet) continue;
            if (upgrade) {
                match.route = route;
                return match;
            }
            match.upgrade_required = true;
        } else if (route->method == method) {
            match.route = route;
        } else if (route->method == Method::kGet) {
            get = route;
        }
    }
    if (!match.route && method == Method::kHead) match.route = get;
    if (match.route) {
        match.upgrade_required = false;
        return match;
    }
    for (const Route* route : node->routes) {
        match.allow.push_back(route->method);
        if (route->method == Method::kGet && !route->upgrade) match.allow.push_back(Method::kHead);
    }
    match.allow.push_back(Method::kOptions);
    std::sort(match.allow.begin(), match.allow.end());
    match.allow.erase(std::unique(match.allow.begin(), match.allow.end()), match.allow.end());
    return match;
}

}  // namespace rokada::net
