// SPDX-License-Identifier: GPL-3.0-or-later
// Wiring only: one subcommand per file. Exit codes: 0 fine, 1 the answer is "no", 2 wrong use or
// bad input.
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace {

// One line for everything that can be wrong with the arguments, beginning with the command it is about. A word that
// nobody knows comes first: what is missing is most often missing because of it.
std::string complaint(const CLI::App& app, const std::string& problem) {
    const CLI::App* command = &app;
    std::string name = "rokada";
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().front();
        name += ' ' + command->get_name();
    }
    std::string what = problem;
    const std::vector<std::string> unknown = app.remaining(true);
    if (!unknown.empty()) {
        const std::string& word = unknown.front();
        const bool chooses =
            !command->get_subcommands([](const CLI::App*) { return true; }).empty();
        what = std::string(word.rfind('-', 0) == 0 ? "there is no option '"
                           : chooses               ? "there is no command '"
                                                   : "nothing is known of '") +
               word + "'";
    }
    for (char& c : what)
        if (c == '\n') c = ' ';
    return name + ": " + what + '\n';
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Rokada: chess you own"};
    app.set_version_flag("--version", ROKADA_VERSION);
    app.require_subcommand(0, 1);
    app.failure_message(
        [&app](const CLI::App*, const CLI::Error& error) { return complaint(app, error.what()); });
    int exit_code = 0;
    rokada::cli::add_analyse(app, exit_code);
    rokada::cli::add_bench(app, exit_code);
    rokada::cli::add_eval(app, exit_code);
    rokada::cli::add_fen(app, exit_code);
    rokada::cli::add_lab(app, exit_code);
    rokada::cli::add_match(app, exit_code);
    rokada::cli::add_perft(app, exit_code);
    rokada::cli::add_pgn(app, exit_code);
    rokada::cli::add_play(app, exit_code);
    rokada::cli::add_uci(app, exit_code);
#ifdef ROKADA_WITH_SERVER
    rokada::cli::add_open(app, exit_code);
    rokada::cli::add_lichess(app, exit_code);
    rokada::cli::add_serve(app, exit_code);
    rokada::cli::add_cluster(app, exit_code);
    rokada::cli::add_worker(app, exit_code);
    rokada::cli::add_server_data(app, exit_code);
#endif
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty())
            if (auto chosen = rokada::cli::run_without_command(app, exit_code)) {
                app.clear();
                app.parse(*chosen);
            }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return exit_code;
}
