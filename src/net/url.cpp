// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/url.hpp"

#include <algorithm>
#include <charconv>

namespace rokada::net {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_alnum(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z'); }

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// RFC 6265 cookie-octet, read with some goodwill: no controls, no separators that end a value.
bool is_cookie_octet(char c) {
    const auto u = static_cast<unsigned char>(c);
    return u > 0x20 && u < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
}

bool is_token_char(char c) {
    return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// The q parameter among the parameters of a list element; 1 if there is none, 0 if it cannot be
// read.
double quality_of(std::string_view parameters) {
    while (!parameters.empty()) {
        const std::size_t semicolon = parameters.find(';');
        const std::string_view parameter = trim(parameters.substr(0, semicolon));
        parameters =
            semicolon == parameters.npos ? std::string_view() : parameters.substr(semicolon + 1);
        if (parameter.size() < 3 || lower(parameter[0]) != 'q' || parameter[1] != '=') continue;
        // qvalue = 0(.ddd) or 1(.000)
        const std::string_view digits = parameter.substr(2);
        if (digits.size() > 5 || (digits[0] != '0' && digits[0] != '1')) return 0;
        int thousandths = 1000 * (digits[0] - '0');
        if (digits.size() > 1 && digits[1] != '.') return 0;
        for (std::size_t i = 2, unit = 100; i < digits.size(); ++i, unit /= 10) {
            if (digits[i] < '0' || digits[i] > '9') return 0;
            thousandths += static_cast<int>(unit) * (digits[i] - '0');
        }
        return std::min(thousandths, 1000) / 1000.0;
    }
    return 1;
}

// A name or four numbers; in brackets the numbers of the sixth version.
bool valid_host(std::string_view host, bool bracketed) {
    if (host.empty() || (bracketed && host.find(':') == host.npos)) return false;
    return std::all_of(host.begin(), host.end(), [bracketed](char c) {
        if (bracketed) return hex_digit(c) >= 0 || c == ':' || c == '.';
        return is_alnum(c) || c == '-' || c == '.' || c == '_';
    });
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                              [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string percent_encode(std::string_view text) {
    static constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string encoded;
    encoded.reserve(text.size());
    for (const char c : text) {
        if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += '%';
            encoded += kHex[byte >> 4];
            encoded += kHex[byte & 15];
        }
    }
    return encoded;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size()) return {};
            const int high = hex_digit(text[i + 1]);
            const int low = hex_digit(text[i + 2]);
            if (high < 0 || low < 0) return {};
            decoded += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            decoded += plus_is_space && text[i] == '+' ? ' ' : text[i];
        }
    }
    return decoded;
}

std::optional<std::string> decode_path(std::string_view encoded) {
    if (encoded.empty() || encoded.front() != '/') return {};
    // Checked before decoding: %2F inside a segment would change what the segments are.
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        if (static_cast<unsigned char>(encoded[i]) < 0x20 || encoded[i] == 0x7f) return {};
        if (encoded[i] != '%' || i + 2 >= encoded.size()) continue;
        const int byte = hex_digit(encoded[i + 1]) * 16 + hex_digit(encoded[i + 2]);
        if (byte == '/' || byte == '\\' || byte < 0x20 || byte == 0x7f) return {};
    }
    std::optional<std::string> path = percent_decode(encoded);
    if (!path || !valid_utf8(*path)) return {};
    std::size_t start = 1;
    for (std::size_t i = 1; i <= path->size(); ++i) {
        if (i < path->size() && (*path)[i] != '/') continue;
        const std::string_view segment = std::string_view(*path).substr(start, i - start);
        if (segment == "." || segment == "..") return {};
        start = i + 1;
    }
    return path;
}

std::optional<Pairs> parse_query(std::string_view text, std::size_t max_pairs) {
    Pairs pairs;
    while (!text.empty()) {
        const std::size_t ampersand = text.find('&');
        const std::string_view part = text.substr(0, ampersand);
        text = ampersand == text.npos ? std::string_view() : text.substr(ampersand + 1);
        if (part.empty()) continue;
        if (pairs.size() == max_pairs) return {};
        const std::size_t equals = part.find('=');
        std::optional<std::string> name = percent_decode(part.substr(0, equals), true);
        std::optional<std::string> value =
            equals == part.npos ? std::string() : percent_decode(part.substr(equals + 1), true);
        if (!name || !value || !valid_utf8(*name) || !valid_utf8(*value)) return {};
        pairs.emplace_back(std::move(*name), std::move(*value));
    }
    return pairs;
}

std::string build_query(const Pairs& pairs) {
    std::string text;
    for (const auto& [name, value] : pairs) {
        if (!text.empty()) text += '&';
        text += percent_encode(name) + "=" + percent_encode(value);
    }
    return text;
}

