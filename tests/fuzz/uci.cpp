// SPDX-License-Identifier: GPL-3.0-or-later
// A whole UCI session from the fuzzer's bytes, one command a line, with a fake engine: it must not
// crash, never start a search on a running one, never set an illegal position, and answer `isready`
// at the end.
#include <cstdlib>

#include "protocol/uci/session.hpp"
#include "tests/protocol/fake_thinker.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada::protocol;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    TestSession<uci::Session> session;
    for (int lines = 0; !text.empty() && lines < 200 && !session.finished(); ++lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        // Counting the whole tree is no fault of the session; files are none of the fuzzer's
        // business.
        if (line.find("perft") != line.npos || line.find("Log") != line.npos) continue;
        session.say(line);
        uci::parse_answer(line);
    }
    if (session.thinker->overlapping_go || session.thinker->illegal_position) std::abort();
    if (!session.finished()) {
        const auto answers = session.say("isready");
        if (answers.empty() || answers.back() != "readyok") std::abort();
    }
    return 0;
}
