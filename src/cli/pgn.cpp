// SPDX-License-Identifier: GPL-3.0-or-later
// rokada pgn check | count | convert | split
#include <filesystem>
#include <functional>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "chess/notation/epd.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "cli/commands.hpp"
#include "cli/pgn_files.hpp"

namespace rokada::cli {

namespace {

struct PgnArguments {
    std::vector<std::string> files;
    bool strict = false;
    std::string format = "pgn";
    std::string output;
    bool keep_broken = false;
    PgnStyle style;
    std::uint64_t games_per_file = 1000;
};

constexpr int kFine = 0, kNo = 1, kBadInput = 2;

// file:line:column, as compilers do, so that editors can jump there.
void print_problem(const std::string& file, const PgnProblem& problem) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");  // over the progress
    fmt::print(stderr, "{}:{}:{}: {}: {}\n", file, problem.where.line, problem.where.column,
               to_string(problem.severity), problem.message);
}

// What every pass over a file counts.
class Counter : public PgnVisitor {
  public:
    explicit Counter(bool strict = false) : strict_(strict) {}

    std::uint64_t games = 0, moves = 0, variation_moves = 0, broken = 0, repaired = 0, notes = 0;
    std::uint64_t results[4] = {};

    void set_file(const std::string& name, bool prints) {
        file_ = name;
        prints_ = prints;
    }
    void begin_game(std::uint64_t) override {
        ++games;
        depth_ = 0;
    }
    void move(const Position&, Move) override { ++(depth_ == 0 ? moves : variation_moves); }
    void begin_variation() override { ++depth_; }
    void end_variation() override { --depth_; }
    void end_game(PgnResult result) override { ++results[static_cast<std::size_t>(result)]; }
    void problem(const PgnProblem& problem) override {
        const bool note = problem.severity == PgnSeverity::Note;
        ++(note ? notes : problem.severity == PgnSeverity::Broken ? broken : repaired);
        if (prints_ && (strict_ || !note)) print_problem(file_, problem);
    }
    bool clean() const { return broken + repaired == 0 && (!strict_ || notes == 0); }

  private:
    const bool strict_;
    bool prints_ = false;
    std::string file_;
    std::uint64_t depth_ = 0;
};

// Runs over all files; the exit code is 2 if one cannot be read.
int for_each_file(const PgnArguments& arguments, const std::function<void(FileSource&)>& run) {
    int code = kFine;
    for (const std::string& path : arguments.files) {
        FileSource source(path);
        if (source.is_open()) run(source);
        if (!source.is_open() || source.failed()) {
            fmt::print(stderr, "rokada pgn: cannot read {}\n", source.name());
            code = kBadInput;
        }
    }
    return code;
}

int check(const PgnArguments& arguments) {
    Counter counter(arguments.strict);
    const int code = for_each_file(arguments, [&](FileSource& source) {
        counter.set_file(source.name(), true);
        PgnReader reader(source);
        while (reader.read_game(counter)) {
        }
    });
    fmt::print("{} games, {} moves: {} broken, {} repaired, {} notes\n", counter.games,
               counter.moves + counter.variation_moves, counter.broken, counter.repaired,
               counter.notes);
    return code != kFine ? code : counter.clean() ? kFine : kNo;
}

int count(const PgnArguments& arguments) {
    Counter counter;
    const int code = for_each_file(arguments, [&](FileSource& source) {
        counter.set_file(source.name(), false);
        PgnReader reader(source);
        while (reader.read_game(counter)) {
        }
    });
    fmt::print("games: {}\nmoves: {}\nmoves in variations: {}\n", counter.games, counter.moves,
               counter.variation_moves);
    fmt::print("white wins: {}\nblack wins: {}\ndraws: {}\nunfinished: {}\nbroken: {}\n",
               counter.results[1], counter.results[2], counter.results[3], counter.results[0],
               counter.broken);
    return code;
}

// The main line of each game, game by game or position by position.
class LineWriter final : public PgnVisitor {
  public:
    LineWriter(const PgnArguments& arguments, Output& output)
        : format_(arguments.format), keep_broken_(arguments.keep_broken), output_(output) {}

