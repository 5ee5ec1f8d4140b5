// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/data/datagen.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include <time.h>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/zobrist.hpp"
#include "lab/data/branches.hpp"
#include "lab/data/files.hpp"
#include "lab/data/player.hpp"
#include "lab/training/game_bytes.hpp"

namespace rokada::lab {

namespace {

// What this thread alone has used: other programs on the machine do not count.
double thread_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct MadeGame {
    TrainingGame game;
    std::vector<TrainingGame> branches;
};

class GameMaker {
  public:
    explicit GameMaker(const DatagenPlan& plan)
        : plan_(plan), player_(plan.network, plan.hash_megabytes), branches_(plan) {}

    // None if the opening is not worth playing.
    std::optional<MadeGame> make(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        Game game;
        std::vector<Move>& moves = moves_;
        moves.clear();
        branches_.new_game(seed);
        const int plies = plan_.random_plies + static_cast<int>(random() % 2);
        for (int i = 0; i < plies; ++i)
            if (!play_random(game, moves, random)) return std::nullopt;
        if (game.over()) return std::nullopt;
        player_.new_game();

        TrainingGame out;
        out.opening = plies;
        Adjudicator adjudicator(plan_.adjudication);
        const engine::Limits limits = limits_of(plan_.nodes);
        std::optional<Color> winner;
        while (!game.over()) {
            const Color mover = game.position().turn();
            const Move best = player_.think(moves, limits);
            const engine::Score score = player_.score();
            if (!best) return std::nullopt;
            if (moves.size() == static_cast<std::size_t>(plies) &&
                (score.is_mate() || std::abs(score.centipawns()) > plan_.largest_opening))
                return std::nullopt;
            out.scores.push_back(to_training_score(score));
            branches_.after_search(game, player_);
            const int fullmove = game.position().fullmove_number();
            const bool by_lot = moves.size() < 80 && uniform(random) < plan_.random_moves;
            if (by_lot) {
                play_random(game, moves, random);
            } else {
                game.play(best);
                moves.push_back(best);
            }
            const bool irreversible = game.position().halfmove_clock() == 0;
            if (const auto judged = adjudicator.after_move(mover, score, fullmove, irreversible)) {
                winner = judged->winner;
                break;
            }
        }
        if (game.over()) winner = game.outcome()->winner;
        out.result = !winner ? 1 : *winner == Color::White ? 2 : 0;
        for (const Move move : moves) out.moves.push_back(encode_training_move(move));
        return MadeGame{std::move(out), branches_.branches_of(game)};
    }
    std::uint64_t nodes() const { return player_.nodes() + branches_.nodes(); }
    const std::vector<Move>& moves() const { return moves_; }  // of the last game

  private:
    static bool play_random(Game& game, std::vector<Move>& moves, std::mt19937_64& random) {
        const MoveList legal = legal_moves(game.position());
        if (legal.empty() || game.over()) return false;
        const Move move = legal[random() % legal.size()];
        moves.push_back(move);
        return game.play(move);
    }

    const DatagenPlan& plan_;
    Player player_;
    BranchFinder branches_;
    std::vector<Move> moves_;
};

// Long searches on positions of such games: what the engine can do there when nothing disturbs it. Positions of other
// kinds are searched at other speeds, and the share would mean nothing.
double raw_speed(const DatagenPlan& plan) {
    DatagenPlan sample = plan;
    sample.nodes = std::min<std::uint64_t>(plan.nodes, 1000);  // where games lead, not how well
    sample.branches = 0;
    GameMaker maker(sample);
    Player player(plan.network, plan.hash_megabytes);
    player.new_game();
    engine::Limits limits;
    limits.nodes = 100'000;
    double seconds = 0;
    // Settings under which no opening is good enough end here.
    constexpr std::uint64_t attempts = 500;
    for (std::uint64_t game = 1; seconds < 1.0 && game <= attempts; ++game) {
        const auto made = maker.make(mix_bits(plan.seed + game));
        if (!made) continue;
        std::vector<Move> moves;
        for (const Move move : maker.moves()) {
            const std::size_t scored = moves.size();
            if (scored >= static_cast<std::size_t>(made->game.opening) && scored % 10 == 0) {
                const double begin = thread_seconds();
                player.think(moves, limits);
                seconds += thread_seconds() - begin;
                if (seconds >= 1.0) break;
            }
            moves.push_back(move);
        }
    }
    return seconds > 0 ? static_cast<double>(player.nodes()) / seconds : 0;
}

struct Shared {
    std::mutex mutex;
    std::ofstream file;
    DatagenReport report;
    double thread_seconds = 0;
    std::uint64_t next = 0;
    std::map<std::uint64_t, std::vector<std::string>> early;  // blocks that wait for those before
    std::uint64_t written = 0;                                // numbers up to here
    std::atomic<bool> stop{false};
    std::string problem;

