// SPDX-License-Identifier: GPL-3.0-or-later
#include "bindings/c/border.hpp"
#include "chess/notation/game_pgn.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "chess/openings.hpp"

using namespace rokada;
using namespace rokada::border;

struct rokada_pgn {
    PgnGames content;  // never changed
};

namespace {

using Parser = Result<Move, ParseError> (*)(const Position&, std::string_view);

rokada_error play(rokada_game& game, Move move, std::optional<Game::Milliseconds> clock) {
    if (game.game.over()) return fail(ROKADA_ERROR_STATE, "the game is over");
    if (!game.game.play(move, clock))
        return fail(ROKADA_ERROR_MOVE, "the move is not legal in this position");
    return ROKADA_OK;
}

rokada_error play_text(rokada_game* game, const char* text, Parser parse) {
    if (!game || !text) return fail_null();
    return guarded([&] {
        const std::lock_guard lock(game->mutex);
        const auto move = parse(game->game.position(), text);
        if (!move) return fail(ROKADA_ERROR_MOVE, move.error().to_string());
        return play(*game, *move, std::nullopt);
    });
}

// Work that ends the game or takes back: true if it could be done.
template <class Work>
rokada_error change(rokada_game* game, const char* why_not, Work&& work) {
    if (!game) return fail_null();
    return guarded([&] {
        const std::lock_guard lock(game->mutex);
        return work(game->game) ? ROKADA_OK : fail(ROKADA_ERROR_STATE, why_not);
    });
}

constexpr const char* kOver = "the game is over";

}  // namespace

rokada_error rokada_game_new(const rokada_position* start, rokada_draw_rule rule,
                             rokada_game** game) {
    if (!game) return fail_null();
    *game = nullptr;
    if (rule != ROKADA_DRAWS_AUTOMATIC && rule != ROKADA_DRAWS_CLAIMED)
        return fail(ROKADA_ERROR_ARGUMENT, "there is no such draw rule");
    return guarded([&] {
        const DrawRule draws =
            rule == ROKADA_DRAWS_AUTOMATIC ? DrawRule::Automatic : DrawRule::Claim;
        *game = new rokada_game(Game(start ? start->get() : Position(), draws));
        return ROKADA_OK;
    });
}

rokada_error rokada_game_copy(const rokada_game* original, rokada_game** game) {
    if (!original || !game) return fail_null();
    *game = nullptr;
    return guarded([&] {
        const std::lock_guard lock(original->mutex);
        *game = new rokada_game(original->game, original->tags);
        return ROKADA_OK;
    });
}

void rokada_game_free(rokada_game* game) { delete game; }

rokada_error rokada_game_play(rokada_game* game, rokada_move move) {
    if (!game) return fail_null();
    return guarded([&] {
        const std::lock_guard lock(game->mutex);
        return play(*game, move_of(move), std::nullopt);
    });
}

rokada_error rokada_game_play_timed(rokada_game* game, rokada_move move,
                                    int64_t clock_milliseconds) {
    if (!game) return fail_null();
    return guarded([&] {
        const std::lock_guard lock(game->mutex);
        return play(*game, move_of(move), Game::Milliseconds(clock_milliseconds));
    });
}

rokada_error rokada_game_play_uci(rokada_game* game, const char* text) {
    return play_text(game, text, parse_uci_move);
}

rokada_error rokada_game_play_san(rokada_game* game, const char* text) {
    return play_text(game, text, parse_san);
}

rokada_error rokada_game_take_back(rokada_game* game) {
    return change(game, "there is no move to take back", [](Game& g) { return g.take_back(); });
}

size_t rokada_game_length(const rokada_game* game) {
    return guarded_value<std::size_t>(0, [&]() -> std::size_t {
        if (!game) return 0;
        const std::lock_guard lock(game->mutex);
        return game->game.plies().size();
    });
}

rokada_move rokada_game_move(const rokada_game* game, size_t ply) {
    return guarded_value<rokada_move>(0, [&]() -> rokada_move {
        if (!game) return 0;
        const std::lock_guard lock(game->mutex);
        const auto& plies = game->game.plies();
        return ply < plies.size() ? plies[ply].move.bits() : rokada_move{0};
    });
}

rokada_error rokada_game_position(const rokada_game* game, size_t plies,
                                  rokada_position** position) {
    if (!game || !position) return fail_null();
    *position = nullptr;
    return guarded([&] {
        const std::lock_guard lock(game->mutex);
        if (plies > game->game.plies().size())
            return fail(ROKADA_ERROR_ARGUMENT, "the game is not that long");
        *position = new rokada_position(game->game.position_after(plies));
        return ROKADA_OK;
    });
}

int rokada_game_repetitions(const rokada_game* game) {
    return guarded_value(0, [&] { return game ? game->get().repetitions() : 0; });
}

