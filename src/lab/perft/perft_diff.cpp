// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/perft/perft_diff.hpp"

#include <random>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "protocol/tokens.hpp"

namespace rokada::lab {

Result<std::unique_ptr<PerftEngine>, std::string> PerftEngine::start(
    const std::vector<std::string>& command, bool chess960) {
    auto engine = std::make_unique<PerftEngine>();
    protocol::DriverSettings settings;
    settings.process.arguments = command;
    if (chess960) settings.options.emplace_back("UCI_Chess960", "true");
    auto driver =
        protocol::start_engine(protocol::EngineProtocol::Uci, std::move(settings), engine->group_);
    if (!driver) return Error{command.front() + ": " + driver.error()};
    engine->driver_ = std::move(*driver);
    if (auto problem = engine->driver_->start()) return Error{command.front() + ": " + *problem};
    engine->uci_ = static_cast<protocol::UciDriver*>(engine->driver_.get());
    return engine;
}

Result<PerftEngine::Division, std::string> PerftEngine::divide(
    const std::string& fen, const std::vector<std::string>& moves, int depth,
    std::chrono::seconds patience) {
    std::string line = "position fen " + fen;
    if (!moves.empty()) line += " moves";
    for (const std::string& move : moves) line += ' ' + move;
    uci_->send(line);
    uci_->send("go perft " + std::to_string(depth));

    // "e2e4: 20", one line per move, then "Nodes searched: 400".
    Division division;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (const auto answer = uci_->wait_for_line(deadline)) {
        const std::string_view text = protocol::trimmed(answer->text);
        const std::size_t colon = text.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view name = text.substr(0, colon);
        const auto count = protocol::to_integer(protocol::trimmed(text.substr(colon + 1)));
        if (!count || *count < 0) continue;
        if (protocol::equal_ignoring_case(name, "Nodes searched")) return division;
        if (name.size() == 4 || name.size() == 5)
            division[std::string(name)] = static_cast<std::uint64_t>(*count);
    }
    if (driver_->link().closed()) return Error{name() + " " + driver_->link().last_words()};
    return Error{name() + " does not answer 'go perft' in time"};
}

namespace {

std::string position_after(const std::string& fen, const std::vector<std::string>& moves) {
    auto position = parse_position(fen);
    if (!position) return "";
    for (const std::string& text : moves) {
        const auto move = parse_uci_move(*position, text);
        if (!move) return "";
        position->play(*move);
    }
    return to_fen(*position);
}

// The first move that stands in `a` and not in `b`.
std::optional<std::string> missing(const PerftEngine::Division& a, const PerftEngine::Division& b) {
    for (const auto& [move, count] : a)
        if (b.find(move) == b.end()) return move;
    return std::nullopt;
}

}  // namespace

Result<std::optional<PerftDifference>, std::string> find_difference(PerftEngine& first,
                                                                    PerftEngine& second,
                                                                    const std::string& fen,
                                                                    int depth,
                                                                    std::chrono::seconds patience) {
    PerftDifference found;
    found.start = fen;
    for (int rest = depth; rest > 0; --rest) {
        const auto ours = first.divide(fen, found.moves, rest, patience);
        if (!ours) return Error{ours.error()};
        const auto theirs = second.divide(fen, found.moves, rest, patience);
        if (!theirs) return Error{theirs.error()};
        if (*ours == *theirs) {
            if (found.moves.empty()) return std::optional<PerftDifference>();
            return Error{"the counts of " + found.moves.back() + " in " + fen +
                         " differ, but not those of its answers"};
        }
        const auto only_ours = missing(*ours, *theirs);
        const auto only_theirs = missing(*theirs, *ours);
        if (only_ours || only_theirs) {
            found.ours = only_ours.has_value();
            found.move = only_ours ? *only_ours : *only_theirs;
            found.position = position_after(fen, found.moves);
            return std::optional(found);
        }
        for (const auto& [move, count] : *ours)
            if (theirs->at(move) != count) {
                found.moves.push_back(move);
                break;
            }
    }
    return Error{"different counts for a single move in " + fen};
}

std::vector<Position> random_positions(std::size_t count, std::uint64_t seed, bool chess960) {
    std::mt19937_64 random(seed);
    std::vector<Position> positions;
    while (positions.size() < count) {
        Position position;
        if (chess960)
            if (auto start =
                    Position::from_setup(Setup::chess960(static_cast<int>(random() % 960))))
                position = *start;
        const std::size_t length = 4 + random() % 120;
        for (std::size_t ply = 0; ply < length; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty() || position.halfmove_clock() >= 100) break;
            position.play(moves[random() % moves.size()]);
        }
        // Not much is counted where the game is over.
        if (has_legal_move(position)) positions.push_back(position);
    }
    return positions;
}

}  // namespace rokada::lab
