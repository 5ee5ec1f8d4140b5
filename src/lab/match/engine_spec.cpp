// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/engine_spec.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "protocol/tokens.hpp"

namespace rokada::lab {

namespace {

using protocol::split_command;
using protocol::to_integer;
using protocol::to_number;
using Problem = std::optional<std::string>;

Problem set_time_control(EngineSpec& spec, std::string_view value) {
    auto terms = parse_time_control(value);
    if (!terms) return terms.error();
    terms->depth = spec.terms.depth;
    terms->nodes = spec.terms.nodes;
    spec.terms = *terms;
    return std::nullopt;
}

Problem set_number(std::string_view key, std::string_view value, auto store) {
    const auto number = to_integer(value);
    if (!number || *number < 1 || *number > 1'000'000'000'000)
        return fmt::format("{}= needs a whole number from 1, not '{}'", key, value);
    store(*number);
    return std::nullopt;
}

Problem apply(EngineSpec& spec, std::string_view key, std::string_view value) {
    if (key == "cmd") {
        auto words = split_command(value);
        if (!words) return fmt::format("cmd={}: {}", value, words.error());
        if (words->empty()) return std::string("cmd= is empty");
        spec.command = std::move(*words);
    } else if (key == "proto") {
        if (value == "uci")
            spec.protocol = protocol::EngineProtocol::Uci;
        else if (value == "xboard" || value == "cecp")
            spec.protocol = protocol::EngineProtocol::Xboard;
        else
            return fmt::format("proto= is uci or xboard, not '{}'", value);
    } else if (key == "name") {
        spec.name = std::string(value);
    } else if (key == "dir") {
        spec.directory = std::string(value);
    } else if (key == "tc") {
        return set_time_control(spec, value);
    } else if (key == "st") {
        const auto seconds = to_number(value);
        if (!seconds || *seconds <= 0 || *seconds > 1e6)
            return fmt::format("st= needs seconds per move, not '{}'", value);
        spec.terms.base.reset();
        spec.terms.move_time = engine::Milliseconds(std::max(1LL, std::llround(*seconds * 1000)));
    } else if (key == "depth") {
        return set_number(key, value, [&](std::int64_t n) {
            spec.terms.depth = static_cast<int>(std::min<std::int64_t>(n, 1000));
        });
    } else if (key == "nodes") {
        return set_number(
            key, value, [&](std::int64_t n) { spec.terms.nodes = static_cast<std::uint64_t>(n); });
    } else if (key == "margin") {
        const auto milliseconds = to_integer(value);
        if (!milliseconds || *milliseconds < 0 || *milliseconds > 3'600'000)
            return fmt::format("margin= needs milliseconds, not '{}'", value);
        spec.margin = std::chrono::milliseconds(*milliseconds);
    } else if (key == "init") {
        spec.init_lines.emplace_back(value);
    } else if (key.substr(0, 7) == "option." && key.size() > 7) {
        const std::string name(key.substr(7));
        auto same = std::find_if(spec.options.begin(), spec.options.end(),
                                 [&](const auto& o) { return o.first == name; });
        if (same != spec.options.end())
            same->second = std::string(value);
        else
            spec.options.emplace_back(name, value);
    } else {
        return fmt::format(
            "unknown word '{}'; known are cmd, proto, name, dir, tc, st, depth, nodes, margin, "
            "init, option.NAME",
            key);
    }
    return std::nullopt;
}

Problem apply_all(EngineSpec& spec, std::string_view text) {
    const auto words = split_command(text);
    if (!words) return fmt::format("'{}': {}", text, words.error());
    for (const std::string& word : *words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) return fmt::format("'{}' has no '='", word);
        const std::string_view view = word;
        if (auto problem = apply(spec, view.substr(0, equals), view.substr(equals + 1)))
            return problem;
    }
    return std::nullopt;
}

}  // namespace

int EngineSpec::threads() const {
    for (const auto& [option, value] : options)
        if (protocol::equal_ignoring_case(option, "Threads"))
            return static_cast<int>(
                std::clamp<std::int64_t>(to_integer(value).value_or(1), 1, 1024));
    return 1;
}

Result<EngineSpec, std::string> parse_engine_spec(std::string_view text,
                                                  std::string_view defaults) {
    EngineSpec spec;
    if (auto problem = apply_all(spec, defaults)) return Error{"--each: " + *problem};
    if (auto problem = apply_all(spec, text)) return Error{"--engine: " + *problem};
    if (spec.command.empty()) return Error{fmt::format("--engine '{}': no cmd=", text)};
    const GameTerms& terms = spec.terms;
    if (!terms.base && !terms.move_time && !terms.depth && !terms.nodes)
        return Error{fmt::format("--engine '{}': no limit; give tc=, st=, depth= or nodes=", text)};
    return spec;
}

void make_names_unique(std::vector<EngineSpec>& engines) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
        if (engines[i].name.empty()) {
            const std::string& program = engines[i].command.front();
            engines[i].name = program.substr(program.rfind('/') + 1);
        }
        const std::string base = engines[i].name;
        for (int number = 2;
             std::any_of(engines.begin(), engines.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const EngineSpec& e) { return e.name == engines[i].name; });
             ++number)
            engines[i].name = fmt::format("{} {}", base, number);
    }
}

}  // namespace rokada::lab
