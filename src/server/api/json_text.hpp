// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON text front to back, with commas and escapes right by construction. Used for everything
// the server sends; reading is net/json.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rokada::server {

class JsonText {
  public:
    JsonText& open_object() { return open('{'); }
    JsonText& close_object() { return close('}'); }
    JsonText& open_array() { return open('['); }
    JsonText& close_array() { return close(']'); }
    JsonText& name(std::string_view text);

    JsonText& value(std::string_view text);
    JsonText& value(const char* text) { return value(std::string_view(text)); }
    JsonText& value(const std::string& text) { return value(std::string_view(text)); }
    JsonText& value(std::int64_t number);
    JsonText& value(int number) { return value(static_cast<std::int64_t>(number)); }
    JsonText& value(std::uint64_t number);
    JsonText& value(bool truth);
    JsonText& value(double number);
    JsonText& value(const std::vector<std::string>& texts);
    JsonText& null();
    JsonText& raw(std::string_view json);  // a complete value, already written

    template <class T>
    JsonText& field(std::string_view field_name, const T& content) {
        return name(field_name).value(content);
    }
    // Left out when there is nothing (empty text, no value).
    JsonText& optional_field(std::string_view field_name, std::string_view text) {
        return text.empty() ? *this : field(field_name, text);
    }
    template <class T>
    JsonText& optional_field(std::string_view field_name, const std::optional<T>& content) {
        return content ? field(field_name, *content) : *this;
    }

    std::string take() { return std::move(text_); }
    const std::string& text() const { return text_; }

  private:
    JsonText& open(char bracket);
    JsonText& close(char bracket);
    void separate();

    std::string text_;
    bool needs_comma_ = false;
};

// RFC 3339 in UTC with milliseconds.
std::string time_text(std::int64_t wall_ms);

}  // namespace rokada::server
