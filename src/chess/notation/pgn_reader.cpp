// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_reader.hpp"

#include <array>
#include <cstring>

#include "chess/notation/san.hpp"

namespace rokada {

namespace {

// No token of the movetext but a comment is longer.
constexpr std::size_t kLongestToken = 255;

enum class Kind : std::uint8_t {
    Other,  // fits nowhere
    Blank,  // and the dots after move numbers
    Digit,
    Letter,  // begins a move
    Sign,    // + - = #: a null move, a mark, or an evaluation
    Joint,   // : / _ @: only inside a move
    Special,
};

struct Kinds {
    std::array<Kind, 256> of{};
    constexpr Kinds() {
        const auto set = [this](std::string_view characters, Kind kind) {
            for (const char c : characters) of[static_cast<unsigned char>(c)] = kind;
        };
        set(" \t\r\n\v\f.", Kind::Blank);
        set("0123456789", Kind::Digit);
        set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", Kind::Letter);
        set("+-=#", Kind::Sign);
        set(":/_@", Kind::Joint);
        set("{}()[];%$!?*", Kind::Special);
        // Letters of any other alphabet: a message should show the whole word.
        for (std::size_t c = 0x80; c < 0x100; ++c) of[c] = Kind::Letter;
    }
};
constexpr Kinds kKinds;

Kind kind_of(char c) { return kKinds.of[static_cast<unsigned char>(c)]; }
bool in_symbol(char c) {
    const Kind kind = kind_of(c);
    return kind >= Kind::Digit && kind <= Kind::Joint;
}

const char* symbol_end(const char* p) {
    while (in_symbol(*p)) ++p;
    // "exd6e.p.": the only dots within a move.
    if (*p == '.' && p[-1] == 'e' && p[1] == 'p') {
        p += 2;
        if (*p == '.') ++p;
    }
    return p;
}

struct Glyph {
    std::string_view text;
    int nag;
};
// As in the Informator, in the spellings found in files.
constexpr Glyph kGlyphs[] = {{"=", 10},   {"+=", 14},  {"+/=", 14}, {"=+", 15},  {"=/+", 15},
                             {"+/-", 16}, {"-/+", 17}, {"+-", 18},  {"+--", 18}, {"-+", 19},
                             {"--+", 19}, {"N", 146},  {"D", 220}};

bool is_null_move(std::string_view token) {
    return token == "--" || token == "Z0" || token == "null" || token == "@@@@";
}

}  // namespace

PgnReader::PgnReader(ByteSource& source, PgnLimits limits) : text_(source), limits_(limits) {}

bool PgnReader::read_game(PgnVisitor& visitor) {
    visitor_ = &visitor;
    visitor.wish_ = PgnVisitor::Wish::None;
    if (!skip_to_game()) return false;
    ++games_;
    now_ = standard_start_;
    has_move_ = any_tag_ = has_result_tag_ = false;
    outer_.clear();
    mode_ = Mode::Telling;
    skipped_nesting_ = 0;
    tags_seen_ = 0;
    result_ = result_tag_ = PgnResult::Unfinished;

    visitor_->begin_game(game_offset_);
    heed_visitor();
    const bool has_moves = read_tags();
    if (telling()) {
        visitor_->begin_moves(now_);
        heed_visitor();
    }
    if (!prelude_.empty() && telling()) {
        visitor_->comment(prelude_);
        heed_visitor();
    }
    if (has_moves)
        read_moves();
    else
        finish_without_result();
    visitor_->end_game(result_);
    return true;
}

void PgnReader::read_moves() {
    while (true) {
        const char* p = text_.at();
        while (kind_of(*p) == Kind::Blank) ++p;
        text_.move_to(p);
        if (static_cast<std::size_t>(text_.end() - p) <= kLongestToken) {
            text_.provide(kLongestToken + 1);
            if (text_.at_end_of_text()) return finish_without_result();
            p = text_.at();
        }
        switch (kind_of(*p)) {
            case Kind::Blank: break;
            case Kind::Letter:
                if (!symbol()) return;
                break;
            case Kind::Digit:
                if (!number()) return;
                break;
            case Kind::Sign: glyph(); break;
            case Kind::Special:
                switch (*p) {
                    case '{': comment(); break;
                    case '(': begin_variation(); break;
                    case ')': end_variation(); break;
                    case '$': nag(); break;
                    case '!':
                    case '?': exclamations(); break;
                    case ';': line_comment(); break;
                    case '*':
                        if (mode_ == Mode::LookingForTags || skipped_nesting_ + outer_.size() > 0) {
                            text_.move_to(p + 1);
                            break;
                        }
                        return finish(PgnResult::Unfinished, 1);
                    case '[':
                        if (looks_like_tag()) return finish_without_result();
                        unexpected();
                        break;
                    case '%':
                        if (p[-1] == '\n')
                            skip_line();
                        else
                            unexpected();
                        break;
                    default: unexpected();
                }
                break;
            default: unexpected();
        }
    }
}

// A move number, a result, or castling written with zeros.
bool PgnReader::number() {
    const char* begin = text_.at();
    const char* p = begin;
    while (kind_of(*p) == Kind::Digit && p - begin < static_cast<std::ptrdiff_t>(kLongestToken))
        ++p;
    if (*p == '-' || *p == '/') {
        const char* end = symbol_end(p);
        const std::string_view token(begin, static_cast<std::size_t>(end - begin));
        PgnResult found = parse_pgn_result(token);
        if (token == "1/2") found = PgnResult::Draw;
        if (found == PgnResult::Unfinished) return symbol();
        // A result inside a variation says nothing about the game.
        if (mode_ == Mode::LookingForTags || skipped_nesting_ + outer_.size() > 0) {
            text_.move_to(end);
            return true;
        }
        finish(found, token.size());
        return false;
    }
    if (p - begin == 1 && *begin == '1' && starts_over(p)) {
        finish_without_result();
        return false;
    }
    text_.move_to(p);
    return true;
}

// Whether "1." begins another game: one without tags, after one without a result.
bool PgnReader::starts_over(const char* number_end) const {
    if (mode_ == Mode::LookingForTags || !outer_.empty() || !has_move_ ||
        now_.fullmove_number() == 1 || number_end[0] != '.' || number_end[1] == '.')
        return false;
    int lines = 0;
    for (const char* p = text_.at() - 1; kind_of(*p) == Kind::Blank && lines < 2; --p) {
        lines += *p == '\n';
        if (lines == 2) return true;
    }
    return false;
}

bool PgnReader::symbol() {
    const char* begin = text_.at();
    const char* end = symbol_end(begin);
    const auto size = static_cast<std::size_t>(end - begin);
    if (telling()) {
        if (size > kLongestToken)
            broken(begin, "the word is too long");
        else
            play(std::string_view(begin, size));
    }
    text_.move_to(end);
    return true;
}

void PgnReader::play(std::string_view token) {
    const auto move = parse_san(now_, token);
    if (move) {
        visitor_->move(now_, *move);
        before_ = now_;
        now_.play(*move);
        has_move_ = true;
        heed_visitor();
        return;
    }
    if (is_null_move(token)) return play_null(token.data());
    if (token == "e.p." || token == "ep") return;
    if (has_move_)
        for (const Glyph& glyph : kGlyphs)
            if (glyph.text == token) {
                visitor_->nag(glyph.nag);
                return heed_visitor();
            }
    broken(token.data() + move.error().offset, move.error().message);
}

void PgnReader::play_null(const char* place) {
    if (now_.in_check()) return broken(place, "a null move is not possible in check");
    visitor_->move(now_, Move());
    before_ = now_;
    now_.pass();
    has_move_ = true;
    heed_visitor();
}

void PgnReader::glyph() {
    const char* begin = text_.at();
    const char* end = symbol_end(begin);
    const std::string_view token(begin, static_cast<std::size_t>(end - begin));
    // A mark of check or mate may stand apart from its move.
    const bool mark = token.find_first_not_of("+#") == std::string_view::npos;
    if (telling() && !mark) {
        if (token.size() > kLongestToken)
            broken(begin, "the word is too long");
        else
            play(token);
    }
    text_.move_to(end);
}

void PgnReader::nag() {
    const char* begin = text_.at();
    const char* p = begin + 1;
    int number = 0;
    while (kind_of(*p) == Kind::Digit) {
        number = std::min(number * 10 + (*p - '0'), 1000);
        ++p;
    }
    if (telling()) {
        if (p == begin + 1) {
            report(begin, PgnSeverity::Repaired, "'$' is not followed by a number");
        } else if (number > 255) {
            report(begin, PgnSeverity::Repaired, "a numeric annotation is at most 255");
        } else {
            visitor_->nag(number);
            heed_visitor();
        }
    }
    text_.move_to(p);
}

void PgnReader::exclamations() {
    const char* begin = text_.at();
    const char* p = begin;
    while (*p == '!' || *p == '?') ++p;
    if (telling()) {
        // More than two say no more than two.
        const bool one = p - begin == 1;
        const int number = *begin == '!' ? (one               ? 1
                                            : begin[1] == '!' ? 3
                                                              : 5)
                                         : (one               ? 2
                                            : begin[1] == '?' ? 4
                                                              : 6);
        visitor_->nag(number);
        heed_visitor();
    }
    text_.move_to(p);
}

void PgnReader::comment() {
    if (mode_ == Mode::LookingForTags) return text_.move_to(text_.at() + 1);
    const char* problem = nullptr;
    const char* end = comment_end(problem);
    const char* begin = text_.at();
    if (problem != nullptr) {
        if (skipping_game())
            mode_ = Mode::LookingForTags;
        else
            broken(begin, problem, Mode::LookingForTags);
        return text_.move_to(begin + 1);
    }
    if (telling()) {
        visitor_->comment(std::string_view(begin + 1, static_cast<std::size_t>(end - begin - 1)));
        heed_visitor();
    }
    text_.move_to(end + 1);
}

void PgnReader::line_comment() {
    const char* end = line_end();
    if (end == nullptr) {
        if (!skipping_game()) broken(text_.at(), "the comment is too long");
        return skip_line();
    }
    if (telling()) {
        const char* begin = text_.at() + 1;
        visitor_->comment(std::string_view(begin, static_cast<std::size_t>(end - begin)));
        heed_visitor();
    }
    text_.move_to(end);
}

void PgnReader::begin_variation() {
    const char* begin = text_.at();
    if (!telling()) {
        ++skipped_nesting_;
    } else if (!has_move_) {
        broken(begin, "a variation needs a move to replace");
        ++skipped_nesting_;
    } else if (outer_.size() == limits_.nesting) {
        broken(begin, "more than " + std::to_string(limits_.nesting) + " variations are nested");
        ++skipped_nesting_;
    } else {
        outer_.push_back({before_, now_, has_move_});
        now_ = before_;
        has_move_ = false;
        visitor_->begin_variation();
        heed_visitor();
    }
    text_.move_to(begin + 1);
}

void PgnReader::end_variation() {
    const char* begin = text_.at();
    if (!telling() && skipped_nesting_ > 0) {
        --skipped_nesting_;
    } else if (!skipping_game()) {
        if (outer_.empty()) {
            broken(begin, "')' closes no variation");
        } else {
            mode_ = Mode::Telling;
            before_ = outer_.back().before;
            now_ = outer_.back().now;
            has_move_ = outer_.back().has_move;
            outer_.pop_back();
            visitor_->end_variation();
            heed_visitor();
        }
    }
    text_.move_to(begin + 1);
}

void PgnReader::unexpected() {
    const char* place = text_.at();
    if (telling()) {
        if (*place == '}')
            broken(place, "'}' closes no comment");
        else
            broken(place, quoted(*place) + " does not belong between the moves");
    }
    text_.move_to(place + 1);
}

// [ Name "
bool PgnReader::looks_like_tag() {
    const char* p = text_.at() + 1;
    const auto skip_blanks = [&p] {
        const char* begin = p;
        while (*p == ' ' || *p == '\t') ++p;
        return p != begin;
    };
    skip_blanks();
    const char* name = p;
    while (kind_of(*p) == Kind::Letter || kind_of(*p) == Kind::Digit || *p == '_') ++p;
    return p != name && skip_blanks() && *p == '"';
}

void PgnReader::finish(PgnResult result, std::size_t size) {
    result_ = result;
    const char* place = text_.at();
    if (telling() && has_result_tag_ && result_tag_ != result)
        report(place, PgnSeverity::Note,
               "the result " + std::string(to_string(result)) + " contradicts its tag");
    text_.move_to(place + size);
    // What is said about the game behind its result, on the same line, still belongs to it.
    while (true) {
        text_.provide(kLongestToken);
        const char* p = text_.at();
        while (*p == ' ' || *p == '\t' || *p == '\r') ++p;
        text_.move_to(p);
        if (*p == '{' && mode_ != Mode::LookingForTags)
            comment();
        else if (*p == ';')
            line_comment();
        else
            break;
    }
    if (mode_ == Mode::LookingForTags) read_moves();
}

void PgnReader::finish_without_result() {
    const char* place = text_.at();
    if (!outer_.empty() && !skipping_game())
        broken(place, "a variation is not closed before the end of the game");
    if (telling()) {
        result_ = result_tag_;
        report(place, PgnSeverity::Note, "the game has no result");
    }
}

void PgnReader::obey_visitor() {
    const PgnVisitor::Wish wish = visitor_->wish_;
    visitor_->wish_ = PgnVisitor::Wish::None;
    if (wish == PgnVisitor::Wish::Refuse) {
        if (!skipping_game()) broken(text_.at(), std::move(visitor_->reason_));
    } else if (wish == PgnVisitor::Wish::SkipGame) {
        skipped_nesting_ += outer_.size();
        outer_.clear();
        mode_ = Mode::SkippingGame;
    } else if (!outer_.empty()) {
        mode_ = Mode::SkippingVariation;
    }
}

void PgnReader::report(const char* place, PgnSeverity severity, std::string message) {
    visitor_->problem({severity, text_.locate(place), games_, std::move(message)});
}

void PgnReader::broken(const char* place, std::string message, Mode next) {
    report(place, PgnSeverity::Broken, std::move(message));
    skipped_nesting_ += outer_.size();
    outer_.clear();
    mode_ = next;
}

}  // namespace rokada
