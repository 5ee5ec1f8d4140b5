// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader of PGN tells about a file, event by event. Whoever wants games implements PgnVisitor: the
// builder of trees, the counting and checking commands, the importers. Text views live for the call only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "chess/notation/text_window.hpp"
#include "chess/position.hpp"

namespace rokada {

enum class PgnResult : std::uint8_t { Unfinished, WhiteWins, BlackWins, Draw };
std::string_view to_string(PgnResult result);  // "*", "1-0", "0-1", "1/2-1/2"
// Unfinished for anything else.
PgnResult parse_pgn_result(std::string_view text);

enum class PgnSeverity : std::uint8_t {
    Note,      // odd, but clear: a missing result, a result that contradicts its tag
    Repaired,  // against the format; read on with the likely meaning
    Broken,    // the rest of the game is lost; the next one is read
};
std::string_view to_string(PgnSeverity severity);  // "note", "repaired", "broken"

struct PgnProblem {
    PgnSeverity severity = PgnSeverity::Note;
    TextLocation where;
    std::uint64_t game = 0;  // counts from 1
    std::string message;
};

class PgnVisitor {
  public:
    PgnVisitor() = default;
    PgnVisitor(const PgnVisitor&) = delete;
    PgnVisitor& operator=(const PgnVisitor&) = delete;
    virtual ~PgnVisitor() = default;

    // In this order; end_game comes always, after a problem too. The offset is that of the game's first byte,
    // comments before its tags included.
    virtual void begin_game(std::uint64_t /*offset*/) {}
    virtual void tag(std::string_view /*name*/, std::string_view /*value*/) {}
    virtual void begin_moves(const Position& /*start*/) {}
    // A null move (written -- or Z0) is Move(). The position is the one before the move.
    virtual void move(const Position& /*before*/, Move /*move*/) {}
    virtual void nag(int /*number*/) {}  // 0 to 255; ! and ? are 1 to 6
    virtual void comment(std::string_view /*text*/) {}
    // A variation replaces the last move of the line it stands in.
    virtual void begin_variation() {}
    virtual void end_variation() {}
    virtual void end_game(PgnResult /*result*/) {}

    virtual void problem(const PgnProblem& /*problem*/) {}

  protected:
    // For use inside the calls above. The rest of the game, or of the variation that has just begun, is
    // passed over unchecked; or the game counts as broken for the reason given.
    void skip_game() { wish_ = Wish::SkipGame; }
    void skip_variation() { wish_ = Wish::SkipVariation; }
    void refuse_game(std::string why) {
        wish_ = Wish::Refuse;
        reason_ = std::move(why);
    }

  private:
    friend class PgnReader;
    enum class Wish : std::uint8_t { None, SkipGame, SkipVariation, Refuse };
    Wish wish_ = Wish::None;
    std::string reason_;
};

}  // namespace rokada