    bool clean = true;
    std::string file;

    void begin_game(std::uint64_t) override {
        lines_.clear();
        broken_ = chess960_ = false;
    }
    void tag(std::string_view name, std::string_view value) override {
        // Engines that play Chess960 want castling as king takes rook.
        if (name == "Variant")
            chess960_ = value.find("960") != value.npos || value.find("ischer") != value.npos;
    }
    void begin_moves(const Position& start) override {
        last_ = start;
        if (format_ != "uci") return;
        lines_ = start == Position() ? "position startpos" : "position fen " + to_fen(start);
        moves_at_ = lines_.size();
    }
    void begin_variation() override { skip_variation(); }
    void move(const Position& before, Move move) override {
        if (format_ == "uci") {
            if (lines_.size() == moves_at_) lines_ += " moves";
            lines_ += ' ';
            lines_ += to_uci(
                move, chess960_ ? CastlingNotation::KingTakesRook : CastlingNotation::KingMove);
        } else {
            add_position(before, move);
        }
        last_ = before;
        play_or_pass(last_, move);
    }
    void end_game(PgnResult) override {
        if (broken_ && !keep_broken_) return;
        if (format_ == "uci")
            lines_ += '\n';
        else
            add_position(last_, Move());
        output_.text() += lines_;
        output_.write_if_large();
    }
    void problem(const PgnProblem& problem) override {
        if (problem.severity == PgnSeverity::Note) return;
        print_problem(file, problem);
        clean = false;
        broken_ |= problem.severity == PgnSeverity::Broken;
    }

  private:
    void add_position(const Position& position, Move played) {
        if (format_ == "fen") {
            lines_ += to_fen(position);
        } else {
            Epd epd{position, {}};
            if (played) epd.operations.push_back({"sm", {{to_san(position, played), false}}});
            lines_ += to_epd(epd);
        }
        lines_ += '\n';
    }

    const std::string format_;
    const bool keep_broken_;
    Output& output_;
    std::string lines_;
    std::size_t moves_at_ = 0;
    bool broken_ = false, chess960_ = false;
    Position last_;
};

int convert(const PgnArguments& arguments) {
    Output output;
    if (!output.open(arguments.output)) {
        fmt::print(stderr, "rokada pgn: cannot write {}\n", arguments.output);
        return kBadInput;
    }
    LineWriter lines(arguments, output);
    bool clean = true;
    const int code = for_each_file(arguments, [&](FileSource& source) {
        if (arguments.format != "pgn") {
            lines.file = source.name();
            PgnReader reader(source);
            while (reader.read_game(lines)) {
            }
            clean = clean && lines.clean;
            return;
        }
        PgnGameReader reader(source);
        while (const auto game = reader.next()) {
            for (const PgnProblem& problem : reader.problems()) {
                if (problem.severity == PgnSeverity::Note) continue;
                print_problem(source.name(), problem);
                clean = false;
            }
            if (reader.broken() && !arguments.keep_broken) continue;
            append_pgn(output.text(), *game, arguments.style);
            output.write_if_large();
        }
    });
    if (!output.close()) {
        fmt::print(stderr, "rokada pgn: writing failed\n");
        return kBadInput;
    }
    return code != kFine ? code : clean ? kFine : kNo;
}

// Keeps the bytes that pass, until it is known which file they belong to.
class TeeSource final : public ByteSource {
  public:
    explicit TeeSource(ByteSource& source) : source_(source) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const std::size_t got = source_.read(buffer, size);
        kept_.append(buffer, got);
        return got;
    }
    // Moves everything before the offset to the text.
    void give(std::uint64_t offset, std::string& text) {
        const std::size_t size = std::min<std::size_t>(offset - given_, kept_.size());
        text.append(kept_, 0, size);
        kept_.erase(0, size);
        given_ += size;
    }

  private:
    ByteSource& source_;
    std::string kept_;
    std::uint64_t given_ = 0;
};

