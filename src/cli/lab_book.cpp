// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab book`: a small opening book from games or opening lines.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/lab.hpp"
#include "lab/book/book_builder.hpp"
#include "lab/plot.hpp"

namespace rokada::cli {

namespace {

struct BookArguments {
    std::vector<std::string> files;
    std::string output;
    std::size_t kilobytes = 64;
    lab::BookSettings settings;
};

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab book: {}\n", problem);
    return 2;
}

int run(BookArguments& arguments) {
    arguments.settings.most_bytes = arguments.kilobytes * 1024;
    lab::BookBuilder builder(arguments.settings);
    for (const std::string& path : arguments.files) {
        const bool lines = path.size() > 4 && path.compare(path.size() - 4, 4, ".tsv") == 0;
        if (auto problem = lines ? builder.add_lines(path) : builder.add_pgn(path);
            !problem.empty())
            return fail(problem);
    }
    const auto bytes = builder.bytes();
    if (bytes.empty()) return fail("no move is played often enough; see --least-games");
    if (auto problem = lab::write_text(arguments.output, std::string(bytes.begin(), bytes.end()));
        !problem.empty())
        return fail(problem);
    fmt::print("{}: {} moves from {} games, {} positions seen, {:.1f} KB\n", arguments.output,
               bytes.size() / 16, builder.games(), builder.positions(),
               static_cast<double>(bytes.size()) / 1024);
    return 0;
}

}  // namespace

void add_lab_book(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand("book", "build a small opening book (Polyglot)");
    auto arguments = std::make_shared<BookArguments>();
    command->add_option("files", arguments->files, "PGN games, or opening lines as .tsv")
        ->required();
    command->add_option("--out", arguments->output, "the book")->required();
    command->add_option("--plies", arguments->settings.plies, "how far into each game")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--least-games", arguments->settings.least_games, "with a move")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--least-share", arguments->settings.least_share,
                     "of the games in a position, with a move")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--kilobytes", arguments->kilobytes, "size at most")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))
        ->capture_default_str();
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
