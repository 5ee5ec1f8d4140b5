// SPDX-License-Identifier: GPL-3.0-or-later
// The declarations of all options and the settings read from them. Used by Engine only; others see
// the list.
#pragma once

#include <string_view>

#include "engine/limits.hpp"
#include "engine/options.hpp"

namespace rokada::engine {

// The options as the search wants them.
struct Settings {
    int hash_megabytes = 16;
    int threads = 1;
    int multipv = 1;
    Milliseconds overhead{0};
    int contempt = 0;
    bool network = true;     // evaluate by the network, not classically
    std::uint64_t seed = 0;  // of limited levels; 0: a new one for every game
    int probe_depth = 1;     // of tablebases
    int probe_limit = 7;
    bool fifty_move_rule = true;
    bool human_pace = false;  // limited levels take the time a person would
    bool own_book = false;    // play from the book at full strength too
    std::optional<int> dial;  // the level to play at; none = full strength
};

class OptionList {
  public:
    OptionList();

    const std::vector<Option>& all() const { return options_; }
    // Finds the option whatever its case; null if there is none of that name.
    const Option* find(std::string_view name) const;
    // Checks and sets. The error is a sentence for the user; on error nothing changes.
    std::optional<std::string> set(std::string_view name, std::string_view value);
    Settings settings() const;

  private:
    Option* find_to_change(std::string_view name);
    int number(std::string_view name) const;
    bool checked(std::string_view name) const;

    std::vector<Option> options_;
};

}  // namespace rokada::engine
