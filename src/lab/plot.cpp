// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/plot.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

namespace rokada::lab {

namespace {

constexpr const char* kColors[] = {"#3b6ea5", "#c0583a", "#4f8a4c", "#8a5fa8", "#a08030"};

std::string head(double width, double height) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#667\">\n",
        width, height);
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, escaped(words));
}

std::string line(double x1, double y1, double x2, double y2, const char* color) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
        x2, y2, color);
}

// A round step that divides the range into about `parts`.
double round_step(double range, int parts) {
    const double rough = std::max(range, 1e-12) / parts;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power) return factor * power;
    return 10 * power;
}

std::string number(double value, double step) {
    const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 8);
    return fmt::format("{:.{}f}", std::abs(value) < step / 1000 ? 0.0 : value, digits);
}

}  // namespace

std::string escaped(const std::string& words) {
    std::string out;
    for (const char c : words) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string bar_chart(const std::string& title, const std::vector<Bar>& bars) {
    constexpr double kLeft = 260, kPlot = 420, kRight = 120, kRow = 22, kTop = 40;
    double low = 0, high = 0;
    for (const Bar& bar : bars) {
        low = std::min({low, bar.value, bar.low.value_or(0)});
        high = std::max({high, bar.value, bar.high.value_or(0)});
    }
    if (high - low < 1e-12) high = low + 1;
    const auto x = [&](double value) { return kLeft + kPlot * (value - low) / (high - low); };
    const double height = kTop + kRow * static_cast<double>(bars.size()) + 30;
    std::string svg = head(kLeft + kPlot + kRight, height) + text(10, 20, "start", title);
    const double step = round_step(high - low, 6);
    for (double tick = std::ceil(low / step) * step; tick <= high + step / 100; tick += step) {
        svg += line(x(tick), kTop - 6, x(tick), height - 24, "#ccd");
        svg += text(x(tick), height - 8, "middle", number(tick, step));
    }
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const Bar& bar = bars[i];
        const double y = kTop + kRow * static_cast<double>(i);
        const double from = std::min(x(0), x(bar.value)), to = std::max(x(0), x(bar.value));
        svg += text(kLeft - 8, y + 12, "end", bar.label);
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14\" fill=\"{}\"/>\n", from,
            y, std::max(to - from, 0.5), bar.value < 0 ? kColors[1] : kColors[0]);
        if (bar.low && bar.high) svg += line(x(*bar.low), y + 7, x(*bar.high), y + 7, "#223");
        svg += text(std::max(to, x(bar.high.value_or(bar.value))) + 6, y + 12, "start", bar.note);
    }
    return svg + "</svg>\n";
}

std::string line_chart(const Axes& axes, const std::vector<Curve>& curves) {
    constexpr double kLeft = 70, kPlotWidth = 560, kTop = 40, kPlotHeight = 340;
    double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
    for (const Curve& curve : curves)
        for (const auto& [px, py] : curve.points) {
            x_low = std::min(x_low, px);
            x_high = std::max(x_high, px);
            y_low = std::min(y_low, py);
            y_high = std::max(y_high, py);
        }
    if (x_low > x_high) x_low = y_low = 0, x_high = y_high = 1;
    if (x_high - x_low < 1e-12) x_high = x_low + 1;
    if (y_high - y_low < 1e-12) y_high = y_low + 1;
    const auto x = [&](double v) { return kLeft + kPlotWidth * (v - x_low) / (x_high - x_low); };
    const auto y = [&](double v) {
        return kTop + kPlotHeight * (1 - (v - y_low) / (y_high - y_low));
    };
    const double bottom = kTop + kPlotHeight, right = kLeft + kPlotWidth;
    std::string svg = head(right + 150, bottom + 50) + text(10, 20, "start", axes.title);
    const double x_step = round_step(x_high - x_low, 7), y_step = round_step(y_high - y_low, 6);
    for (double t = std::ceil(x_low / x_step) * x_step; t <= x_high + x_step / 100; t += x_step)
        svg += line(x(t), kTop, x(t), bottom, "#ccd") +
               text(x(t), bottom + 16, "middle", number(t, x_step));
    for (double t = std::ceil(y_low / y_step) * y_step; t <= y_high + y_step / 100; t += y_step)
        svg += line(kLeft, y(t), right, y(t), "#ccd") +
               text(kLeft - 6, y(t) + 4, "end", number(t, y_step));
    svg += text((kLeft + right) / 2, bottom + 36, "middle", axes.x);
    svg += text(10, kTop - 8, "start", axes.y);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const char* const color = kColors[i % std::size(kColors)];
        std::string path;
        for (const auto& [px, py] : curves[i].points) {
            if (curves[i].dots)
                svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                                   x(px), y(py), color);
            path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? "M" : "L", x(px), y(py));
        }
        if (!curves[i].dots && !path.empty())
            svg += fmt::format(
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path, color);
        const double row = kTop + 18 * static_cast<double>(i) + 10;
        svg +=
            fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"4\" fill=\"{}\"/>\n",
                        right + 12, row - 6, color);
        svg += text(right + 30, row, "start", curves[i].name);
    }
    return svg + "</svg>\n";
}

std::string write_text(const std::string& path, const std::string& words) {
    std::ofstream file(path, std::ios::binary);
    file << words;
    file.close();
    return file ? "" : path + ": cannot be written";
}

}  // namespace rokada::lab
