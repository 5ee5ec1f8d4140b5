// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON, nothing else: enough for the answers to the page, without a library in the module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace rokada::wasm {

class Json {
  public:
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }

    void key(std::string_view name) {
        separate();
        quote(name);
        text_ += ':';
        fresh_ = true;
    }
    void value(std::string_view text) {
        separate();
        quote(text);
    }
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth) {
        separate();
        text_ += truth ? "true" : "false";
    }
    void value(std::int64_t number) {
        separate();
        text_ += std::to_string(number);
    }
    void value(int number) { value(static_cast<std::int64_t>(number)); }
    void null() {
        separate();
        text_ += "null";
    }
    template <class T>
    void field(std::string_view name, T&& content) {
        key(name);
        value(std::forward<T>(content));
    }

    std::string take() { return std::move(text_); }

  private:
    void separate() {
        if (!fresh_) text_ += ',';
        fresh_ = false;
    }
    void open(char bracket) {
        separate();
        text_ += bracket;
        fresh_ = true;
    }
    void close(char bracket) {
        text_ += bracket;
        fresh_ = false;
    }
    void quote(std::string_view text) {
        static constexpr char kDigits[] = "0123456789abcdef";
        text_ += '"';
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                text_ += '\\';
                text_ += c;
            } else if (byte < 0x20) {
                text_ += "\\u00";
                text_ += kDigits[byte >> 4];
                text_ += kDigits[byte & 15];
            } else {
                text_ += c;
            }
        }
        text_ += '"';
    }

    std::string text_;
    bool fresh_ = true;  // nothing to separate from yet
};

}  // namespace rokada::wasm
