// SPDX-License-Identifier: GPL-3.0-or-later
// Files for browsers: held in memory with entity tag and precompressed variants. Used for the web
// client and the API pages. Looked up by exact name in a table, so no request can reach a file that
// was not loaded.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "chess/result.hpp"
#include "net/http.hpp"

namespace rokada::net {

struct Asset {
    std::string content_type{};
    std::string etag{};           // quoted
    std::string cache_control{};  // e.g. "public, max-age=31536000, immutable"
    SharedText identity{};
    SharedText brotli{};  // null: no such variant
    SharedText gzip{};
};

// By file ending; "application/octet-stream" for unknown ones.
std::string_view content_type_for(std::string_view file_name);
// Quoted entity tag made from the bytes.
std::string make_etag(std::string_view bytes);

// 304 if the client has it; else the best variant it accepts, with ETag, Vary and Cache-Control.
Response asset_response(const Request& request, const Asset& asset);

class AssetStore {
  public:
    // The tag is made from the identity bytes if it is empty, the content type from the name.
    void add(std::string path, Asset asset);
    // Every regular file below the folder, as prefix + relative path; NAME.br and NAME.gz become
    // variants.
    Result<std::size_t, std::string> add_folder(const std::string& folder,
                                                const std::string& prefix);
    const Asset* find(std::string_view path) const;
    std::size_t size() const { return assets_.size(); }
    auto begin() const { return assets_.begin(); }
    auto end() const { return assets_.end(); }

    // Names with a content hash ("app.3f2a91bc.js") never change: cached for a year; others
    // revalidate.
    static std::string default_cache_control(std::string_view path);

  private:
    std::map<std::string, Asset, std::less<>> assets_;
};

}  // namespace rokada::net
