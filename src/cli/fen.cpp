// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada fen`: what a FEN says, whether it is legal, and what can be played.
#include "chess/notation/fen.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/material.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "chess/openings.hpp"
#include "chess/polyglot.hpp"
#include "cli/commands.hpp"
#include "cli/json_text.hpp"

namespace rokada::cli {

namespace {

struct FenArguments {
    std::string fen;
    bool json = false;
    EnPassantStyle en_passant = EnPassantStyle::Legal;
    CastlingStyle castling = CastlingStyle::XFen;
};

std::string drawing(const Setup& setup) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += fmt::format("{}", rank + 1);
        for (int file = 0; file < 8; ++file)
            text += fmt::format(" {}", to_char(setup.board[square_at(rank * 8 + file)]));
        text += '\n';
    }
    return text + "  a b c d e f g h\n";
}

std::string joined(const std::vector<std::string>& words, const char* separator, bool quote) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : separator) + (quote ? json_quoted(word) : word);
    return text;
}

// The state of the game as far as the position alone tells.
struct Status {
    const char* word;
    const char* sentence;
};
Status status_of(const Position& position) {
    if (!has_legal_move(position))
        return position.in_check() ? Status{"checkmate", "checkmate"}
                                   : Status{"stalemate", "stalemate"};
    if (insufficient_material(position))
        return {"insufficient-material", "draw: nobody has the material to mate"};
    return position.in_check() ? Status{"check", "check"} : Status{"ongoing", "the game goes on"};
}

int show_illegal(const FenArguments& arguments, const Setup& setup, const SetupErrors& errors) {
    if (arguments.json) {
        fmt::print("{{\"legal\":false,\"fen\":{},\"reasons\":[{}],\"messages\":[{}]}}\n",
                   json_quoted(to_fen(setup, arguments.castling)),
                   joined(errors.codes(), ",", true), joined(errors.messages(), ",", true));
    } else {
        fmt::print("{}Illegal:\n", drawing(setup));
        for (const std::string& message : errors.messages()) fmt::print("- {}\n", message);
    }
    return 1;
}

int show_legal(const FenArguments& arguments, const Position& position) {
    const std::string fen = to_fen(position, arguments.castling, arguments.en_passant);
    const Status status = status_of(position);
    const auto opening = find_opening(position);
    const CastlingNotation castling = castling_notation_for(position);
    std::vector<std::string> moves;
    for (const Move move : legal_moves(position))
        moves.push_back(arguments.json ? fmt::format("{{\"uci\":{},\"san\":{}}}",
                                                     json_quoted(to_uci(move, castling)),
                                                     json_quoted(to_san(position, move)))
                                       : to_san(position, move));
    if (arguments.json) {
        fmt::print("{{\"legal\":true,\"fen\":{},\"turn\":\"{}\",\"status\":\"{}\",\"in_check\":{},",
                   json_quoted(fen), position.turn() == Color::White ? "white" : "black",
                   status.word, position.in_check());
        if (opening)
            fmt::print("\"opening\":{{\"code\":{},\"name\":{}}},", json_quoted(opening->code),
                       json_quoted(opening->name));
        fmt::print("\"key\":\"{:016x}\",\"polyglot_key\":\"{:016x}\",\"moves\":[{}]}}\n",
                   position.key(), polyglot_key(position), joined(moves, ",", false));
        return 0;
    }
    fmt::print("{}FEN: {}\nKey: {:016x}  Polyglot key: {:016x}\n", drawing(position.to_setup()),
               fen, position.key(), polyglot_key(position));
    if (opening) fmt::print("Opening: {} {}\n", opening->code, opening->name);
    fmt::print("{} to move, {}\n", position.turn() == Color::White ? "White" : "Black",
               status.sentence);
    fmt::print("{} legal moves{}{}\n", moves.size(), moves.empty() ? "" : ": ",
               joined(moves, " ", false));
    return 0;
}

int run(const FenArguments& arguments) {
    const auto setup = parse_fen(arguments.fen);
    if (!setup) {
        fmt::print(stderr, "rokada fen: {}\n", setup.error().to_string());
        return 2;
    }
    const auto position = Position::from_setup(*setup);
    return position ? show_legal(arguments, *position)
                    : show_illegal(arguments, *setup, position.error());
}

}  // namespace

void add_fen(CLI::App& app, int& exit_code) {
    auto* command =
        app.add_subcommand("fen", "show a position, its legal moves, or why it is illegal");
    auto arguments = std::make_shared<FenArguments>();
    command->add_option("fen", arguments->fen, "the position, in one word (quote it)")->required();
    command->add_flag("--json", arguments->json, "answer in JSON");
    command
        ->add_option("--ep", arguments->en_passant,
                     "write the en passant square if a capture is `legal`, or `always`")
        ->transform(CLI::CheckedTransformer(
                        std::map<std::string, EnPassantStyle>{{"legal", EnPassantStyle::Legal},
                                                              {"always", EnPassantStyle::Always}})
                        .description("{legal,always}"))
        ->type_name("TEXT");
    command->add_option("--castling", arguments->castling, "castling letters: `xfen` or `shredder`")
        ->transform(CLI::CheckedTransformer(
                        std::map<std::string, CastlingStyle>{{"xfen", CastlingStyle::XFen},
                                                             {"shredder", CastlingStyle::Shredder}})
                        .description("{xfen,shredder}"))
        ->type_name("TEXT");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
