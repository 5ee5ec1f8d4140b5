// SPDX-License-Identifier: GPL-3.0-or-later
// rokada.h for C++17: objects that free themselves, std::string, and rokada::Failure instead of error codes. Header only; the library
// behind it stays plain C, so compilers may differ.
#ifndef ROKADA_ROKADA_HPP
#define ROKADA_ROKADA_HPP

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rokada.h"

namespace rokada {

class Failure : public std::runtime_error {
  public:
    explicit Failure(rokada_error code) : std::runtime_error(rokada_last_error()), code_(code) {}
    rokada_error code() const { return code_; }

  private:
    rokada_error code_;
};

namespace detail {

inline void check(rokada_error error) {
    if (error != ROKADA_OK) throw Failure(error);
}

// Asks a function of the snprintf kind for its text.
template <class Ask>
std::string text(Ask&& ask) {
    std::string out(ask(nullptr, std::size_t{0}), '\0');
    out.resize(ask(out.data(), out.size() + 1));
    return out;
}

template <class T, auto Free>
struct Deleter {
    void operator()(T* object) const { Free(object); }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, Deleter<T, Free>>;

}  // namespace detail

using Move = rokada_move;

class Position {
  public:
    Position()
        : Position(made([](rokada_position** p) { return rokada_position_new(nullptr, p); })) {}
    explicit Position(const std::string& fen)
        : Position(made([&](rokada_position** p) { return rokada_position_new(fen.c_str(), p); })) {
    }
    static Position chess960(int number) {
        return Position(
            made([&](rokada_position** p) { return rokada_position_new_chess960(number, p); }));
    }
    explicit Position(rokada_position* taken) : handle_(taken) {}
    Position(const Position& other)
        : Position(
              made([&](rokada_position** p) { return rokada_position_copy(other.get(), p); })) {}
    Position(Position&&) = default;
    Position& operator=(Position other) {
        handle_ = std::move(other.handle_);
        return *this;
    }
    ~Position() = default;

    rokada_position* get() const { return handle_.get(); }
    std::string fen() const {
        return detail::text(
            [this](char* t, std::size_t n) { return rokada_position_fen(get(), t, n); });
    }
    rokada_color turn() const { return rokada_position_turn(get()); }
    char piece(int square) const { return rokada_position_piece(get(), square); }
    bool in_check() const { return rokada_position_in_check(get()) != 0; }
    rokada_board_status status() const { return rokada_position_status(get()); }
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves(ROKADA_MAX_MOVES);
        moves.resize(rokada_position_legal_moves(get(), moves.data(), moves.size()));
        return moves;
    }
    Move parse_uci(const std::string& text) const {
        Move move = 0;
        detail::check(rokada_position_parse_uci(get(), text.c_str(), &move));
        return move;
    }
    Move parse_san(const std::string& text) const {
        Move move = 0;
        detail::check(rokada_position_parse_san(get(), text.c_str(), &move));
        return move;
    }
    std::string uci(Move move) const {
        return detail::text(
            [&](char* t, std::size_t n) { return rokada_move_uci(get(), move, t, n); });
    }
    std::string san(Move move) const {
        return detail::text(
            [&](char* t, std::size_t n) { return rokada_move_san(get(), move, t, n); });
    }
    void play(Move move) { detail::check(rokada_position_play(get(), move)); }

  private:
    template <class Make>
    static rokada_position* made(Make&& make) {
        rokada_position* position = nullptr;
        detail::check(make(&position));
        return position;
    }
    detail::Owned<rokada_position, rokada_position_free> handle_;
};

class Game {
  public:
    explicit Game(rokada_draw_rule rule = ROKADA_DRAWS_AUTOMATIC) {
        rokada_game* game = nullptr;
        detail::check(rokada_game_new(nullptr, rule, &game));
        handle_.reset(game);
    }
    explicit Game(const Position& start, rokada_draw_rule rule = ROKADA_DRAWS_AUTOMATIC) {
        rokada_game* game = nullptr;
        detail::check(rokada_game_new(start.get(), rule, &game));
        handle_.reset(game);
    }
    explicit Game(rokada_game* taken) : handle_(taken) {}

