// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/plain_move.hpp"

#include <algorithm>

namespace rokada::server {
namespace {

constexpr std::string_view kBeginning = R"({"t":"move",)";

class Scanner {
  public:
    explicit Scanner(std::string_view rest) : rest_(rest) {}

    bool at_end() const { return rest_.empty(); }
    bool take(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    // Between quotes: printable ASCII that stands for itself.
    std::optional<std::string_view> text() {
        if (!take('"')) return std::nullopt;
        const auto special = [](char c) { return c < 0x20 || c > 0x7e || c == '"' || c == '\\'; };
        const auto end = std::find_if(rest_.begin(), rest_.end(), special);
        if (end == rest_.end() || *end != '"') return std::nullopt;
        const std::string_view inside =
            rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(inside.size() + 1);
        return inside;
    }
    // As JSON writes it: no sign, no leading zero, no more digits than a ply can have.
    std::optional<int> number() {
        constexpr std::size_t kMostDigits = 5;
        int value = 0;
        std::size_t digits = 0;
        for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
            if (digits == kMostDigits) return std::nullopt;
            value = value * 10 + (rest_[digits] - '0');
        }
        if (digits == 0 || rest_.front() == '0') return std::nullopt;
        rest_.remove_prefix(digits);
        return value;
    }

  private:
    std::string_view rest_;
};

bool within(const std::optional<std::string_view>& text, std::size_t least, std::size_t most) {
    return text && text->size() >= least && text->size() <= most;
}

}  // namespace

std::optional<LiveMessage> read_plain_move(std::string_view text) {
    if (!text.starts_with(kBeginning)) return std::nullopt;
    Scanner scanner(text.substr(kBeginning.size()));
    std::optional<std::string_view> game, uci, id;
    std::optional<int> ply;
    std::optional<bool> draw;
    do {
        const auto name = scanner.text();
        if (!name || !scanner.take(':')) return std::nullopt;
        if (name == "game" && !game) {
            if (game = scanner.text(); !within(game, 10, 10)) return std::nullopt;
        } else if (name == "ply" && !ply) {
            if (ply = scanner.number(); !ply || *ply > 12'000) return std::nullopt;
        } else if (name == "uci" && !uci) {
            if (uci = scanner.text(); !within(uci, 4, 5)) return std::nullopt;
        } else if (name == "id" && !id) {
            if (id = scanner.text(); !within(id, 0, 32)) return std::nullopt;
        } else if (name == "draw" && !draw) {
            draw = scanner.take("true");
            if (!*draw && !scanner.take("false")) return std::nullopt;
        } else {
            return std::nullopt;
        }
    } while (scanner.take(','));
    if (!scanner.take('}') || !scanner.at_end() || !game || !ply || !uci || !id)
        return std::nullopt;
    LiveMessage message;
    message.kind = LiveMessage::Kind::Move;
    message.game = *game;
    message.ply = *ply;
    message.uci = *uci;
    message.id = *id;
    message.draw = draw.value_or(false);
    return message;
}

}  // namespace rokada::server
