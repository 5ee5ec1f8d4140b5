// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/text_window.hpp"

#include <cstring>

namespace rokada {

namespace {
constexpr std::size_t kFirstSize = std::size_t{1} << 16;

// Every byte but the second and later ones of a UTF-8 character.
std::uint64_t count_characters(const char* begin, const char* end) {
    std::uint64_t count = 0;
    for (; begin != end; ++begin) count += (static_cast<unsigned char>(*begin) & 0xC0) != 0x80;
    return count;
}

// Where `end` is, given where `begin` is.
TextLocation measure(TextLocation from, const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    std::uint64_t lines = 0;
    for (std::size_t i = 0; i < size; ++i) lines += begin[i] == '\n';
    const char* line_begin = begin;
    if (lines > 0) {
        from.line += lines;
        from.column = 1;
        line_begin = end;
        while (line_begin[-1] != '\n') --line_begin;
    }
    from.column += count_characters(line_begin, end);
    from.offset += size;
    return from;
}

}  // namespace

TextWindow::TextWindow(ByteSource& source) : source_(source), buffer_(kFirstSize) {
    buffer_[0] = '\n';
    buffer_[1] = '\0';
    at_ = end_ = mark_at_ = buffer_.data() + 1;
}

void TextWindow::fill(std::size_t bytes) {
    mark_here();
    // The byte before at_ stays, and there is room for the final '\0'.
    const std::size_t kept = static_cast<std::size_t>(end_ - at_) + 1;
    std::memmove(buffer_.data(), at_ - 1, kept);
    if (buffer_.size() < bytes + 2) buffer_.resize(std::max(bytes + 2, buffer_.size() * 2));
    std::size_t size = kept;
    while (size < bytes + 1 && !source_ended_) {
        const std::size_t got = source_.read(buffer_.data() + size, buffer_.size() - 1 - size);
        source_ended_ = got == 0;
        size += got;
    }
    buffer_[size] = '\0';
    at_ = mark_at_ = buffer_.data() + 1;
    end_ = buffer_.data() + size;
}

const char* TextWindow::find(char wanted, std::size_t start, std::size_t longest) {
    while (true) {
        const auto available = static_cast<std::size_t>(end_ - at_);
        const std::size_t searched = std::min(available, longest);
        if (searched > start) {
            const void* found = std::memchr(at_ + start, wanted, searched - start);
            if (found != nullptr) return static_cast<const char*>(found);
            start = searched;
        }
        if (source_ended_ || available >= longest) return nullptr;
        fill(std::min(longest, available * 2 + 1));
    }
}

// Counts only from the last mark on, so that asking often costs no more than one pass over the text.
void TextWindow::mark_here() {
    mark_ = measure(mark_, mark_at_, at_);
    mark_at_ = at_;
}

TextLocation TextWindow::locate(const char* place) {
    mark_here();
    return measure(mark_, at_, place);
}

}  // namespace rokada
