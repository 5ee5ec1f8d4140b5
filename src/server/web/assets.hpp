// SPDX-License-Identifier: GPL-3.0-or-later
// The browser client, embedded in the program at build time (or read from a folder while working on
// it). Every path that is no file and no API leads to its start page.
#pragma once

#include <memory>
#include <string>

#include "net/asset.hpp"
#include "net/router.hpp"

namespace rokada::server {

struct EmbeddedFile {
    const char* path;  // "/index.html", "/assets/app.3f2a91bc.js", "... .br", "... .gz"
    const char* begin;
    const char* end;
};
extern const EmbeddedFile kEmbeddedFiles[];
extern const std::size_t kEmbeddedFileCount;

// folder: empty for the embedded files. Gives the reason when the folder cannot be read.
Result<std::shared_ptr<const net::AssetStore>, std::string> load_assets(const std::string& folder);

void add_asset_routes(net::Router& router, std::shared_ptr<const net::AssetStore> assets);

}  // namespace rokada::server
