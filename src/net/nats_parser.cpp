// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/nats_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "net/url.hpp"

namespace rokada::net {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// Up to the next blank. Heads have long words, and there is one for every message.
std::size_t word_length(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), blank) - text.begin());
}

// "NATS/1.0 503\r\n...": the only header this client cares about.
int status_of(std::string_view headers) {
    constexpr std::string_view kBegin = "NATS/1.0 ";
    if (headers.substr(0, kBegin.size()) != kBegin) return 0;
    int status = 0;
    return read_number(headers.substr(kBegin.size(), 3), status) ? status : 0;
}

}  // namespace

std::optional<std::string> NatsParser::feed(std::string_view bytes, Sink& sink) {
    if (complaint_) return complaint_;
    // Only what is incomplete is copied; usually that is nothing.
    const bool joined = !kept_.empty();
    if (joined) kept_.append(bytes);
    const std::string_view all = joined ? std::string_view(kept_) : bytes;
    std::size_t used = 0;
    while (!complaint_ && used < all.size()) {
        const std::size_t more = step(all.substr(used), sink);
        if (more == 0) break;
        used += more;
    }
    if (joined) {
        kept_.erase(0, used);
    } else {
        kept_.assign(all.substr(used));
    }
    return complaint_;
}

std::size_t NatsParser::step(std::string_view bytes, Sink& sink) {
    if (bytes.size() < awaited_) return 0;
    awaited_ = 0;
    const std::size_t end = bytes.substr(0, kLineLimit).find('\n');
    if (end == std::string_view::npos) {
        if (bytes.size() >= kLineLimit) complain("a line without end");
        return 0;
    }
    std::string_view line = bytes.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::size_t space = word_length(line);
    const bool plain = equal_ignoring_case(line.substr(0, space), "MSG");
    if (plain || equal_ignoring_case(line.substr(0, space), "HMSG")) {
        auto head = read_head(trim(line.substr(space)), !plain);
        if (!head) return 0;
        head->line = end + 1;
        return read_message(bytes, *head, sink);
    }
    read_line(line, sink);
    return end + 1;
}

// The head and the payload together; nothing is taken until both are there.
std::size_t NatsParser::read_message(std::string_view bytes, const Head& head, Sink& sink) {
    const std::size_t whole = head.line + head.total + 2;
    if (bytes.size() < whole) {
        awaited_ = whole;
        return 0;
    }
    const std::string_view body = bytes.substr(head.line, head.total);
    if (bytes.substr(whole - 2, 2) != "\r\n") {
        complain("a message without its end");
        return 0;
    }
    NatsMessage message;
    message.subject = head.subject;
    message.reply = head.reply;
    message.subscription = head.subscription;
    message.status = status_of(body.substr(0, head.headers));
    message.payload = body.substr(head.headers);
    sink.on_message(message);
    return whole;
}

void NatsParser::read_line(std::string_view line, Sink& sink) {
    const std::size_t space = word_length(line);
    const std::string_view word = line.substr(0, space);
    const std::string_view rest = trim(line.substr(space));
    if (equal_ignoring_case(word, "PING")) return sink.on_ping();
    if (equal_ignoring_case(word, "PONG")) return sink.on_pong();
    if (equal_ignoring_case(word, "INFO")) return sink.on_info(rest);
    if (equal_ignoring_case(word, "+OK")) return;
    if (equal_ignoring_case(word, "-ERR")) {
        const bool quoted = rest.size() >= 2 && rest.front() == '\'' && rest.back() == '\'';
        return sink.on_error(quoted ? rest.substr(1, rest.size() - 2) : rest);
    }
    complain("not a word of NATS");
}

// subject sid [reply] [header bytes] total bytes
std::optional<NatsParser::Head> NatsParser::read_head(std::string_view words, bool with_headers) {
    std::array<std::string_view, 5> parts;
    std::size_t count = 0;
    while (!words.empty()) {
        if (count == parts.size()) {
            complain("a message with too many words");
            return std::nullopt;
        }
        const std::size_t end = word_length(words);
        parts[count++] = words.substr(0, end);
        words = trim(words.substr(end));
    }
    const std::size_t least = with_headers ? 4 : 3;
    if (count != least && count != least + 1) {
        complain("a message of an unknown form");
        return std::nullopt;
    }
    Head head;
    head.subject = parts[0];
    if (count == least + 1) head.reply = parts[2];
    const bool fine = read_number(parts[1], head.subscription) &&
                      read_number(parts[count - 1], head.total) &&
                      (!with_headers || read_number(parts[count - 2], head.headers));
    if (!fine || head.headers > head.total) {
        complain("a message with broken numbers");
    } else if (head.total > payload_limit_) {
        complain("a message that is too long");
    } else {
        return head;
    }
    return std::nullopt;
}

}  // namespace rokada::net
