// SPDX-License-Identifier: GPL-3.0-or-later
// rokada lichess: a bot for lichess and for every server with the same interface; rokada lichess stats: its results.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <signal.h>

#include "bot/bot.hpp"
#include "cli/commands.hpp"

namespace rokada::cli {

namespace {

struct LichessOptions {
    bot::Settings bot;
    std::string token_file;
    std::vector<std::string> engine_options;
    bool upgrade = false, no_ponder = false;
    bool only_bots = false, only_people = false, only_rated = false, only_casual = false;
    bool never_resign = false, never_draw = false;
};

// From the file, or else from the environment; never from the command line, which other users of the machine can read.
std::string find_token(const LichessOptions& options) {
    std::string token;
    if (!options.token_file.empty()) {
        std::ifstream file(options.token_file);
        std::getline(file, token);
    } else if (const char* given = std::getenv("ROKADA_LICHESS_TOKEN")) {
        token = given;
    }
    while (!token.empty() && (token.back() == ' ' || token.back() == '\r')) token.pop_back();
    return token;
}

int run(LichessOptions& options) {
    bot::Settings& settings = options.bot;
    settings.token = find_token(options);
    if (settings.token.empty()) {
        fmt::print(stderr,
                   "rokada lichess: no token; set ROKADA_LICHESS_TOKEN or use --token-file\n");
        return 2;
    }
    while (!settings.url.empty() && settings.url.back() == '/') settings.url.pop_back();
    settings.policy.bots = !options.only_people;
    settings.policy.people = !options.only_bots;
    settings.policy.rated = !options.only_casual;
    settings.policy.casual = !options.only_rated;
    settings.manners.resign = !options.never_resign;
    settings.manners.draw = !options.never_draw;
    settings.ponder = !options.no_ponder;
    for (const std::string& option : options.engine_options) {
        const std::size_t equals = option.find('=');
        if (equals == std::string::npos) {
            fmt::print(stderr, "rokada lichess: --option takes NAME=VALUE, not '{}'\n", option);
            return 2;
        }
        settings.engine_options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
    }
    settings.log = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };

    // Signals are taken by the waiting thread only; every thread made from here on inherits this.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);  // ours, to end the waiting thread
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    signal(SIGPIPE, SIG_IGN);

    bot::Bot bot(settings);
    if (options.upgrade)
        if (const auto error = bot.upgrade()) {
            fmt::print(stderr, "rokada lichess: {}\n", *error);
            return 1;
        }
    std::thread waiting([&bot, &signals] {
        for (int received = 0; sigwait(&signals, &received) == 0 && received != SIGUSR1;)
            bot.stop();
    });
    const auto error = bot.run();
    pthread_kill(waiting.native_handle(), SIGUSR1);
    waiting.join();
    if (error) fmt::print(stderr, "rokada lichess: {}\n", *error);
    return error ? 1 : 0;
}

int stats(const std::string& ledger) {
    const bot::LedgerContent content = bot::read_ledger(ledger);
    if (content.unreadable > 0)
        fmt::print(stderr, "rokada lichess: {} lines of {} cannot be read\n", content.unreadable,
                   ledger);
    if (content.entries.empty()) {
        fmt::print(stderr, "rokada lichess: no games in {}\n", ledger);
        return 1;
    }
    fmt::print("{}", bot::summary(content.entries));
    return 0;
}

}  // namespace

void add_lichess(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<LichessOptions>();
    options->bot.ledger = "lichess-games.ndjson";
    options->bot.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    CLI::App* command =
        app.add_subcommand("lichess", "Play as a bot on lichess, or on a server like it");
    bot::Settings& bot = options->bot;
    command->add_option("--url", bot.url, "The server")->envname("ROKADA_LICHESS_URL");
    command->add_option("--token-file", options->token_file,
                        "File with the token; without it ROKADA_LICHESS_TOKEN is used");
    command->add_option("--ca", bot.ca_file, "Certificates to trust instead of the system's (PEM)");
    command->add_flag("--upgrade", options->upgrade,
                      "Make the account a bot's first; cannot be undone");
    command->add_option("--games", bot.policy.games, "Games at the same time")
        ->check(CLI::Range(1, 64));
    command->add_option("--variants", bot.policy.variants, "standard, chess960, fromPosition")
        ->delimiter(',');
    command->add_flag("--only-bots", options->only_bots, "Decline challenges of people");
    command->add_flag("--only-people", options->only_people, "Decline challenges of bots");
    command->add_flag("--only-rated", options->only_rated, "Decline casual games");
    command->add_flag("--only-casual", options->only_casual, "Decline rated games");
    command->add_option("--min-limit", bot.policy.min_limit, "Shortest clock taken, in seconds");
    command->add_option("--max-limit", bot.policy.max_limit, "Longest clock taken, in seconds");
    command->add_option("--min-increment", bot.policy.min_increment, "Smallest increment taken");
    command->add_option("--max-increment", bot.policy.max_increment, "Largest increment taken");
    command->add_flag("--correspondence", bot.policy.correspondence,
                      "Take games without a clock too");
    command
        ->add_option("--correspondence-games", bot.policy.correspondence_games,
                     "So many of them, besides the others")
        ->check(CLI::Range(1, 64));
    command->add_flag("--challenge", bot.matchmaking.on, "Challenge other bots when idle");
    command->add_option("--challenge-limit", bot.matchmaking.limit, "Their clock, in seconds");
    command->add_option("--challenge-increment", bot.matchmaking.increment, "Their increment");
    command->add_flag("--challenge-rated", bot.matchmaking.rated, "Make them rated");
    command->add_option("--challenge-variant", bot.matchmaking.variant, "standard or chess960");
    command->add_option("--challenge-rating", bot.matchmaking.rating_difference,
                        "Only bots at most so far from our rating; 0: any");
    command->add_option("--challenges-per-day", bot.matchmaking.per_day, "At most so many");
    command->add_option("--threads", bot.threads, "Threads of the engine, shared by all games")
        ->check(CLI::Range(1, 256));
    command->add_option("--hash", bot.hash_megabytes, "Megabytes of memory, shared by all games")
        ->check(CLI::Range(1, 131072));
    command->add_option("--elo", bot.elo, "Play at this strength (400 to 3200)")
        ->check(CLI::Range(400, 3200));
    command->add_option("--option", options->engine_options, "An option of the engine: NAME=VALUE");
    command->add_option("--book", bot.book, "Opening book (Polyglot)");
    command->add_option("--book-plies", bot.book_plies, "Moves of both sides from the book");
    command->add_flag("--no-ponder", options->no_ponder, "Do not think on the opponent's time");
    command->add_option("--takebacks", bot.manners.takebacks,
                        "Takebacks granted to people per game");
    command->add_flag("--never-resign", options->never_resign, "Play every game to its end");
    command->add_flag("--never-draw", options->never_draw, "Neither offer nor accept draws");
    command->add_option("--hello", bot.manners.hello, "Said at the start; empty: nothing");
    command->add_option("--goodbye", bot.manners.goodbye, "Said at the end; empty: nothing");
    command->add_option("--ledger", bot.ledger, "File of results")
        ->envname("ROKADA_LICHESS_LEDGER");
    command->require_subcommand(0, 1);
    CLI::App* table = command->add_subcommand("stats", "The results so far");
    table->add_option("--ledger", bot.ledger, "File of results")->envname("ROKADA_LICHESS_LEDGER");
    command->callback([options, table, &exit_code] {
        exit_code = table->parsed() ? stats(options->bot.ledger) : run(*options);
    });
}

}  // namespace rokada::cli
