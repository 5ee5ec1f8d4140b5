// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of training games as jobs: made, or scored anew.
#include "cli/lab_jobs.hpp"

#include <algorithm>

#include "cli/bench.hpp"
#include "cli/job_batch.hpp"
#include "lab/training/game_bytes.hpp"
#include "server/app/job_progress.hpp"

namespace rokada::cli {
namespace {

using namespace lab;
namespace json = net::json;

// Bytes in text: the database holds no others.
std::string to_hex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text.push_back(kDigits[byte >> 4]);
        text.push_back(kDigits[byte & 15]);
    }
    return text;
}

std::optional<std::string> from_hex(std::string_view text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    std::string bytes;
    if (text.size() % 2 != 0) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
}

// Names how this program plays: games and scores of another search, other weights or another network
// must not get among ours unseen.
std::uint64_t playing_sign(bool network) {
    static const auto count = [](const char* evaluation) {
        BenchArguments arguments;
        arguments.depth = 6;
        arguments.hash = 1;
        arguments.evaluation = evaluation;
        return run_bench(arguments, [](std::uint64_t, std::string_view) {}, false).nodes;
    };
    static const std::uint64_t classical = count("classical"), trained = count("network");
    return network ? trained : classical;
}

Result<std::string, std::string> plays_otherwise() {
    return Error{
        std::string("this worker plays otherwise than whoever asked: it is of another version")};
}

// Tells how many of so many games are done, from now on.
std::function<void(std::uint64_t)> teller(server::JobTask& task, std::uint64_t all) {
    const auto tell = [&task, all](std::uint64_t done) {
        task.tell(server::to_text(
            server::JobProgress{static_cast<std::int64_t>(done), static_cast<std::int64_t>(all)}));
    };
    tell(0);
    return tell;
}

json::object datagen_payload(const DatagenPlan& plan, const DatagenBlock& block) {
    return {{"salt", block.salt},
            {"first", block.first},
            {"count", block.count},
            {"nodes", plan.nodes},
            {"seed", plan.seed},
            {"random_plies", plan.random_plies},
            {"opening_limit", plan.largest_opening},
            {"random_moves", plan.random_moves},
            {"branches", plan.branches},
            {"branch_nodes", plan.branch_nodes},
            {"network", plan.network},
            {"plays", playing_sign(plan.network)},
            {"hash", plan.hash_megabytes}};
}

struct DatagenJob {
    DatagenPlan plan;
    DatagenBlock block;
    std::uint64_t plays = 0;
};