// Every game as it stands, byte for byte, broken ones too.
class Splitter final : public PgnVisitor {
  public:
    Splitter(TeeSource& tee, std::string prefix, std::uint64_t games_per_file, int& number)
        : tee_(tee), prefix_(std::move(prefix)), games_per_file_(games_per_file), number_(number) {}

    bool failed = false;
    std::string path;

    void begin_game(std::uint64_t offset) override {
        if (games_ > 0) {
            tee_.give(offset, output_.text());
            output_.write_if_large();
        }
        if (games_++ % games_per_file_ == 0) open_next();
        skip_game();
    }
    bool finish() {
        if (games_ > 0) tee_.give(~std::uint64_t{0}, output_.text());
        return output_.close() && !failed;
    }

  private:
    void open_next() {
        path = fmt::format("{}{:04}.pgn", prefix_, ++number_);
        failed |= !output_.close() || !output_.open(path);
    }

    TeeSource& tee_;
    const std::string prefix_;
    const std::uint64_t games_per_file_;
    int& number_;
    std::uint64_t games_ = 0;
    Output output_;
};

int split(const PgnArguments& arguments) {
    std::string prefix = arguments.output;
    if (prefix.empty()) {
        const std::string& first = arguments.files.front();
        prefix = first == "-" ? "games-" : std::filesystem::path(first).stem().string() + '-';
    }
    int number = 0;
    bool written = true;
    const int code = for_each_file(arguments, [&](FileSource& source) {
        TeeSource tee(source);
        Splitter splitter(tee, prefix, arguments.games_per_file, number);
        PgnReader reader(tee);
        while (!splitter.failed && reader.read_game(splitter)) {
        }
        if (!splitter.finish()) {
            fmt::print(stderr, "rokada pgn: cannot write {}\n", splitter.path);
            written = false;
        }
    });
    if (!written) return kBadInput;
    fmt::print("{} files\n", number);
    return code;
}

}  // namespace

void add_pgn(CLI::App& app, int& exit_code) {
    auto* pgn = app.add_subcommand("pgn", "check, count, convert and split PGN files");
    pgn->require_subcommand(1);
    auto arguments = std::make_shared<PgnArguments>();
    const auto add = [&](const char* name, const char* help, int (*run)(const PgnArguments&)) {
        auto* command = pgn->add_subcommand(name, help);
        command->add_option("files", arguments->files, "PGN files; - is the standard input")
            ->required();
        command->callback([arguments, &exit_code, run] { exit_code = run(*arguments); });
        return command;
    };

    auto* check_command =
        add("check", "check every move; exit code 1 if something is wrong", check);
    check_command->add_flag("--strict", arguments->strict,
                            "complain about missing and contradicting results too");
    add("count", "count games, moves and results", count);

    auto* convert_command = add("convert", "write the games in another form", convert);
    convert_command
        ->add_option(
            "--to", arguments->format,
            "pgn (clean export format), uci (one line a game), fen or epd (one line a position)")
        ->check(CLI::IsMember({"pgn", "uci", "fen", "epd"}));
    convert_command->add_option("-o,--output", arguments->output, "the file to write");
    convert_command->add_flag("--keep-broken", arguments->keep_broken,
                              "write broken games up to the mistake");
    PgnStyle& style = arguments->style;
    convert_command->add_flag("!--no-comments", style.comments, "leave out the text of comments");
    convert_command->add_flag("!--no-commands", style.commands, "leave out [%clk] and the like");
    convert_command->add_flag("!--no-nags", style.nags, "leave out annotations like $1");
    convert_command->add_flag("!--no-variations", style.variations, "leave out variations");
    convert_command->add_option("--columns", style.columns, "width of a line; 0 for no limit");

    auto* split_command = add("split", "part a file into several, byte for byte", split);
    split_command->add_option("--games", arguments->games_per_file, "games in each")
        ->check(CLI::PositiveNumber);
    split_command->add_option("-o,--output", arguments->output,
                              "the beginning of their names; 0001.pgn follows");
}

}  // namespace rokada::cli
