// SPDX-License-Identifier: GPL-3.0-or-later
// One column of many rows as a single value of a PostgreSQL statement, in the binary form of arrays
// (array_send in its sources): nothing is escaped here nor read letter by letter there. Used for the
// moves of a commit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/store/session.hpp"

namespace rokada::server {

class PostgresArray {
  public:
    PostgresArray(SqlArray::Of of, std::size_t rows) : of_(of) {
        constexpr std::uint32_t kBigint = 20, kText = 25;
        bytes_.reserve(20 + 12 * rows);
        const bool empty = rows == 0;
        add_word(empty ? 0 : 1);  // dimensions
        add_word(0);              // no nulls
        add_word(of == SqlArray::Of::Integers ? kBigint : kText);
        if (empty) return;
        add_word(static_cast<std::uint32_t>(rows));
        add_word(1);  // the first one is number 1
    }
    void add(std::int64_t number) {
        add_word(8);
        const auto bits = static_cast<std::uint64_t>(number);
        add_word(static_cast<std::uint32_t>(bits >> 32));
        add_word(static_cast<std::uint32_t>(bits));
    }
    void add(std::string_view text) {
        add_word(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
    }
    // Refers to the array.
    SqlArray value() const { return {of_, bytes_}; }

  private:
    void add_word(std::uint32_t word) {
        const char bytes[] = {static_cast<char>(word >> 24), static_cast<char>(word >> 16),
                              static_cast<char>(word >> 8), static_cast<char>(word)};
        bytes_.append(bytes, sizeof bytes);
    }

    SqlArray::Of of_;
    std::string bytes_;
};

}  // namespace rokada::server
