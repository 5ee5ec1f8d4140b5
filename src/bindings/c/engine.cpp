// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include <memory>

#include "bindings/c/border.hpp"
#include "chess/notation/uci_move.hpp"
#include "engine/levels/profile.hpp"

using namespace rokada;
using namespace rokada::border;

struct rokada_engine {
    rokada_callbacks callbacks{};
    std::mutex thinking{};  // one rokada_engine_think at a time
    std::unique_ptr<engine::Engine> engine{};
};

namespace {

// The engine whose callback this thread is in.
thread_local const rokada_engine* inside = nullptr;

class Inside {
  public:
    explicit Inside(const rokada_engine* engine) : before_(inside) { inside = engine; }
    ~Inside() { inside = before_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    const rokada_engine* before_;
};

void tell_info(const rokada_engine& handle, const engine::Info& info) {
    // If another position has been set meanwhile, castling may be written in the other of its two forms; both are read.
    const CastlingNotation castling = castling_notation_for(handle.engine->position());
    std::vector<rokada_move> line;
    std::string words;
    line.reserve(info.line.size());
    for (const Move move : info.line) {
        line.push_back(move.bits());
        if (!words.empty()) words += ' ';
        words += to_uci(move, castling);
    }
    rokada_info out{};
    out.size = sizeof(out);
    out.depth = info.depth;
    out.selective_depth = info.selective_depth;
    out.multipv = info.multipv;
    out.is_mate = info.score.is_mate();
    out.score = info.score.is_mate() ? info.score.moves_to_mate() : info.score.centipawns();
    out.bound = info.bound == engine::Bound::Exact   ? ROKADA_EXACT
                : info.bound == engine::Bound::Lower ? ROKADA_AT_LEAST
                                                     : ROKADA_AT_MOST;
    out.nodes = info.nodes;
    out.milliseconds = info.time.count();
    out.tablebase_hits = info.tablebase_hits;
    out.hash_full = info.hash_full;
    out.line_length = static_cast<std::uint32_t>(line.size());
    out.line = line.data();
    out.line_uci = words.c_str();
    handle.callbacks.on_info(handle.callbacks.user, &out);
}

engine::Callbacks callbacks_of(const rokada_engine* handle) {
    const rokada_callbacks& given = handle->callbacks;
    engine::Callbacks made;
    if (given.on_info)
        made.on_info = [handle](const engine::Info& info) {
            const Inside mark(handle);
            guarded([&] {
                tell_info(*handle, info);
                return ROKADA_OK;
            });
        };
    if (given.on_best_move)
        made.on_best_move = [handle](const engine::BestMove& best) {
            const Inside mark(handle);
            handle->callbacks.on_best_move(handle->callbacks.user, best.move.bits(),
                                           best.ponder.bits());
        };
    if (given.on_message)
        made.on_message = [handle](std::string_view text) {
            const Inside mark(handle);
            guarded([&] {
                handle->callbacks.on_message(handle->callbacks.user, std::string(text).c_str());
                return ROKADA_OK;
            });
        };
    return made;
}

rokada_error read_limits(const rokada_limits* given, engine::Limits& limits) {
    rokada_limits l;
    if (!read_structure(given, l))
        return fail(ROKADA_ERROR_ARGUMENT, "the size of the limits is not set");
    if (l.white_milliseconds < 0 || l.black_milliseconds < 0 || l.white_increment < 0 ||
        l.black_increment < 0 || l.move_milliseconds < 0 || l.moves_to_go < 0 || l.depth < 0 ||
        l.mate < 0 || l.search_moves_length < 0)
        return fail(ROKADA_ERROR_ARGUMENT, "a limit is negative");
    using engine::Milliseconds;
    if (l.white_milliseconds || l.black_milliseconds || l.white_increment || l.black_increment) {
        engine::ClockTimes clock;
        clock.left[Color::White] = Milliseconds(l.white_milliseconds);
        clock.left[Color::Black] = Milliseconds(l.black_milliseconds);
        clock.increment[Color::White] = Milliseconds(l.white_increment);
        clock.increment[Color::Black] = Milliseconds(l.black_increment);
        if (l.moves_to_go) clock.moves_to_go = l.moves_to_go;
        limits.clock = clock;
    }
    if (l.move_milliseconds) limits.move_time = Milliseconds(l.move_milliseconds);
    if (l.depth) limits.depth = l.depth;
    if (l.nodes) limits.nodes = l.nodes;
    if (l.mate) limits.mate = l.mate;
    limits.infinite = l.infinite != 0;
    limits.ponder = l.ponder != 0;
    if (l.search_moves)
        for (std::int32_t i = 0; i < l.search_moves_length; ++i)
            limits.search_moves.push_back(move_of(l.search_moves[i]));
    return ROKADA_OK;
}

std::string_view type_word(engine::OptionType type) {
    switch (type) {
        case engine::OptionType::Check: return "check";
        case engine::OptionType::Spin: return "spin";
        case engine::OptionType::Combo: return "combo";
        case engine::OptionType::Button: return "button";
        case engine::OptionType::String: return "string";
    }
    return "";
}

std::string field_text(const engine::Option& option, rokada_option_field field) {
    const bool spin = option.type == engine::OptionType::Spin;
    switch (field) {
        case ROKADA_OPTION_NAME: return option.name;
        case ROKADA_OPTION_TYPE: return std::string(type_word(option.type));
        case ROKADA_OPTION_VALUE: return option.value;
        case ROKADA_OPTION_DEFAULT: return option.default_value;
        case ROKADA_OPTION_MIN: return spin ? std::to_string(option.min) : "";
        case ROKADA_OPTION_MAX: return spin ? std::to_string(option.max) : "";
        case ROKADA_OPTION_HELP: return option.help;
        case ROKADA_OPTION_CHOICES: {
            std::string all;
            for (const std::string& choice : option.choices) {
                if (!all.empty()) all += '\n';
                all += choice;
            }
            return all;
        }
    }
    return {};
}

rokada_error set_option(engine::Engine& engine, const char* name, const std::string& value) {
    if (const auto error = engine.set_option(name, value)) return fail(ROKADA_ERROR_OPTION, *error);
    return ROKADA_OK;
}

// A call that only passes something on.
template <class Work>
rokada_error pass_on(rokada_engine* handle, Work&& work) {
    if (!handle) return fail_null();
    return guarded([&] {
        work(*handle->engine);
        return ROKADA_OK;
    });
}

constexpr const char* kInside = "not inside a callback of the same engine";

}  // namespace

rokada_error rokada_engine_new(const rokada_callbacks* callbacks, rokada_engine** engine) {
    if (!engine) return fail_null();
    *engine = nullptr;
    return guarded([&] {
        auto made = std::make_unique<rokada_engine>();
        if (!read_structure(callbacks, made->callbacks))
            return fail(ROKADA_ERROR_ARGUMENT, "the size of the callbacks is not set");
        made->engine = std::make_unique<engine::Engine>(callbacks_of(made.get()));
        *engine = made.release();
        return ROKADA_OK;
    });
}

rokada_error rokada_engine_free(rokada_engine* engine) {
    if (engine && inside == engine) return fail(ROKADA_ERROR_STATE, kInside);
    delete engine;
    return ROKADA_OK;
}

rokada_error rokada_engine_set_position(rokada_engine* engine, const rokada_position* start,
                                        const rokada_move* moves, size_t length) {
    if (!engine || !start || (!moves && length)) return fail_null();
    return guarded([&] {
        const Position first = start->get();
        Position position = first;
        std::vector<Move> line;
        for (std::size_t i = 0; i < length; ++i) {
            const Move move = move_of(moves[i]);
            if (!position.is_legal(move))
                return fail(ROKADA_ERROR_MOVE,
                            "move " + std::to_string(i + 1) + " of the list is not legal");
            position.play(move);
            line.push_back(move);
        }
        engine->engine->set_position(first, line);
        return ROKADA_OK;
    });
}

rokada_error rokada_engine_set_game(rokada_engine* engine, const rokada_game* game) {
    if (!engine || !game) return fail_null();
    return guarded([&] {
        const Game played = game->get();
        std::vector<Move> line;
        for (const Game::Ply& ply : played.plies()) line.push_back(ply.move);
        engine->engine->set_position(played.start(), line);
        return ROKADA_OK;
    });
}

rokada_error rokada_engine_go(rokada_engine* engine, const rokada_limits* limits) {
    if (!engine) return fail_null();
    return guarded([&] {
        engine::Limits read;
        if (const rokada_error error = read_limits(limits, read)) return error;
        engine->engine->go(read);
        return ROKADA_OK;
    });
}

rokada_error rokada_engine_think(rokada_engine* engine, const rokada_limits* limits,
                                 rokada_move* move, rokada_move* ponder) {
    if (!engine || !move) return fail_null();
    *move = 0;
    if (ponder) *ponder = 0;
    if (inside == engine) return fail(ROKADA_ERROR_STATE, kInside);
    return guarded([&] {
        engine::Limits read;
        if (const rokada_error error = read_limits(limits, read)) return error;
        const std::lock_guard lock(engine->thinking);
        const engine::BestMove best = engine->engine->think(read);
        *move = best.move.bits();
        if (ponder) *ponder = best.ponder.bits();
        return ROKADA_OK;
    });
}

rokada_error rokada_engine_stop(rokada_engine* engine) {
    return pass_on(engine, [](engine::Engine& e) { e.stop(); });
}

rokada_error rokada_engine_ponder_hit(rokada_engine* engine) {
    return pass_on(engine, [](engine::Engine& e) { e.ponder_hit(); });
}

rokada_error rokada_engine_new_game(rokada_engine* engine) {
    return pass_on(engine, [](engine::Engine& e) { e.new_game(); });
}

rokada_error rokada_engine_wait(rokada_engine* engine) {
    if (engine && inside == engine) return fail(ROKADA_ERROR_STATE, kInside);
    return pass_on(engine, [](engine::Engine& e) { e.wait(); });
}

int rokada_engine_searching(const rokada_engine* engine) {
    return engine && engine->engine->searching() ? 1 : 0;
}

rokada_error rokada_engine_set_elo(rokada_engine* engine, int elo) {
    if (!engine) return fail_null();
    return guarded([&] {
        engine::Engine& e = *engine->engine;
        if (elo == 0) return set_option(e, "UCI_LimitStrength", "false");
        if (const rokada_error error = set_option(e, "UCI_Elo", std::to_string(elo))) return error;
        return set_option(e, "UCI_LimitStrength", "true");
    });
}

int rokada_weakest_elo(void) { return engine::kWeakestElo; }
int rokada_strongest_elo(void) { return engine::kStrongestElo; }

size_t rokada_engine_options(const rokada_engine* engine) {
    return guarded_value<std::size_t>(
        0, [&] { return engine ? engine->engine->options().size() : 0; });
}

size_t rokada_engine_option(const rokada_engine* engine, size_t number, rokada_option_field field,
                            char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!engine) return std::string();
        const auto options = engine->engine->options();
        return number < options.size() ? field_text(options[number], field) : std::string();
    });
}

rokada_error rokada_engine_set_option(rokada_engine* engine, const char* name, const char* value) {
    if (!engine || !name || !value) return fail_null();
    return guarded([&] { return set_option(*engine->engine, name, value); });
}

rokada_error rokada_engine_load_network(rokada_engine* engine, const void* bytes, size_t size) {
    if (!engine || !bytes) return fail_null();
    return guarded([&] {
        if (const auto error =
                engine->engine->load_network(static_cast<const unsigned char*>(bytes), size))
            return fail(ROKADA_ERROR_NETWORK, *error);
        return ROKADA_OK;
    });
}
