// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/turn_text.hpp"

#include <algorithm>
#include <charconv>

#include "server/store/error.hpp"

namespace rokada::server {
namespace {

// One line for each move: none of the fields can hold a tab or a line break.
void write_field(std::string& text, std::string_view field) {
    text += field;
    text += '\t';
}

void append_number(std::string& text, std::int64_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

void write_field(std::string& text, std::int64_t number) {
    append_number(text, number);
    text += '\t';
}

// The message of a usual move says again what the fields say: before its key, between key and san, and
// after that. Such a message is kept as a tab, the key, the san, a tab and its end; any other one as it is.
constexpr std::size_t kKeyDigits = 16;

void append_before_key(std::string& text, const TurnRecord& turn) {
    text += R"({"t":"event","game":")";
    text += turn.game_id;
    text += R"(","version":)";
    append_number(text, turn.version);
    text += R"(,"ply":)";
    append_number(text, turn.ply);
    text += R"(,"key":")";
}

void append_before_san(std::string& text, const TurnRecord& turn) {
    text += R"(","at":)";
    append_number(text, turn.move.at);
    text += R"(,"kind":"move","uci":")";
    text += turn.move.uci;
    text += R"(","san":")";
}

void append_after_san(std::string& text, const TurnRecord& turn) {
    text += R"(","fen":")";
    text += turn.fen;
    text += '"';
}

// Takes what was appended to the text behind `mark` off the front of the rest, and off the text again.
bool skip_appended(std::string_view& rest, std::string& text, std::size_t mark) {
    const std::string_view expected = std::string_view(text).substr(mark);
    const bool there = rest.starts_with(expected);
    if (there) rest.remove_prefix(expected.size());
    text.resize(mark);
    return there;
}

bool append_short_message(std::string& text, const TurnRecord& turn) {
    const std::size_t mark = text.size();
    std::string_view rest = turn.message;
    append_before_key(text, turn);
    if (!skip_appended(rest, text, mark) || rest.size() < kKeyDigits) return false;
    const std::string_view key = rest.substr(0, kKeyDigits);
    rest.remove_prefix(kKeyDigits);
    append_before_san(text, turn);
    if (!skip_appended(rest, text, mark)) return false;
    const std::string_view san = rest.substr(0, rest.find('"'));
    rest.remove_prefix(san.size());
    append_after_san(text, turn);
    if (!skip_appended(rest, text, mark)) return false;
    text += '\t';
    text += key;
    write_field(text, san);
    text += rest;
    return true;
}

}  // namespace

void append_turn(std::string& text, const TurnRecord& turn) {
    write_field(text, turn.game_id);
    write_field(text, turn.version);
    write_field(text, turn.ply);
    write_field(text, turn.move.uci);
    write_field(text, turn.move.white_ms);
    write_field(text, turn.move.black_ms);
    write_field(text, turn.move.at);
    write_field(text, turn.turn_at);
    write_field(text, turn.draw_offer);
    write_field(text, turn.fen);
    if (!append_short_message(text, turn)) text += turn.message;
    text += '\n';
}

namespace {

[[noreturn]] void throw_damaged() {
    throw StoreError(StoreFault::Corrupt, "the log of moves is damaged");
}

class LineReader {
  public:
    explicit LineReader(std::string_view line) : rest_(line) {}
    std::string_view field() {
        const std::string_view field = rest_.substr(0, rest_.find('\t'));
        rest_.remove_prefix(std::min(rest_.size(), field.size() + 1));
        return field;
    }
    std::string text() { return std::string(field()); }
    std::int64_t number() {
        const std::string_view field = this->field();
        std::int64_t value = 0;
        const char* end = field.data() + field.size();
        const auto read = std::from_chars(field.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end) throw_damaged();
        return value;
    }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

std::string read_message(std::string_view kept, const TurnRecord& turn) {
    if (!kept.starts_with('\t')) return std::string(kept);
    kept.remove_prefix(1);
    const std::size_t end_of_san = kept.find('\t');
    if (end_of_san == std::string_view::npos || end_of_san < kKeyDigits) throw_damaged();
    std::string message;
    append_before_key(message, turn);
    message += kept.substr(0, kKeyDigits);
    append_before_san(message, turn);
    message += kept.substr(kKeyDigits, end_of_san - kKeyDigits);
    append_after_san(message, turn);
    message += kept.substr(end_of_san + 1);
    return message;
}

std::shared_ptr<const TurnRecord> read_turn(std::string_view line) {
    LineReader reader(line);
    auto turn = std::make_shared<TurnRecord>();
    turn->game_id = reader.text();
    turn->version = reader.number();
    turn->ply = static_cast<int>(reader.number());
    turn->move.uci = reader.text();
    turn->move.white_ms = reader.number();
    turn->move.black_ms = reader.number();
    turn->move.at = reader.number();
    turn->turn_at = reader.number();
    turn->draw_offer = reader.text();
    turn->fen = reader.text();
    turn->message = read_message(reader.rest(), *turn);
    return turn;
}

}  // namespace

std::shared_ptr<const TurnRecord> last_turn(std::string_view text) {
    text.remove_suffix(1);
    return read_turn(text.substr(text.rfind('\n') + 1));
}

Turns read_turns(std::string_view text) {
    Turns turns;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        turns.push_back(read_turn(line));
    }
    return turns;
}

}  // namespace rokada::server
