// SPDX-License-Identifier: GPL-3.0-or-later
// How the page and this module exchange text: the page writes fields separated by line feeds into the input,
// calls a function with their size, and reads JSON from the output. One call at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define ROKADA_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace rokada::wasm {

// The fields of the current call; the last one keeps its line feeds.
std::vector<std::string_view> fields(std::uint32_t size, std::size_t count);

// The next word of a list separated by spaces; empty at the end.
std::string_view next_word(std::string_view& rest);

// Hands a text to the page; returns its size.
std::uint32_t answer(std::string text);
std::uint32_t answer_error(std::string_view message);

}  // namespace rokada::wasm
