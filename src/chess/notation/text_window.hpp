// SPDX-License-Identifier: GPL-3.0-or-later
// A moving window on a long text: what is being read stays in one piece, what has been read is forgotten, and
// line and column of any place still in the window are known. The ground under the PGN reader.
#pragma once

#include <cstdint>
#include <vector>

#include "chess/notation/byte_source.hpp"

namespace rokada {

// Line and column count from 1, the column in characters of UTF-8.
struct TextLocation {
    std::uint64_t line = 1;
    std::uint64_t column = 1;
    std::uint64_t offset = 0;  // bytes from the start of the text
};

class TextWindow {
  public:
    explicit TextWindow(ByteSource& source);

    // The next byte to read. One byte before it may be looked at, '\n' at the very beginning; at end()
    // stands a '\0', so that a scan needs no test for the end.
    const char* at() const { return at_; }
    const char* end() const { return end_; }
    bool at_end_of_text() const { return at_ == end_ && source_ended_; }
    void move_to(const char* place) { at_ = place; }

    // Makes sure that so many bytes follow at(), unless the text ends before. May move everything: pointers
    // into the window are void afterwards.
    void provide(std::size_t bytes) {
        if (static_cast<std::size_t>(end_ - at_) < bytes && !source_ended_) fill(bytes);
    }
    // The first such character from at() + start on; null if there is none within `longest` bytes. The text
    // up to there is then in the window. Moves everything like provide().
    const char* find(char wanted, std::size_t start, std::size_t longest);

    // Of at() or a place behind it in the window.
    TextLocation locate(const char* place);
    std::uint64_t offset() const {
        return mark_.offset + static_cast<std::uint64_t>(at_ - mark_at_);
    }

  private:
    void fill(std::size_t bytes);
    void mark_here();

    ByteSource& source_;
    std::vector<char> buffer_;
    const char* at_;
    const char* end_;
    bool source_ended_ = false;
    // The last place whose line and column were worked out; never behind at_.
    const char* mark_at_;
    TextLocation mark_;
};

}  // namespace rokada
