// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/asset.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <openssl/evp.h>

#include "net/url.hpp"

namespace rokada::net {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kContentTypes{{
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".jpeg", "image/jpeg"},
    {".webp", "image/webp"},
    {".avif", "image/avif"},
    {".gif", "image/gif"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".mp3", "audio/mpeg"},
    {".ogg", "audio/ogg"},
    {".txt", "text/plain; charset=utf-8"},
    {".yaml", "application/yaml"},
    {".pgn", "application/x-chess-pgn; charset=utf-8"},
}};

bool read_file(const fs::path& path, std::string& bytes) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    return !file.bad();
}

SharedText read_variant(fs::path path, const char* ending) {
    path += ending;
    std::string bytes;
    std::error_code error;
    if (!fs::is_regular_file(path, error) || !read_file(path, bytes)) return nullptr;
    return share(std::move(bytes));
}

bool is_variant_of_other(const fs::path& path) {
    if (path.extension() != ".br" && path.extension() != ".gz") return false;
    std::error_code error;
    return fs::is_regular_file(fs::path(path).replace_extension(), error);
}

}  // namespace

std::string_view content_type_for(std::string_view file_name) {
    for (const auto& [ending, type] : kContentTypes)
        if (file_name.size() > ending.size() &&
            equal_ignoring_case(file_name.substr(file_name.size() - ending.size()), ending))
            return type;
    return "application/octet-stream";
}

std::string make_etag(std::string_view bytes) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
    std::string tag = "\"";
    for (std::size_t i = 0; i < 12; ++i) {  // 96 bits: no accidental twins
        tag += kHex[digest[i] >> 4];
        tag += kHex[digest[i] & 15];
    }
    return tag + "\"";
}

Response asset_response(const Request& request, const Asset& asset) {
    // Each variant has its own bytes, hence its own strong tag: "abc", "abc-br", "abc-gz".
    struct Variant {
        std::string_view coding;
        std::string_view tag_ending;
        const SharedText* bytes;
    };
    Variant chosen{"", "", &asset.identity};
    const std::string_view accept = request.header("Accept-Encoding");
    double best = 0;
    for (const Variant& variant :
         {Variant{"br", "-br", &asset.brotli}, Variant{"gzip", "-gz", &asset.gzip}}) {
        if (!*variant.bytes) continue;
        if (const std::optional<double> q = quality(accept, variant.coding); q && *q > best) {
            best = *q;
            chosen = variant;
        }
    }
    std::string etag = asset.etag;
    if (!chosen.tag_ending.empty() && etag.size() > 1)
        etag.insert(etag.size() - 1, chosen.tag_ending);

    const bool unchanged =
        request.headers.has("If-None-Match") && etag_matches(request.header("If-None-Match"), etag);
    Response response(unchanged ? 304 : 200);
    response.headers.add("ETag", std::move(etag));
    if (!asset.cache_control.empty()) response.headers.add("Cache-Control", asset.cache_control);
    if (asset.brotli || asset.gzip) response.headers.add("Vary", "Accept-Encoding");
    if (unchanged) return response;
    response.headers.add("Content-Type", asset.content_type);
    if (!chosen.coding.empty())
        response.headers.add("Content-Encoding", std::string(chosen.coding));
    response.body = *chosen.bytes;
    return response;
}

void AssetStore::add(std::string path, Asset asset) {
    if (!asset.identity) asset.identity = share("");
    if (asset.etag.empty()) asset.etag = make_etag(*asset.identity);
    if (asset.content_type.empty()) asset.content_type = std::string(content_type_for(path));
    if (asset.cache_control.empty()) asset.cache_control = default_cache_control(path);
    assets_.insert_or_assign(std::move(path), std::move(asset));
}

Result<std::size_t, std::string> AssetStore::add_folder(const std::string& folder,
                                                        const std::string& prefix) {
    std::error_code error;
    fs::recursive_directory_iterator entries(folder, error);
    if (error) return Error{"cannot read folder " + folder + ": " + error.message()};
    std::size_t count = 0;
    for (; entries != fs::recursive_directory_iterator(); entries.increment(error)) {
        if (error) return Error{"cannot read folder " + folder + ": " + error.message()};
        if (!entries->is_regular_file(error) || is_variant_of_other(entries->path())) continue;
        std::string bytes;
        if (!read_file(entries->path(), bytes))
            return Error{"cannot read file " + entries->path().string()};
        Asset asset;
        asset.identity = share(std::move(bytes));
        asset.brotli = read_variant(entries->path(), ".br");
        asset.gzip = read_variant(entries->path(), ".gz");
        add(prefix + fs::path(entries->path()).lexically_relative(folder).generic_string(),
            std::move(asset));
        ++count;
    }
    return count;
}

const Asset* AssetStore::find(std::string_view path) const {
    const auto found = assets_.find(path);
    return found == assets_.end() ? nullptr : &found->second;
}

std::string AssetStore::default_cache_control(std::string_view path) {
    // Bundlers write NAME-HASH.EXT or NAME.HASH.EXT with at least eight characters, a digit among
    // them.
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    const std::string_view stem = name.substr(0, dot);
    const std::size_t mark = stem.find_last_of("-.");
    if (dot != name.npos && mark != stem.npos && stem.size() - mark > 8) {
        const std::string_view hash = stem.substr(mark + 1);
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        const auto is_plain = [&](char c) {
            return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        };
        if (std::all_of(hash.begin(), hash.end(), is_plain) &&
            std::any_of(hash.begin(), hash.end(), is_digit))
            return "public, max-age=31536000, immutable";
    }
    return "no-cache";
}

}  // namespace rokada::net
