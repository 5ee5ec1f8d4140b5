// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/assets.hpp"

#include <map>

#include "net/json.hpp"

namespace rokada::server {
namespace {

constexpr const char* kNoClientPage =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rokada</title>"
    "<meta name=\"viewport\" content=\"width=device-width\"></head><body><h1>Rokada</h1>"
    "<p>The server runs, but this program was built without the browser client. "
    "Build it in the folder <code>web</code> and build the program again.</p>"
    "<p>The programming interface is at <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p>"
    "</body></html>\n";

net::SharedText text_of(const EmbeddedFile& file) {
    return net::share(std::string(file.begin, file.end));
}

// The client's own pages have neither endings nor hidden folders.
bool looks_like_file(std::string_view path) {
    return path.find('.', path.rfind('/') + 1) != std::string_view::npos ||
           path.find("/.") != std::string_view::npos;
}

}  // namespace

Result<std::shared_ptr<const net::AssetStore>, std::string> load_assets(const std::string& folder) {
    auto store = std::make_shared<net::AssetStore>();
    std::map<std::string, net::Asset> found;
    for (std::size_t i = 0; i < kEmbeddedFileCount; ++i) {
        const EmbeddedFile& file = kEmbeddedFiles[i];
        const std::string path = file.path;
        if (!folder.empty() && path.rfind("/api/", 0) != 0) continue;
        if (path.ends_with(".br")) {
            found[path.substr(0, path.size() - 3)].brotli = text_of(file);
        } else if (path.ends_with(".gz")) {
            found[path.substr(0, path.size() - 3)].gzip = text_of(file);
        } else {
            found[path].identity = text_of(file);
        }
    }
    for (auto& [path, asset] : found) store->add(path, std::move(asset));
    if (!folder.empty()) {
        const auto added = store->add_folder(folder, "/");
        if (!added) return Error{added.error()};
    }
    if (store->find("/index.html") == nullptr) {
        net::Asset page;
        page.identity = net::share(kNoClientPage);
        store->add("/index.html", std::move(page));
    }
    return std::shared_ptr<const net::AssetStore>(std::move(store));
}

void add_asset_routes(net::Router& router, std::shared_ptr<const net::AssetStore> assets) {
    router.fallback([assets](const net::RequestPtr& request, const net::Responder& responder) {
        const bool reading =
            request->method == net::Method::kGet || request->method == net::Method::kHead;
        const net::Asset* asset = assets->find(request->path);
        const bool page = request->path.rfind("/api/", 0) != 0 && !looks_like_file(request->path);
        if (asset == nullptr && page) asset = assets->find("/index.html");
        if (asset == nullptr) {
            responder.send(net::problem(404, "not_found", "There is nothing here."));
        } else if (!reading) {
            responder.send(net::problem(405, "method_not_allowed").with("Allow", "GET, HEAD"));
        } else {
            responder.send(net::asset_response(*request, *asset));
        }
    });
}

}  // namespace rokada::server
