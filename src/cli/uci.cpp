// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada uci`: the engine for chess GUIs.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "protocol/input.hpp"
#include "protocol/uci/session.hpp"

namespace rokada::cli {

namespace {

int run_uci() {
    protocol::FileOutput output(STDOUT_FILENO);
    protocol::EventQueue queue;
    protocol::House house;
    house.version = ROKADA_VERSION;
    protocol::uci::Session session(queue, output, protocol::make_engine_thinker, house);
    const protocol::LineReader reader(STDIN_FILENO, queue);
    protocol::run(session, queue);
    return 0;
}

}  // namespace

void add_uci(CLI::App& app, int& exit_code) {
    app.add_subcommand("uci", "speak UCI on standard input and output")->callback([&exit_code] {
        exit_code = run_uci();
    });
}

}  // namespace rokada::cli
