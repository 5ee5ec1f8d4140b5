// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_comment.hpp"

#include <algorithm>

namespace rokada {

namespace {

constexpr int kLongestMate = 9999, kDeepest = 9999, kMostPawns = 100000;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// Digits only, at most `largest`.
std::optional<int> parse_number(std::string_view text, int largest) {
    if (text.empty() || text.size() > 9) return std::nullopt;
    int value = 0;
    for (const char c : text) {
        if (!is_digit(c)) return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value <= largest ? std::optional(value) : std::nullopt;
}

bool take_sign(std::string_view& text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    return negative;
}

// "1.5" is 150; a third decimal is rounded.
std::optional<int> parse_centipawns(std::string_view text) {
    const bool negative = take_sign(text);
    const std::size_t dot = text.find('.');
    const auto pawns = parse_number(text.substr(0, dot), kMostPawns);
    if (!pawns) return std::nullopt;
    int thousandths = 0;
    if (dot != std::string_view::npos) {
        const std::string_view decimals = text.substr(dot + 1);
        if (!parse_number(decimals, 999999999)) return std::nullopt;
        for (std::size_t i = 0; i < 3; ++i)
            thousandths = thousandths * 10 + (i < decimals.size() ? decimals[i] - '0' : 0);
    }
    const int centipawns = *pawns * 100 + (thousandths + 5) / 10;
    return negative ? -centipawns : centipawns;
}

std::optional<PgnEvaluation> parse_evaluation(std::string_view text) {
    PgnEvaluation evaluation;
    if (const std::size_t comma = text.find(','); comma != std::string_view::npos) {
        evaluation.depth = parse_number(trimmed(text.substr(comma + 1)), kDeepest);
        if (!evaluation.depth) return std::nullopt;
        text = trimmed(text.substr(0, comma));
    }
    if (!text.empty() && text.front() == '#') {
        text.remove_prefix(1);
        const bool negative = take_sign(text);
        const auto moves = parse_number(text, kLongestMate);
        if (!moves) return std::nullopt;
        evaluation.mate = negative ? -*moves : *moves;
        return evaluation;
    }
    const auto centipawns = parse_centipawns(text);
    if (!centipawns) return std::nullopt;
    evaluation.centipawns = *centipawns;
    return evaluation;
}

// "Gd1d5,Re1e8" or "Gd4,Rf6"; all or nothing.
bool parse_marks(std::string_view text, bool arrows, std::vector<PgnMark>& marks) {
    const std::size_t size = arrows ? 5 : 3, before = marks.size();
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view item = trimmed(text.substr(0, comma));
        PgnMark mark;
        bool good = item.size() == size && item[0] >= 'A' && item[0] <= 'Z';
        if (good) {
            mark = {item[0], parse_square(item[1], item[2]), Square::None};
            mark.to = arrows ? parse_square(item[3], item[4]) : mark.from;
            good = mark.from != Square::None && mark.to != Square::None &&
                   (!arrows || mark.from != mark.to);
        }
        if (!good) {
            marks.resize(before);
            return false;
        }
        marks.push_back(mark);
        if (comma == std::string_view::npos) return true;
        text.remove_prefix(comma + 1);
    }
}

// The inside of [% ]; false if it is not a known command in good form.
bool read_command(std::string_view inside, PgnComment& comment) {
    std::size_t end = 0;
    while (end < inside.size() && !is_blank(inside[end])) ++end;
    const std::string_view name = inside.substr(0, end);
    const std::string_view argument = trimmed(inside.substr(end));
    if (name == "clk" || name == "emt") {
        const auto time = parse_clock_text(argument);
        if (time) (name == "clk" ? comment.clock : comment.elapsed) = time;
        return time.has_value();
    }
    if (name == "eval") {
        const auto evaluation = parse_evaluation(argument);
        if (evaluation) comment.evaluation = evaluation;
        return evaluation.has_value();
    }
    if (name == "cal" || name == "csl") return parse_marks(argument, name == "cal", comment.marks);
    return false;
}

void add_words(std::string_view text, std::string& out) {
    std::size_t at = 0;
    while (true) {
        while (at < text.size() && is_blank(text[at])) ++at;
        if (at == text.size()) return;
        std::size_t end = at;
        while (end < text.size() && !is_blank(text[end])) ++end;
        if (!out.empty()) out += ' ';
        out += text.substr(at, end - at);
        at = end;
    }
}

void add_two_digits(std::string& out, long long value) {
    out += static_cast<char>('0' + value / 10 % 10);
    out += static_cast<char>('0' + value % 10);
}

std::string evaluation_text(const PgnEvaluation& evaluation) {
    std::string out = "[%eval ";
    if (evaluation.mate) {
        out += '#' + std::to_string(*evaluation.mate);
    } else {
        const int size = evaluation.centipawns < 0 ? -evaluation.centipawns : evaluation.centipawns;
        if (evaluation.centipawns < 0) out += '-';
        out += std::to_string(size / 100) + '.';
        add_two_digits(out, size % 100);
    }
    if (evaluation.depth) out += ',' + std::to_string(*evaluation.depth);
    return out + ']';
}

std::string marks_text(const std::vector<PgnMark>& marks, bool arrows) {
    std::string out;
    for (const PgnMark& mark : marks) {
        if ((mark.from != mark.to) != arrows) continue;
        out += out.empty() ? (arrows ? "[%cal " : "[%csl ") : ",";
        out += mark.color + to_string(mark.from);
        if (arrows) out += to_string(mark.to);
    }
    return out.empty() ? out : out + ']';
}

}  // namespace

void read_pgn_comment(std::string_view text, PgnComment& comment) {
    std::string& plain = comment.text;
    while (true) {
        const std::size_t open = text.find("[%");
        const std::size_t close = open == std::string_view::npos ? open : text.find(']', open);
        if (close == std::string_view::npos) return add_words(text, plain);
        add_words(text.substr(0, open), plain);
        if (!read_command(text.substr(open + 2, close - open - 2), comment))
            add_words(text.substr(open, close + 1 - open), plain);
        text.remove_prefix(close + 1);
    }
}

std::vector<std::string> pgn_commands(const PgnComment& comment) {
    std::vector<std::string> out;
    const auto add = [&out](std::string piece) {
        if (!piece.empty()) out.push_back(std::move(piece));
    };
    if (comment.evaluation) add(evaluation_text(*comment.evaluation));
    if (comment.clock) add("[%clk " + to_clock_text(*comment.clock) + ']');
    if (comment.elapsed) add("[%emt " + to_clock_text(*comment.elapsed) + ']');
    add(marks_text(comment.marks, false));
    add(marks_text(comment.marks, true));
    return out;
}

std::string to_clock_text(std::chrono::milliseconds time) {
    const long long total = std::max<long long>(time.count(), 0);
    const long long seconds = total / 1000;
    std::string out = std::to_string(seconds / 3600) + ':';
    add_two_digits(out, seconds / 60 % 60);
    out += ':';
    add_two_digits(out, seconds % 60);
    if (const long long rest = total % 1000; rest != 0) {
        out += '.';
        out += static_cast<char>('0' + rest / 100);
        if (rest % 100 != 0) out += static_cast<char>('0' + rest / 10 % 10);
        if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
    }
    return out;
}

std::optional<std::chrono::milliseconds> parse_clock_text(std::string_view text) {
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    const std::size_t dot = text.find('.', second);
    const auto hours = parse_number(text.substr(0, first), 99999);
    const std::string_view minute_text = text.substr(first + 1, second - first - 1);
    const std::string_view second_text =
        text.substr(second + 1, dot == std::string_view::npos ? dot : dot - second - 1);
    const auto minutes = parse_number(minute_text, 59), seconds = parse_number(second_text, 59);
    if (!hours || !minutes || !seconds || minute_text.size() > 2 || second_text.size() > 2)
        return std::nullopt;
    long long total = ((*hours * 60LL + *minutes) * 60 + *seconds) * 1000;
    if (dot != std::string_view::npos) {
        const std::string_view fraction = text.substr(dot + 1);
        if (!parse_number(fraction, 999999999)) return std::nullopt;
        for (std::size_t i = 0, unit = 100; i < 3 && i < fraction.size(); ++i, unit /= 10)
            total += static_cast<long long>(unit) * (fraction[i] - '0');
    }
    return std::chrono::milliseconds(total);
}

}  // namespace rokada
