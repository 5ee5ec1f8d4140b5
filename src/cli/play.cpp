// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada play`: a game in the terminal.
#include "protocol/terminal/play.hpp"

#include <clocale>
#include <cstdlib>
#include <random>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include "chess/notation/fen.hpp"
#include "cli/commands.hpp"
#include "cli/house.hpp"
#include "protocol/input.hpp"

namespace rokada::cli {

namespace {

struct PlayArguments {
    std::string color = "white";
    std::string fen{kStartFen};
    std::string level;
    std::string clock;
    bool ascii = false, unicode = false, no_color = false;
};

bool terminal_is_utf8() {
    std::setlocale(LC_CTYPE, "");
    return std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
}

int run(const PlayArguments& arguments) {
    const auto start = parse_position(arguments.fen);
    if (!start) {
        fmt::print(stderr, "rokada play: {}\n", start.error().to_string());
        return 2;
    }
    const bool terminal = ::isatty(STDOUT_FILENO) != 0;
    protocol::PlaySettings settings;
    settings.interactive = terminal && ::isatty(STDIN_FILENO) != 0;
    settings.start = *start;
    if (arguments.color == "white")
        settings.own = Color::White;
    else if (arguments.color == "black")
        settings.own = Color::Black;
    else if (arguments.color == "random")
        settings.own = std::random_device{}() % 2 == 0 ? Color::White : Color::Black;
    settings.style.flipped = settings.own == Color::Black;
    settings.style.unicode =
        arguments.unicode || (!arguments.ascii && terminal && terminal_is_utf8());
    // The wish of https://no-color.org is respected.
    settings.style.colors = terminal && !arguments.no_color && std::getenv("NO_COLOR") == nullptr;

    protocol::FileOutput output(STDOUT_FILENO);
    protocol::EventQueue queue;
    protocol::PlaySession session(queue, output, protocol::make_engine_thinker, make_house(),
                                  settings);
    if (!arguments.level.empty()) session.handle(protocol::InputLine{"level " + arguments.level});
    if (!arguments.clock.empty()) session.handle(protocol::InputLine{"clock " + arguments.clock});
    session.begin();
    const protocol::LineReader reader(STDIN_FILENO, queue);
    while (!session.finished()) {
        const auto flag = session.flag_time();
        if (!flag) {
            session.handle(queue.pop());
            continue;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            *flag - std::chrono::steady_clock::now());
        if (auto event = queue.pop_for(std::max(left, std::chrono::milliseconds(1))))
            session.handle(std::move(*event));
        session.tick();
    }
    return 0;
}

}  // namespace

void add_play(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("play", "play in the terminal");
    auto a = std::make_shared<PlayArguments>();
    command->add_option("--color", a->color, "yours")
        ->check(CLI::IsMember({"white", "black", "random", "both"}));
    command->add_option("--fen", a->fen, "the position to start from");
    command->add_option("--level", a->level, "easy, medium, hard, full, or an Elo number");
    command->add_option("--clock", a->clock, "minutes+seconds, for example 5+3");
    command->add_flag("--ascii", a->ascii, "letters for pieces");
    command->add_flag("--unicode", a->unicode, "chess symbols for pieces");
    command->add_flag("--no-color", a->no_color, "no colours");
    command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace rokada::cli
