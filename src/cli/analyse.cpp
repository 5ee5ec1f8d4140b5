// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada analyse`: reviews the games of PGN files; a table for people, or annotated PGN, or JSON.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"
#include "cli/commands.hpp"
#include "cli/json_text.hpp"
#include "cli/pgn_files.hpp"
#include "cli/review_words.hpp"
#include "review/json.hpp"
#include "review/reviewer.hpp"

namespace rokada::cli {

namespace {

using review::Judgement;
using review::Review;
using review::ReviewedMove;

constexpr int kFine = 0, kNo = 1, kBadInput = 2;
constexpr std::size_t kShownPlies = 8;  // of a better line

struct AnalyseArguments {
    std::vector<std::string> files;
    std::uint64_t nodes = 0;
    int move_time = 0, depth = 0, hash = 64;
    std::string evaluation = "network";
    std::string output;
    bool json = false, pgn = false, all = false;
};

// The main line as far as it is legal chess; a null move ends it.
Game main_line(const PgnGame& pgn) {
    Game game(pgn.start(), DrawRule::Claim);
    for (const PgnGame::Node node : pgn.main_line())
        if (!pgn.move(node) || !game.play(pgn.move(node))) break;
    return game;
}

std::string percent(const std::optional<double>& value) {
    return value ? fmt::format("{:.1f} %", *value) : "-";
}

std::string move_number(const Position& before) {
    return fmt::format("{}{}", before.fullmove_number(),
                       before.turn() == Color::White ? "." : "...");
}

void append_summary(std::string& out, const PgnGame& pgn, const Review& review) {
    out +=
        fmt::format("{} - {}  {}\n", pgn.tag("White").empty() ? "White" : pgn.tag("White"),
                    pgn.tag("Black").empty() ? "Black" : pgn.tag("Black"), to_string(pgn.result()));
    if (review.opening) out += fmt::format("{} {}\n", review.opening->code, review.opening->name);
    out += fmt::format("\n{:22} {:>9} {:>9}\n", "", "White", "Black");
    const auto row = [&](std::string_view name, const std::string& white,
                         const std::string& black) {
        out += fmt::format("{:22} {:>9} {:>9}\n", name, white, black);
    };
    const auto& [white, black] = review.side.items;
    row("accuracy", percent(white.accuracy), percent(black.accuracy));
    row("centipawns lost a move", fmt::format("{:.0f}", white.average_centipawn_loss),
        fmt::format("{:.0f}", black.average_centipawn_loss));
    for (const Judgement judgement :
         {Judgement::Great, Judgement::Best, Judgement::Good, Judgement::Book,
          Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder})
        row(review::to_string(judgement), std::to_string(white.of(judgement)),
            std::to_string(black.of(judgement)));
    out += '\n';
}

void append_table(std::string& out, const PgnGame& pgn, const Game& game, const Review& review,
                  bool all) {
    append_summary(out, pgn, review);
    for (std::size_t ply = 0; ply < review.moves.size(); ++ply) {
        const ReviewedMove& move = review.moves[ply];
        const bool bad = move.judgement >= Judgement::Inaccuracy;
        if (!all && !bad) continue;
        const Position& before = game.position_after(ply);
        const auto white = [&](engine::Score score) {
            return score_text(move.mover == Color::White ? score : -score);
        };
        out += fmt::format("{:>5} {:<9} {:<10} {:>7} -> {:>7}", move_number(before),
                           to_san(before, move.move) + std::string(judgement_mark(move.judgement)),
                           review::to_string(move.judgement), white(move.best), white(move.played));
        if (bad) out += "   better: " + line_text(before, move.better, kShownPlies);
        out += '\n';
        for (const review::Reason& reason : move.reasons)
            out += "      " + reason_text(before, move.move, reason) + '\n';
    }
    out += '\n';
}

std::string annotation(const Position& before, const ReviewedMove& move) {
    std::string word(review::to_string(move.judgement));
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
    std::string text = word + '.';
    for (const review::Reason& reason : move.reasons)
        text += ' ' + reason_text(before, move.move, reason);
    return text;
}

void append_annotated(std::string& out, PgnGame pgn, const Game& game, const Review& review) {
    std::vector<PgnGame::Node> nodes = pgn.main_line();
    nodes.resize(review.moves.size());
    PgnGame::Node parent = PgnGame::kRoot;
    for (std::size_t ply = 0; ply < nodes.size(); ++ply) {
        const ReviewedMove& move = review.moves[ply];
        PgnNotes& notes = pgn.notes(nodes[ply]);
        const review::Evaluation& after = review.evaluations[ply + 1];
        const bool over = after.score.is_mate() && after.score.moves_to_mate() == 0;
        if (!over) {
            PgnEvaluation evaluation;
            if (after.score.is_mate())
                evaluation.mate = after.score.moves_to_mate();
            else
                evaluation.centipawns = after.score.centipawns();
            notes.after.evaluation = evaluation;
        }
        if (const std::uint8_t glyph = judgement_glyph(move.judgement)) notes.nags.push_back(glyph);
        if (move.judgement >= Judgement::Inaccuracy) {
            if (!notes.after.text.empty()) notes.after.text += ' ';
            notes.after.text += annotation(game.position_after(ply), move);
            PgnGame::Node node = parent;
            for (std::size_t i = 0; i < move.better.size() && i < kShownPlies; ++i)
                node = pgn.add(node, move.better[i]);
        }
        parent = nodes[ply];
    }
    pgn.set_tag("Annotator", "Rokada");
    append_pgn(out, pgn);
}

void append_json(std::string& out, const PgnGame& pgn, const Review& review) {
    out += "{\"tags\":{";
    bool first = true;
    for (const PgnTag& tag : pgn.tags()) {
        if (!first) out += ',';
        first = false;
        out += json_quoted(tag.name) + ':' + json_quoted(tag.value);
    }
    out += fmt::format("}},\"result\":\"{}\",\"review\":{}}}\n", to_string(pgn.result()),
                       to_json(review));
}

// Over one line of the terminal, and gone when done.
review::Listener progress_line(std::uint64_t number) {
    review::Listener listener;
    if (isatty(STDERR_FILENO) == 0) return listener;
    listener.on_progress = [number](int done, int all) {
        if (done < all)
            fmt::print(stderr, "\r\x1b[Kgame {}: {:3} %", number, 100 * done / all);
        else
            fmt::print(stderr, "\r\x1b[K");
        std::fflush(stderr);
    };
    return listener;
}

int run(const AnalyseArguments& arguments) {
    review::Budget budget;
    if (arguments.nodes > 0) budget.nodes = arguments.nodes;
    if (arguments.move_time > 0) budget.move_time = engine::Milliseconds{arguments.move_time};
    if (arguments.depth > 0) budget.depth = arguments.depth;
    review::EngineAnalyst analyst(budget);
    for (const auto& [option, value] :
         {std::pair<const char*, std::string>{"Hash", std::to_string(arguments.hash)},
          {"Evaluation", arguments.evaluation}})
        if (const auto error = analyst.set_option(option, value)) {
            fmt::print(stderr, "rokada analyse: {}\n", *error);
            return kBadInput;
        }
    Output output;
    if (!output.open(arguments.output)) {
        fmt::print(stderr, "rokada analyse: cannot write {}\n", arguments.output);
        return kBadInput;
    }
    int code = kFine;
    std::uint64_t number = 0;
    for (const std::string& path : arguments.files) {
        FileSource source(path);
        if (source.is_open()) {
            PgnGameReader reader(source);
            while (const auto pgn = reader.next()) {
                for (const PgnProblem& problem : reader.problems())
                    if (problem.severity == PgnSeverity::Broken) {
                        fmt::print(stderr, "{}:{}:{}: {}\n", source.name(), problem.where.line,
                                   problem.where.column, problem.message);
                        code = std::max(code, kNo);
                    }
                const Game game = main_line(*pgn);
                const auto review = review_game(game, analyst, {}, progress_line(++number));
                if (!review) continue;
                std::string& out = output.text();
                if (arguments.json)
                    append_json(out, *pgn, *review);
                else if (arguments.pgn)
                    append_annotated(out, *pgn, game, *review);
                else
                    append_table(out, *pgn, game, *review, arguments.all);
                output.flush();
            }
        }
        if (!source.is_open() || source.failed()) {
            fmt::print(stderr, "rokada analyse: cannot read {}\n", source.name());
            code = kBadInput;
        }
    }
    if (!output.close()) {
        fmt::print(stderr, "rokada analyse: writing failed\n");
        return kBadInput;
    }
    return code;
}

}  // namespace

void add_analyse(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "analyse", "review games: accuracy, mistakes and the reasons for them, better moves");
    auto arguments = std::make_shared<AnalyseArguments>();
    command->add_option("files", arguments->files, "PGN files; - is the standard input")
        ->required();
    command
        ->add_option("--nodes", arguments->nodes,
                     "positions searched for each position of the game (default 100000)")
        ->check(CLI::PositiveNumber);
    command->add_option("--movetime", arguments->move_time, "milliseconds for each position")
        ->check(CLI::PositiveNumber);
    command->add_option("--depth", arguments->depth, "plies for each position")
        ->check(CLI::Range(1, 100));
    command->add_option("--evaluation", arguments->evaluation, "network or classical")
        ->check(CLI::IsMember({"network", "classical"}));
    command->add_option("--hash", arguments->hash, "memory of the search in megabytes")
        ->check(CLI::PositiveNumber);
    command->add_option("-o,--output", arguments->output, "the file to write");
    auto* json = command->add_flag("--json", arguments->json, "one JSON object a line and game");
    command
        ->add_flag("--pgn", arguments->pgn,
                   "the games with evaluations, marks, reasons and better lines")
        ->excludes(json);
    command->add_flag("--all", arguments->all, "list every move, not only the bad ones");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
