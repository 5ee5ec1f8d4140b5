// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada perft`: counts below one position, or compares a file of positions with its known counts.
#include "chess/perft.hpp"

#include <charconv>
#include <chrono>
#include <fstream>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "chess/notation/epd.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "cli/commands.hpp"
#include "cli/json_text.hpp"

namespace rokada::cli {

namespace {

constexpr int kDeepest = 30;

struct PerftArguments {
    std::optional<int> depth;
    std::string fen{kStartFen};
    std::string epd;
    int max_depth = kDeepest;
    bool divide = false, json = false;
    Perft::Options options;
};

int complain(const std::string& message) {
    fmt::print(stderr, "rokada perft: {}\n", message);
    return 2;
}

class Clock {
  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

double per_second(std::uint64_t nodes, double seconds) {
    return static_cast<double>(nodes) / std::max(seconds, 1e-9);
}

int count_one(const PerftArguments& arguments, int depth) {
    const auto position = parse_position(arguments.fen);
    if (!position) return complain(position.error().to_string());
    const auto name = [castling = castling_notation_for(*position)](Move move) {
        return to_uci(move, castling);
    };
    Perft perft(arguments.options);
    Perft::Division division;
    const Clock clock;
    std::uint64_t nodes = 0;
    if (arguments.divide) {
        division = perft.divide(*position, depth);
        for (const auto& [move, count] : division) nodes += count;
        if (depth == 0) nodes = 1;
    } else {
        nodes = perft.count(*position, depth);
    }
    const double seconds = clock.seconds();
    if (arguments.json) {
        std::string moves;
        for (const auto& [move, count] : division)
            moves +=
                fmt::format("{}{}:{}", moves.empty() ? "" : ",", json_quoted(name(move)), count);
        fmt::print(
            "{{\"fen\":{},\"depth\":{},{}\"nodes\":{},\"seconds\":{:.6f},"
            "\"nodes_per_second\":{:.0f}}}\n",
            json_quoted(to_fen(*position)), depth,
            arguments.divide ? "\"moves\":{" + moves + "}," : "", nodes, seconds,
            per_second(nodes, seconds));
        return 0;
    }
    for (const auto& [move, count] : division) fmt::print("{}: {}\n", name(move), count);
    fmt::print("Nodes: {}  Time: {:.3f} s  Nodes/second: {:.0f}\n", nodes, seconds,
               per_second(nodes, seconds));
    return 0;
}

struct Expected {
    int depth = 0;
    std::uint64_t nodes = 0;
};

// An operation like `D4 197281`; nothing if it is another one.
std::optional<Expected> expected_count(const EpdOperation& operation) {
    const auto read = [](std::string_view text, auto& value) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} && end == text.data() + text.size();
    };
    Expected expected;
    const std::string_view name = operation.opcode;
    if (name.size() < 2 || (name[0] != 'D' && name[0] != 'd') || operation.operands.size() != 1)
        return std::nullopt;
    if (!read(name.substr(1), expected.depth) || expected.depth < 0 || expected.depth > kDeepest ||
        !read(operation.operands[0].text, expected.nodes))
        return std::nullopt;
    return expected;
}

class SuiteCheck {
  public:
    explicit SuiteCheck(const PerftArguments& arguments)
        : arguments_(arguments),
          perft_(arguments.options),
          shows_progress_(isatty(STDERR_FILENO)) {}

    // Leaves an error message if the file cannot be used.
    std::optional<std::string> run(std::istream& file) {
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::size_t begin = lines[i].find_first_not_of(" \t\r");
            if (begin == std::string::npos || lines[i][begin] == '#') continue;
            if (shows_progress_) {
                fmt::print(stderr, "\r\x1b[K{} of {} lines, {} differ", i, lines.size(), differ_);
                std::fflush(stderr);
            }
            if (auto problem = check_line(lines[i])) {
                end_progress();
                return fmt::format("line {}: {}", i + 1, *problem);
            }
        }
        end_progress();
        return std::nullopt;
    }

