// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/parcel.hpp"

#include <algorithm>
#include <charconv>

namespace rokada::server {
namespace {

constexpr std::size_t kUsualParts = 16, kMostParts = 20'000;
constexpr std::int64_t kLongestWay = 60'000;

// Takes the parts of a parcel one after the other; after the last one everything is wrong. What a later
// version adds at the end is left alone.
class Unwrapper {
  public:
    explicit Unwrapper(const ParcelView& parcel) : parcel_(parcel) {}
    std::string_view text() {
        if (at_ == parcel_.size()) {
            fine_ = false;
            return {};
        }
        return parcel_[at_++];
    }
    std::int64_t number() {
        const auto value = number_from(text());
        fine_ = fine_ && value;
        return value.value_or(0);
    }
    net::Pairs pairs() {
        net::Pairs result;
        for (std::int64_t left = number(); fine_ && left > 0; --left) {
            const std::string_view name = text();
            result.emplace_back(name, text());
        }
        return result;
    }
    bool fine() const { return fine_; }

  private:
    const ParcelView& parcel_;
    std::size_t at_ = 0;
    bool fine_ = true;
};

void add_pairs(Parcel& parcel, const net::Pairs& pairs) {
    parcel.push_back(std::to_string(pairs.size()));
    for (const auto& [name, value] : pairs) {
        parcel.push_back(name);
        parcel.push_back(value);
    }
}

template <class Parts>
std::string pack_all(const Parts& parts) {
    constexpr std::size_t kMostDigits = 20;
    std::size_t room = 0;
    for (const std::string_view part : parts) room += part.size() + kMostDigits;
    std::string bytes;
    bytes.reserve(room);
    for (const std::string_view part : parts) {
        char digits[kMostDigits];
        const auto end = std::to_chars(digits, digits + kMostDigits, part.size()).ptr;
        bytes.append(digits, end).append(1, ':').append(part);
    }
    return bytes;
}

net::Pairs pairs_of(const net::Headers& headers) {
    net::Pairs pairs;
    for (const net::Header& header : headers) pairs.emplace_back(header.name, header.value);
    return pairs;
}

}  // namespace

std::optional<std::int64_t> number_from(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string pack(const Parcel& parcel) { return pack_all(parcel); }
std::string pack(std::initializer_list<std::string_view> parts) { return pack_all(parts); }

std::optional<ParcelView> unpack(std::string_view bytes) {
    ParcelView parcel;
    parcel.reserve(kUsualParts);
    while (!bytes.empty()) {
        const std::size_t colon = bytes.find(':');
        if (colon == std::string_view::npos || parcel.size() == kMostParts) return std::nullopt;
        const auto size = number_from(bytes.substr(0, colon));
        bytes.remove_prefix(colon + 1);
        if (!size || *size < 0 || static_cast<std::uint64_t>(*size) > bytes.size())
            return std::nullopt;
        parcel.push_back(bytes.substr(0, static_cast<std::size_t>(*size)));
        bytes.remove_prefix(static_cast<std::size_t>(*size));
    }
    return parcel;
}

net::Milliseconds on_the_way(const net::Request& request) {
    const auto time = number_from(request.header(kOnTheWay));
    return net::Milliseconds(std::clamp<std::int64_t>(time.value_or(0), 0, kLongestWay));
}

void set_on_the_way(net::Request& request, net::Milliseconds time) {
    request.headers.set(kOnTheWay, std::to_string(time.count()));
}

Parcel request_parcel(const net::Request& request) {
    Parcel parcel{"request",
                  std::string(net::to_string(request.method)),
                  request.target,
                  request.path,
                  request.tls ? "1" : "0",
                  request.remote.text(),
                  request.body};
    add_pairs(parcel, request.query);
    add_pairs(parcel, request.cookies);
    add_pairs(parcel, pairs_of(request.headers));
    return parcel;
}

std::optional<net::Request> request_from(const ParcelView& parcel) {
    Unwrapper part(parcel);
    if (part.text() != "request") return std::nullopt;
    net::Request request;
    request.method = net::parse_method(part.text());
    request.target = part.text();
    request.path = part.text();
    request.tls = part.text() == "1";
    const auto remote = net::Address::parse(part.text());
    request.body = part.text();
    request.query = part.pairs();
    request.cookies = part.pairs();
    for (auto& [name, value] : part.pairs()) request.headers.add(name, value);
    if (!part.fine() || !remote) return std::nullopt;
    request.headers.set(kRelayed, "1");
    request.remote = request.peer = *remote;
    return request;
}

Parcel response_parcel(const net::Response& response) {
    Parcel parcel{"response", std::to_string(response.status),
                  response.body ? *response.body : std::string()};
    add_pairs(parcel, pairs_of(response.headers));
    return parcel;
}

std::optional<net::Response> response_from(const ParcelView& parcel) {
    Unwrapper part(parcel);
    if (part.text() != "response") return std::nullopt;
    const std::int64_t status = part.number();
    if (status < 200 || status > 599) return std::nullopt;
    net::Response response(static_cast<int>(status));
    response.body = net::share(std::string(part.text()));
    for (auto& [name, value] : part.pairs()) response.headers.add(name, value);
    if (!part.fine()) return std::nullopt;
    return response;
}

}  // namespace rokada::server
