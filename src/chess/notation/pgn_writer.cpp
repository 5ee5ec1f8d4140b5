// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_writer.hpp"

#include <algorithm>
#include <array>

#include "chess/notation/fen.hpp"
#include "chess/notation/pgn_tag.hpp"
#include "chess/notation/san.hpp"

namespace rokada {

namespace {

// The order of the standard, with what stands for "not known".
struct RosterTag {
    std::string_view name, unknown;
};
constexpr std::array<RosterTag, 6> kRoster{{{"Event", "?"},
                                            {"Site", "?"},
                                            {"Date", "????.??.??"},
                                            {"Round", "?"},
                                            {"White", "?"},
                                            {"Black", "?"}}};

bool in_roster(std::string_view name) {
    return std::any_of(kRoster.begin(), kRoster.end(),
                       [name](const RosterTag& tag) { return tag.name == name; });
}

// Castling from other squares than e1, a1 and h1 needs the word.
bool needs_chess960(const Position& position) {
    for (const Color c : kColors) {
        for (const CastlingSide side : kCastlingSides) {
            const Square rook = position.castling().rook(c, side);
            if (rook == Square::None) continue;
            const File corner = side == CastlingSide::King ? File::H : File::A;
            if (file_of(rook) != corner || file_of(position.king(c)) != File::E) return true;
        }
    }
    return false;
}

void append_tags(std::string& out, const PgnGame& game) {
    for (const RosterTag& roster : kRoster) {
        const std::string_view value = game.tag(roster.name);
        append_pgn_tag(out, roster.name, value.empty() ? roster.unknown : value);
    }
    append_pgn_tag(out, "Result", to_string(game.result()));

    // The others in the order of their letters, as the standard asks.
    std::vector<PgnTag> others;
    for (const PgnTag& tag : game.tags())
        if (!in_roster(tag.name)) others.push_back(tag);
    if (game.start() != Position()) {
        others.push_back({"FEN", to_fen(game.start())});
        others.push_back({"SetUp", "1"});
        if (game.tag("Variant").empty() && needs_chess960(game.start()))
            others.push_back({"Variant", "Chess960"});
    }
    std::sort(others.begin(), others.end(),
              [](const PgnTag& a, const PgnTag& b) { return a.name < b.name; });
    for (const PgnTag& tag : others) append_pgn_tag(out, tag.name, tag.value);
}

// A '%' there would hide the line, and a tag in a comment would look like the next game.
bool misleads_at_line_begin(std::string_view word) {
    return word.front() == '%' || word.substr(0, 6) == "[Event";
}

// Puts words into lines. The last word is held back until the next comes, so that a bracket can join it.
class Lines {
  public:
    Lines(std::string& out, std::size_t columns) : out_(out), columns_(columns) {}

    void add(std::string_view word) {
        if (glued_) {
            glued_ = false;
        } else {
            flush();
        }
        word_ += word;
    }
    // Joins what comes before without a blank.
    void attach(std::string_view text) { word_ += text; }
    // What comes next joins without a blank.
    void glue() { glued_ = true; }
    void end_line() {
        flush();
        out_ += '\n';
        column_ = 0;
        glued_ = false;
    }

  private:
    void flush() {
        if (word_.empty()) return;
        const bool fits = columns_ == 0 || column_ + 1 + word_.size() < columns_;
        if (column_ > 0) {
            const bool stay = fits || misleads_at_line_begin(word_);
            out_ += stay ? ' ' : '\n';
            column_ = stay ? column_ + 1 : 0;
        }
        out_ += word_;
        column_ += word_.size();
        word_.clear();
    }

    std::string& out_;
    const std::size_t columns_;
    std::size_t column_ = 0;
    std::string word_;
    bool glued_ = false;
};

class MoveWriter {
  public:
    MoveWriter(std::string& out, const PgnGame& game, const PgnStyle& style)
        : lines_(out, style.columns), game_(game), style_(style) {}

    void write() {
        if (const PgnNotes* notes = game_.find_notes(PgnGame::kRoot)) {
            write_nags(*notes);
            write_comment(notes->after);
        }
        needs_number_ = true;
        write_line(game_.main_child(PgnGame::kRoot), game_.start(), true);
        lines_.add(to_string(game_.result()));
        lines_.end_line();
    }

  private:
    // The line that begins with this node, and the variations of each of its moves. Those of the first move are
    // left to the caller, unless it is the main line.
    void write_line(PgnGame::Node node, Position position, bool with_variations) {
        for (; node != PgnGame::kNoNode; node = game_.main_child(node)) {
            const PgnNotes* notes = game_.find_notes(node);
            if (notes != nullptr) write_comment(notes->before);
            write_move(position, game_.move(node));
            if (notes != nullptr) {
                write_nags(*notes);
                write_comment(notes->after);
            }
            if (with_variations && style_.variations) write_variations(node, position);
            play_or_pass(position, game_.move(node));
            with_variations = true;
        }
    }

    void write_variations(PgnGame::Node node, const Position& before) {
        for (node = game_.next_variation(node); node != PgnGame::kNoNode;
             node = game_.next_variation(node)) {
            lines_.add("(");
            lines_.glue();
            needs_number_ = true;
            write_line(node, before, false);
            lines_.attach(")");
            needs_number_ = true;
        }
    }

    void write_move(const Position& position, Move move) {
        const bool white = position.turn() == Color::White;
        if (white || needs_number_)
            lines_.add(std::to_string(position.fullmove_number()) + (white ? "." : "..."));
        needs_number_ = false;
        std::string san;
        if (move.none())
            san = "--";
        else
            append_san(san, position, move);
        lines_.add(san);
    }

    void write_nags(const PgnNotes& notes) {
        if (!style_.nags) return;
        for (const std::uint8_t nag : notes.nags) lines_.add('$' + std::to_string(nag));
    }

    void write_comment(const PgnComment& comment) {
        const auto commands = style_.commands ? pgn_commands(comment) : std::vector<std::string>();
        const std::string_view text = style_.comments ? comment.text : std::string_view();
        if (commands.empty() && text.empty()) return;
        needs_number_ = true;
        // A closing brace cannot stand in braces, but in a comment that ends with its line.
        const bool to_end_of_line = text.find('}') != std::string_view::npos;
        lines_.add(to_end_of_line ? ";" : "{");
        for (const std::string& command : commands) add(command, to_end_of_line);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            add(text.substr(at, end - at), to_end_of_line);
            at = end + 1;
        }
        if (to_end_of_line)
            lines_.end_line();
        else
            lines_.add("}");
    }

    void add(std::string_view word, bool same_line) {
        if (same_line) {
            lines_.attach(" ");
            lines_.attach(word);
        } else {
            lines_.add(word);
        }
    }

    Lines lines_;
    const PgnGame& game_;
    const PgnStyle& style_;
    bool needs_number_ = true;
};

}  // namespace

void append_pgn(std::string& out, const PgnGame& game, const PgnStyle& style) {
    append_tags(out, game);
    out += '\n';
    MoveWriter(out, game, style).write();
    out += '\n';
}

std::string to_pgn(const PgnGame& game, const PgnStyle& style) {
    std::string out;
    append_pgn(out, game, style);
    return out;
}

}  // namespace rokada
