// SPDX-License-Identifier: GPL-3.0-or-later
// Reads PGN as a stream: any number of games in constant memory, every move checked. What is wrong is
// reported with its line and column, and reading goes on with the next game. Never fails, whatever the bytes.
#pragma once

#include <vector>

#include "chess/notation/pgn_visitor.hpp"
#include "chess/notation/text_window.hpp"

namespace rokada {

struct PgnLimits {
    std::size_t nesting = 256;                // variations within variations
    std::size_t text = std::size_t{1} << 20;  // bytes of one comment, or of one line of tags
};

class PgnReader {
  public:
    explicit PgnReader(ByteSource& source, PgnLimits limits = {});

    // Tells the visitor the next game; false, and nothing told, at the end of the text.
    bool read_game(PgnVisitor& visitor);

    std::uint64_t games() const { return games_; }  // begun so far
    std::uint64_t offset() const { return text_.offset(); }

  private:
    enum class Mode : std::uint8_t {
        Telling,
        SkippingVariation,
        SkippingGame,
        LookingForTags,  // like SkippingGame, but nothing except a tag can be trusted to end the game
    };
    struct Level {
        Position before, now;
        bool has_move;
    };

    // Tags, in pgn_reader_tags.cpp.
    bool skip_to_game();
    bool read_tags();  // false: another game begins already
    void read_tag();
    bool begins_other_game(bool after_empty_line);
    void use_tag(std::string_view name, std::string_view value, const char* place);
    bool skip_blanks();  // true if there was an empty line
    const char* find(char wanted, std::uint64_t& known_before);
    const char* line_end();
    const char* comment_end(const char*& problem);
    void skip_line();

    // Moves.
    void read_moves();
    bool number();  // false: the game ends here
    bool symbol();
    void play(std::string_view token);
    void play_null(const char* place);
    void glyph();
    void nag();
    void exclamations();
    void comment();
    void line_comment();
    void begin_variation();
    void end_variation();
    void unexpected();
    bool looks_like_tag();
    bool starts_over(const char* number_end) const;
    void finish(PgnResult result, std::size_t size);
    void finish_without_result();

    bool telling() const { return mode_ == Mode::Telling; }
    bool skipping_game() const { return mode_ >= Mode::SkippingGame; }
    // To be called after every event.
    void heed_visitor() {
        if (visitor_->wish_ != PgnVisitor::Wish::None) obey_visitor();
    }
    void obey_visitor();
    void report(const char* place, PgnSeverity severity, std::string message);
    void broken(const char* place, std::string message, Mode next = Mode::SkippingGame);

    TextWindow text_;
    const PgnLimits limits_;
    PgnVisitor* visitor_ = nullptr;
    std::uint64_t games_ = 0;
    // Offsets up to which it is known that there is no end of line, and no end of a comment; they keep
    // hostile input from being searched again and again.
    std::uint64_t no_line_end_before_ = 0, no_brace_before_ = 0;

    // The game being read.
    const Position standard_start_;
    Position before_, now_;  // the last move of the current line leads from one to the other
    bool has_move_ = false;
    std::vector<Level> outer_;  // the lines around the current one
    Mode mode_ = Mode::Telling;
    std::size_t skipped_nesting_ = 0;
    unsigned tags_seen_ = 0;  // a bit for each tag that comes once per game
    bool any_tag_ = false;
    PgnResult result_ = PgnResult::Unfinished, result_tag_ = PgnResult::Unfinished;
    bool has_result_tag_ = false;
    std::uint64_t game_offset_ = 0;
    std::string prelude_;  // comments that stood before the tags
    std::string scratch_;
};

}  // namespace rokada
