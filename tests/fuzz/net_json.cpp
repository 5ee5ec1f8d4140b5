// SPDX-License-Identifier: GPL-3.0-or-later
// JSON from any bytes: a value that can be written and read again, or an error that points into the
// text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/json.hpp"

using namespace rokada::net;

namespace {

void check(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto value = parse_json(text);
    if (!value) {
        check(value.error().offset <= size && !value.error().message.empty());
        problem_for(value.error());
        return 0;
    }
    check(parse_json(to_text(*value)).ok());

    ObjectReader body(*value);
    body.text("name", {.min_bytes = 1, .max_bytes = 8});
    const std::int64_t number = body.integer("elo", -5, 3000);
    check(number >= -5 && number <= 3000);
    const double rate = body.number("rate", 0, 1);
    check(rate >= 0 && rate <= 1);
    body.optional_boolean("on");
    body.optional_choice("color", {"white", "black"});
    check(body.texts("moves", 4, {.min_bytes = 4, .max_bytes = 5}).size() <= 4);
    if (auto clock = body.optional_object("clock")) {
        clock->optional_integer("initial", 0, 10800);
        body.absorb(std::move(*clock));
    }
    body.finish();
    problem_for(body.errors());
    return 0;
}
