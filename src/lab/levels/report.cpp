// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/levels/report.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "lab/plot.hpp"

namespace rokada::lab {

namespace {

constexpr int kBand = 200;  // rating points of a puzzle curve's step

// Hands out the numbers below `all` to workers, each made once per thread.
template <class MakeWorker>
void share_out(int threads, std::size_t all, const std::atomic<bool>& stopping,
               MakeWorker make_worker) {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i)
        running.emplace_back([&] {
            auto work = make_worker();
            for (std::size_t n = next++; n < all && !stopping; n = next++) work(n);
        });
    for (std::thread& thread : running) thread.join();
}

// What one thread works with. Only games begin at the start, where a level has a book.
struct Hands {
    Hands(int elo, const LevelSettings& settings)
        : at_puzzles(elo),
          at_games(elo, LevelPlayer::Book::Own),
          defender(settings.defender_nodes),
          judge(settings.judge_nodes) {}
    LevelPlayer at_puzzles, at_games;
    Judge defender, judge;
};

double percent(double share) { return 100 * share; }
double percent(std::size_t part, std::size_t whole) { return percent(Conduct::ratio(part, whole)); }

}  // namespace

double LevelReport::solved() const {
    const auto count = std::count_if(attempts.begin(), attempts.end(),
                                     [](const Attempt& attempt) { return attempt.solved; });
    return Conduct::ratio(static_cast<std::uint64_t>(count), attempts.size());
}

LevelReport measure_level(
    int elo, const LevelSettings& settings, const std::atomic<bool>& stopping,
    const std::function<void(std::size_t done, std::size_t all)>& on_progress) {
    LevelReport report;
    report.elo = elo;
    for (const Ending& ending : basic_endings()) report.endings.push_back({ending.name, 0, 0});
    const std::size_t puzzles = settings.puzzles.size();
    const std::size_t endings = report.endings.size() * settings.endings;
    const std::size_t all = puzzles + endings + settings.games;
    std::mutex mutex;
    std::size_t done = 0;
    const auto enter = [&](auto change) {
        const std::lock_guard lock(mutex);
        change();
        on_progress(++done, all);
    };
    share_out(settings.concurrency, all, stopping, [&] {
        auto hands = std::make_shared<Hands>(elo, settings);
        return [&, hands](std::size_t n) {
            if (n < puzzles) {
                const Puzzle& puzzle = settings.puzzles[n];
                const bool solved = solves(hands->at_puzzles, puzzle, n);
                return enter([&] { report.attempts.push_back({puzzle.rating, solved}); });
            }
            if (n < puzzles + endings) {
                const std::size_t which = (n - puzzles) / settings.endings;
                const Position start = ending_position(basic_endings()[which], n);
                const bool won = wins_ending(hands->at_puzzles, hands->defender, start, n);
                return enter([&] {
                    ++report.endings[which].played;
                    report.endings[which].won += won ? 1 : 0;
                });
            }
            const Conduct conduct = play_and_judge(hands->at_games, hands->judge, n);
            enter([&] { report.conduct.add(conduct); });
        };
    });
    report.solver = fit_solver(report.attempts);
    return report;
}

std::string level_heading() {
    std::string text =
        fmt::format("{:>5} {:>7} {:>6} {:>5} {:>5}", "Elo", "solved", "solver", "+/-", "slope");
    for (const Ending& ending : basic_endings()) text += fmt::format(" {:>5}", ending.name);
    text +=
        fmt::format(" {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>7}\n", "loss", "<=5",
                    "-50", "-100", "-300", ">300", "missed", "queens", "resist", "moves");
    return text;
}

std::string level_line(const LevelReport& r) {
    std::string text =
        fmt::format("{:>5} {:>6.1f}% {:>6.0f} {:>5.0f} {:>5.2f}", r.elo, percent(r.solved()),
                    r.solver.rating, r.solver.error, r.solver.slope);
    for (const EndingResult& ending : r.endings)
        text += fmt::format(" {:>4.0f}%", percent(ending.won, ending.played));
    const Conduct& c = r.conduct;
    text += fmt::format(" {:>5.0f}", c.mean_loss());
    for (const std::uint64_t share : c.shares)
        text += fmt::format(" {:>4.0f}%", percent(share, c.moves));
    text += fmt::format(" {:>5.2f}% {:>5.2f}% {:>6.2f} {:>7}\n", percent(c.trivial_miss()),
                        percent(c.queen_gift()), c.resistance(), c.all_moves);
    return text;
}

std::string level_csv(const std::vector<LevelReport>& reports) {
    std::string text = "elo,puzzles,solved,solver_rating,solver_error,solver_slope";
    for (const Ending& ending : basic_endings()) text += fmt::format(",{}", ending.name);
    text +=
        ",games,moves,mean_loss,to_5,to_50,to_100,to_300,over_300,trivial,trivial_miss,queen_gift,"
        "resistance\n";
    for (const LevelReport& r : reports) {
        text += fmt::format("{},{},{:.4f},{:.0f},{:.0f},{:.3f}", r.elo, r.attempts.size(),
                            r.solved(), r.solver.rating, r.solver.error, r.solver.slope);
        for (const EndingResult& ending : r.endings)
            text += fmt::format(",{:.3f}", Conduct::ratio(ending.won, ending.played));
        const Conduct& c = r.conduct;
        text += fmt::format(",{},{},{:.1f}", c.games, c.all_moves, c.mean_loss());
        for (const std::uint64_t share : c.shares)
            text += fmt::format(",{:.4f}", Conduct::ratio(share, c.moves));
        text += fmt::format(",{},{:.5f},{:.5f},{:.3f}\n", c.trivial, c.trivial_miss(),
                            c.queen_gift(), c.resistance());
    }
    return text;
}

std::string solver_svg(const std::vector<LevelReport>& reports) {
    std::vector<Curve> curves;
    for (const LevelReport& r : reports) {
        struct Band {
            std::size_t solved = 0, all = 0;
        };
        std::map<int, Band> bands;
        for (const Attempt& attempt : r.attempts) {
            Band& band = bands[attempt.rating / kBand];
            ++band.all;
            band.solved += attempt.solved ? 1 : 0;
        }
        Curve curve{std::to_string(r.elo), {}, false};
        constexpr std::size_t few = 20;  // too few to tell
        for (const auto& [number, band] : bands)
            if (band.all >= few)
                curve.points.emplace_back(kBand * number + kBand / 2,
                                          percent(band.solved, band.all));
        curves.push_back(std::move(curve));
    }
    return line_chart({"Puzzles solved by level", "rating of the puzzle", "% solved"}, curves);
}

}  // namespace rokada::lab
