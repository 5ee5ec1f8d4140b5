// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada match`: engines against engines.
#include <atomic>
#include <cmath>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/lab_jobs.hpp"
#include "cli/live_line.hpp"
#include "lab/match/report.hpp"
#include "lab/match/tournament.hpp"
#include "protocol/tokens.hpp"

namespace rokada::cli {

namespace {

using namespace lab;

struct MatchArguments {
    std::vector<std::string> engines;
    std::string each;
    int games = 100;
    std::string format = "round-robin";
    int rounds = 0;
    std::string openings;
    std::string order = "random";
    int plies = 0;
    std::uint64_t seed = 1;
    bool no_swap = false;
    int concurrency = 1;
    bool no_pin = false;
    bool restart = false;
    std::string sprt, sprt_model = "logistic";
    double alpha = 0.05, beta = 0.05;
    std::string resign, draw, tablebases;
    int max_moves = 0;
    std::string variant = "standard";
    std::string pgn, event = "Rokada match", log;
    bool resume = false, json = false;
    int hang_seconds = 60;
    std::string workers;  // the database of their jobs
};

int usage_error(const std::string& message) {
    fmt::print(stderr, "rokada match: {}\n", message);
    return 2;
}

// "3,600": whole numbers between commas.
std::optional<std::vector<double>> numbers(std::string_view text) {
    std::vector<double> values;
    while (true) {
        const std::size_t comma = text.find(',');
        const auto value = protocol::to_number(text.substr(0, comma));
        if (!value || std::abs(*value) > 1e6) return std::nullopt;
        values.push_back(*value);
        if (comma == std::string_view::npos) return values;
        text.remove_prefix(comma + 1);
    }
}

std::optional<std::string> fill_adjudication(const MatchArguments& arguments,
                                             AdjudicationSettings& settings) {
    if (!arguments.resign.empty()) {
        const auto values = numbers(arguments.resign);
        if (!values || values->size() != 2 || (*values)[0] < 1 || (*values)[1] < 1)
            return fmt::format("--resign needs MOVES,CENTIPAWNS, not '{}'", arguments.resign);
        settings.resign = AdjudicationSettings::Resign{static_cast<int>((*values)[0]),
                                                       static_cast<int>((*values)[1]), true};
    }
    if (!arguments.draw.empty()) {
        const auto values = numbers(arguments.draw);
        if (!values || values->size() != 3 || (*values)[0] < 0 || (*values)[1] < 1 ||
            (*values)[2] < 0)
            return fmt::format("--draw needs FROM_MOVE,MOVES,CENTIPAWNS, not '{}'", arguments.draw);
        settings.draw = AdjudicationSettings::Draw{static_cast<int>((*values)[0]),
                                                   static_cast<int>((*values)[1]),
                                                   static_cast<int>((*values)[2])};
    }
    settings.max_moves = arguments.max_moves;
    return std::nullopt;
}

std::optional<std::string> fill(const MatchArguments& arguments, TournamentSettings& settings) {
    for (const std::string& text : arguments.engines) {
        auto spec = parse_engine_spec(text, arguments.each);
        if (!spec) return spec.error();
        settings.engines.push_back(std::move(*spec));
    }
    if (settings.engines.size() < 2) return std::string("at least two --engine are needed");
    settings.event = arguments.event;
    settings.schedule.format = arguments.format == "gauntlet"   ? Format::Gauntlet
                               : arguments.format == "knockout" ? Format::Knockout
                               : arguments.format == "swiss"    ? Format::Swiss
                                                                : Format::RoundRobin;
    settings.schedule.engines = settings.engines.size();
    settings.schedule.games = arguments.games;
    settings.schedule.rounds = arguments.rounds;
    settings.schedule.swap = !arguments.no_swap;
    settings.openings = {arguments.openings, arguments.plies, arguments.order == "random",
                         arguments.seed, false};
    settings.chess960 = arguments.variant == "chess960";
    settings.concurrency = arguments.concurrency;
    settings.pin = !arguments.no_pin;
    settings.restart_engines = arguments.restart;
    settings.play.hang_patience = std::chrono::seconds(arguments.hang_seconds);
    settings.pgn_path = arguments.pgn;
    settings.resume = arguments.resume;
    settings.log_path = arguments.log;
    if (!arguments.tablebases.empty()) {
        auto tables = engine::Tablebases::open(arguments.tablebases);
        if (!tables) return "--tablebases: " + tables.error();
        if ((*tables)->largest() == 0)
            return fmt::format("--tablebases: no tables in '{}'", arguments.tablebases);
        settings.play.tablebases = *tables;
        settings.play.tablebase_folders = arguments.tablebases;
    }
    if (!arguments.sprt.empty()) {
        const auto bounds = numbers(arguments.sprt);
        if (!bounds || bounds->size() != 2 || (*bounds)[0] >= (*bounds)[1])
            return fmt::format("--sprt needs E0,E1 with E0 below E1, not '{}'", arguments.sprt);
        if (arguments.no_swap) return std::string("--sprt needs both colours of each opening");
        settings.sprt = SprtSettings{
            (*bounds)[0], (*bounds)[1], arguments.alpha, arguments.beta,
            arguments.sprt_model == "normalized" ? EloModel::Normalized : EloModel::Logistic};
    }
    return fill_adjudication(arguments, settings.play.adjudication);
}

// Shows how it goes: a block that is drawn anew at a terminal, plain lines elsewhere.
class Display {
  public:
    Display(const TournamentSettings& settings, bool json, std::function<std::string()> workers)
        : settings_(settings),
          out_(json ? stderr : stdout),
          terminal_(::isatty(fileno(out_)) != 0),
          workers_(std::move(workers)) {
        // Games may be long, and there is more to tell than those that have ended.
        if (terminal_ && workers_)
            ticks_.emplace([this] {
                const std::lock_guard lock(mutex_);
                redraw();
            });
    }

