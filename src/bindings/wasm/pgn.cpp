// SPDX-License-Identifier: GPL-3.0-or-later
// PGN for the page: games with their variations as flat lists of nodes.
#include <algorithm>

#include "bindings/wasm/exchange.hpp"
#include "bindings/wasm/json.hpp"
#include "bindings/wasm/reports.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/san.hpp"

namespace rokada::wasm {

namespace {

// A page shows one game at a time; a collection belongs on the server.
constexpr std::size_t kMaxGames = 50;

struct Walk {
    PgnGame::Node node;
    int parent;  // index in the list
    Position before;
};

// Depth first, main line before variations, so that a parent always comes before its children.
void write_nodes(Json& json, const PgnGame& game) {
    json.key("nodes");
    json.begin_array();
    std::vector<Walk> open;
    const auto push_children = [&](PgnGame::Node node, int parent, const Position& position) {
        const std::size_t first = open.size();
        for (auto child = game.main_child(node); child != PgnGame::kNoNode;
             child = game.next_variation(child))
            open.push_back({child, parent, position});
        std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    };
    push_children(PgnGame::kRoot, -1, game.start());
    for (int index = 0; !open.empty(); ++index) {
        const Walk at = open.back();
        open.pop_back();
        const Move move = game.move(at.node);
        Position after = at.before;
        play_or_pass(after, move);
        json.begin_object();
        json.field("parent", at.parent);
        json.field("uci", move ? write_uci(at.before, move) : std::string("0000"));
        json.field("san", move ? to_san(at.before, move) : std::string("--"));
        json.field("fen", to_fen(after));
        if (const PgnNotes* notes = game.find_notes(at.node); notes && !notes->after.text.empty())
            json.field("comment", notes->after.text);
        json.end_object();
        push_children(at.node, index, after);
    }
    json.end_array();
}

std::uint32_t read_pgn(std::uint32_t size) {
    const auto in = fields(size, 1);
    PgnGameLimits limits;
    limits.memory = std::size_t{32} << 20;
    const PgnGames read = parse_pgn(in[0], limits);
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.key("games");
    json.begin_array();
    for (std::size_t i = 0; i < read.games.size() && i < kMaxGames; ++i) {
        const PgnGame& game = read.games[i];
        json.begin_object();
        json.key("tags");
        json.begin_object();
        for (const PgnTag& tag : game.tags()) json.field(tag.name, tag.value);
        json.end_object();
        json.field("fen", to_fen(game.start()));
        json.field("result", to_string(game.result()));
        write_nodes(json, game);
        json.end_object();
    }
    json.end_array();
    json.key("errors");
    json.begin_array();
    for (const PgnProblem& problem : read.problems)
        if (problem.severity == PgnSeverity::Broken)
            json.value("line " + std::to_string(problem.where.line) + ": " + problem.message);
    json.end_array();
    json.end_object();
    return answer(json.take());
}

}  // namespace

ROKADA_EXPORT(rokada_read_pgn)
std::uint32_t rokada_read_pgn(std::uint32_t size) { return read_pgn(size); }

}  // namespace rokada::wasm