std::optional<DatagenJob> read_datagen(std::string_view payload) {
    const auto value = net::parse_json(payload);
    if (!value) return std::nullopt;
    net::ObjectReader body(*value);
    const auto number = [&body](std::string_view name, std::int64_t most) {
        return body.integer(name, 0, most);
    };
    DatagenJob job;
    auto& [plan, block, plays] = job;
    block.salt = static_cast<std::uint64_t>(number("salt", kHuge));
    block.first = static_cast<std::uint64_t>(number("first", kHuge));
    block.count = static_cast<std::uint64_t>(number("count", 100'000));
    plan.nodes = static_cast<std::uint64_t>(number("nodes", 1'000'000'000));
    plan.seed = static_cast<std::uint64_t>(number("seed", kHuge));
    plan.random_plies = static_cast<int>(number("random_plies", 60));
    plan.largest_opening = static_cast<int>(number("opening_limit", 10'000));
    plan.random_moves = body.number("random_moves", 0, 1);
    plan.branches = body.number("branches", 0, 1);
    plan.branch_nodes = static_cast<std::uint64_t>(number("branch_nodes", 1'000'000'000));
    plan.network = body.boolean("network");
    plays = static_cast<std::uint64_t>(number("plays", kHuge));
    plan.hash_megabytes = static_cast<int>(number("hash", 4096));
    if (!body.finish()) return std::nullopt;
    return job;
}

// And nothing after it but its branches.
bool is_one_game(const std::string& bytes) {
    std::vector<bool> branches;
    const std::vector<unsigned char> plain(bytes.begin(), bytes.end());
    return parse_training_games(
               "", plain, [&](const TrainingGame& game) { branches.push_back(game.is_branch()); })
               .empty() &&
           !branches.empty() && !branches[0] &&
           std::find(branches.begin() + 1, branches.end(), false) == branches.end();
}

std::optional<DatagenGames> read_games(std::string_view text) {
    const auto value = net::parse_json(text);
    if (!value) return std::nullopt;
    net::ObjectReader body(*value);
    DatagenGames made;
    for (const std::string& game : body.texts("games", 100'000, kAnyText)) {
        auto bytes = from_hex(game);
        if (!bytes || !is_one_game(*bytes)) return std::nullopt;
        made.games.push_back(std::move(*bytes));
    }
    made.nodes = static_cast<std::uint64_t>(
        body.integer("nodes", 0, std::numeric_limits<std::int64_t>::max()));
    made.seconds = body.number("seconds", 0, 1e9);
    if (!body.finish()) return std::nullopt;
    return made;
}

std::string games_hex(const std::vector<TrainingGame>& games) {
    std::vector<unsigned char> bytes;
    for (const TrainingGame& game : games) append_training_game(game, bytes);
    return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::optional<std::vector<TrainingGame> > read_games_hex(std::string_view text) {
    const auto bytes = from_hex(text);
    if (!bytes) return std::nullopt;
    std::vector<TrainingGame> games;
    const std::vector<unsigned char> plain(bytes->begin(), bytes->end());
    if (!parse_training_games("", plain, [&](const TrainingGame& game) {
             games.push_back(game);
         }).empty())
        return std::nullopt;
    return games;
}

}  // namespace

Result<AtWorkers<DatagenElsewhere>, std::string> make_with_workers(const std::string& database,
                                                                   const DatagenPlan& plan) {
    const auto opened = Batch::open(database, plan.output);
    if (!opened) return Error{opened.error()};
    const auto& batch = *opened;
    AtWorkers<DatagenElsewhere> made;
    made.progress = [batch] { return batch->progress(); };
    made.elsewhere =
        [batch, plan](
            const DatagenBlock& block,
            const std::function<bool()>& keep_going) -> Result<DatagenGames, std::string> {
        const auto result = batch->run(kDatagenKind, datagen_payload(plan, block), keep_going);
        if (!result) return Error{result.error()};
        auto games = read_games(*result);
        if (!games) return Error{std::string(kNonsense)};
        return std::move(*games);
    };
    return made;
}

Result<AtWorkers<RelabelElsewhere>, std::string> relabel_with_workers(const std::string& database,
                                                                      const RelabelPlan& plan) {
    const auto opened = Batch::open(database, plan.output);
    if (!opened) return Error{opened.error()};
    const auto& batch = *opened;
    AtWorkers<RelabelElsewhere> made;
    made.progress = [batch] { return batch->progress(); };
    made.elsewhere = [batch, plan](const std::vector<TrainingGame>& games,
                                   const std::function<bool()>& keep_going)
        -> Result<std::vector<TrainingGame>, std::string> {
        const auto result = batch->run(kRelabelKind,
                                       {{"nodes", plan.nodes},
                                        {"network", plan.network},
                                        {"plays", playing_sign(plan.network)},
                                        {"hash", plan.hash_megabytes},
                                        {"games", games_hex(games)}},
                                       keep_going);
        if (!result) return Error{result.error()};
        auto scored = read_games_hex(*result);
        if (!scored) return Error{std::string(kNonsense)};
        return std::move(*scored);
    };
    return made;
}

server::JobHandler relabel_handler() {
    return [](server::JobTask& task) -> Result<std::string, std::string> {
        const auto value = net::parse_json(task.job().payload);
        if (!value) return Error{std::string("not a job")};
        net::ObjectReader body(*value);
        RelabelPlan plan;
        plan.nodes = static_cast<std::uint64_t>(body.integer("nodes", 1, kHuge / 32));
        plan.network = body.boolean("network");
        const auto plays = static_cast<std::uint64_t>(body.integer("plays", 0, kHuge));
        plan.hash_megabytes = static_cast<int>(body.integer("hash", 1, 4096));
        auto games = read_games_hex(body.text("games", kAnyText));
        if (!body.finish() || !games) return Error{std::string("not a job")};
        if (plays != playing_sign(plan.network)) return plays_otherwise();
        if (!relabel_games(
                plan, *games, [&task] { return task.go_on(); }, teller(task, games->size())))
            return Error{std::string("a move is illegal")};
        return games_hex(*games);
    };
}

server::JobHandler datagen_handler() {
    return [](server::JobTask& task) -> Result<std::string, std::string> {
        const auto job = read_datagen(task.job().payload);
        if (!job) return Error{std::string("not a job")};
        if (job->plays != playing_sign(job->plan.network)) return plays_otherwise();
        const auto made = make_games(
            job->plan, job->block, [&task] { return task.go_on(); },
            teller(task, job->block.count));
        if (!made) return Error{std::string("stopped")};
        json::array games;
        for (const std::string& game : made->games) games.emplace_back(to_hex(game));
        return net::to_text(
            json::object{{"games", games}, {"nodes", made->nodes}, {"seconds", made->seconds}});
    };
}

}  // namespace rokada::cli
