// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab wdl`: what a score means, from games with evaluations.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/lab.hpp"
#include "lab/plot.hpp"
#include "lab/wdl/wdl_fit.hpp"

namespace rokada::cli {

namespace {

struct WdlArguments {
    std::vector<std::string> files;
    std::string plot;
    int first_ply = 16;
};

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab wdl: {}\n", problem);
    return 2;
}

int run(const WdlArguments& arguments) {
    lab::WdlData data;
    for (const std::string& path : arguments.files)
        if (auto problem = lab::load_wdl_samples(path, arguments.first_ply, data); !problem.empty())
            return fail(problem);
    if (data.samples.size() < 100) return fail("fewer than 100 positions with evaluations");
    const lab::WdlFit fit = lab::fit_wdl(data.samples);
    const auto& [a, b] = std::tie(fit.model.a, fit.model.b);
    fmt::print("{} games, {} positions\n", data.games, data.samples.size());
    fmt::print("a = {:.2f} {:+.2f} m {:+.2f} m^2 {:+.2f} m^3\n", a[0], a[1], a[2], a[3]);
    fmt::print("b = {:.2f} {:+.2f} m {:+.2f} m^2 {:+.2f} m^3     (m = material / 58)\n", b[0], b[1],
               b[2], b[3]);
    fmt::print("log-loss {:.4f}, without the score {:.4f}\n", fit.log_loss, fit.base_loss);
    fmt::print("half of the games are won at");
    for (const int material : {78, 58, 38, 18})
        fmt::print("  {:.0f} cp with material {}", fit.model.at(a, material), material);
    fmt::print("\nexpected points -> real:");
    const auto classes = lab::reliability(fit.model, data.samples);
    for (const auto& r : classes) fmt::print("  {:.2f} -> {:.2f}", r.predicted, r.real);
    fmt::print("\n");
    if (arguments.plot.empty()) return 0;
    if (auto problem = lab::write_text(arguments.plot, lab::reliability_svg(classes));
        !problem.empty())
        return fail(problem);
    fmt::print("{} written\n", arguments.plot);
    return 0;
}

}  // namespace

void add_lab_wdl(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand("wdl", "fit the chances to win, draw and lose to games");
    auto arguments = std::make_shared<WdlArguments>();
    command->add_option("files", arguments->files, "PGN with evaluations, as `rokada match` writes")
        ->required();
    command->add_option("--plot", arguments->plot, "an SVG of expected and real points");
    command->add_option("--first-ply", arguments->first_ply, "leave out what comes before")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
