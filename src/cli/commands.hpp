// SPDX-License-Identifier: GPL-3.0-or-later
// Every subcommand declares its options on the app and, when chosen, leaves its exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rokada::cli {

void add_analyse(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_cluster(CLI::App& app, int& exit_code);
void add_eval(CLI::App& app, int& exit_code);
void add_fen(CLI::App& app, int& exit_code);
void add_lab(CLI::App& app, int& exit_code);
void add_lichess(CLI::App& app, int& exit_code);
void add_match(CLI::App& app, int& exit_code);
void add_open(CLI::App& app, int& exit_code);
void add_perft(CLI::App& app, int& exit_code);
void add_play(CLI::App& app, int& exit_code);
void add_pgn(CLI::App& app, int& exit_code);
void add_uci(CLI::App& app, int& exit_code);
void add_worker(CLI::App& app, int& exit_code);
// A pipe gets the engine, a terminal a menu; what is chosen there is the answer.
std::optional<std::vector<std::string>> run_without_command(const CLI::App& app, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);
void add_server_data(CLI::App& app, int& exit_code);

}  // namespace rokada::cli
