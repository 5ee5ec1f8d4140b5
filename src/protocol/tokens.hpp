// SPDX-License-Identifier: GPL-3.0-or-later
// A line cut into words that know where they stand. Every reader of a protocol line uses this, so
// that each error can name its place; numbers are read in full or refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "chess/notation/parse_error.hpp"
#include "chess/result.hpp"

namespace rokada::protocol {

struct Token {
    std::string_view text;
    std::size_t offset = 0;
};

class Tokens {
  public:
    explicit Tokens(std::string_view line);

    bool done() const { return current_.text.empty(); }
    // Empty text, standing at the end of the line, when there is no more.
    const Token& peek() const { return current_; }
    Token next();
    bool skip(std::string_view word);  // true if the next word was this one, which is then gone
    // From the next word to the end of the line, blanks at the end left out.
    Token rest() const;

  private:
    void advance(std::size_t from);

    std::string_view line_;
    Token current_;
};

std::string_view trimmed(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);

// The whole text is a number between the limits, or nothing.
std::optional<std::int64_t> to_integer(std::string_view text);
std::optional<double> to_number(std::string_view text);  // 12, -0.5, .25; no exponent, no nan
Result<std::int64_t, ParseError> parse_integer(const Token& token, std::string_view what,
                                               std::int64_t min, std::int64_t max);

}  // namespace rokada::protocol
