// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of games as jobs.
#include <algorithm>
#include <thread>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "cli/job_batch.hpp"
#include "cli/lab_jobs.hpp"
#include "engine/syzygy/tablebases.hpp"
#include "server/app/job_progress.hpp"

namespace rokada::cli {
namespace {

using namespace lab;
namespace json = net::json;

json::array texts(const std::vector<std::string>& list) {
    json::array result;
    for (const std::string& text : list) result.emplace_back(text);
    return result;
}

template <class T>
void put(json::object& object, std::string_view name, const std::optional<T>& number) {
    if (number) object[name] = static_cast<std::int64_t>(*number);
}
void put(json::object& object, std::string_view name,
         const std::optional<engine::Milliseconds>& time) {
    if (time) object[name] = std::int64_t{time->count()};
}

json::object engine_json(const EngineSpec& engine) {
    std::vector<std::string> options;
    for (const auto& [name, value] : engine.options) {
        options.push_back(name);
        options.push_back(value);
    }
    json::object terms{{"moves", engine.terms.moves_per_session}};
    put(terms, "base", engine.terms.base);
    put(terms, "increment", engine.terms.increment);
    put(terms, "move_time", engine.terms.move_time);
    put(terms, "depth", engine.terms.depth);
    put(terms, "nodes", engine.terms.nodes);
    return {{"command", texts(engine.command)},
            {"directory", engine.directory},
            {"name", engine.name},
            {"uci", engine.protocol == protocol::EngineProtocol::Uci},
            {"terms", terms},
            {"margin", std::int64_t{engine.margin.count()}},
            {"options", texts(options)},
            {"init", texts(engine.init_lines)}};
}

EngineSpec read_engine(net::ObjectReader& body) {
    EngineSpec engine;
    engine.command = body.texts("command", 1000, kAnyText);
    engine.directory = body.text("directory", kAnyText);
    engine.name = body.text("name", kAnyText);
    engine.protocol =
        body.boolean("uci") ? protocol::EngineProtocol::Uci : protocol::EngineProtocol::Xboard;
    net::ObjectReader terms = body.object("terms");
    const auto time = [&terms](std::string_view name) -> std::optional<engine::Milliseconds> {
        const auto value = terms.optional_integer(name, 0, kHuge);
        return value ? std::optional(engine::Milliseconds(*value)) : std::nullopt;
    };
    engine.terms.moves_per_session = static_cast<int>(terms.integer("moves", 0, kMost));
    engine.terms.base = time("base");
    engine.terms.increment = time("increment");
    engine.terms.move_time = time("move_time");
    if (const auto depth = terms.optional_integer("depth", 1, kMost))
        engine.terms.depth = static_cast<int>(*depth);
    if (const auto nodes = terms.optional_integer("nodes", 1, kHuge))
        engine.terms.nodes = static_cast<std::uint64_t>(*nodes);
    body.absorb(std::move(terms));
    engine.margin = std::chrono::milliseconds(body.integer("margin", 0, kHuge));
    const auto options = body.texts("options", 2000, kAnyText);
    for (std::size_t i = 0; i + 1 < options.size(); i += 2)
        engine.options.emplace_back(options[i], options[i + 1]);
    engine.init_lines = body.texts("init", 1000, kAnyText);
    return engine;
}

// Only the engines of these games, counted from 0.
json::object match_payload(const TournamentSettings& settings, const std::vector<Pairing>& games,
                           const Opening& opening) {
    std::vector<std::size_t> used;
    const auto place = [&used](std::size_t engine) {
        const auto found = std::find(used.begin(), used.end(), engine);
        if (found == used.end()) used.push_back(engine);
        return std::int64_t{std::find(used.begin(), used.end(), engine) - used.begin()};
    };
    json::array pairings, engines;
    for (const Pairing& game : games)
        pairings.push_back(json::object{{"number", game.number},
                                        {"round", game.round},
                                        {"white", place(game.white)},
                                        {"black", place(game.black)}});
    for (const std::size_t engine : used) engines.push_back(engine_json(settings.engines[engine]));
    std::vector<std::string> moves;
    for (const Move move : opening.moves) moves.push_back(to_uci(move));
    json::object payload{{"engines", engines},
                         {"games", pairings},
                         {"fen", to_fen(opening.start)},
                         {"moves", texts(moves)},
                         {"restart", settings.restart_engines},
                         {"chess960", settings.chess960},
                         {"event", settings.event},
                         {"tablebases", settings.play.tablebase_folders},
                         {"hang", std::int64_t{settings.play.hang_patience.count()}},
                         {"grace", std::int64_t{settings.play.flag_grace.count()}},
                         {"max_moves", settings.play.adjudication.max_moves}};
    if (const auto& resign = settings.play.adjudication.resign)
        payload["resign"] = json::object{
            {"moves", resign->moves}, {"score", resign->score}, {"both", resign->two_sided}};
    if (const auto& draw = settings.play.adjudication.draw)
        payload["draw"] =
            json::object{{"from", draw->from_move}, {"moves", draw->moves}, {"score", draw->score}};
    return payload;
}

struct MatchJob {
    TournamentSettings settings;
    std::vector<Pairing> games;
    Opening opening;
};

std::optional<std::string> read_opening(net::ObjectReader& body, Opening& opening) {
    const auto start = parse_position(body.text("fen"));
    if (!start) return "not a position: " + start.error().to_string();
    opening.start = *start;
    Position position = *start;
    for (const std::string& text : body.texts("moves", 10'000)) {
        const auto move = parse_uci_move(position, text);
        if (!move) return "not a move: " + text;
        opening.moves.push_back(*move);
        position.play(*move);
    }
    return std::nullopt;
}

void read_play(net::ObjectReader& body, PlaySettings& play) {
    const auto number = [](net::ObjectReader& from, std::string_view name) {
        return static_cast<int>(from.integer(name, -kMost, kMost));
    };
    play.tablebase_folders = body.text("tablebases", kAnyText);
    play.hang_patience = std::chrono::milliseconds(body.integer("hang", 0, kHuge));
    play.flag_grace = std::chrono::milliseconds(body.integer("grace", 0, kHuge));
    play.adjudication.max_moves = number(body, "max_moves");
    if (auto resign = body.optional_object("resign")) {
        play.adjudication.resign = AdjudicationSettings::Resign{
            number(*resign, "moves"), number(*resign, "score"), resign->boolean("both")};
        body.absorb(std::move(*resign));
    }
    if (auto draw = body.optional_object("draw")) {
        play.adjudication.draw = AdjudicationSettings::Draw{
            number(*draw, "from"), number(*draw, "moves"), number(*draw, "score")};
        body.absorb(std::move(*draw));
    }
}

Result<MatchJob, std::string> read_match(std::string_view payload) {
    const auto value = net::parse_json(payload);
    if (!value) return Error{"not a job: " + value.error().message};
    net::ObjectReader body(*value);
    MatchJob job;
    TournamentSettings& settings = job.settings;
    if (const auto* engines = body.optional_array("engines", 1000))
        for (const json::value& engine : *engines) {
            net::ObjectReader fields(engine);
            settings.engines.push_back(read_engine(fields));
            if (!fields.finish() || settings.engines.back().command.empty())
                return Error{std::string("not an engine")};
        }
    if (const auto* games = body.optional_array("games", 1000))
        for (const json::value& game : *games) {
            net::ObjectReader fields(game);
            Pairing pairing;
            pairing.number = static_cast<int>(fields.integer("number", 1, kMost));
            pairing.round = static_cast<int>(fields.integer("round", 0, kMost));
            pairing.white = static_cast<std::size_t>(fields.integer("white", 0, kMost));
            pairing.black = static_cast<std::size_t>(fields.integer("black", 0, kMost));
            if (!fields.finish() || pairing.white >= settings.engines.size() ||
                pairing.black >= settings.engines.size())
                return Error{std::string("not a game")};
            job.games.push_back(pairing);
        }
    if (auto problem = read_opening(body, job.opening)) return Error{std::move(*problem)};
    settings.restart_engines = body.boolean("restart");
    settings.chess960 = body.boolean("chess960");
    settings.event = body.text("event", kAnyText);
    read_play(body, settings.play);
    if (!body.finish()) return Error{"not a job: " + body.errors().front().message};
    if (!settings.play.tablebase_folders.empty()) {
        auto tables = engine::Tablebases::open(settings.play.tablebase_folders);
        if (!tables) return Error{tables.error()};
        settings.play.tablebases = *tables;
    }
    return job;
}

std::string match_result(const std::vector<FinishedGame>& games) {
    json::array list;
    for (const FinishedGame& game : games)
        list.push_back(json::object{{"points", game.record.white_points()},
                                    {"ending", static_cast<int>(game.record.ending)},
                                    {"reason", game.record.reason},
                                    {"pgn", game.pgn}});
    return net::to_text(json::object{{"games", list}});
}

Result<std::vector<FinishedGame>, std::string> read_match_result(
    std::string_view text, const std::vector<Pairing>& games,
    const std::vector<EngineSpec>& engines) {
    const auto value = net::parse_json(text);
    if (!value) return Error{std::string(kNonsense)};
    net::ObjectReader body(*value);
    const auto* list = body.optional_array("games", games.size());
    if (list == nullptr || list->size() != games.size()) return Error{std::string(kNonsense)};
    std::vector<FinishedGame> finished;
    for (std::size_t i = 0; i < games.size(); ++i) {
        net::ObjectReader fields((*list)[i]);
        FinishedGame game;
        game.record.number = games[i].number;
        game.record.round = games[i].round;
        game.record.names[Color::White] = engines[games[i].white].name;
        game.record.names[Color::Black] = engines[games[i].black].name;
        const auto points = fields.integer("points", 0, 2);
        if (points != 1) game.record.winner = points == 2 ? Color::White : Color::Black;
        game.record.ending = static_cast<Ending>(
            fields.integer("ending", 0, static_cast<std::int64_t>(Ending::Cancelled) - 1));
        game.record.reason = fields.text("reason", kAnyText);
        game.pgn = fields.text("pgn", kAnyText);
        if (!fields.finish()) return Error{std::string(kNonsense)};
        finished.push_back(std::move(game));
    }
    return finished;
}

}  // namespace

Result<AtWorkers<PlayElsewhere>, std::string> play_with_workers(const std::string& database,
                                                                const std::string& name) {
    const auto opened = Batch::open(database, name);
    if (!opened) return Error{opened.error()};
    const auto& batch = *opened;
    AtWorkers<PlayElsewhere> made;
    made.progress = [batch] { return batch->progress(); };
    made.elsewhere = [batch](const TournamentSettings& settings, const std::vector<Pairing>& games,
                             const Opening& opening, const std::atomic<bool>& cancelled)
        -> Result<std::vector<FinishedGame>, std::string> {
        const auto result = batch->run(kMatchKind, match_payload(settings, games, opening),
                                       [&cancelled] { return !cancelled; });
        if (!result) return Error{result.error()};
        return read_match_result(*result, games, settings.engines);
    };
    return made;
}

server::JobHandler match_handler() {
    return [](server::JobTask& task) -> Result<std::string, std::string> {
        auto job = read_match(task.job().payload);
        if (!job) return Error{job.error()};
        server::JobProgress progress{0, static_cast<std::int64_t>(job->games.size())};
        job->settings.play.on_ply = [&](int ply) {
            progress.ply = ply;
            task.tell(server::to_text(progress));
        };
        Tournament tournament(std::move(job->settings));
        // Engines are waited for in there; somebody has to notice that the games are not wanted.
        std::atomic<bool> over{false};
        std::thread watch([&] {
            while (!over && task.go_on())
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            if (!over) tournament.stop_now();
        });
        const auto played = tournament.play_games(job->games, job->opening, [&](std::size_t done) {
            progress.done = static_cast<std::int64_t>(done);
            progress.ply = 0;
            task.tell(server::to_text(progress));
        });
        over = true;
        watch.join();
        if (!played) return Error{played.error()};
        return match_result(*played);
    };
}

}  // namespace rokada::cli
