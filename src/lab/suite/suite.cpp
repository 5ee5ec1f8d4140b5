// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/suite/suite.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "lab/file_bytes.hpp"
#include "protocol/tokens.hpp"

namespace rokada::lab {

namespace {

using protocol::EngineDriver;

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "f5=100, Bf2=46": moves and what they are worth.
std::vector<std::pair<Move, int>> scored_moves(const Position& position, std::string_view text) {
    std::vector<std::pair<Move, int>> moves;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view item = protocol::trimmed(text.substr(0, comma));
        const std::size_t equals = item.rfind('=');
        if (equals == std::string_view::npos) return {};
        const auto move = parse_san(position, item.substr(0, equals));
        const auto points = number(item.substr(equals + 1));
        if (!move || !points) return {};
        moves.emplace_back(*move, *points);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return moves;
}

Result<SuitePosition, std::string> question(const Epd& epd) {
    SuitePosition result;
    result.position = epd.position;
    if (const auto* id = epd.find("id")) result.id = id->text();
    const auto* best = epd.find("bm");
    if (best && !best->operands.empty() && best->operands[0].text.substr(0, 1) == "#") {
        result.mate = number(std::string_view(best->operands[0].text).substr(1));
        if (!result.mate || *result.mate == 0) return Error{std::string("bm # needs a number")};
        return result;
    }
    const auto wanted = epd.moves("bm");
    if (!wanted) return Error{"bm: " + wanted.error().message};
    const auto avoided = epd.moves("am");
    if (!avoided) return Error{"am: " + avoided.error().message};
    result.best = *wanted;
    result.avoid = *avoided;
    if (const auto* c0 = epd.find("c0")) result.points = scored_moves(epd.position, c0->text());
    return result;
}

struct Started {
    protocol::LinkGroup group;
    std::unique_ptr<EngineDriver> driver;
};

Result<std::unique_ptr<Started>, std::string> start(const EngineSpec& spec) {
    auto started = std::make_unique<Started>();
    protocol::DriverSettings settings;
    settings.process = {spec.command, spec.directory, {}};
    settings.options = spec.options;
    settings.init_lines = spec.init_lines;
    auto driver = protocol::start_engine(spec.protocol, settings, started->group);
    if (!driver) return Error{driver.error()};
    started->driver = std::move(*driver);
    return started;
}

protocol::Reply ask(EngineDriver& driver, const EngineSpec& spec, const Position& position,
                    std::string& failure) {
    if (auto problem = driver.new_game({position, false, spec.terms, "suite"})) {
        failure = *problem;
        return {};
    }
    protocol::TurnLimits limits;
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    const protocol::Reply reply = driver.think(limits);
    if (reply.kind != protocol::ReplyKind::Move)
        failure = reply.text.empty() ? "no move" : reply.text;
    driver.game_over(std::nullopt);
    return reply;
}

void judge(SuiteAnswer& answer) {
    const SuitePosition& asked = *answer.asked;
    const auto among = [&](const std::vector<Move>& moves) {
        return std::find(moves.begin(), moves.end(), answer.move) != moves.end();
    };
    for (const auto& [move, points] : asked.points)
        if (move == answer.move) answer.points = points;
    if (asked.mate) {
        const auto& score = answer.thought.score;
        answer.mate_problem = check_mate_claim(asked, answer.thought);
        answer.solved = score && score->is_mate() && answer.mate_problem.empty() &&
                        score->moves_to_mate() == *asked.mate;
        return;
    }
    answer.solved = (asked.best.empty() || among(asked.best)) && !among(asked.avoid);
}

void count(SuiteTotals& totals, const SuiteAnswer& answer) {
    ++totals.positions;
    totals.solved += answer.solved;
    totals.failures += !answer.failure.empty();
    totals.points += answer.points;
    int most = 0;
    for (const auto& [move, points] : answer.asked->points) most = std::max(most, points);
    totals.most_points += most;
    if (!answer.asked->mate) return;
    ++totals.mates_listed;
    totals.mates_claimed += answer.thought.score && answer.thought.score->is_mate();
    totals.best_mates += answer.solved;
    totals.wrong_mates += !answer.mate_problem.empty();
}

}  // namespace

Result<std::vector<SuitePosition>, std::string> read_suite(const std::string& path, int every) {
    if (auto problem = why_unreadable(path); !problem.empty()) return Error{std::move(problem)};
    std::ifstream file(path);
    std::vector<SuitePosition> suite;
    std::string line;
    int kept = 0;
    for (int at = 1; std::getline(file, line); ++at) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (protocol::trimmed(line).empty() || line[0] == '#') continue;
        if (kept++ % every != 0) continue;
        const auto epd = parse_epd(line);
        if (!epd) return Error{fmt::format("{}:{}: {}", path, at, epd.error().message)};
        auto asked = question(*epd);
        if (!asked) return Error{fmt::format("{}:{}: {}", path, at, asked.error())};
        if (asked->id.empty()) asked->id = fmt::format("line {}", at);
        suite.push_back(std::move(*asked));
    }
    if (suite.empty()) return Error{path + ": holds no positions"};
    return suite;
}