    rokada_game* get() const { return handle_.get(); }
    void play(Move move) { detail::check(rokada_game_play(get(), move)); }
    void play_san(const std::string& text) {
        detail::check(rokada_game_play_san(get(), text.c_str()));
    }
    void play_uci(const std::string& text) {
        detail::check(rokada_game_play_uci(get(), text.c_str()));
    }
    void take_back() { detail::check(rokada_game_take_back(get())); }
    std::size_t length() const { return rokada_game_length(get()); }
    Move move(std::size_t ply) const { return rokada_game_move(get(), ply); }
    Position position() const { return position_after(length()); }
    Position position_after(std::size_t plies) const {
        rokada_position* position = nullptr;
        detail::check(rokada_game_position(get(), plies, &position));
        return Position(position);
    }
    bool over() const { return result() != ROKADA_UNFINISHED; }
    rokada_result result() const { return rokada_game_result(get()); }
    std::string end_reason() const { return rokada_game_end_reason(get()); }
    void set_tag(const std::string& name, const std::string& value) {
        detail::check(rokada_game_set_tag(get(), name.c_str(), value.c_str()));
    }
    std::string tag(const std::string& name) const {
        return detail::text(
            [&](char* t, std::size_t n) { return rokada_game_tag(get(), name.c_str(), t, n); });
    }
    std::string pgn() const {
        return detail::text(
            [this](char* t, std::size_t n) { return rokada_game_pgn(get(), t, n); });
    }
    std::string opening() const {
        return detail::text(
            [this](char* t, std::size_t n) { return rokada_game_opening(get(), t, n); });
    }
    // Everything a review says, as JSON.
    std::string review(std::uint64_t nodes = 0) const {
        rokada_review_options options{};
        options.size = sizeof(options);
        options.nodes = nodes;
        rokada_review* made = nullptr;
        detail::check(rokada_review_game(get(), &options, &made));
        const detail::Owned<rokada_review, rokada_review_free> review(made);
        return detail::text(
            [&](char* t, std::size_t n) { return rokada_review_json(review.get(), t, n); });
    }

  private:
    detail::Owned<rokada_game, rokada_game_free> handle_;
};

// The main lines of all games of a text; what is broken ends where it breaks.
inline std::vector<Game> parse_pgn(const std::string& text) {
    rokada_pgn* parsed = nullptr;
    detail::check(rokada_pgn_parse(text.data(), text.size(), &parsed));
    const detail::Owned<rokada_pgn, rokada_pgn_free> pgn(parsed);
    std::vector<Game> games;
    for (std::size_t i = 0; i < rokada_pgn_games(pgn.get()); ++i) {
        rokada_game* game = nullptr;
        detail::check(rokada_pgn_game(pgn.get(), i, &game));
        games.emplace_back(game);
    }
    return games;
}

inline rokada_limits limits() {
    rokada_limits empty{};
    empty.size = sizeof(empty);
    return empty;
}

// The callbacks must not throw. They come from the engine's thread.
class Engine {
  public:
    struct Events {
        std::function<void(const rokada_info&)> on_info;
        std::function<void(Move move, Move ponder)> on_best_move;
        std::function<void(const std::string&)> on_message;
    };

    Engine() : Engine(Events()) {}
    explicit Engine(Events events) : events_(std::make_unique<Events>(std::move(events))) {
        rokada_callbacks callbacks{};
        callbacks.size = sizeof(callbacks);
        callbacks.user = events_.get();
        callbacks.on_info = [](void* user, const rokada_info* info) {
            if (const auto& tell = static_cast<Events*>(user)->on_info) tell(*info);
        };
        callbacks.on_best_move = [](void* user, Move move, Move ponder) {
            if (const auto& tell = static_cast<Events*>(user)->on_best_move) tell(move, ponder);
        };
        callbacks.on_message = [](void* user, const char* text) {
            if (const auto& tell = static_cast<Events*>(user)->on_message) tell(text);
        };
        rokada_engine* engine = nullptr;
        detail::check(rokada_engine_new(&callbacks, &engine));
        handle_.reset(engine);
    }

    rokada_engine* get() const { return handle_.get(); }
    void set_game(const Game& game) { detail::check(rokada_engine_set_game(get(), game.get())); }
    void set_position(const Position& position) {
        detail::check(rokada_engine_set_position(get(), position.get(), nullptr, 0));
    }
    void set_elo(int elo) { detail::check(rokada_engine_set_elo(get(), elo)); }
    void set_option(const std::string& name, const std::string& value) {
        detail::check(rokada_engine_set_option(get(), name.c_str(), value.c_str()));
    }
    void go(const rokada_limits& limits) { detail::check(rokada_engine_go(get(), &limits)); }
    Move think(const rokada_limits& limits) {
        Move move = 0;
        detail::check(rokada_engine_think(get(), &limits, &move, nullptr));
        return move;
    }
    void stop() { detail::check(rokada_engine_stop(get())); }
    void wait() { detail::check(rokada_engine_wait(get())); }

  private:
    std::unique_ptr<Events> events_;  // outlives the engine
    detail::Owned<rokada_engine, rokada_engine_free> handle_;
};

}  // namespace rokada

#endif
