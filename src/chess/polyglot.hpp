// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books in the Polyglot format: sorted entries of 16 bytes, found by a key of their own. Reading is
// total: any bytes give a book or an error, and every move given is legal in the position asked about.
// Used by the engine's book option, the bot and the lab.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chess/position.hpp"

namespace rokada {

// Not Position::key(): the format has its own numbers and counts en passant whenever a pawn stands
// ready to take, legal or not.
Key polyglot_key(const Position& position);

struct BookMove {
    Move move;
    std::uint16_t weight = 0;  // 0: known, but not to be played
};

class PolyglotBook {
  public:
    PolyglotBook() = default;  // empty
    // The bytes have to outlive the book.
    static Result<PolyglotBook, std::string> view(std::span<const std::uint8_t> bytes);
    static Result<PolyglotBook, std::string> read(const std::string& path);

    std::size_t entries() const { return bytes_.size() / kEntrySize; }
    // Legal moves for the position, the heaviest first, those of equal weight as in the book.
    std::vector<BookMove> moves(const Position& position) const;
    // The heaviest move; none if the book has none to play.
    std::optional<Move> best(const Position& position) const;
    // A move with a chance in proportion to its weight; the caller brings 64 random bits.
    std::optional<Move> random(const Position& position, std::uint64_t random_bits) const;

  private:
    static constexpr std::size_t kEntrySize = 16;
    std::uint64_t number(std::size_t entry, std::size_t offset, std::size_t size) const;
    Key key(std::size_t entry) const { return number(entry, 0, 8); }

    std::shared_ptr<const std::vector<std::uint8_t>> owned_;  // for a book read from a file
    std::span<const std::uint8_t> bytes_;
};

}  // namespace rokada
