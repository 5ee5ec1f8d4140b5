// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "lab/match/game_play.hpp"

namespace rokada::lab {

namespace {

using std::chrono::nanoseconds;

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

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out;
}

void add_tag(std::string& pgn, std::string_view name, std::string_view value) {
    pgn += fmt::format("[{} \"{}\"]\n", name, escaped(value));
}

std::string time_text(nanoseconds time) {
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    return fmt::format("{}:{:02}:{:02}.{:03}", milliseconds / 3'600'000, milliseconds / 60'000 % 60,
                       milliseconds / 1000 % 60, milliseconds % 1000);
}

// White's view, as the evaluation command of PGN has it.
std::string eval_text(const engine::Score& score, Color mover, int depth) {
    const engine::Score white = mover == Color::White ? score : -score;
    std::string text = white.is_mate() ? fmt::format("#{}", white.moves_to_mate())
                                       : fmt::format("{:.2f}", white.centipawns() / 100.0);
    return depth > 0 ? fmt::format("{},{}", text, depth) : text;
}

std::string comment(const PlayedMove& move, Color mover) {
    if (move.book) return "{book}";
    std::string text = "{";
    if (move.score) text += fmt::format("[%eval {}] ", eval_text(*move.score, mover, move.depth));
    if (move.clock) text += fmt::format("[%clk {}] ", time_text(*move.clock));
    text += fmt::format("[%emt {}]", time_text(move.elapsed));
    if (move.nodes > 0) text += fmt::format(" n={}", move.nodes);
    return text + "}";
}

// Wraps words at 80 columns, as PGN export does.
class Wrapped {
  public:
    explicit Wrapped(std::string& out) : out_(out) {}
    void add(std::string_view word) {
        if (column_ > 0 && column_ + 1 + word.size() > 80) {
            out_ += '\n';
            column_ = 0;
        } else if (column_ > 0) {
            out_ += ' ';
            ++column_;
        }
        out_ += word;
        column_ += word.size();
    }
    void add_all(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(' '), text.size());
            add(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

  private:
    std::string& out_;
    std::size_t column_ = 0;
};

}  // namespace

std::string to_pgn(const GameRecord& record, std::string_view event) {
    std::string pgn;
    const std::time_t begun = std::chrono::system_clock::to_time_t(record.begun);
    const std::tm utc = fmt::gmtime(begun);
    add_tag(pgn, "Event", event);
    add_tag(pgn, "Site", "?");
    add_tag(pgn, "Date", fmt::format("{:%Y.%m.%d}", utc));
    add_tag(pgn, "Round", fmt::format("{}.{}", record.round, record.number));
    add_tag(pgn, "White", record.names[Color::White]);
    add_tag(pgn, "Black", record.names[Color::Black]);
    add_tag(pgn, "Result", record.result());
    if (record.chess960) add_tag(pgn, "Variant", "Chess960");
    if (record.start != Position()) {
        add_tag(pgn, "SetUp", "1");
        add_tag(pgn, "FEN", to_fen(record.start));
    }
    add_tag(pgn, "GameNumber", std::to_string(record.number));
    add_tag(pgn, "PlyCount", std::to_string(record.moves.size()));
    add_tag(pgn, "Termination", termination(record));
    add_tag(pgn, "TerminationDetails", record.reason);
    const std::string white = to_text(record.terms[Color::White]);
    const std::string black = to_text(record.terms[Color::Black]);
    if (white == black) {
        add_tag(pgn, "TimeControl", white);
    } else {
        add_tag(pgn, "WhiteTimeControl", white);
        add_tag(pgn, "BlackTimeControl", black);
    }
    add_tag(pgn, "UTCDate", fmt::format("{:%Y.%m.%d}", utc));
    add_tag(pgn, "UTCTime", fmt::format("{:%H:%M:%S}", utc));
    pgn += '\n';

    Wrapped text(pgn);
    Position position = record.start;
    bool first = true;
    for (const PlayedMove& move : record.moves) {
        const Color mover = position.turn();
        if (mover == Color::White) text.add(fmt::format("{}.", position.fullmove_number()));
        else if (first) text.add(fmt::format("{}...", position.fullmove_number()));
        else text.add(fmt::format("{}...", position.fullmove_number()));
        first = false;
        text.add(to_san(position, move.move));
        text.add_all(comment(move, mover));
        position.play(move.move);
    }
    text.add_all("{" + record.reason + "}");
    text.add(record.result());
    pgn += "\n\n";
    return pgn;
}

}  // namespace rokada::lab
