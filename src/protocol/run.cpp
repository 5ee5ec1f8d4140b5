// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/run.hpp"

#include <csignal>

#include <unistd.h>

#include "protocol/cecp/session.hpp"
#include "protocol/input.hpp"
#include "protocol/uci/session.hpp"

namespace rokada::protocol {

namespace {

// The first event that is not an empty line.
Event first_event(EventQueue& queue) {
    while (true) {
        Event event = queue.pop();
        const auto* line = std::get_if<InputLine>(&event);
        if (line == nullptr || !trimmed(line->text).empty()) return event;
    }
}

bool means_xboard(const Event& event) {
    const auto* line = std::get_if<InputLine>(&event);
    return line != nullptr && Tokens(line->text).peek().text == "xboard";
}

}  // namespace

int run_session(SessionKind kind, const House& house) {
    FileOutput output(STDOUT_FILENO);
    EventQueue queue;
    const LineReader reader(STDIN_FILENO, queue);
    std::optional<Event> first;
    if (kind == SessionKind::Detect) {
        first = first_event(queue);
        kind = means_xboard(*first) ? SessionKind::Xboard : SessionKind::Uci;
    }
    std::unique_ptr<Session> session;
    if (kind == SessionKind::Xboard) {
        std::signal(SIGINT, SIG_IGN);  // old GUIs interrupt to get attention
        session = std::make_unique<cecp::Session>(queue, output, make_engine_thinker, house);
    } else {
        session = std::make_unique<uci::Session>(queue, output, make_engine_thinker, house);
    }
    if (first) session->handle(std::move(*first));
    run(*session, queue);
    return 0;
}

}  // namespace rokada::protocol
