// SPDX-License-Identifier: GPL-3.0-or-later
// The review of a whole game, in the engine module. Returns when it is done; progress goes to the page through the imported function
// `info`.
#include <charconv>

#include "bindings/wasm/exchange.hpp"
#include "bindings/wasm/json.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "engine/page_threads.hpp"
#include "review/json.hpp"
#include "review/reviewer.hpp"

__attribute__((import_module("rokada"), import_name("info"))) void rokada_info(const char* text,
                                                                               std::size_t size);

namespace rokada::wasm {

namespace {

review::Budget read_budget(std::string_view rest) {
    review::Budget budget;
    for (;;) {
        const std::string_view name = next_word(rest);
        const std::string_view text = next_word(rest);
        if (text.empty()) return budget;
        std::int64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        if (number <= 0) continue;
        if (name == "nodes") budget.nodes = static_cast<std::uint64_t>(number);
        if (name == "movetime") budget.move_time = engine::Milliseconds{number};
        if (name == "depth") budget.depth = static_cast<int>(number);
    }
}

void send(Json& json) {
    const std::string text = json.take();
    rokada_info(text.data(), text.size());
}

review::Listener to_page() {
    review::Listener listener;
    listener.on_score = [](std::size_t plies, engine::Score score) {
        Json json;
        json.begin_object();
        json.field("plies", static_cast<std::int64_t>(plies));
        json.key("score");
        json.begin_object();
        if (score.is_mate())
            json.field("mate", score.moves_to_mate());
        else
            json.field("cp", score.centipawns());
        json.end_object();
        json.end_object();
        send(json);
    };
    listener.on_progress = [](int done, int all) {
        Json json;
        json.begin_object();
        json.field("done", done);
        json.field("all", all);
        json.end_object();
        send(json);
    };
    listener.cancelled = engine::stopped_by_page;
    return listener;
}

std::uint32_t review_of(std::uint32_t size) {
    const auto in = fields(size, 3);
    const auto start = parse_position(in[0]);
    if (!start) return answer_error(start.error().to_string());
    Game game(start.value(), DrawRule::Claim);
    std::string_view rest = in[1];
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        const auto move = parse_uci_move(game.position(), word);
        if (!move) return answer_error(std::string(word) + ": " + move.error().message);
        if (!game.play(move.value())) return answer_error(std::string(word) + ": the game is over");
    }
    review::EngineAnalyst analyst(read_budget(in[2]));
    const auto review = review_game(game, analyst, {}, to_page());
    if (!review) return answer_error("the review was cancelled");
    return answer("{\"ok\":true,\"review\":" + to_json(*review) + '}');
}

}  // namespace

ROKADA_EXPORT(rokada_review)
std::uint32_t rokada_review(std::uint32_t size) { return review_of(size); }

}  // namespace rokada::wasm
