// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_game.hpp"

#include <algorithm>

namespace rokada {

PgnGame::PgnGame(const Position& start) : start_(start), nodes_(1) {}

std::string_view PgnGame::tag(std::string_view name) const {
    for (const PgnTag& tag : tags_)
        if (tag.name == name) return tag.value;
    return {};
}

void PgnGame::set_tag(std::string_view name, std::string_view value) {
    for (PgnTag& tag : tags_)
        if (tag.name == name) {
            tag.value = value;
            return;
        }
    tags_.push_back({std::string(name), std::string(value)});
}

PgnGame::Node PgnGame::add(Node parent, Move move) {
    const auto node = static_cast<Node>(nodes_.size());
    Entry entry;
    entry.move = move;
    entry.parent = parent;
    nodes_.push_back(entry);
    Entry& above = nodes_[parent];
    if (above.last_child == kNoNode)
        above.first_child = node;
    else
        nodes_[above.last_child].next_sibling = node;
    above.last_child = node;
    return node;
}

PgnNotes& PgnGame::notes(Node node) {
    std::uint32_t& slot = nodes_[node].notes;
    if (slot == kNoNode) {
        slot = static_cast<std::uint32_t>(notes_.size());
        notes_.emplace_back();
    }
    return notes_[slot];
}

const PgnNotes* PgnGame::find_notes(Node node) const {
    const std::uint32_t slot = nodes_[node].notes;
    return slot == kNoNode ? nullptr : &notes_[slot];
}

std::vector<PgnGame::Node> PgnGame::main_line() const {
    std::vector<Node> line;
    for (Node node = main_child(kRoot); node != kNoNode; node = main_child(node))
        line.push_back(node);
    return line;
}

Position PgnGame::position(Node node) const {
    std::vector<Move> moves;
    for (; node != kRoot; node = parent(node)) moves.push_back(move(node));
    Position position = start_;
    for (auto move = moves.rbegin(); move != moves.rend(); ++move) play_or_pass(position, *move);
    return position;
}

void play_or_pass(Position& position, Move move) {
    if (move.none())
        position.pass();
    else
        position.play(move);
}

}  // namespace rokada