    void fail(const std::string& why) {
        problem = why;
        stop = true;
    }
    // Whole games only, with their branches: one write each, and on disk before it counts.
    void keep(const DatagenPlan& plan, const std::string& bytes) {
        if (report.games >= plan.games || stop) return;
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        file.flush();
        if (!file) return fail(plan.output + ": cannot be written");
        ++report.games;
        ++report.new_games;
        const std::span all(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
        std::size_t at = 0;
        while (const auto header = read_game_header(all.subspan(at))) {
            std::uint64_t* const counters[] = {&report.black_wins, &report.draws,
                                               &report.white_wins, &report.new_branches};
            ++*counters[header->result];
            report.new_positions += header->scores();
            at += header->size();
        }
        if (report.games >= plan.games) stop = true;
    }
};

std::optional<std::string> make_game(GameMaker& maker, const DatagenPlan& plan, std::uint64_t salt,
                                     std::uint64_t number) {
    std::seed_seq seeds{plan.seed, salt, number};
    std::uint32_t halves[2];
    seeds.generate(halves, halves + 2);
    const auto made = maker.make(std::uint64_t{halves[0]} << 32 | halves[1]);
    if (!made) return std::nullopt;
    std::vector<unsigned char> bytes;
    append_training_game(made->game, bytes);
    for (const TrainingGame& branch : made->branches) append_training_game(branch, bytes);
    return std::string(bytes.begin(), bytes.end());
}

void work(const DatagenPlan& plan, std::uint64_t salt, Shared& shared) {
    GameMaker maker(plan);
    double seconds_told = thread_seconds();
    std::uint64_t nodes_told = 0;
    while (!shared.stop) {
        std::uint64_t number = 0;
        {
            const std::lock_guard lock(shared.mutex);
            number = shared.next++;
        }
        const auto game = make_game(maker, plan, salt, number);
        const double seconds = thread_seconds();
        const std::lock_guard lock(shared.mutex);
        shared.report.nodes += maker.nodes() - nodes_told;
        shared.thread_seconds += seconds - seconds_told;
        nodes_told = maker.nodes();
        seconds_told = seconds;
        if (game) shared.keep(plan, *game);
    }
}

void gather(const DatagenPlan& plan, std::uint64_t salt, Shared& shared,
            const DatagenElsewhere& elsewhere) {
    while (!shared.stop) {
        DatagenBlock block;
        block.salt = salt;
        {
            const std::lock_guard lock(shared.mutex);
            block.first = shared.next;
            shared.next += block.count;
        }
        auto made = elsewhere(block, [&shared] { return !shared.stop; });
        const std::lock_guard lock(shared.mutex);
        if (!made) {
            if (!shared.stop) shared.fail(made.error());
            return;
        }
        shared.report.nodes += made->nodes;
        shared.thread_seconds += made->seconds;
        shared.early[block.first] = std::move(made->games);
        for (auto at = shared.early.begin();
             at != shared.early.end() && at->first == shared.written;
             at = shared.early.erase(at), shared.written += block.count)
            for (const std::string& game : at->second) shared.keep(plan, game);
    }
}

}  // namespace

std::optional<DatagenGames> make_games(const DatagenPlan& plan, const DatagenBlock& block,
                                       const std::function<bool()>& keep_going,
                                       const std::function<void(std::uint64_t done)>& on_done) {
    const double begin = thread_seconds();
    GameMaker maker(plan);
    DatagenGames made;
    for (std::uint64_t i = 0; i < block.count; ++i) {
        if (!keep_going()) return std::nullopt;
        if (auto game = make_game(maker, plan, block.salt, block.first + i))
            made.games.push_back(std::move(*game));
        if (on_done) on_done(i + 1);
    }
    made.nodes = maker.nodes();
    made.seconds = thread_seconds() - begin;
    return made;
}

std::string generate_games(const DatagenPlan& plan,
                           const std::function<void(const DatagenReport&)>& on_report,
                           const std::function<bool()>& keep_going,
                           const DatagenElsewhere& elsewhere) {
    Shared shared;
    shared.report.wanted = plan.games;
    DataCounts there;
    if (auto problem = repair_training_file(plan.output, there); !problem.empty()) return problem;
    shared.report.games = there.games;
    if (shared.report.games >= plan.games) {
        if (on_report) on_report(shared.report);
        return "";
    }
    shared.file.open(plan.output, std::ios::binary | std::ios::app);
    if (!shared.file) return plan.output + ": cannot be written";
    if (!elsewhere) shared.report.raw_speed = raw_speed(plan);

    // Games that were under way when an earlier run ended are not played again: a run's openings
    // depend on where it began.
    const std::uint64_t salt = shared.report.games;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (int i = 0; i < plan.threads; ++i)
        threads.emplace_back(
            [&] { elsewhere ? gather(plan, salt, shared, elsewhere) : work(plan, salt, shared); });
    auto next_report = begin + std::chrono::seconds(1);
    const auto tell = [&] {
        DatagenReport report;
        {
            const std::lock_guard lock(shared.mutex);
            report = shared.report;
            report.speed = shared.thread_seconds > 0
                               ? static_cast<double>(report.nodes) / shared.thread_seconds
                               : 0;
        }
        report.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (on_report) on_report(report);
    };
    bool stopped = false;
    while (!shared.stop) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (!keep_going()) {
            stopped = true;
            shared.stop = true;
        }
        if (std::chrono::steady_clock::now() >= next_report && !shared.stop) {
            next_report += std::chrono::seconds(1);
            tell();
        }
    }
    for (std::thread& thread : threads) thread.join();
    tell();
    if (!shared.problem.empty()) return shared.problem;
    return stopped && shared.report.games < plan.games ? "stopped" : "";
}

}  // namespace rokada::lab
