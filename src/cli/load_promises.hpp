// SPDX-License-Identifier: GPL-3.0-or-later
// What a server is promised to bear (docs/server.md), compared with what was measured. Used by
// `rokada lab load` on its own server.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

namespace rokada::cli {

class LoadPromises {
  public:
    void at_least(const std::string& what, double measured, double promised, const char* unit) {
        if (measured < promised) miss(what, measured, "at least", promised, unit);
    }
    void below(const std::string& what, double measured, double promised, const char* unit) {
        if (measured >= promised) miss(what, measured, "less than", promised, unit);
    }
    void kept(const std::string& what, bool is) {
        if (!is) missed_.push_back(what);
    }
    // Says which were not kept; the exit code.
    int report() const {
        for (const std::string& line : missed_) fmt::print("missed: {}\n", line);
        if (missed_.empty()) fmt::print("All that was measured is as promised.\n");
        return missed_.empty() ? 0 : 1;
    }

  private:
    void miss(const std::string& what, double measured, const char* sense, double promised,
              const char* unit) {
        missed_.push_back(
            fmt::format("{}: {:.1f} {}, promised {} {}", what, measured, unit, sense, promised));
    }
    std::vector<std::string> missed_;
};

}  // namespace rokada::cli