    void show(const Progress& progress) {
        const std::lock_guard lock(mutex_);
        if (progress.last != nullptr) last_game_ = game_line(*progress.last, progress) + '\n';
        block_ = standings_text(settings_, progress.standings, progress.llr);
        progress_line_ = progress_text(progress);
        if (terminal_) return redraw();
        if (progress.last == nullptr) return;
        put(last_game_);
        if (progress.standings.finished() % 10 == 0) put(block_ + bottom_line());
    }
    void close(const TournamentResult& result) {
        ticks_.reset();
        erase();
        put(standings_text(settings_, result.standings, result.llr));
        const char* end = result.end == TournamentEnd::Complete ? "Finished"
                          : result.end == TournamentEnd::SprtDecided
                              ? "Finished: the test is decided"
                              : "Stopped; --resume goes on";
        put(fmt::format("{} after {} of {} games.\n", end, result.standings.finished(),
                        result.planned));
        put(time_text(settings_, result));
    }

  private:
    // Somebody may have closed the other end; the games go on.
    void put(const std::string& text) {
        std::fputs(text.c_str(), out_);
        std::fflush(out_);
    }
    void erase() {
        if (lines_ > 0) put(fmt::format("\x1b[{}A\x1b[J", lines_));
        lines_ = 0;
    }
    std::string bottom_line() const {
        const std::string workers = workers_ ? workers_() : "";
        return progress_line_ + (workers.empty() ? "" : ", " + workers) + '\n';
    }
    void redraw() {
        const std::string text = cut_to_width(block_ + last_game_ + bottom_line());
        erase();
        put(text);
        lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }

