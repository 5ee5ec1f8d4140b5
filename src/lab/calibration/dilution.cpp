// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/calibration/dilution.hpp"

#include <random>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "protocol/driver/process.hpp"
#include "protocol/input.hpp"
#include "protocol/uci/command.hpp"

namespace rokada::lab {

namespace {

using protocol::ChildProcess;
using protocol::LineSplitter;

// All of it; what cannot be written is lost together with the reader.
void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count > 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
            continue;
        }
        pollfd ready{descriptor, POLLOUT, 0};
        if (::poll(&ready, 1, 10'000) <= 0 || (ready.revents & (POLLERR | POLLHUP)) != 0) return;
    }
}

std::optional<Position> position_after(const protocol::uci::SetPosition& command) {
    Position position;
    if (command.fen) {
        const auto read = parse_position(*command.fen);
        if (!read) return std::nullopt;
        position = *read;
    }
    for (const auto& text : command.moves) {
        const auto move = parse_uci_move(position, text.text);
        if (!move) return std::nullopt;
        position.play(*move);
    }
    return position;
}

class Diluted {
  public:
    Diluted(const DilutionSettings& settings, ChildProcess& child)
        : settings_(settings), child_(child), random_(settings.seed) {}

    // False when it is time to leave.
    bool take(const std::string& line) {
        const auto command = protocol::uci::parse_command(line);
        if (command) {
            if (std::holds_alternative<protocol::uci::Quit>(*command)) return false;
            if (const auto* set = std::get_if<protocol::uci::SetPosition>(&*command))
                position_ = position_after(*set);
            if (std::holds_alternative<protocol::uci::Go>(*command) && position_ && by_lot())
                return true;
        }
        write_all(child_.input(), line + "\n");
        return true;
    }

  private:
    bool by_lot() {
        const MoveList moves = legal_moves(*position_);
        if (moves.empty() || static_cast<int>(random_() % 100) >= settings_.random_percent)
            return false;
        const Move move = moves[random_() % moves.size()];
        write_all(STDOUT_FILENO, "bestmove " + to_uci(move) + "\n");
        return true;
    }

    const DilutionSettings& settings_;
    ChildProcess& child_;
    std::mt19937_64 random_;
    std::optional<Position> position_;
};

}  // namespace

std::optional<std::string> run_dilution(const DilutionSettings& settings) {
    auto child = ChildProcess::start({settings.command, {}, {}});
    if (!child) return child.error();
    Diluted diluted(settings, **child);
    LineSplitter splitter;
    bool going = true;
    char buffer[4096];
    while (going) {
        pollfd sources[] = {{STDIN_FILENO, POLLIN, 0},
                            {(*child)->output(), POLLIN, 0},
                            {(*child)->errors(), POLLIN, 0}};
        if (::poll(sources, 3, -1) < 0) break;
        if (sources[1].revents != 0) {
            const ssize_t count = ::read(sources[1].fd, buffer, sizeof buffer);
            if (count == 0) break;
            if (count > 0) write_all(STDOUT_FILENO, {buffer, static_cast<std::size_t>(count)});
        }
        if ((sources[2].revents & POLLIN) != 0 && ::read(sources[2].fd, buffer, sizeof buffer) < 0)
            break;
        if (sources[0].revents != 0) {
            const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
            if (count <= 0) break;
            splitter.feed(
                {buffer, static_cast<std::size_t>(count)},
                [&](const std::string& line) { going = going && diluted.take(line); }, [] {});
        }
    }
    (*child)->end(std::chrono::milliseconds(500));
    return std::nullopt;
}

}  // namespace rokada::lab
