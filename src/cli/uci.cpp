// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada uci`, `rokada xboard`: the engine for chess GUIs; and what happens without a subcommand.
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/house.hpp"
#include "protocol/run.hpp"

namespace rokada::cli {

void add_uci(CLI::App& app, int& exit_code) {
    using protocol::SessionKind;
    app.add_subcommand("uci", "speak UCI with a chess GUI")->callback([&exit_code] {
        exit_code = protocol::run_session(SessionKind::Uci, make_house());
    });
    app.add_subcommand("xboard", "speak the xboard protocol (CECP) with a chess GUI")
        ->callback(
            [&exit_code] { exit_code = protocol::run_session(SessionKind::Xboard, make_house()); });
}

std::optional<std::vector<std::string>> run_without_command(const CLI::App& app, int& exit_code) {
    if (::isatty(STDIN_FILENO) == 0) {
        exit_code = protocol::run_session(protocol::SessionKind::Detect, make_house());
        return std::nullopt;
    }
    struct Choice {
        char key;
        const char* command;
        const char* text;
    };
    static constexpr Choice kChoices[] = {
        {'p', "play", "play here in the terminal"},
        {'o', "open", "play in the browser"},
        {'u', "uci", "the engine for chess GUIs (UCI)"},
        {'h', "--help", "everything else"},
    };
    fmt::print("Rokada {}: chess you own\n\n", ROKADA_VERSION);
    for (const Choice& choice : kChoices)
        if (choice.command[0] == '-' || !app.get_subcommands([&choice](const CLI::App* command) {
                                                return command->get_name() == choice.command;
                                            })
                                             .empty())
            fmt::print("  {}  {}\n", choice.key, choice.text);
    fmt::print("  q  leave\n\n> ");
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line) || line.empty() || line[0] == 'q') return std::nullopt;
    for (const Choice& choice : kChoices)
        if (choice.key == line[0]) return std::vector<std::string>{choice.command};
    fmt::print(stderr, "rokada: no such choice: {}\n", line[0]);
    exit_code = 2;
    return std::nullopt;
}

}  // namespace rokada::cli
