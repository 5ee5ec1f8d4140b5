// SPDX-License-Identifier: GPL-3.0-or-later
// What the program around a session lends it: its name and the tools that are not part of playing.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace rokada::protocol {

struct House {
    std::string name = "Rokada";
    std::string version;
    std::string author = "the Rokada authors";
    // Runs the benchmark with these arguments, printing lines, until it is done or told to stop.
    std::function<void(const std::string& arguments,
                       const std::function<void(std::string_view)>& print,
                       const std::atomic<bool>& stop)>
        bench;

    std::string full_name() const { return version.empty() ? name : name + ' ' + version; }
};

}  // namespace rokada::protocol
