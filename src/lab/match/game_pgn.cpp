// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "chess/notation/pgn_writer.hpp"
#include "lab/match/game_play.hpp"

namespace rokada::lab {

namespace {

std::string_view termination(const GameRecord& record) {
    switch (record.ending) {
        case Ending::TimeLoss: return "time forfeit";
        case Ending::Adjudication: return "adjudication";
        case Ending::IllegalMove:
        case Ending::FalseClaim: return "rules infraction";
        case Ending::Crash:
        case Ending::Hang:
        case Ending::Garbage:
        case Ending::StartFailure: return "abandoned";
        case Ending::Cancelled: return "unterminated";
        case Ending::Rules:
        case Ending::Resignation:
        case Ending::Agreement: break;
    }
    return "normal";
}

PgnEvaluation evaluation(const PlayedMove& move, Color mover) {
    const engine::Score white = mover == Color::White ? *move.score : -*move.score;
    PgnEvaluation e;
    if (white.is_mate())
        e.mate = white.moves_to_mate();
    else
        e.centipawns = white.centipawns();
    if (move.depth > 0) e.depth = move.depth;
    return e;
}

void annotate(const PlayedMove& move, Color mover, PgnComment& comment) {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    if (move.book) {
        comment.text = "book";
        return;
    }
    if (move.score) comment.evaluation = evaluation(move, mover);
    if (move.clock) comment.clock = duration_cast<milliseconds>(*move.clock);
    comment.elapsed = duration_cast<milliseconds>(move.elapsed);
}

// One tag if both sides have the same, otherwise one for each; none for nothing.
void set_tag_of_both(PgnGame& game, const std::string& name, const std::string& white,
                     const std::string& black) {
    if (white == black) {
        if (!white.empty()) game.set_tag(name, white);
        return;
    }
    if (!white.empty()) game.set_tag("White" + name, white);
    if (!black.empty()) game.set_tag("Black" + name, black);
}

void set_tags(const GameRecord& record, std::string_view event, PgnGame& game) {
    const std::tm utc = fmt::gmtime(std::chrono::system_clock::to_time_t(record.begun));
    game.set_tag("Event", event);
    game.set_tag("Site", "?");
    game.set_tag("Date", fmt::format("{:%Y.%m.%d}", utc));
    game.set_tag("Round", fmt::format("{}.{}", record.round, record.number));
    game.set_tag("White", record.names[Color::White]);
    game.set_tag("Black", record.names[Color::Black]);
    if (record.chess960) game.set_tag("Variant", "Chess960");
    game.set_tag("GameNumber", std::to_string(record.number));
    game.set_tag("PlyCount", std::to_string(record.moves.size()));
    game.set_tag("Termination", termination(record));
    game.set_tag("TerminationDetails", record.reason);
    set_tag_of_both(game, "TimeControl", to_text(record.terms[Color::White]),
                    to_text(record.terms[Color::Black]));
    set_tag_of_both(game, "MoveLimits", move_limits(record.terms[Color::White]),
                    move_limits(record.terms[Color::Black]));
    game.set_tag("UTCDate", fmt::format("{:%Y.%m.%d}", utc));
    game.set_tag("UTCTime", fmt::format("{:%H:%M:%S}", utc));
}

}  // namespace

std::string to_pgn(const GameRecord& record, std::string_view event) {
    PgnGame game(record.start);
    set_tags(record, event, game);
    game.set_result(parse_pgn_result(record.result()));
    PgnGame::Node node = PgnGame::kRoot;
    Color mover = record.start.turn();
    for (const PlayedMove& move : record.moves) {
        node = game.add(node, move.move);
        annotate(move, mover, game.notes(node).after);
        mover = ~mover;
    }
    std::string& last = game.notes(node).after.text;
    last += (last.empty() ? "" : "; ") + record.reason;
    return rokada::to_pgn(game);
}

}  // namespace rokada::lab
