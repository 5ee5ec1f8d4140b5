// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs to the games of a user but is not in them: for the export of an account.
#pragma once

#include <string>
#include <vector>

#include "server/api/api.hpp"
#include "server/api/json_text.hpp"

namespace rokada::server {

class ExportBesideGames {
  public:
    void add_game(Store& store, const std::string& id);
    // The fields chat, reviews and challenges of the object that is open.
    void write(JsonText& json, Store& store, const Identity& me) const;

  private:
    std::vector<std::string> chat_;  // events as the live protocol has them
    std::vector<std::pair<std::string, std::string>> reviews_;  // game, review
};

}  // namespace rokada::server
