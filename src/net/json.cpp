// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/json.hpp"

#include <algorithm>
#include <cmath>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>

namespace rokada::net {

namespace {

constexpr std::size_t kUsualFields = 8;

// Boost.JSON keeps the last of several equal names and turns 1e400 into infinity. What a text means
// must not be a matter of taste, so both are found by an event parser that runs beside. It only counts
// names; they are kept when some object turns out to have fewer than the text.
struct Checker {
    constexpr static std::size_t max_object_size = std::size_t(-1);
    constexpr static std::size_t max_array_size = std::size_t(-1);
    constexpr static std::size_t max_key_size = std::size_t(-1);
    constexpr static std::size_t max_string_size = std::size_t(-1);

    std::size_t names = 0;
    bool keeps_names = false;
    std::vector<std::vector<std::string>> open;
    std::string key;
    std::string repeated;

    using Code = json::error_code;
    bool on_document_begin(Code&) { return true; }
    bool on_document_end(Code&) { return true; }
    bool on_object_begin(Code&) {
        if (keeps_names) open.emplace_back();
        return true;
    }
    bool on_object_end(std::size_t, Code& error) {
        if (!keeps_names) return true;
        std::vector<std::string>& own = open.back();
        std::sort(own.begin(), own.end());
        if (const auto twin = std::adjacent_find(own.begin(), own.end()); twin != own.end()) {
            repeated = *twin;
            error = json::error::extra_data;
            return false;
        }
        open.pop_back();
        return true;
    }
    bool on_key_part(json::string_view part, std::size_t, Code&) {
        if (keeps_names) key.append(part.data(), part.size());
        return true;
    }
    bool on_key(json::string_view part, std::size_t, Code&) {
        ++names;
        if (!keeps_names) return true;
        key.append(part.data(), part.size());
        open.back().push_back(std::move(key));
        key.clear();
        return true;
    }
    bool on_array_begin(Code&) { return true; }
    bool on_array_end(std::size_t, Code&) { return true; }
    bool on_string_part(json::string_view, std::size_t, Code&) { return true; }
    bool on_string(json::string_view, std::size_t, Code&) { return true; }
    bool on_number_part(json::string_view, Code&) { return true; }
    bool on_int64(std::int64_t, json::string_view, Code&) { return true; }
    bool on_uint64(std::uint64_t, json::string_view, Code&) { return true; }
    bool on_double(double number, json::string_view, Code& error) {
        // 1e400 would become infinity, which JSON cannot say.
        if (std::isfinite(number)) return true;
        error = json::error::exponent_overflow;
        return false;
    }
    bool on_bool(bool, Code&) { return true; }
    bool on_null(Code&) { return true; }
    bool on_comment_part(json::string_view, Code&) { return true; }
    bool on_comment(json::string_view, Code&) { return true; }
};

std::size_t count_names(const json::value& value) {
    std::size_t count = 0;
    if (const json::object* object = value.if_object()) {
        count = object->size();
        for (const json::key_value_pair& field : *object) count += count_names(field.value());
    } else if (const json::array* array = value.if_array()) {
        for (const json::value& element : *array) count += count_names(element);
    }
    return count;
}

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

Result<json::value, JsonError> parse_json(std::string_view text, std::size_t max_depth) {
    json::parse_options options;
    options.max_depth = max_depth;
    json::error_code error;

    // A short text is read without much memory of its own: room on the stack for the parser, one block for the value.
    unsigned char room[1024];
    json::parser parser(json::make_shared_resource<json::monotonic_resource>(), options, room);
    const std::size_t used = parser.write_some(text.data(), text.size(), error);
    if (!error && used < text.size()) error = json::error::extra_data;
    if (error) {
        std::string message = error == json::error::too_deep
                                  ? "nested deeper than " + std::to_string(max_depth) + " levels"
                              : error == json::error::extra_data ? "something follows the JSON text"
                              : error == json::error::incomplete
                                  ? "the JSON text is incomplete"
                                  : "not valid JSON: " + error.message();
        return Error{JsonError{std::move(message), used}};
    }

    json::basic_parser<Checker> checker(options);
    const std::size_t checked = checker.write_some(false, text.data(), text.size(), error);
    if (error) return Error{JsonError{"a number is out of range", checked}};
    json::value value = parser.release();
    if (count_names(value) == checker.handler().names) return value;

    json::basic_parser<Checker> finder(options);
    finder.handler().keeps_names = true;
    const std::size_t found = finder.write_some(false, text.data(), text.size(), error);
    return Error{JsonError{
        "the name " + quoted(finder.handler().repeated) + " is there twice in one object", found}};
}

std::string to_text(const json::value& value) { return json::serialize(value); }

Response json_response(int status, const json::value& value) {
    return Response::json_text(status, to_text(value));
}

ObjectReader::ObjectReader(const json::value& value, std::string prefix)
    : object_(value.if_object()), prefix_(std::move(prefix)) {
    asked_.reserve(kUsualFields);
    if (!object_)
        errors_.push_back(
            {prefix_, "type", prefix_.empty() ? "a JSON object is expected" : "must be an object"});
}

std::string ObjectReader::path_of(std::string_view name) const {
    return prefix_.empty() ? std::string(name) : prefix_ + "." + std::string(name);
}

void ObjectReader::complain(std::string_view name, std::string code, std::string message) {
    errors_.push_back({path_of(name), std::move(code), std::move(message)});
}

const json::value* ObjectReader::take(std::string_view name, bool required) {
    asked_.emplace_back(name);
    if (!object_) return nullptr;
    const json::value* value = object_->if_contains(name);
    if (value && value->is_null()) value = nullptr;
    if (!value && required) complain(name, "missing", "is required");
    return value;
}

bool ObjectReader::has(std::string_view name) const { return object_ && object_->contains(name); }

std::optional<std::string> ObjectReader::read_text(std::string_view name, TextRules rules,
                                                   bool required) {
    const json::value* value = take(name, required);
    if (!value) return {};
    const json::string* text = value->if_string();
    if (!text) {
        complain(name, "type", "must be text");
        return {};
    }
    if (text->size() < rules.min_bytes || text->size() > rules.max_bytes) {
        complain(name, "length",
                 text->size() < rules.min_bytes
                     ? (rules.min_bytes == 1
                            ? "must not be empty"
                            : "must have at least " + std::to_string(rules.min_bytes) + " bytes")
                     : "must have at most " + std::to_string(rules.max_bytes) + " bytes");
        return {};
    }
    return std::string(text->data(), text->size());
}

std::optional<std::int64_t> ObjectReader::read_integer(std::string_view name, std::int64_t low,
                                                       std::int64_t high, bool required) {
    const json::value* value = take(name, required);
    if (!value) return {};
    std::optional<std::int64_t> number;
    bool too_big = false;
    if (const std::int64_t* whole = value->if_int64()) {
        number = *whole;
    } else if (value->is_uint64()) {
        too_big = true;
    } else if (const double* real = value->if_double(); real && std::nearbyint(*real) == *real) {
        // 1e3 and 5.0 are integers in JSON.
        if (std::abs(*real) < 9.0e18)
            number = static_cast<std::int64_t>(*real);
        else
            too_big = true;
    }
    if (!number && !too_big) {
        complain(name, "type", "must be a whole number");
        return {};
    }
    if (too_big || *number < low || *number > high) {
        complain(name, "range",
                 "must be from " + std::to_string(low) + " to " + std::to_string(high));
        return {};
    }
    return number;
}

std::optional<double> ObjectReader::read_number(std::string_view name, double low, double high,
                                                bool required) {
    const json::value* value = take(name, required);
    if (!value) return {};
    if (!value->is_number()) {
        complain(name, "type", "must be a number");
        return {};
    }
    const double number = value->is_double()  ? value->get_double()
                          : value->is_int64() ? static_cast<double>(value->get_int64())
                                              : static_cast<double>(value->get_uint64());
    if (!(number >= low && number <= high)) {
        complain(name, "range",
                 "must be from " + to_text(json::value(low)) + " to " + to_text(json::value(high)));
        return {};
    }
    return number;
}

std::optional<bool> ObjectReader::read_boolean(std::string_view name, bool required) {
    const json::value* value = take(name, required);
    if (!value) return {};
    if (!value->is_bool()) {
        complain(name, "type", "must be true or false");
        return {};
    }
    return value->get_bool();
}

std::optional<std::string> ObjectReader::read_choice(
    std::string_view name, std::initializer_list<std::string_view> choices, bool required) {
    const json::value* value = take(name, required);
    if (!value) return {};
    if (const json::string* text = value->if_string())
        for (const std::string_view choice : choices)
            if (choice == std::string_view(text->data(), text->size())) return std::string(choice);
    std::string list;
    for (const std::string_view choice : choices)
        list += (list.empty() ? "" : ", ") + quoted(choice);
    complain(name, "choice", "must be one of " + list);
    return {};
}

std::string ObjectReader::text(std::string_view name, TextRules rules) {
    return read_text(name, rules, true).value_or("");
}
std::int64_t ObjectReader::integer(std::string_view name, std::int64_t low, std::int64_t high) {
    return read_integer(name, low, high, true).value_or(0);
}
double ObjectReader::number(std::string_view name, double low, double high) {
    return read_number(name, low, high, true).value_or(0);
}
bool ObjectReader::boolean(std::string_view name) {
    return read_boolean(name, true).value_or(false);
}
std::string ObjectReader::choice(std::string_view name,
                                 std::initializer_list<std::string_view> choices) {
    return read_choice(name, choices, true).value_or("");
}
std::optional<std::string> ObjectReader::optional_text(std::string_view name, TextRules rules) {
    return read_text(name, rules, false);
}
std::optional<std::int64_t> ObjectReader::optional_integer(std::string_view name, std::int64_t low,
                                                           std::int64_t high) {
    return read_integer(name, low, high, false);
}
std::optional<double> ObjectReader::optional_number(std::string_view name, double low,
                                                    double high) {
    return read_number(name, low, high, false);
}
std::optional<bool> ObjectReader::optional_boolean(std::string_view name) {
    return read_boolean(name, false);
}
std::optional<std::string> ObjectReader::optional_choice(
    std::string_view name, std::initializer_list<std::string_view> choices) {
    return read_choice(name, choices, false);
}

const json::value* ObjectReader::optional_value(std::string_view name) { return take(name, false); }

const json::array* ObjectReader::optional_array(std::string_view name, std::size_t max_size) {
    const json::value* value = take(name, false);
    if (!value) return nullptr;
    const json::array* array = value->if_array();
    if (!array) {
        complain(name, "type", "must be a list");
    } else if (array->size() > max_size) {
        complain(name, "length", "must have at most " + std::to_string(max_size) + " entries");
        array = nullptr;
    }
    return array;
}

std::vector<std::string> ObjectReader::texts(std::string_view name, std::size_t max_size,
                                             TextRules rules) {
    std::vector<std::string> list;
    const json::array* array = optional_array(name, max_size);
    if (!array) return list;
    for (std::size_t i = 0; i < array->size(); ++i) {
        const json::string* entry = (*array)[i].if_string();
        const std::string place = std::string(name) + "[" + std::to_string(i) + "]";
        if (!entry)
            complain(place, "type", "must be text");
        else if (entry->size() < rules.min_bytes || entry->size() > rules.max_bytes)
            complain(place, "length",
                     "must have " + std::to_string(rules.min_bytes) + " to " +
                         std::to_string(rules.max_bytes) + " bytes");
        else
            list.emplace_back(entry->data(), entry->size());
    }
    return list;
}

ObjectReader ObjectReader::object(std::string_view name) {
    static const json::value kNothing;
    const json::value* value = take(name, true);
    ObjectReader child(value ? *value : kNothing, path_of(name));
    if (!value) child.errors_.clear();  // "is required" says it all
    return child;
}

std::optional<ObjectReader> ObjectReader::optional_object(std::string_view name) {
    const json::value* value = take(name, false);
    if (!value) return {};
    return ObjectReader(*value, path_of(name));
}

void ObjectReader::absorb(ObjectReader child) {
    child.finish();
    for (FieldError& error : child.errors_) errors_.push_back(std::move(error));
}

bool ObjectReader::finish() {
    if (object_)
        for (const auto& field : *object_) {
            const std::string_view name(field.key().data(), field.key().size());
            if (std::find(asked_.begin(), asked_.end(), name) == asked_.end())
                complain(name, "unknown", "is not a known field");
        }
    return errors_.empty();
}

}  // namespace rokada::net
