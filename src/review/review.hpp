// SPDX-License-Identifier: GPL-3.0-or-later
// What a review says about a game: values only. Made by review_game (reviewer.hpp), written by to_json (json.hpp), worded by
// the command line and the page. There is no prose here: reasons are codes with arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "chess/game.hpp"
#include "chess/openings.hpp"
#include "engine/score.hpp"

namespace rokada::review {

// How a move is judged. The words of to_string are stable; they are part of the JSON form.
enum class Judgement : std::uint8_t {
    Forced,  // there was no other move
    Book,    // leads to a named opening position and costs little
    Best,
    Great,  // the best move, and the only good one
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
};
inline constexpr std::size_t kJudgements = 8;
std::string_view to_string(Judgement judgement);  // "forced", "book", "best", ...

enum class Phase : std::uint8_t { Opening, Middlegame, Endgame };
inline constexpr std::size_t kPhases = 3;
std::string_view to_string(Phase phase);

// Who profits, and when.
enum class ReasonKind : std::uint8_t {
    Ends,    // the played move ends the game, worse than was possible
    Allows,  // after the played move the opponent can do this
    Misses,  // the mover could have done this instead
};
std::string_view to_string(ReasonKind kind);  // "ends", "allows", "misses"
enum class Motif : std::uint8_t {
    Stalemate,
    Repetition,
    Mate,
    BackRankMate,
    HangingPiece,      // `target` is unguarded and is taken
    Capture,           // `target` is taken, guarded too little
    Fork,              // `actor` attacks `target` and `other`
    Pin,               // `target` is pinned by `actor` to `other` and cannot leave
    PinnedGuard,       // `target` is taken; its guard `other` is pinned by `actor`
    Skewer,            // `actor` attacks `target`; behind it `other` falls
    DiscoveredAttack,  // a piece steps away and `actor` attacks `target`
    TrappedPiece,      // `target` has no safe square
    RemovedDefender,   // `target` is taken, and with it goes the guard of `other`
    Promotion,         // a pawn queens by force
    Material,          // a forced line wins material
};
inline constexpr std::size_t kMotifs = 15;
std::string_view to_string(Motif motif);  // "stalemate", "hanging-piece", ...

// What the side that profits wins at least, in the words of players.
enum class Amount : std::uint8_t { None, Pawn, Exchange, Piece, Rook, Queen, Material };
std::string_view to_string(Amount amount);  // "none", "pawn", ...

struct NamedPiece {
    Piece piece = Piece::None;
    Square square = Square::None;

    explicit operator bool() const { return piece != Piece::None; }
    friend bool operator==(NamedPiece a, NamedPiece b) {
        return a.piece == b.piece && a.square == b.square;
    }
};

// A reason holds against every defence; where that could not be proved on the board there is none. Squares are those of the position
// after the first move of `line`, except for what that move takes.
struct Reason {
    ReasonKind kind = ReasonKind::Allows;
    Motif motif = Motif::Material;
    std::vector<Move>
        line;  // from the position after the played move (Allows) or before it (Misses, Ends)
    NamedPiece actor, target, other;
    Amount amount = Amount::None;
    int points = 0;      // won at least, pawn 1 to queen 9, at a quiet end
    int mate_in = 0;     // moves
    bool exact = false;  // no shorter mate exists
};

struct ReviewedMove {
    Move move;
    Color mover = Color::White;
    Phase phase = Phase::Opening;
    Judgement judgement = Judgement::Good;
    // From the mover's point of view: with the best move, and with the played one.
    engine::Score best, played;
    double win_before = 50, win_after = 50;  // the same as chances, 0 to 100
    double loss = 0;                         // points of win percentage given away, never negative
    std::optional<double> accuracy;          // none for forced and book moves
    std::vector<Move> better;                // the best line from the position before the move
    std::vector<Move> refutation;            // the best line after the played move
    std::vector<Reason> reasons;             // the main one first; often none
};

struct SideSummary {
    std::optional<double> accuracy;  // none for fewer than five counted moves
    std::optional<double> phase_accuracy[kPhases];
    double average_centipawn_loss = 0;
    int moves = 0;
    int count[kJudgements] = {};

    int of(Judgement judgement) const { return count[static_cast<std::size_t>(judgement)]; }
};

// From White's point of view. A checkmate on the board is a mate in 0; the chance tells whose.
struct Evaluation {
    engine::Score score;
    double win = 50;  // White's chance, 0 to 100
};

struct Review {
    Position start;
    std::vector<ReviewedMove> moves;
    // One for each position, the start included: the points of the evaluation graph.
    std::vector<Evaluation> evaluations;
    PerColor<SideSummary> side;
    std::optional<Opening> opening;
    std::size_t opening_plies = 0;  // moves until the last position with a name
    // The first position of the phase, counted in plies; none if the game did not get there.
    std::optional<std::size_t> middlegame, endgame;
    // Indices of moves worth another try ("retry my mistakes"), in the order of the game.
    std::vector<std::size_t> key_moments;
};

}  // namespace rokada::review
