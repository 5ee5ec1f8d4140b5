// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of `rokada lab`; see commands.hpp.
#pragma once

namespace CLI {
class App;
}

namespace rokada::cli {

void add_lab_ablation(CLI::App& lab, int& exit_code);
void add_lab_book(CLI::App& lab, int& exit_code);
void add_lab_calibrate(CLI::App& lab, int& exit_code);
void add_lab_data(CLI::App& lab, int& exit_code);
void add_lab_datagen(CLI::App& lab, int& exit_code);
void add_lab_dilute(CLI::App& lab, int& exit_code);
void add_lab_evaluation(CLI::App& lab, int& exit_code);
void add_lab_levels(CLI::App& lab, int& exit_code);
void add_lab_perft_diff(CLI::App& lab, int& exit_code);
void add_lab_speed(CLI::App& lab, int& exit_code);
void add_lab_spsa(CLI::App& lab, int& exit_code);
void add_lab_suite(CLI::App& lab, int& exit_code);
void add_lab_train(CLI::App& lab, int& exit_code);
void add_lab_tune(CLI::App& lab, int& exit_code);
void add_lab_wdl(CLI::App& lab, int& exit_code);

}  // namespace rokada::cli