Pairs parse_cookies(std::string_view header) {
    Pairs cookies;
    while (!header.empty()) {
        const std::size_t semicolon = header.find(';');
        const std::string_view part = trim(header.substr(0, semicolon));
        header = semicolon == header.npos ? std::string_view() : header.substr(semicolon + 1);
        const std::size_t equals = part.find('=');
        if (equals == part.npos || equals == 0) continue;
        const std::string_view name = part.substr(0, equals);
        std::string_view value = part.substr(equals + 1);
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
            value = value.substr(1, value.size() - 2);
        if (!std::all_of(name.begin(), name.end(), is_token_char)) continue;
        if (!std::all_of(value.begin(), value.end(), is_cookie_octet)) continue;
        if (!find(cookies, name)) cookies.emplace_back(name, value);
    }
    return cookies;
}

std::vector<std::string_view> split_list(std::string_view header) {
    std::vector<std::string_view> elements;
    std::size_t start = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= header.size(); ++i) {
        if (i < header.size()) {
            if (header[i] == '"') quoted = !quoted;
            if (quoted && header[i] == '\\') {
                ++i;
                continue;
            }
            if (header[i] != ',' || quoted) continue;
        }
        const std::string_view element =
            trim(header.substr(start, std::min(i, header.size()) - start));
        if (!element.empty()) elements.push_back(element);
        start = i + 1;
    }
    // A backslash as the last character inside quotes has stepped over the end.
    if (start < header.size()) elements.push_back(trim(header.substr(start)));
    return elements;
}

bool list_contains(std::string_view header, std::string_view token) {
    for (const std::string_view element : split_list(header))
        if (equal_ignoring_case(element, token)) return true;
    return false;
}

std::optional<double> quality(std::string_view header, std::string_view value) {
    // The most specific match decides: exact, then type/*, then */* or *.
    int best_rank = -1;
    double best = 0;
    for (const std::string_view element : split_list(header)) {
        const std::size_t semicolon = element.find(';');
        const std::string_view range = trim(element.substr(0, semicolon));
        int rank = -1;
        if (equal_ignoring_case(range, value)) {
            rank = 2;
        } else if (range == "*" || range == "*/*") {
            rank = 0;
        } else if (range.size() > 2 && range.substr(range.size() - 2) == "/*" &&
                   range.size() - 1 <= value.size() &&
                   equal_ignoring_case(range.substr(0, range.size() - 1),
                                       value.substr(0, range.size() - 1))) {
            rank = 1;
        }
        if (rank <= best_rank) continue;
        best_rank = rank;
        best = quality_of(semicolon == element.npos ? std::string_view()
                                                    : element.substr(semicolon + 1));
    }
    if (best <= 0) return {};
    return best;
}

bool etag_matches(std::string_view header, std::string_view etag) {
    const auto opaque = [](std::string_view tag) {
        return tag.substr(0, 2) == "W/" ? tag.substr(2) : tag;
    };
    for (const std::string_view element : split_list(header))
        if (element == "*" || opaque(element) == opaque(etag)) return true;
    return false;
}

bool valid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (lead < 0xc2 || lead > 0xf4 || text.size() - i < length) return false;
        std::uint32_t code = lead & (0x7fu >> length);
        for (std::size_t k = 1; k < length; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + k]);
            if ((byte & 0xc0) != 0x80) return false;
            code = code << 6 | (byte & 0x3fu);
        }
        const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
        if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
        i += length;
    }
    return true;
}

std::string Url::authority() const {
    const bool six = host.find(':') != host.npos;
    std::string text = six ? "[" : "";
    text.append(host).append(six ? "]" : "");
    if (port != (tls() ? 443 : 80)) text.append(":").append(std::to_string(port));
    return text;
}

std::optional<Url> parse_url(std::string_view text) {
    Url url;
    const std::size_t colon = text.find("://");
    if (colon == text.npos) return {};
    url.scheme = std::string(text.substr(0, colon));
    std::transform(url.scheme.begin(), url.scheme.end(), url.scheme.begin(), lower);
    if (url.scheme != "http" && url.scheme != "https" && url.scheme != "ws" && url.scheme != "wss")
        return {};
    text.remove_prefix(colon + 3);
    text = text.substr(0, text.find('#'));
    for (const char c : text)
        if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f) return {};

    const std::size_t slash = text.find_first_of("/?");
    std::string_view authority = text.substr(0, slash);
    const std::string_view rest = slash == text.npos ? std::string_view() : text.substr(slash);
    url.target = rest.starts_with('/') ? "" : "/";
    url.target.append(rest);

    url.port = url.tls() ? 443 : 80;
    std::string_view port;
    const bool bracketed = authority.starts_with('[');
    if (bracketed) {
        const std::size_t end = authority.find(']');
        if (end == authority.npos) return {};
        url.host = std::string(authority.substr(1, end - 1));
        authority.remove_prefix(end + 1);
        if (!authority.empty() && authority.front() != ':') return {};
        if (!authority.empty()) port = authority.substr(1);
    } else {
        const std::size_t port_colon = authority.find(':');
        url.host = std::string(authority.substr(0, port_colon));
        if (port_colon != authority.npos) port = authority.substr(port_colon + 1);
    }
    if (!valid_host(url.host, bracketed)) return {};
    if (!port.empty()) {
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
        if (error != std::errc{} || end != port.data() + port.size() || url.port == 0) return {};
    }
    return url;
}

}  // namespace rokada::net
