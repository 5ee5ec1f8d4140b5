// SPDX-License-Identifier: GPL-3.0-or-later
// The small languages inside HTTP, from any bytes.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/address.hpp"
#include "net/asset.hpp"
#include "net/router.hpp"
#include "net/url.hpp"

using namespace rokada::net;

namespace {

void check(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);

    check(percent_decode(percent_encode(text)) == text);
    if (const auto path = decode_path(text)) {
        check(path->starts_with('/') && valid_utf8(*path) && path->find('\0') == std::string::npos);
        check(path->find("/../") == std::string::npos && !path->ends_with("/.."));
    }
    if (const auto pairs = parse_query(text))
        check(parse_query(build_query(*pairs), pairs->size() + 1) == *pairs || pairs->empty() ||
              find(*pairs, "") != nullptr);
    for (const auto& [name, value] : parse_cookies(text)) {
        check(!name.empty() && name.find_first_of("=; \t") == std::string::npos);
        check(value.find_first_of("; \t\r\n") == std::string::npos);
    }
    for (const std::string_view element : split_list(text)) {
        check(!element.empty() || text.find('"') != text.npos);
        check(element.data() >= text.data() &&
              element.data() + element.size() <= text.data() + text.size());
    }
    if (const auto q = quality(text, "text/event-stream")) check(*q > 0 && *q <= 1);
    quality(text, "br");
    etag_matches(text, "\"a\"");
    list_contains(text, "upgrade");
    content_type_for(text);
    AssetStore::default_cache_control(text);
    if (const auto url = parse_url(text)) {
        check(!url->host.empty() && url->port != 0 && url->target.starts_with('/'));
        check(parse_url(url->scheme + "://" + url->authority() + url->target).has_value());
    }
    if (const auto address = Address::parse(text))
        check(Address::parse(address->text()) == *address);
    if (const auto range = AddressRange::parse(text))
        check(AddressRange::parse(range->text()).has_value());
    static const Router router = [] {
        Router made;
        const Handler nothing = [](const RequestPtr&, Responder) {};
        for (const char* pattern :
             {"/", "/a/{x}", "/a/{x}.pgn", "/a/{x}/b/{y}", "/a/c/{z}", "/f/{rest...}"})
            made.get(pattern, nothing);
        return made;
    }();
    const Router::Match match = router.match(Method::kGet, text);
    for (const auto& parameter : match.params)
        check(!match.route || !parameter.second.empty() || match.route->pattern == "/f/{rest...}");
    return 0;
}
