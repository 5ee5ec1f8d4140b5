// SPDX-License-Identifier: GPL-3.0-or-later
// Reads PGN games as trees, one at a time. The convenient layer over PgnReader, for everything that is not a
// pass over millions of games.
#pragma once

#include <optional>
#include <vector>

#include "chess/notation/pgn_game.hpp"
#include "chess/notation/pgn_reader.hpp"

namespace rokada {

struct PgnGameLimits {
    PgnLimits reader;
    // Bytes one game may need; of parse_pgn, all games together. About ten times its text, or sixty where
    // every move has a comment.
    std::size_t memory = std::size_t{256} << 20;
};

class PgnGameReader {
  public:
    explicit PgnGameReader(ByteSource& source, PgnGameLimits limits = {});

    // The next game, a broken one as far as it could be read; nothing at the end of the text.
    std::optional<PgnGame> next();

    // Of the last game; of very many only the first.
    const std::vector<PgnProblem>& problems() const { return problems_; }
    bool broken() const;

    std::uint64_t offset() const { return reader_.offset(); }
    std::size_t memory_used() const { return memory_used_; }  // by the last game, about

  private:
    PgnReader reader_;
    const std::size_t memory_;
    std::size_t memory_used_ = 0;
    std::vector<PgnProblem> problems_;
};

struct PgnGames {
    std::vector<PgnGame> games;  // broken ones too, as far as they could be read
    std::vector<PgnProblem> problems;
};
// All games of a text that is in memory anyway.
PgnGames parse_pgn(std::string_view text, PgnGameLimits limits = {});

}  // namespace rokada
