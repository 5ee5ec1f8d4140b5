// SPDX-License-Identifier: GPL-3.0-or-later
// A whole xboard session from the fuzzer's bytes, one command a line, with a fake engine.
#include <cstdlib>

#include "protocol/cecp/session.hpp"
#include "tests/protocol/fake_thinker.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rokada::protocol;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    TestSession<cecp::Session> session;
    session.say("xboard");
    session.say("protover 2");
    for (int lines = 0; !text.empty() && lines < 200 && !session.finished(); ++lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        session.say(line);
        cecp::parse_answer(line);
        if (const auto option = cecp::parse_feature_option(line)) cecp::feature_value(*option);
    }
    if (session.thinker->overlapping_go || session.thinker->illegal_position) std::abort();
    return 0;
}
