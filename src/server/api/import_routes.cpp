// SPDX-License-Identifier: GPL-3.0-or-later
// Games brought in as PGN. Every move is checked; what cannot be read is named with its line and left out.
#include "chess/notation/fen.hpp"
#include "chess/notation/game_pgn.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/uci_move.hpp"
#include "net/json.hpp"
#include "server/api/api.hpp"
#include "server/api/json_text.hpp"
#include "server/api/new_game.hpp"
#include "server/app/clean_text.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

constexpr std::size_t kMostBytes = std::size_t{2} << 20;
constexpr std::size_t kMostGames = 500;
constexpr std::size_t kMostPlies = 2000;
constexpr std::size_t kMostTagBytes = 4096;

std::string name_of(const PgnGame& pgn, const char* tag) {
    const std::string_view name = pgn.tag(tag);
    return name.empty() ? "?" : clean_text(name, 100);
}

std::string tags_of(const PgnGame& pgn) {
    std::string text;
    for (const PgnTag& tag : pgn.tags()) {
        std::string line = tag.name + "\t" + tag.value;
        for (char& c : line)
            if (c == '\n' || c == '\r') c = ' ';
        if (text.size() + line.size() < kMostTagBytes) text += line + "\n";
    }
    return text;
}

// The whole record with its moves, or why it cannot be kept.
Result<GameRecord, std::string> to_record(const PgnGame& pgn, const Identity& me,
                                          Visibility visibility, Millis at, RandomSource& random) {
    const auto game = to_game(pgn);
    if (!game) return Error{game.error()};
    if (game->plies().size() > kMostPlies) return Error{std::string("too many moves")};
    GameRecord record;
    record.id = random.id();
    record.settings.kind = GameKind::Import;
    record.settings.auto_draw = false;
    record.settings.visibility = visibility;
    record.settings.initial_fen = to_fen(game->start());
    record.settings.chess960 =
        needs_chess960(game->start()) || pgn.tag("Variant").find("960") != std::string_view::npos;
    record.white.kind = record.black.kind = SeatKind::Named;
    record.white.player_id = record.black.player_id = me.player_id;
    record.white.name = name_of(pgn, "White");
    record.black.name = name_of(pgn, "Black");
    record.tags = tags_of(pgn);
    record.status = GameStatus::Finished;
    record.result = pgn.result() == PgnResult::WhiteWins   ? GameResult::WhiteWins
                    : pgn.result() == PgnResult::BlackWins ? GameResult::BlackWins
                    : pgn.result() == PgnResult::Draw      ? GameResult::Draw
                                                           : GameResult::None;
    if (game->outcome()) record.reason = std::string(to_string(game->outcome()->reason));
    record.created_at = record.updated_at = record.ended_at = at;
    record.fen = to_fen(game->position());
    const CastlingNotation castling =
        record.settings.chess960 ? CastlingNotation::KingTakesRook : CastlingNotation::KingMove;
    for (const Game::Ply& ply : game->plies())
        record.moves.push_back({to_uci(ply.move, castling), 0, 0, at});
    record.ply = static_cast<int>(record.moves.size());
    if (!record.moves.empty()) record.last_move = record.moves.back().uci;
    return record;
}

void insert_all(Session& session, const std::vector<GameRecord>& records) {
    for (const GameRecord& record : records) {
        games_table::insert(session, record, {});
        GameChange change;
        change.game = &record;
        for (std::size_t i = 0; i < record.moves.size(); ++i)
            change.played.emplace_back(static_cast<int>(i) + 1, record.moves[i]);
        games_table::apply(session, change);
    }
}

void import(ApiServices& api, const net::Responder& responder, const Identity& me,
            const Finish& finish, const std::string& text, Visibility visibility) {
    const PgnGames read = parse_pgn(text, {{}, std::size_t{64} << 20});
    if (read.games.size() > kMostGames)
        return reply(responder,
                     finish(net::problem(422, "too_many_games", "At most 500 games at once.")));
    std::vector<GameRecord> records;
    JsonText problems;
    problems.open_array();
    for (const PgnProblem& problem : read.problems)
        if (problem.severity == PgnSeverity::Broken)
            problems.open_object()
                .field("game", problem.game)
                .field("line", static_cast<std::int64_t>(problem.where.line))
                .field("message", problem.message)
                .close_object();
    const Millis now = api.time->now().wall;
    for (std::size_t i = 0; i < read.games.size(); ++i) {
        bool broken = false;
        for (const PgnProblem& problem : read.problems)
            broken |= problem.severity == PgnSeverity::Broken && problem.game == i + 1;
        if (broken) continue;
        // The first of the file comes first in lists, which show the newest on top.
        auto record = to_record(read.games[i], me, visibility,
                                now + static_cast<Millis>(read.games.size() - i), *api.random);
        if (record) {
            records.push_back(std::move(*record));
        } else {
            problems.open_object()
                .field("game", static_cast<std::int64_t>(i) + 1)
                .field("message", record.error())
                .close_object();
        }
    }
    problems.close_array();
    if (!records.empty())
        api.store->write([&records](Session& session) { insert_all(session, records); });
    JsonText json;
    json.open_object().name("games").open_array();
    for (const GameRecord& record : records) json.value(record.id);
    json.close_array().name("problems").raw(problems.text()).close_object();
    reply(responder, finish(net::Response::json_text(records.empty() ? 422 : 201, json.take())));
}

}  // namespace

void add_import_routes(net::Router& router, ApiServices& api) {
    router.post(
        "/api/v1/imports",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            const auto value = net::parse_json(request->body);
            if (!value) return reply(responder, net::problem_for(value.error()));
            net::ObjectReader body(*value);
            const std::string pgn = body.text("pgn", {.min_bytes = 1, .max_bytes = kMostBytes});
            const std::string word =
                body.optional_choice("visibility", {"public", "link", "private"})
                    .value_or("private");
            if (!body.finish()) return reply(responder, net::problem_for(body.errors()));
            const Visibility visibility = word == "public" ? Visibility::Public
                                          : word == "link" ? Visibility::Link
                                                           : Visibility::Private;
            with_player(
                api, request, responder,
                [&api, responder, pgn, visibility](const Identity& me, const Finish& finish) {
                    const auto verdict = api.throttles->new_game.take(me.player_id, 5);
                    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
                    on_pool(*api.workers, responder,
                            [&api, responder, me, finish, pgn, visibility] {
                                import(api, responder, me, finish, pgn, visibility);
                            });
                });
        },
        {2 * kMostBytes});
}

}  // namespace rokada::server
