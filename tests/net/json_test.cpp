// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/json.hpp"

#include <gtest/gtest.h>

namespace rokada::net {
namespace {

json::value parsed(std::string_view text) {
    Result<json::value, JsonError> value = parse_json(text);
    EXPECT_TRUE(value.ok()) << text;
    return value.ok() ? *value : json::value();
}

TEST(Json, ReadsAndWritesValues) {
    for (const char* text :
         {"null", "true", "[1,2,3]", "{\"a\":{\"b\":[\"x\"]}}", "\"\xC5\x82\"", "-5"})
        EXPECT_EQ(to_text(parsed(text)), text);
    EXPECT_EQ(to_text(parsed(" [ 1 ] \n")), "[1]");
}

TEST(Json, RefusesWhatIsNotStrictJson) {
    for (const char* text :
         {"", " ", "{", "[1,]", "{\"a\":1,}", "// c\n1", "{'a':1}", "{a:1}", "01", "1 2",
          "\"\xff\"", "\"\n\"", "nul", "\"\\ud800\"", "NaN", "1e400", "[-1e999]", "[1}"})
        EXPECT_FALSE(parse_json(text)) << text;
}

TEST(Json, SaysWhere) {
    const auto result = parse_json("{\"a\": tru}");
    ASSERT_FALSE(result);
    EXPECT_GE(result.error().offset, 6u);
    EXPECT_LE(result.error().offset, 9u);
    EXPECT_FALSE(result.error().message.empty());
}

TEST(Json, LimitsDepth) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(parse_json(nested(16)));
    EXPECT_FALSE(parse_json(nested(17)));
    EXPECT_FALSE(parse_json(std::string(100'000, '[')));
    EXPECT_FALSE(parse_json(std::string(100'000, '{')));
}

TEST(Json, RefusesRepeatedNames) {
    EXPECT_FALSE(parse_json(R"({"a":1,"a":2})"));
    EXPECT_FALSE(parse_json(R"({"a":1,"\u0061":2})"));
    EXPECT_FALSE(parse_json(R"([{"x":{"b":1,"c":2,"b":3}}])"));
    EXPECT_TRUE(parse_json(R"({"a":{"a":1},"b":{"a":2}})"));
    EXPECT_NE(parse_json(R"({"key":1,"key":2})").error().message.find("\"key\""),
              std::string::npos);
}

TEST(ObjectReader, ReadsFieldsOfTheRightKind) {
    const json::value value = parsed(
        R"({"name":"Ana","elo":1500,"big":1e3,"rate":0.5,"on":true,"color":"white","none":null,"list":["a","b"],"clock":{"initial":300}})");
    ObjectReader body(value);
    EXPECT_EQ(body.text("name"), "Ana");
    EXPECT_EQ(body.integer("elo", 100, 3600), 1500);
    EXPECT_EQ(body.integer("big", 0, 1000), 1000);
    EXPECT_EQ(body.number("rate", 0, 1), 0.5);
    EXPECT_TRUE(body.boolean("on"));
    EXPECT_EQ(body.choice("color", {"white", "black"}), "white");
    EXPECT_EQ(body.optional_text("none"), std::nullopt);
    EXPECT_EQ(body.optional_integer("absent", 0, 1), std::nullopt);
    EXPECT_EQ(body.texts("list", 5), (std::vector<std::string>{"a", "b"}));
    ObjectReader clock = body.object("clock");
    EXPECT_EQ(clock.integer("initial", 0, 10800), 300);
    body.absorb(std::move(clock));
    EXPECT_TRUE(body.finish());
}

TEST(ObjectReader, CollectsEveryComplaint) {
    const json::value value = parsed(
        R"({"name":5,"elo":99,"half":1.5,"huge":18446744073709551615,"color":"red","list":["ok",7],"extra":1,"clock":{"initial":"x","odd":1},"inner":3})");
    ObjectReader body(value);
    body.text("name");
    body.integer("elo", 100, 3600);
    body.integer("half", 0, 10);
    body.integer("huge", 0, 10);
    body.choice("color", {"white", "black"});
    body.text("missing");
    body.texts("list", 5);
    ObjectReader clock = body.object("clock");
    clock.integer("initial", 0, 10800);
    body.absorb(std::move(clock));
    body.absorb(body.object("inner"));
    body.absorb(body.object("nowhere"));
    EXPECT_FALSE(body.finish());
    std::vector<std::string> found;
    for (const FieldError& error : body.errors()) found.push_back(error.field + ":" + error.code);
    const std::vector<std::string> expected{
        "name:type",         "elo:range",       "half:type",       "huge:range",
        "color:choice",      "missing:missing", "list[1]:type",    "clock.initial:type",
        "clock.odd:unknown", "inner:type",      "nowhere:missing", "extra:unknown"};
    EXPECT_EQ(found, expected);
}

TEST(ObjectReader, KeepsToLengths) {
    const json::value value = parsed(R"({"a":"","b":"12345","c":["1","2","3"]})");
    ObjectReader body(value);
    body.text("a", {.min_bytes = 1, .max_bytes = 4});
    body.text("b", {.min_bytes = 1, .max_bytes = 4});
    EXPECT_EQ(body.optional_array("c", 2), nullptr);
    ASSERT_EQ(body.errors().size(), 3u);
    for (const FieldError& error : body.errors()) EXPECT_EQ(error.code, "length");
}

TEST(ObjectReader, RefusesWhatIsNoObject) {
    const json::value value = parsed("[1]");
    ObjectReader body(value);
    EXPECT_EQ(body.text("a"), "");
    EXPECT_FALSE(body.finish());
    ASSERT_EQ(body.errors().size(), 1u);
    EXPECT_EQ(body.errors()[0].code, "type");
}

TEST(Problem, IsProblemJson) {
    const Response response =
        problem_for(std::vector<FieldError>{{"elo", "range", "must be from 100 to 3600"}});
    EXPECT_EQ(response.status, 422);
    EXPECT_EQ(response.headers.get("Content-Type"), "application/problem+json");
    const json::value body = parsed(*response.body);
    EXPECT_EQ(body.at("status").as_int64(), 422);
    EXPECT_EQ(body.at("code").as_string(), "invalid");
    EXPECT_EQ(body.at("type").as_string(), "urn:rokada:problem:invalid");
    EXPECT_EQ(body.at("title").as_string(), "Unprocessable Content");
    EXPECT_EQ(body.at("errors").at(0).at("field").as_string(), "elo");
    EXPECT_EQ(parsed(*problem_for(JsonError{"bad", 3}).body).at("status").as_int64(), 400);
    Problem custom;
    custom.status = 409;
    custom.code = "stale";
    custom.extra["ply"] = 7;
    EXPECT_EQ(parsed(*problem_response(custom).body).at("ply").as_int64(), 7);
}

}  // namespace
}  // namespace rokada::net
