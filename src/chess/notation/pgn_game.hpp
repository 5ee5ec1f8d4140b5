// SPDX-License-Identifier: GPL-3.0-or-later
// A game as PGN knows it: tags, a start position, and a tree of moves with comments and annotations. Made by
// PgnGameReader or by hand, written by to_pgn; for analysis, study and annotated games.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chess/notation/pgn_comment.hpp"
#include "chess/notation/pgn_visitor.hpp"
#include "chess/position.hpp"

namespace rokada {

struct PgnTag {
    std::string name, value;

    friend bool operator==(const PgnTag& a, const PgnTag& b) {
        return a.name == b.name && a.value == b.value;
    }
};

struct PgnNotes {
    PgnComment before;  // before the first move of a variation
    PgnComment after;   // after the move; at the root, before the first move of the game
    std::vector<std::uint8_t> nags;

    bool empty() const { return before.empty() && after.empty() && nags.empty(); }
    friend bool operator==(const PgnNotes& a, const PgnNotes& b) {
        return a.before == b.before && a.after == b.after && a.nags == b.nags;
    }
};

class PgnGame {
  public:
    // A node is the position after its move; the root has none. Nodes live as long as the game.
    using Node = std::uint32_t;
    static constexpr Node kRoot = 0;
    static constexpr Node kNoNode = 0xFFFFFFFF;

    explicit PgnGame(const Position& start = Position());

    const Position& start() const { return start_; }
    PgnResult result() const { return result_; }
    void set_result(PgnResult result) { result_ = result; }

    // Every tag but Result, FEN and SetUp, which follow from the game itself; in the order they came.
    const std::vector<PgnTag>& tags() const { return tags_; }
    std::string_view tag(std::string_view name) const;  // empty if there is none
    void set_tag(std::string_view name, std::string_view value);

    // The move must be legal in the position of the node, or Move() for a null move out of check. The first
    // child continues the line, later ones are variations. Always makes a new node.
    Node add(Node parent, Move move);
    std::size_t size() const { return nodes_.size(); }  // the root included
    Move move(Node node) const { return nodes_[node].move; }
    Node parent(Node node) const { return nodes_[node].parent; }
    Node main_child(Node node) const { return nodes_[node].first_child; }
    Node next_variation(Node node) const { return nodes_[node].next_sibling; }

    PgnNotes& notes(Node node);  // made if there were none
    const PgnNotes* find_notes(Node node) const;

    std::vector<Node> main_line() const;  // without the root
    Position position(Node node) const;

  private:
    struct Entry {
        Move move;
        Node parent = kNoNode, first_child = kNoNode, last_child = kNoNode, next_sibling = kNoNode;
        std::uint32_t notes = kNoNode;
    };

    Position start_;
    PgnResult result_ = PgnResult::Unfinished;
    std::vector<PgnTag> tags_;
    std::vector<Entry> nodes_;
    std::vector<PgnNotes> notes_;
};

// Plays a move of a tree, null moves included.
void play_or_pass(Position& position, Move move);

}  // namespace rokada
