// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program with these arguments until it ends: what it said on both channels, and its code.
#pragma once

#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace rokada::server::test {

struct ProgramRun {
    int code = -1;
    std::string output;
};

inline ProgramRun run_program(const std::string& arguments, const std::string& before = "") {
    ProgramRun run;
    const std::string command =
        before + " " + testing_support::program_path() + " " + arguments + " 2>&1";
    FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[512];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
        run.output.append(buffer, size);
    run.code = WEXITSTATUS(::pclose(pipe));
    return run;
}

}  // namespace rokada::server::test
