// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/tokens.hpp"

#include <charconv>
#include <limits>

namespace rokada::protocol {

namespace {

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

Tokens::Tokens(std::string_view line) : line_(line) { advance(0); }

void Tokens::advance(std::size_t from) {
    while (from < line_.size() && is_blank(line_[from])) ++from;
    std::size_t end = from;
    while (end < line_.size() && !is_blank(line_[end])) ++end;
    current_ = {line_.substr(from, end - from), from};
}

Token Tokens::next() {
    const Token token = current_;
    advance(token.offset + token.text.size());
    return token;
}

bool Tokens::skip(std::string_view word) {
    if (current_.text != word || done()) return false;
    next();
    return true;
}

Token Tokens::rest() const { return {trimmed(line_.substr(current_.offset)), current_.offset}; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (to_lower(a[i]) != to_lower(b[i])) return false;
    return true;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
        if (!text.empty() && text.front() == '-') return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<double> to_number(std::string_view text) {
    double sign = 1;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        if (text.front() == '-') sign = -1;
        text.remove_prefix(1);
    }
    double value = 0, unit = 1;
    bool digits = false, point = false;
    for (const char c : text) {
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            digits = true;
            if (point) unit /= 10;
            value = point ? value + unit * (c - '0') : value * 10 + (c - '0');
        } else {
            return std::nullopt;
        }
    }
    if (!digits || value > 1e15) return std::nullopt;
    return sign * value;
}

Result<std::int64_t, ParseError> parse_integer(const Token& token, std::string_view what,
                                               std::int64_t min, std::int64_t max) {
    if (token.text.empty())
        return Error{ParseError{token.offset, "'" + std::string(what) + "' needs a number"}};
    const auto value = to_integer(token.text);
    if (!value)
        return Error{ParseError{
            token.offset, "'" + std::string(what) + "' needs a number, not " + quoted(token.text)}};
    if (*value < min || *value > max) {
        std::string bound =
            *value < min ? "at least " + std::to_string(min) : "at most " + std::to_string(max);
        return Error{ParseError{token.offset, "'" + std::string(what) + "' must be " + bound +
                                                  ", not " + quoted(token.text)}};
    }
    return *value;
}

}  // namespace rokada::protocol
