// SPDX-License-Identifier: GPL-3.0-or-later
// Strict reading and plain writing of JSON on Boost.JSON. Used by the API and the live protocol.
// Any bytes in: a value or one clear error; objects are read field by field, unknown fields are
// refused.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "chess/result.hpp"
#include "net/http.hpp"

namespace rokada::net {

namespace json = boost::json;

struct JsonError {
    std::string message;
    std::size_t offset = 0;  // bytes from the start
};

inline constexpr std::size_t kJsonDepth = 16;

// One JSON text: UTF-8, no comments, no trailing commas, no repeated names in one object.
Result<json::value, JsonError> parse_json(std::string_view text,
                                          std::size_t max_depth = kJsonDepth);
std::string to_text(const json::value& value);
Response json_response(int status, const json::value& value);

struct FieldError {
    std::string field;    // "clock.initial", "moves[3]"
    std::string code;     // missing, type, range, length, choice, unknown: stable, for programs
    std::string message;  // for people
};

struct TextRules {
    std::size_t min_bytes = 0;
    std::size_t max_bytes = 256;
};

// Reads the fields of one object and collects every complaint, so that a form can show them all at
// once. After a complaint a reader gives a harmless value (empty, zero, none); look at ok() before
// using any.
//
//   ObjectReader body(value);
//   const std::string name = body.text("username", {.min_bytes = 2, .max_bytes = 24});
//   const std::optional<std::int64_t> elo = body.optional_integer("elo", 100, 3600);
//   if (!body.finish()) return responder.send(problem_for(body.errors()));
class ObjectReader {
  public:
    explicit ObjectReader(const json::value& value, std::string prefix = {});

    std::string text(std::string_view name, TextRules rules = {});
    std::int64_t integer(std::string_view name, std::int64_t low, std::int64_t high);
    double number(std::string_view name, double low, double high);
    bool boolean(std::string_view name);
    std::string choice(std::string_view name, std::initializer_list<std::string_view> choices);

    // Absent and null give none.
    std::optional<std::string> optional_text(std::string_view name, TextRules rules = {});
    std::optional<std::int64_t> optional_integer(std::string_view name, std::int64_t low,
                                                 std::int64_t high);
    std::optional<double> optional_number(std::string_view name, double low, double high);
    std::optional<bool> optional_boolean(std::string_view name);
    std::optional<std::string> optional_choice(std::string_view name,
                                               std::initializer_list<std::string_view> choices);

    // Nested values; the returned reader reports into this one when its finish() is called through
    // child().
    const json::value* optional_value(std::string_view name);
    const json::array* optional_array(std::string_view name, std::size_t max_size);
    std::vector<std::string> texts(std::string_view name, std::size_t max_size,
                                   TextRules rules = {});
    bool has(std::string_view name) const;

    // A reader for the object in this field (missing or not an object: a complaint, and an empty
    // reader).
    ObjectReader object(std::string_view name);
    std::optional<ObjectReader> optional_object(std::string_view name);
    void absorb(
        ObjectReader child);  // takes over the child's complaints, its unknown fields included

    void complain(std::string_view name, std::string code, std::string message);
    bool finish();  // adds a complaint for each field nobody asked for; true if there is no
                    // complaint at all
    bool ok() const { return errors_.empty(); }
    const std::vector<FieldError>& errors() const { return errors_; }

  private:
    std::optional<std::string> read_text(std::string_view name, TextRules rules, bool required);
    std::optional<std::int64_t> read_integer(std::string_view name, std::int64_t low,
                                             std::int64_t high, bool required);
    std::optional<double> read_number(std::string_view name, double low, double high,
                                      bool required);
    std::optional<bool> read_boolean(std::string_view name, bool required);
    std::optional<std::string> read_choice(std::string_view name,
                                           std::initializer_list<std::string_view> choices,
                                           bool required);
    const json::value* take(std::string_view name, bool required);
    std::string path_of(std::string_view name) const;

    const json::object* object_ = nullptr;
    std::string prefix_;
    std::vector<std::string> asked_;
    std::vector<FieldError> errors_;
};

// RFC 9457 problem details. `code` is stable and for programs; type is "urn:rokada:problem:CODE".
struct Problem {
    int status = 500;
    std::string code;
    std::string title;
    std::string detail;
    std::vector<FieldError> errors;
    json::object extra;  // further members
};
Response problem_response(const Problem& problem);
Response problem(int status, std::string code,
                 std::string detail = {});                    // title: the reason phrase
Response problem_for(const std::vector<FieldError>& errors);  // 422, code "invalid"
Response problem_for(const JsonError& error);                 // 400, code "bad_json"

}  // namespace rokada::net
