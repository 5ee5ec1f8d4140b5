// SPDX-License-Identifier: GPL-3.0-or-later
// How one server of a site words a question to another: a list of texts, each with its length before
// it, so that any bytes may stand in them. Used by Relay.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.hpp"
#include "net/loop.hpp"

namespace rokada::server {

using Parcel = std::vector<std::string>;
using ParcelView = std::vector<std::string_view>;  // of the bytes it was unpacked from

std::string pack(const Parcel& parcel);
std::string pack(std::initializer_list<std::string_view> parts);
std::optional<ParcelView> unpack(
    std::string_view bytes);  // nothing when the bytes are none of ours

// Fields that only the servers of a site set, with names no visitor can send.
inline constexpr const char* kRelayed = ":relayed";      // by another server
inline constexpr const char* kOnTheWay = ":on-the-way";  // ms since it first arrived at the site
net::Milliseconds on_the_way(const net::Request& request);
void set_on_the_way(net::Request& request, net::Milliseconds time);

// A request as another server must know it to answer in our place, and what it answers.
Parcel request_parcel(const net::Request& request);
std::optional<net::Request> request_from(const ParcelView& parcel);
Parcel response_parcel(const net::Response& response);
std::optional<net::Response> response_from(const ParcelView& parcel);

// A whole number, or nothing.
std::optional<std::int64_t> number_from(std::string_view text);

}  // namespace rokada::server
