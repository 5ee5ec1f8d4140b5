// SPDX-License-Identifier: GPL-3.0-or-later
#include "bindings/wasm/exchange.hpp"

#include <algorithm>

#include "bindings/wasm/json.hpp"

namespace rokada::wasm {

namespace {

std::string input;
std::string output;

}  // namespace

std::vector<std::string_view> fields(std::uint32_t size, std::size_t count) {
    std::string_view rest = std::string_view(input).substr(0, size);
    std::vector<std::string_view> result;
    while (result.size() + 1 < count) {
        const std::size_t end = rest.find('\n');
        result.push_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
    result.push_back(rest);
    return result;
}

std::string_view next_word(std::string_view& rest) {
    const std::size_t begin = rest.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    rest.remove_prefix(begin);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

std::uint32_t answer(std::string text) {
    output = std::move(text);
    return static_cast<std::uint32_t>(output.size());
}

std::uint32_t answer_error(std::string_view message) {
    Json json;
    json.begin_object();
    json.field("ok", false);
    json.field("error", message);
    json.end_object();
    return answer(json.take());
}

}  // namespace rokada::wasm

ROKADA_EXPORT(rokada_input) char* rokada_input(std::uint32_t size) {
    // Only ever grows, so that one call's fields stay valid until the next.
    if (rokada::wasm::input.size() < size) rokada::wasm::input.resize(size);
    return rokada::wasm::input.data();
}

ROKADA_EXPORT(rokada_output) const char* rokada_output() { return rokada::wasm::output.data(); }
