// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a game, lets the engine think about its last position in the background, and plays the move.
#include <cstdio>
#include <future>

#include <rokada/rokada.hpp>

int main() try {
    const auto games = rokada::parse_pgn(
        "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n"
        "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 *\n");
    const rokada::Game& game = games.at(0);
    std::printf("%s against %s: %s\n", game.tag("White").c_str(), game.tag("Black").c_str(),
                game.opening().c_str());

    std::promise<rokada::Move> found;
    int depth = 0;
    rokada::Engine::Events events;
    events.on_info = [&](const rokada_info& info) { depth = info.depth; };
    events.on_best_move = [&](rokada::Move move, rokada::Move) { found.set_value(move); };
    rokada::Engine engine(std::move(events));
    engine.set_game(game);
    rokada_limits limits = rokada::limits();
    limits.nodes = 20000;
    engine.go(limits);
    const rokada::Move move = found.get_future().get();
    engine.wait();

    rokada::Position position = game.position();
    const std::string san = position.san(move);
    position.play(move);
    std::printf("best at depth %d: %s, then %s\n", depth, san.c_str(), position.fen().c_str());

    try {
        position.parse_san("Ke2");
    } catch (const rokada::Failure& failure) {
        std::printf("refused: %s\n", failure.what());
        return depth > 0 ? 0 : 1;
    }
    return 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
