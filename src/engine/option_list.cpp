// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/option_list.hpp"

#include <algorithm>
#include <charconv>

#include "engine/book/book.hpp"
#include "engine/levels/profile.hpp"
#include "engine/search/adjustable.hpp"
#include "engine/threads.hpp"

namespace rokada::engine {

namespace {

Option check(std::string name, bool value, std::string help) {
    Option o;
    o.name = std::move(name);
    o.type = OptionType::Check;
    o.value = o.default_value = value ? "true" : "false";
    o.help = std::move(help);
    return o;
}

Option spin(std::string name, int value, int min, int max, std::string help) {
    Option o;
    o.name = std::move(name);
    o.type = OptionType::Spin;
    o.value = o.default_value = std::to_string(value);
    o.min = min;
    o.max = max;
    o.help = std::move(help);
    return o;
}

Option combo(std::string name, std::vector<std::string> choices, std::string value,
             std::string help) {
    Option o;
    o.name = std::move(name);
    o.type = OptionType::Combo;
    o.value = o.default_value = std::move(value);
    o.choices = std::move(choices);
    o.help = std::move(help);
    return o;
}

Option string(std::string name, std::string value, std::string help) {
    Option o;
    o.name = std::move(name);
    o.type = OptionType::String;
    o.value = o.default_value = std::move(value);
    o.help = std::move(help);
    return o;
}

Option button(std::string name, std::string help) {
    Option o;
    o.name = std::move(name);
    o.type = OptionType::Button;
    o.help = std::move(help);
    return o;
}

constexpr int kMaxHashMegabytes = sizeof(void*) == 8 ? 131072 : 512;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                              [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<int> parse_int(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Foreign text inside a message: short and printable.
std::string shown(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > 40 ? "...'" : "'");
}

}  // namespace

OptionList::OptionList() {
    options_ = {
        spin("Hash", 16, 1, kMaxHashMegabytes, "Memory for the transposition table in megabytes."),
        button("Clear Hash", "Forgets all positions searched so far."),
        string("HashFile", "",
               "Where SaveHash writes the transposition table and LoadHash reads it."),
        button("SaveHash", "Writes the transposition table to HashFile."),
        button("LoadHash", "Reads it back, so that an analysis goes on after a restart."),
        spin("Threads", 1, 1, kMaxThreads, "How many threads search at once."),
        spin("MultiPV", 1, 1, 218, "How many best lines are shown."),
        check("Ponder", false, "Whether the engine may think on the opponent's time."),
        spin("Move Overhead", 20, 0, 5000, "Milliseconds kept back per move for lag."),
        combo("Evaluation", {"network", "classical"}, "network",
              "Who judges positions: the trained network or the hand-made evaluation."),
        string("EvalFile", "<built in>", "A network file to use instead of the built-in one."),
        combo("Skill", {"Easy", "Medium", "Hard", "Full"}, "Full",
              "Playing strength: about 800, 1500 or 2400 Elo, or everything the engine has."),
        check("UCI_LimitStrength", false, "Play at the strength given by UCI_Elo."),
        spin("UCI_Elo", 1500, 400, 3200, "The strength to play at when it is limited."),
        check("Human Pace", false, "Limited levels take about the time a person would."),
        spin("Dial", -1, -1, kHighestDial,
             "A level by its raw setting, for calibration; overrides UCI_Elo. -1: off."),
        spin("Seed", 0, 0, 2147483647,
             "Makes limited levels repeat themselves: same seed, same moves. 0: new for every "
             "game."),
        spin("Contempt", 0, -200, 200,
             "How many centipawns a draw is worse than it looks; negative welcomes draws."),
        check("OwnBook", false, "Play openings from the book at full strength too."),
        string("BookFile", kBuiltInBook,
               "The opening book of levels below full strength, and of OwnBook: a Polyglot file, "
               "the built-in one, or <none>."),
        string("SyzygyPath", "",
               "Folders with Syzygy tablebases, separated by ':' (or ';'): exact play in endings."),
        spin("SyzygyProbeDepth", 1, 1, 100,
             "The least depth at which positions with the most men allowed are looked up."),
        spin("SyzygyProbeLimit", 7, 0, 7, "The most men with which positions are looked up."),
        check("Syzygy50MoveRule", true,
              "Whether wins that the fifty-move rule spoils count as draws."),
        check("UCI_AnalyseMode", false,
              "For analysis: full strength, no book and no contempt, whatever is set."),
        check("UCI_Chess960", false, "Chess960: castling is written as king takes rook."),
        check("UCI_ShowWDL", false, "Show the chances to win, draw and lose with every line."),
    };
    append_adjustable_options(options_);
}

const Option* OptionList::find(std::string_view name) const {
    for (const Option& option : options_)
        if (same(option.name, name)) return &option;
    return nullptr;
}

Option* OptionList::find_to_change(std::string_view name) {
    return const_cast<Option*>(find(name));
}

std::optional<std::string> OptionList::set(std::string_view name, std::string_view value) {
    Option* const option = find_to_change(name);
    if (!option) return "there is no option " + shown(name);
    switch (option->type) {
        case OptionType::Check:
            if (!same(value, "true") && !same(value, "false"))
                return option->name + " must be true or false, not " + shown(value);
            option->value = same(value, "true") ? "true" : "false";
            break;
        case OptionType::Spin: {
            const auto number = parse_int(value);
            if (!number || *number < option->min || *number > option->max)
                return option->name + " must be a number from " + std::to_string(option->min) +
                       " to " + std::to_string(option->max) + ", not " + shown(value);
            option->value = std::to_string(*number);
            break;
        }
        case OptionType::Combo: {
            const auto choice = std::find_if(option->choices.begin(), option->choices.end(),
                                             [&](const std::string& c) { return same(c, value); });
            if (choice == option->choices.end()) {
                std::string list;
                for (const std::string& c : option->choices) list += (list.empty() ? "" : ", ") + c;
                return option->name + " must be one of " + list + ", not " + shown(value);
            }
            option->value = *choice;
            break;
        }
        case OptionType::Button: break;
        case OptionType::String: option->value = std::string(value); break;
    }
    adjust(*option);
    return std::nullopt;
}

int OptionList::number(std::string_view name) const {
    return parse_int(find(name)->value).value_or(0);
}
bool OptionList::checked(std::string_view name) const { return find(name)->value == "true"; }

Settings OptionList::settings() const {
    Settings s;
    s.hash_megabytes = number("Hash");
    s.threads = number("Threads");
    s.multipv = number("MultiPV");
    s.overhead = Milliseconds{number("Move Overhead")};
    s.contempt = number("Contempt");
    s.network = find("Evaluation")->value == "network";
    s.seed = static_cast<std::uint64_t>(number("Seed"));
    s.own_book = checked("OwnBook");
    s.probe_depth = number("SyzygyProbeDepth");
    s.probe_limit = number("SyzygyProbeLimit");
    s.fifty_move_rule = checked("Syzygy50MoveRule");
    s.human_pace = checked("Human Pace");
    const std::string& skill = find("Skill")->value;
    if (skill == "Easy") s.dial = dial_for_elo(800);
    if (skill == "Medium") s.dial = dial_for_elo(1500);
    if (skill == "Hard") s.dial = dial_for_elo(2400);
    if (checked("UCI_LimitStrength")) s.dial = dial_for_elo(number("UCI_Elo"));
    if (const int dial = number("Dial"); dial >= 0) s.dial = dial;
    if (checked("UCI_AnalyseMode")) {
        s.dial.reset();
        s.own_book = false;
        s.contempt = 0;
    }
    return s;
}

}  // namespace rokada::engine
