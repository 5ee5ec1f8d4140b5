// SPDX-License-Identifier: GPL-3.0-or-later
// Small plots as SVG text, readable on light and dark pages. Used by the lab's reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rokada::lab {

struct Bar {
    std::string label;
    double value = 0;
    std::optional<double> low, high;  // error bar
    std::string note;                 // written behind the bar
};
// Horizontal bars from zero, one below the other.
std::string bar_chart(const std::string& title, const std::vector<Bar>& bars);

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;
    bool dots = false;  // marks instead of a line
};
struct Axes {
    std::string title, x, y;
};
std::string line_chart(const Axes& axes, const std::vector<Curve>& curves);

// Text that may stand in SVG and HTML.
std::string escaped(const std::string& text);
// The text is empty if the file was written.
std::string write_text(const std::string& path, const std::string& text);

}  // namespace rokada::lab