    int report() const {
        const double seconds = clock_.seconds();
        if (arguments_.json) {
            fmt::print(
                "{{\"positions\":{},\"differ\":{},\"not_compared\":{},\"nodes\":{},"
                "\"seconds\":{:.6f},\"differences\":[{}]}}\n",
                positions_, differ_, not_compared_, nodes_, seconds, differences_);
        } else {
            if (not_compared_ > 0)
                fmt::print("{} positions have no count up to depth {}\n", not_compared_,
                           arguments_.max_depth);
            fmt::print("Nodes: {}  Time: {:.3f} s  Nodes/second: {:.0f}\n", nodes_, seconds,
                       per_second(nodes_, seconds));
            fmt::print("{} positions, {} differ\n", positions_, differ_);
        }
        return differ_ == 0 ? 0 : 1;
    }

  private:
    std::optional<std::string> check_line(const std::string& line) {
        const auto epd = parse_epd(line);
        if (!epd) return epd.error().to_string();
        ++positions_;
        bool known = false, compared = false, agrees = true;
        for (const EpdOperation& operation : epd->operations) {
            const auto expected = expected_count(operation);
            if (!expected) continue;
            known = true;
            if (expected->depth > arguments_.max_depth) continue;
            compared = true;
            const std::uint64_t counted = perft_.count(epd->position, expected->depth);
            nodes_ += counted;
            if (counted == expected->nodes) continue;
            agrees = false;
            show_difference(to_fen(epd->position), *expected, counted);
        }
        if (!known) return "no count like D4 197281";
        differ_ += agrees ? 0 : 1;
        not_compared_ += compared ? 0 : 1;
        return std::nullopt;
    }

    void show_difference(const std::string& fen, Expected expected, std::uint64_t counted) {
        if (arguments_.json) {
            differences_ +=
                fmt::format("{}{{\"fen\":{},\"depth\":{},\"expected\":{},\"counted\":{}}}",
                            differences_.empty() ? "" : ",", json_quoted(fen), expected.depth,
                            expected.nodes, counted);
        } else {
            end_progress();
            fmt::print("{}  depth {}: {} expected, {} counted\n", fen, expected.depth,
                       expected.nodes, counted);
        }
    }
    void end_progress() const {
        if (shows_progress_) fmt::print(stderr, "\r\x1b[K");
    }

    const PerftArguments& arguments_;
    Perft perft_;
    const bool shows_progress_;
    const Clock clock_;
    std::size_t positions_ = 0, differ_ = 0, not_compared_ = 0;
    std::uint64_t nodes_ = 0;
    std::string differences_;
};

int check_suite(const PerftArguments& arguments) {
    std::ifstream file(arguments.epd);
    if (!file) return complain("cannot read " + arguments.epd);
    SuiteCheck check(arguments);
    if (const auto problem = check.run(file)) return complain(arguments.epd + ", " + *problem);
    return check.report();
}

int run(const PerftArguments& arguments) {
    if (arguments.epd.empty() == !arguments.depth)
        return complain("give either a depth or --epd FILE");
    return arguments.depth ? count_one(arguments, *arguments.depth) : check_suite(arguments);
}

}  // namespace

void add_perft(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("perft", "count the leaves of the tree of legal moves");
    auto arguments = std::make_shared<PerftArguments>();
    command->add_option("depth", arguments->depth, "plies to look ahead")
        ->check(CLI::Range(0, kDeepest));
    auto* fen = command->add_option("--fen", arguments->fen, "the position to start from");
    auto* divide =
        command->add_flag("--divide", arguments->divide, "show the count below each move");
    command->add_option("--threads", arguments->options.threads, "threads to count with")
        ->check(CLI::Range(1, 1024));
    command
        ->add_option("--hash", arguments->options.hash_megabytes,
                     "MB to remember positions in; 0 counts every one anew")
        ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 20));
    command
        ->add_option("--generator", arguments->options.generator,
                     "`count`, the list-free counter, or `list`, the ordinary generator")
        ->transform(CLI::CheckedTransformer(
                        std::map<std::string, Perft::Generator>{{"count", Perft::Generator::Count},
                                                                {"list", Perft::Generator::List}})
                        .description("{count,list}"))
        ->type_name("TEXT");
    command->add_flag("--json", arguments->json, "answer in JSON");
    command
        ->add_option("--epd", arguments->epd, "a file of positions with counts: FEN ;D1 20 ;D2 400")
        ->excludes(fen)
        ->excludes(divide);
    command->add_option("--max-depth", arguments->max_depth, "leave out deeper counts of the file")
        ->check(CLI::Range(0, kDeepest));
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
