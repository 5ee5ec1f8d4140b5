// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a client says over the live socket is a message within its limits or one clear error.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/api/chat_text.hpp"
#include "server/api/live_in.hpp"
#include "server/api/plain_move.hpp"

using namespace rokada::server;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto message = read_live_message(text)) {
        if (message->uci.size() > 5 || message->id.size() > 32 || message->ply < 0) std::abort();
        if (!message->text.empty() && chat_text(message->text) != message->text) std::abort();
    } else if (message.error().detail.empty()) {
        std::abort();
    }
    // The short cut says what the long way says.
    if (const auto move = read_plain_move(text)) {
        const auto same = read_live_json(text);
        if (!same || same->kind != move->kind || same->game != move->game ||
            same->ply != move->ply || same->uci != move->uci || same->id != move->id ||
            same->draw != move->draw)
            std::abort();
    }
    if (const auto line = chat_text(text))
        if (line->empty() || line->size() > 560) std::abort();
    return 0;
}
