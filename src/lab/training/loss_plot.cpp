// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <sstream>

#include "lab/plot.hpp"
#include "lab/training/trainer.hpp"

namespace rokada::lab {

std::string loss_plot(const std::string& log_path) {
    std::ifstream file(log_path);
    std::string line;
    std::getline(file, line);  // the names of the columns
    Curve training{"training", {}, false}, held_out{"held out", {}, false};
    while (std::getline(file, line)) {
        std::istringstream words(line);
        double samples = 0, seconds = 0, rate = 0, loss = 0, held = 0;
        char comma = 0;
        if (!(words >> samples >> comma >> seconds >> comma >> rate >> comma >> loss >> comma >>
              held))
            continue;
        training.points.emplace_back(samples / 1e6, loss);
        held_out.points.emplace_back(samples / 1e6, held);
    }
    if (training.points.empty()) return "";
    return line_chart({"Loss while training", "million samples", "mean squared error"},
                      {training, held_out});
}

}  // namespace rokada::lab
