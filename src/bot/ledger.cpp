// SPDX-License-Identifier: GPL-3.0-or-later
#include "bot/ledger.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>

#include "net/json.hpp"

namespace rokada::bot {

namespace {

std::string to_line(const LedgerEntry& entry) {
    net::json::object line;
    line["time"] = entry.time;
    line["id"] = entry.id;
    line["opponent"] = entry.opponent;
    line["opponentRating"] = entry.opponent_rating;
    line["bot"] = entry.opponent_is_bot;
    line["color"] = entry.color;
    line["variant"] = entry.variant;
    line["speed"] = entry.speed;
    line["rated"] = entry.rated;
    line["result"] = entry.result;
    line["status"] = entry.status;
    line["plies"] = entry.plies;
    line["reconnects"] = entry.reconnects;
    line["latencyMs"] = entry.latency_ms;
    line["guessed"] = entry.guessed;
    return net::to_text(line);
}

bool from_line(const std::string& line, LedgerEntry& entry) {
    const auto value = net::parse_json(line);
    if (!value) return false;
    net::ObjectReader fields(*value);
    entry.time = fields.text("time");
    entry.id = fields.text("id");
    entry.opponent = fields.text("opponent");
    entry.opponent_rating = static_cast<int>(fields.integer("opponentRating", 0, 9999));
    entry.opponent_is_bot = fields.boolean("bot");
    entry.color = fields.text("color");
    entry.variant = fields.text("variant");
    entry.speed = fields.text("speed");
    entry.rated = fields.boolean("rated");
    entry.result = fields.choice("result", {"win", "draw", "loss", "none"});
    entry.status = fields.text("status");
    constexpr std::int64_t most = 1'000'000;
    entry.plies = static_cast<int>(fields.integer("plies", 0, most));
    entry.reconnects = static_cast<int>(fields.integer("reconnects", 0, most));
    entry.latency_ms = static_cast<int>(fields.integer("latencyMs", 0, most));
    entry.guessed = static_cast<int>(fields.optional_integer("guessed", 0, most).value_or(0));
    return fields.ok();
}

}  // namespace

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

bool Ledger::add(const LedgerEntry& entry) {
    const std::lock_guard lock(mutex_);
    for (const LedgerEntry& known : read_ledger(path_).entries)
        if (known.id == entry.id) return true;
    std::ofstream file(path_, std::ios::app);
    file << to_line(entry) << '\n';
    file.flush();
    return file.good();
}

LedgerContent read_ledger(const std::string& path) {
    LedgerContent content;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        LedgerEntry entry;
        if (from_line(line, entry))
            content.entries.push_back(entry);
        else if (!line.empty())
            ++content.unreadable;
    }
    return content;
}

std::string summary(const std::vector<LedgerEntry>& entries) {
    struct Row {
        int games = 0, wins = 0, draws = 0, losses = 0;
    };
    std::map<std::string, Row> rows;
    const auto count = [&rows](const std::string& name, const LedgerEntry& entry) {
        Row& row = rows[name];
        ++row.games;
        row.wins += entry.result == "win";
        row.draws += entry.result == "draw";
        row.losses += entry.result == "loss";
    };
    for (const LedgerEntry& entry : entries) {
        count("all", entry);
        count(entry.opponent_is_bot ? "against bots" : "against people", entry);
        count(entry.speed.empty() ? "other" : entry.speed, entry);
    }
    char line[128];
    std::snprintf(line, sizeof line, "%-16s %6s %6s %6s %6s %7s\n", "", "games", "won", "drawn",
                  "lost", "score");
    std::string text = line;
    for (const auto& [name, row] : rows) {
        const int counted = row.wins + row.draws + row.losses;
        const double score = counted ? 100.0 * (row.wins + row.draws / 2.0) / counted : 0;
        std::snprintf(line, sizeof line, "%-16.16s %6d %6d %6d %6d %6.1f%%\n", name.c_str(),
                      row.games, row.wins, row.draws, row.losses, score);
        text += line;
    }
    return text;
}

}  // namespace rokada::bot
