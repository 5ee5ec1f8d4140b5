// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the engine module. One engine per module; thinking returns when it is done and reports its
// lines to the page through the imported function `info`.
#include "engine/engine.hpp"

#include <charconv>

#include "bindings/wasm/exchange.hpp"
#include "bindings/wasm/json.hpp"
#include "bindings/wasm/reports.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "engine/levels/pace.hpp"
#include "engine/page_threads.hpp"

__attribute__((import_module("rokada"), import_name("info"))) void rokada_info(const char* text,
                                                                               std::size_t size);
__attribute__((import_module("rokada"), import_name("stopped"))) int rokada_stopped();

// Nobody can call into a module that thinks, but it can ask: as seldom as it looks at the clock, which costs the same.
bool rokada::engine::stopped_by_page() { return rokada_stopped() != 0; }

namespace rokada::wasm {

namespace {

// What the lines are written against: SAN needs the position they start from.
Position searched;

void write_score(Json& json, engine::Score score) {
    json.key("score");
    json.begin_object();
    if (score.is_mate()) {
        json.field("mate", score.moves_to_mate());
    } else {
        json.field("cp", score.centipawns());
    }
    json.end_object();
}

void report(const engine::Info& info) {
    if (info.bound != engine::Bound::Exact || info.line.empty()) return;
    Json json;
    json.begin_object();
    json.field("depth", info.depth);
    json.field("selective", info.selective_depth);
    json.field("rank", info.multipv);
    write_score(json, info.score);
    json.field("nodes", static_cast<std::int64_t>(info.nodes));
    json.field("time", static_cast<std::int64_t>(info.time.count()));
    std::vector<std::string> san;
    json.key("moves");
    json.begin_array();
    Position position = searched;
    for (const Move move : info.line) {
        json.value(write_uci(position, move));
        san.push_back(to_san(position, move));
        position.play(move);
    }
    json.end_array();
    json.key("san");
    json.begin_array();
    for (const auto& text : san) json.value(text);
    json.end_array();
    json.end_object();
    const std::string text = json.take();
    rokada_info(text.data(), text.size());
}

engine::Engine& the_engine() {
    static engine::Engine instance([] {
        engine::Callbacks callbacks;
        callbacks.on_info = report;
        return callbacks;
    }());
    return instance;
}

// Pairs of a name and a number; unknown names are left out.
engine::Limits read_limits(std::string_view rest) {
    engine::Limits limits;
    engine::ClockTimes clock;
    bool timed = false;
    for (;;) {
        const std::string_view name = next_word(rest);
        const std::string_view text = next_word(rest);
        if (text.empty()) break;
        std::int64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        const engine::Milliseconds time{number};
        if (name == "movetime") limits.move_time = time;
        if (name == "depth") limits.depth = static_cast<int>(number);
        if (name == "nodes") limits.nodes = static_cast<std::uint64_t>(number);
        if (name == "infinite") limits.infinite = true;
        if (name == "winc") clock.increment[Color::White] = time;
        if (name == "binc") clock.increment[Color::Black] = time;
        if (name == "wtime" || name == "btime") {
            clock.left[name == "wtime" ? Color::White : Color::Black] = time;
            timed = true;
        }
    }
    if (timed) limits.clock = clock;
    return limits;
}

std::uint32_t think(std::uint32_t size) {
    const auto in = fields(size, 3);
    const auto start = parse_position(in[0]);
    if (!start) return answer_error(start.error().to_string());
    std::vector<Move> moves;
    searched = start.value();
    std::string_view rest = in[1];
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        const auto move = parse_uci_move(searched, word);
        if (!move) return answer_error(std::string(word) + ": " + move.error().message);
        moves.push_back(move.value());
        searched.play(move.value());
    }
    const engine::Limits limits = read_limits(in[2]);
    the_engine().set_position(start.value(), moves);
    const engine::BestMove best = the_engine().think(limits);
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.field("best", best.move ? write_uci(searched, best.move) : std::string());
    std::string ponder;
    if (best.move && best.ponder) {
        Position next = searched;
        next.play(best.move);
        ponder = write_uci(next, best.ponder);
    }
    json.field("ponder", ponder);
    // How long a person would have taken; the page waits, as this module cannot.
    if (best.move) {
        const Move last = moves.empty() ? Move() : moves.back();
        const auto pace =
            engine::human_pace({searched, last, limits.clock, start.value().key()}, best.move);
        json.field("pace", static_cast<std::int64_t>(pace.count()));
    }
    json.end_object();
    return answer(json.take());
}

std::uint32_t done() {
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.end_object();
    return answer(json.take());
}

std::uint32_t set_option(std::uint32_t size) {
    const auto in = fields(size, 2);
    if (const auto error = the_engine().set_option(in[0], in[1])) return answer_error(*error);
    return done();
}

const char* type_name(engine::OptionType type) {
    switch (type) {
        case engine::OptionType::Check: return "check";
        case engine::OptionType::Spin: return "spin";
        case engine::OptionType::Combo: return "combo";
        case engine::OptionType::Button: return "button";
        case engine::OptionType::String: return "string";
    }
    return "string";
}

std::uint32_t options() {
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.key("options");
    json.begin_array();
    for (const engine::Option& option : the_engine().options()) {
        json.begin_object();
        json.field("name", option.name);
        json.field("type", type_name(option.type));
        json.field("value", option.value);
        json.field("standard", option.default_value);
        if (option.type == engine::OptionType::Spin) {
            json.field("min", option.min);
            json.field("max", option.max);
        }
        if (option.type == engine::OptionType::Combo) {
            json.key("choices");
            json.begin_array();
            for (const auto& choice : option.choices) json.value(choice);
            json.end_array();
        }
        json.field("help", option.help);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return answer(json.take());
}

std::uint32_t new_game() {
    the_engine().new_game();
    return done();
}

}  // namespace

ROKADA_EXPORT(rokada_engine_think)
std::uint32_t rokada_engine_think(std::uint32_t size) { return think(size); }
ROKADA_EXPORT(rokada_engine_set)
std::uint32_t rokada_engine_set(std::uint32_t size) { return set_option(size); }
ROKADA_EXPORT(rokada_engine_options)
std::uint32_t rokada_engine_options(std::uint32_t) { return options(); }
ROKADA_EXPORT(rokada_engine_new_game)
std::uint32_t rokada_engine_new_game(std::uint32_t) { return new_game(); }

}  // namespace rokada::wasm
