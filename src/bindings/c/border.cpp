// SPDX-License-Identifier: GPL-3.0-or-later
#include "bindings/c/border.hpp"

#include <algorithm>
#include <cstring>

namespace rokada::border {

namespace {

// Fixed, so that the sentence about missing memory needs none.
thread_local char last_error[512] = "";

}  // namespace

rokada_error fail(rokada_error error, std::string_view message) noexcept {
    copy_text(message, last_error, sizeof(last_error));
    return error;
}

rokada_error fail_memory() noexcept {
    return fail(ROKADA_ERROR_MEMORY, "there is not enough memory");
}

rokada_error fail_unknown() noexcept {
    return fail(ROKADA_ERROR_INTERNAL, "something unexpected happened inside the library");
}

std::size_t copy_text(std::string_view from, char* text, std::size_t size) noexcept {
    if (!text || size == 0) return from.size();
    const std::size_t fits = std::min(from.size(), size - 1);
    std::memcpy(text, from.data(), fits);
    text[fits] = '\0';
    return from.size();
}

}  // namespace rokada::border

using namespace rokada;

const char* rokada_last_error(void) { return border::last_error; }

const char* rokada_error_name(rokada_error error) {
    switch (error) {
        case ROKADA_OK: return "ok";
        case ROKADA_ERROR_ARGUMENT: return "argument";
        case ROKADA_ERROR_POSITION: return "position";
        case ROKADA_ERROR_MOVE: return "move";
        case ROKADA_ERROR_STATE: return "state";
        case ROKADA_ERROR_OPTION: return "option";
        case ROKADA_ERROR_NETWORK: return "network";
        case ROKADA_ERROR_CANCELLED: return "cancelled";
        case ROKADA_ERROR_MEMORY: return "memory";
        case ROKADA_ERROR_INTERNAL: return "internal";
    }
    return "unknown";
}

const char* rokada_version(void) { return ROKADA_VERSION; }

uint32_t rokada_api_version(void) {
    return (static_cast<std::uint32_t>(ROKADA_API_MAJOR) << 16) + ROKADA_API_MINOR;
}
