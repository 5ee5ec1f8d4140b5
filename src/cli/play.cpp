// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada play`: a game in the terminal.
#include "protocol/terminal/play.hpp"

#include <atomic>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

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

std::atomic<int> interrupts{0};

// Ctrl-C ends what takes too long; where nothing does, it ends the program.
class InterruptWatch {
  public:
    InterruptWatch(protocol::PlaySession& session, protocol::EventQueue& queue) {
        struct sigaction action{};
        action.sa_handler = [](int) { ++interrupts; };
        action.sa_flags = SA_RESTART;
        ::sigaction(SIGINT, &action, nullptr);
        thread_ = std::thread([this, &session, &queue] {
            int handled = 0;
            while (!done_) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                if (interrupts == handled) continue;
                handled = interrupts;
                if (session.busy())
                    session.interrupt();
                else
                    queue.push(protocol::InputLine{"quit"});
            }
        });
    }
    ~InterruptWatch() {
        done_ = true;
        thread_.join();
    }

  private:
    std::atomic<bool> done_{false};
    std::thread thread_;
};

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
    for (const auto& [option, problem] :
         {std::pair("--level",
                    arguments.level.empty() ? std::nullopt : session.choose_level(arguments.level)),
          std::pair("--clock", arguments.clock.empty() ? std::nullopt
                                                       : session.choose_clock(arguments.clock))})
        if (problem) {
            fmt::print(stderr, "rokada play: {}: {}\n", option, *problem);
            return 2;
        }
    std::optional<InterruptWatch> watch;
    if (settings.interactive) watch.emplace(session, queue);
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