rokada_result rokada_game_result(const rokada_game* game) {
    return guarded_value(ROKADA_UNFINISHED, [&] {
        if (!game) return ROKADA_UNFINISHED;
        const std::lock_guard lock(game->mutex);
        const auto& outcome = game->game.outcome();
        if (!outcome) return ROKADA_UNFINISHED;
        if (outcome->reason == EndReason::Aborted) return ROKADA_ABORTED;
        if (!outcome->winner) return ROKADA_DRAW;
        return *outcome->winner == Color::White ? ROKADA_WHITE_WINS : ROKADA_BLACK_WINS;
    });
}

const char* rokada_game_end_reason(const rokada_game* game) {
    return guarded_value<const char*>("", [&]() -> const char* {
        if (!game) return "";
        const std::lock_guard lock(game->mutex);
        const auto& outcome = game->game.outcome();
        // The words are literals, so they end with a zero and live for ever.
        return outcome ? to_string(outcome->reason).data() : "";
    });
}

rokada_error rokada_game_claim_draw(rokada_game* game) {
    return change(game, "no draw can be claimed", [](Game& g) { return g.claim_draw(); });
}

rokada_error rokada_game_agree_draw(rokada_game* game) {
    return change(game, kOver, [](Game& g) { return g.agree_draw(); });
}

rokada_error rokada_game_resign(rokada_game* game, rokada_color who) {
    if (!is_color(who)) return fail(ROKADA_ERROR_ARGUMENT, "there is no such colour");
    return change(game, kOver, [who](Game& g) { return g.resign(border::color_of(who)); });
}

rokada_error rokada_game_flag_fell(rokada_game* game, rokada_color who) {
    if (!is_color(who)) return fail(ROKADA_ERROR_ARGUMENT, "there is no such colour");
    return change(game, kOver, [who](Game& g) { return g.flag_fell(border::color_of(who)); });
}

rokada_error rokada_game_abort(rokada_game* game) {
    return change(game, kOver, [](Game& g) { return g.abort(); });
}

size_t rokada_game_opening(const rokada_game* game, char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!game) return std::string();
        const auto opening = find_opening(game->get());
        return opening ? opening->code + " " + opening->name : std::string();
    });
}

rokada_error rokada_game_set_tag(rokada_game* game, const char* name, const char* value) {
    if (!game || !name || !value) return fail_null();
    const std::string_view tag = name;
    if (tag.empty() || tag == "Result" || tag == "FEN" || tag == "SetUp")
        return fail(ROKADA_ERROR_ARGUMENT, "this tag follows from the game itself");
    for (const char c : tag)
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            c != '_')
            return fail(ROKADA_ERROR_ARGUMENT,
                        "the name of a tag is made of letters, digits and '_'");
    return guarded([&] {
        const std::lock_guard lock(game->mutex);
        for (PgnTag& known : game->tags)
            if (known.name == tag) {
                known.value = value;
                return ROKADA_OK;
            }
        game->tags.push_back({std::string(tag), value});
        return ROKADA_OK;
    });
}

size_t rokada_game_tag(const rokada_game* game, const char* name, char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!game || !name) return std::string();
        const std::lock_guard lock(game->mutex);
        for (const PgnTag& tag : game->tags)
            if (tag.name == name) return tag.value;
        return std::string();
    });
}

size_t rokada_game_pgn(const rokada_game* game, char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!game) return std::string();
        const std::lock_guard lock(game->mutex);
        PgnGame pgn = to_pgn_game(game->game);
        for (const PgnTag& tag : game->tags) pgn.set_tag(tag.name, tag.value);
        return to_pgn(pgn);
    });
}

rokada_error rokada_pgn_parse(const char* text, size_t length, rokada_pgn** pgn) {
    if (!text || !pgn) return fail_null();
    *pgn = nullptr;
    return guarded([&] {
        *pgn = new rokada_pgn{parse_pgn(std::string_view(text, length))};
        return ROKADA_OK;
    });
}

void rokada_pgn_free(rokada_pgn* pgn) { delete pgn; }

size_t rokada_pgn_games(const rokada_pgn* pgn) { return pgn ? pgn->content.games.size() : 0; }

rokada_error rokada_pgn_game(const rokada_pgn* pgn, size_t number, rokada_game** game) {
    if (!pgn || !game) return fail_null();
    *game = nullptr;
    if (number >= pgn->content.games.size())
        return fail(ROKADA_ERROR_ARGUMENT, "there are not that many games");
    return guarded([&] {
        const PgnGame& read = pgn->content.games[number];
        auto made = to_game(read);
        if (!made) return fail(ROKADA_ERROR_STATE, made.error());
        *game = new rokada_game(*std::move(made), read.tags());
        return ROKADA_OK;
    });
}

size_t rokada_pgn_problems(const rokada_pgn* pgn) { return pgn ? pgn->content.problems.size() : 0; }

size_t rokada_pgn_problem(const rokada_pgn* pgn, size_t number, char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!pgn || number >= pgn->content.problems.size()) return std::string();
        const PgnProblem& problem = pgn->content.problems[number];
        return "game " + std::to_string(problem.game) + ", line " +
               std::to_string(problem.where.line) + ", column " +
               std::to_string(problem.where.column) + ": " + problem.message;
    });
}
