// SPDX-License-Identifier: GPL-3.0-or-later
// rokada lab load; only in programs with a server.
#pragma once

namespace CLI {
class App;
}

namespace rokada::cli {

void add_lab_load(CLI::App& lab, int& exit_code);

}  // namespace rokada::cli