std::string check_mate_claim(const SuitePosition& asked, const protocol::ThoughtSummary& thought) {
    if (!thought.score || !thought.score->is_mate()) return "";
    const int moves = thought.score->moves_to_mate();
    if (asked.mate && (moves > 0) != (*asked.mate > 0)) return "the wrong side mates";
    if (asked.mate && std::abs(moves) < std::abs(*asked.mate))
        return fmt::format("mate in {} where the shortest is {}", moves, *asked.mate);
    Position position = asked.position;
    protocol::Tokens words(thought.line);
    int plies = 0;
    for (; !words.done(); ++plies) {
        const auto word = words.next();
        const auto move = parse_uci_move(position, word.text);
        if (!move) return fmt::format("illegal move {} in the line", word.text);
        position.play(*move);
    }
    const int wanted = moves > 0 ? 2 * moves - 1 : -2 * moves;
    if (plies != wanted) return fmt::format("a line of {} plies for mate in {}", plies, moves);
    if (!position.in_check() || has_legal_move(position)) return "the line ends without mate";
    return "";
}

Result<SuiteTotals, std::string> run_suite(
    const std::vector<SuitePosition>& suite, const EngineSpec& engine, int concurrency,
    const std::atomic<bool>& stopping, const std::function<void(const SuiteAnswer&)>& on_answer) {
    SuiteTotals totals;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    std::string problem;
    const auto work = [&] {
        auto started = start(engine);
        if (!started) {
            const std::lock_guard lock(mutex);
            problem = started.error();
            return;
        }
        while (!stopping) {
            const std::size_t i = next++;
            if (i >= suite.size()) break;
            SuiteAnswer answer;
            answer.asked = &suite[i];
            const auto reply = ask(*(*started)->driver, engine, suite[i].position, answer.failure);
            answer.move = reply.move;
            answer.thought = reply.thought;
            if (answer.failure.empty()) judge(answer);
            {
                const std::lock_guard lock(mutex);
                count(totals, answer);
                on_answer(answer);
            }
            if (answer.failure.empty()) continue;
            started = start(engine);
            if (!started) return;
        }
        (*started)->driver->quit();
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < concurrency; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (!problem.empty()) return Error{problem};
    return totals;
}

Result<SpeedResult, std::string> measure_speed(const std::vector<Position>& positions,
                                               const EngineSpec& engine) {
    auto started = start(engine);
    if (!started) return Error{started.error()};
    SpeedResult result;
    for (const Position& position : positions) {
        std::string failure;
        const auto reply = ask(*(*started)->driver, engine, position, failure);
        if (!failure.empty()) return Error{engine.name + ": " + failure};
        result.nodes += reply.thought.nodes;
        result.seconds += std::chrono::duration<double>(reply.thought.time).count();
    }
    (*started)->driver->quit();
    return result;
}

}  // namespace rokada::lab
