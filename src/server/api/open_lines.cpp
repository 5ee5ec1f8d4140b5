// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/open_lines.hpp"

namespace rokada::server {

std::uint64_t OpenLines::add(const Identity& who, std::function<void()> end) {
    if (who.session_hash.empty()) return 0;
    const std::lock_guard lock(mutex_);
    Lines& lines = by_session_[who.session_hash];
    lines.who = who;
    lines.open.push_back({++last_, std::move(end)});
    return last_;
}

void OpenLines::remove(const Identity& who, std::uint64_t line) {
    const std::lock_guard lock(mutex_);
    const auto found = by_session_.find(who.session_hash);
    if (found == by_session_.end()) return;
    std::erase_if(found->second.open, [line](const Line& open) { return open.number == line; });
    if (found->second.open.empty()) by_session_.erase(found);
}

// Not under the lock: a line that ends may come back to remove itself.
void OpenLines::end_all(const std::vector<Line>& lines) {
    for (const Line& line : lines) line.end();
}

void OpenLines::close(const std::string& session_hash) {
    std::vector<Line> lines;
    {
        const std::lock_guard lock(mutex_);
        const auto found = by_session_.find(session_hash);
        if (found != by_session_.end()) lines = found->second.open;
    }
    end_all(lines);
}

void OpenLines::close_player(const std::string& player_id) {
    std::vector<Line> lines;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [hash, open] : by_session_)
            if (open.who.player_id == player_id)
                lines.insert(lines.end(), open.open.begin(), open.open.end());
    }
    end_all(lines);
}

std::vector<Identity> OpenLines::share(std::size_t part, std::size_t parts) const {
    std::vector<Identity> asked;
    const std::lock_guard lock(mutex_);
    for (const auto& [hash, open] : by_session_)
        if (std::hash<std::string>{}(hash) % parts == part % parts) asked.push_back(open.who);
    return asked;
}

}  // namespace rokada::server
