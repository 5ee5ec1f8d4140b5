// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes are games and problems, the same ones however the bytes arrive; what is written reads back without
// a problem as the same games.
#include "chess/notation/game_pgn.hpp"
#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "tests/chess/small_bites.hpp"
#include "tests/fuzz/move_line.hpp"

namespace {

using namespace rokada;

PgnGames read_in_bites(std::string_view text, std::size_t bite, const PgnGameLimits& limits) {
    testing_support::SmallBites source(text, bite);
    PgnGameReader reader(source, limits);
    PgnGames all;
    while (auto game = reader.next()) {
        all.games.push_back(*std::move(game));
        for (const PgnProblem& problem : reader.problems()) all.problems.push_back(problem);
    }
    return all;
}

void check_locations(std::string_view text, const std::vector<PgnProblem>& problems) {
    for (const PgnProblem& problem : problems) {
        fuzz::require(!problem.message.empty() && problem.where.offset <= text.size());
        const auto lines = std::count(
            text.begin(), text.begin() + static_cast<std::ptrdiff_t>(problem.where.offset), '\n');
        fuzz::require(problem.where.line == static_cast<std::uint64_t>(lines) + 1);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    PgnGameLimits limits;
    limits.reader.nesting = 20;
    limits.reader.text = 2000;
    limits.memory = std::size_t{1} << 20;
    const PgnGames whole = read_in_bites(text, size + 1, limits);
    const PgnGames bitten = read_in_bites(text, 7, limits);
    check_locations(text, whole.problems);
    fuzz::require(whole.games.size() == bitten.games.size());
    fuzz::require(whole.problems.size() == bitten.problems.size());
    for (std::size_t i = 0; i < whole.problems.size(); ++i)
        fuzz::require(whole.problems[i].message == bitten.problems[i].message &&
                      whole.problems[i].where.column == bitten.problems[i].where.column);

    constexpr std::size_t kEnough = 10;  // so that many tiny games do not eat the time
    for (std::size_t i = 0; i < whole.games.size() && i < kEnough; ++i) {
        const PgnGame& game = whole.games[i];
        const std::string written = to_pgn(game);
        fuzz::require(written == to_pgn(bitten.games[i]));
        // Rules that are not known would be refused again.
        if (!game.tag("Variant").empty()) continue;
        PgnGameLimits generous;
        const PgnGames back = parse_pgn(written, generous);
        fuzz::require(back.games.size() == 1 && back.problems.empty());
        fuzz::require(back.games[0].size() == game.size() &&
                      back.games[0].result() == game.result());
        fuzz::require(back.games[0].start() == game.start());
        const auto line = game.main_line(), again = back.games[0].main_line();
        fuzz::require(line.size() == again.size());
        for (std::size_t ply = 0; ply < line.size(); ++ply)
            fuzz::require(game.move(line[ply]) == back.games[0].move(again[ply]));
        (void)to_game(game).ok();
    }
    return 0;
}
