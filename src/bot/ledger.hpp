// SPDX-License-Identifier: GPL-3.0-or-later
// The bot's book of results: one JSON object per line, appended as games end. `rokada lichess stats` sums it up.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace rokada::bot {

struct LedgerEntry {
    std::string time;  // ISO 8601, UTC
    std::string id, opponent, color, variant, speed, status;
    bool opponent_is_bot = false, rated = false;
    int opponent_rating = 0;
    std::string result;  // "win", "draw", "loss", "none"
    int plies = 0, reconnects = 0, latency_ms = 0;
    int guessed = 0;  // replies that were thought about before they came
};

class Ledger {
  public:
    explicit Ledger(std::string path) : path_(std::move(path)) {}
    // False if the file cannot be written. A game that is there already is not written again.
    bool add(const LedgerEntry& entry);

  private:
    std::mutex mutex_;
    std::string path_;
};

// Lines that cannot be read are passed over and counted.
struct LedgerContent {
    std::vector<LedgerEntry> entries;
    int unreadable = 0;
};
LedgerContent read_ledger(const std::string& path);
// A table: games, wins, draws, losses and score by speed and kind of opponent.
std::string summary(const std::vector<LedgerEntry>& entries);
std::string utc_now();

}  // namespace rokada::bot
