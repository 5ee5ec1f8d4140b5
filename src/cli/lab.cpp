// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lab.hpp"

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#ifdef ROKADA_WITH_SERVER
#include "cli/lab_load.hpp"
#endif

namespace rokada::cli {

void add_lab(CLI::App& app, int& exit_code) {
    auto* lab = app.add_subcommand("lab", "measure and train the engine");
    lab->require_subcommand(1);
    add_lab_ablation(*lab, exit_code);
    add_lab_book(*lab, exit_code);
    add_lab_calibrate(*lab, exit_code);
    add_lab_dilute(*lab, exit_code);
    add_lab_data(*lab, exit_code);
    add_lab_datagen(*lab, exit_code);
    add_lab_evaluation(*lab, exit_code);
    add_lab_levels(*lab, exit_code);
#ifdef ROKADA_WITH_SERVER
    add_lab_load(*lab, exit_code);
#endif
    add_lab_perft_diff(*lab, exit_code);
    add_lab_speed(*lab, exit_code);
    add_lab_suite(*lab, exit_code);
    add_lab_spsa(*lab, exit_code);
    add_lab_train(*lab, exit_code);
    add_lab_tune(*lab, exit_code);
    add_lab_wdl(*lab, exit_code);
}

}  // namespace rokada::cli