    // A line that wraps would take two rows, and the block could not be drawn over.
    std::string cut_to_width(const std::string& text) const {
        winsize size{};
        if (::ioctl(fileno(out_), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text;
        std::string cut;
        std::size_t column = 0;
        for (const char c : text) {
            if (c == '\n')
                column = 0;
            else if (++column > size.ws_col)
                continue;
            cut += c;
        }
        return cut;
    }

    const TournamentSettings& settings_;
    std::FILE* out_;
    bool terminal_;
    std::function<std::string()> workers_;
    std::mutex mutex_;
    int lines_ = 0;
    std::string block_, last_game_, progress_line_;
    std::optional<EverySecond> ticks_;
};

std::atomic<int> signals_seen{0};

// The first signal lets the running games end, the second breaks them off.
class SignalWatch {
  public:
    explicit SignalWatch(Tournament& tournament) {
        struct sigaction action{};
        action.sa_handler = [](int) { ++signals_seen; };
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
        std::signal(SIGPIPE, SIG_IGN);
        thread_ = std::thread([this, &tournament] {
            int handled = 0;
            while (!done_) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                const int seen = signals_seen;
                if (seen == handled) continue;
                handled = seen;
                if (seen == 1) {
                    tournament.stop_soon();
                    fmt::print(
                        stderr,
                        "\nStopping when the running games have ended; once more stops now.\n");
                } else {
                    tournament.stop_now();
                }
            }
        });
    }
    ~SignalWatch() {
        done_ = true;
        thread_.join();
    }

  private:
    std::atomic<bool> done_{false};
    std::thread thread_;
};

int run(const MatchArguments& arguments) {
    TournamentSettings settings;
    std::function<std::string()> workers;
    if (auto problem = fill(arguments, settings)) return usage_error(*problem);
    if (!arguments.workers.empty()) {
        if (!arguments.log.empty()) return usage_error("--log: not with --workers");
        auto made = play_with_workers(arguments.workers, arguments.event);
        if (!made) return usage_error(made.error());
        settings.elsewhere = std::move(made->elsewhere);
        workers = std::move(made->progress);
    }
    std::signal(SIGPIPE, SIG_IGN);
    Tournament tournament(std::move(settings));
    if (auto problem = tournament.prepare()) return usage_error(*problem);
    const SignalWatch watch(tournament);
    Display display(tournament.settings(), arguments.json, std::move(workers));
    const auto result =
        tournament.run([&display](const Progress& progress) { display.show(progress); });
    if (!result) return usage_error(result.error());
    display.close(*result);
    if (arguments.json) fmt::print("{}\n", to_json(tournament.settings(), *result));
    return 0;
}

}  // namespace

void add_match(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("match", "let engines play each other");
    auto a = std::make_shared<MatchArguments>();
    command
        ->add_option(
            "--engine", a->engines,
            "'cmd=... proto=uci|xboard name=... tc=2+0.02 st=S depth=N nodes=N margin=MS dir=... "
            "init=LINE option.X=Y', twice or more")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--each", a->each, "words that hold for every engine");
    command->add_option("--games", a->games, "games of each encounter")
        ->check(CLI::Range(1, 10'000'000));
    command->add_option("--format", a->format)
        ->check(CLI::IsMember({"round-robin", "gauntlet", "knockout", "swiss"}));
    command->add_option("--rounds", a->rounds, "of a Swiss tournament")->check(CLI::Range(0, 1000));
    command->add_option("--openings", a->openings,
                        "PGN, EPD or FEN file, or a Polyglot book (.bin)");
    command->add_option("--order", a->order)->check(CLI::IsMember({"random", "sequential"}));
    command->add_option("--plies", a->plies, "at most so many plies of a PGN opening")
        ->check(CLI::Range(0, 1000));
    command->add_option("--seed", a->seed, "of the order of the openings");
    command->add_flag("--no-swap", a->no_swap, "every opening is played once only");
    auto* concurrency =
        command->add_option("--concurrency", a->concurrency, "games at the same time")
            ->check(CLI::Range(1, 1024));
    command->add_flag("--no-pin", a->no_pin, "do not bind games to processors");
    command->add_flag("--restart", a->restart, "a new engine process for every game");
    command->add_option("--sprt", a->sprt, "E0,E1: stop when one is proven");
    command->add_option("--sprt-model", a->sprt_model)
        ->check(CLI::IsMember({"logistic", "normalized"}));
    command->add_option("--alpha", a->alpha)->check(CLI::Range(0.0001, 0.4999));
    command->add_option("--beta", a->beta)->check(CLI::Range(0.0001, 0.4999));
    command->add_option("--resign", a->resign, "MOVES,CENTIPAWNS: adjudicate a win");
    command->add_option("--draw", a->draw, "FROM_MOVE,MOVES,CENTIPAWNS: adjudicate a draw");
    command->add_option("--tablebases", a->tablebases,
                        "folders of Syzygy tables: positions in them are adjudicated");
    command->add_option("--max-moves", a->max_moves, "a draw after so many moves")
        ->check(CLI::Range(0, 100'000));
    command->add_option("--variant", a->variant)->check(CLI::IsMember({"standard", "chess960"}));
    command->add_option("--pgn", a->pgn, "where the games go");
    command->add_option("--event", a->event, "for the PGN");
    command->add_option("--log", a->log, "the whole conversation with the engines");
    command->add_option("--hang", a->hang_seconds, "seconds without answer when there is no clock")
        ->check(CLI::Range(1, 86'400));
    command->add_flag("--resume", a->resume, "go on with the tournament in the PGN file");
    command->add_flag("--json", a->json, "the result as JSON on standard output");
    command
        ->add_option("--workers", a->workers,
                     "postgres://...: pairs of games are jobs for workers (rokada worker --kinds "
                     "match) of this database, --concurrency of them at the same time")
        ->envname("ROKADA_WORKERS_DB");
    command->callback([a, concurrency, &exit_code] {
        if (!a->workers.empty() && concurrency->count() == 0) a->concurrency = kUsualJobs;
        exit_code = run(*a);
    });
}

}  // namespace rokada::cli
