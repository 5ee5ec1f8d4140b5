// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/address.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

namespace rokada::net {

namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

}  // namespace

Address Address::v4(std::array<std::uint8_t, 4> bytes) {
    Address address;
    std::copy(bytes.begin(), bytes.end(), address.bytes_.begin());
    address.bits_ = 32;
    return address;
}

Address Address::v6(const std::array<std::uint8_t, 16>& bytes) {
    if (std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes.begin()))
        return v4({bytes[12], bytes[13], bytes[14], bytes[15]});
    Address address;
    address.bytes_ = bytes;
    address.bits_ = 128;
    return address;
}

std::optional<Address> Address::parse(std::string_view text) {
    char buffer[INET6_ADDRSTRLEN];
    if (text.empty() || text.size() >= sizeof buffer || text.find('\0') != text.npos) return {};
    std::copy(text.begin(), text.end(), buffer);
    buffer[text.size()] = '\0';
    std::array<std::uint8_t, 4> four{};
    if (inet_pton(AF_INET, buffer, four.data()) == 1) return v4(four);
    std::array<std::uint8_t, 16> sixteen{};
    if (inet_pton(AF_INET6, buffer, sixteen.data()) == 1) return v6(sixteen);
    return {};
}

bool Address::is_loopback() const {
    if (is_v4()) return bytes_[0] == 127;
    return known() && bytes_[15] == 1 &&
           std::all_of(bytes_.begin(), bytes_.end() - 1, [](std::uint8_t b) { return b == 0; });
}

bool Address::is_private() const {
    if (is_v4())
        return bytes_[0] == 10 || (bytes_[0] == 172 && (bytes_[1] & 0xf0) == 16) ||
               (bytes_[0] == 192 && bytes_[1] == 168) || (bytes_[0] == 169 && bytes_[1] == 254);
    return known() &&
           ((bytes_[0] & 0xfe) == 0xfc || (bytes_[0] == 0xfe && (bytes_[1] & 0xc0) == 0x80));
}

std::string Address::text() const {
    if (!known()) return "unknown";
    char buffer[INET6_ADDRSTRLEN];
    return inet_ntop(is_v4() ? AF_INET : AF_INET6, bytes_.data(), buffer, sizeof buffer);
}

std::string Address::limit_key() const {
    if (!known() || is_v4()) return text();
    Address network = *this;
    std::fill(network.bytes_.begin() + 8, network.bytes_.end(), std::uint8_t{0});
    return network.text() + "/64";
}

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::optional<Address> base = Address::parse(text.substr(0, slash));
    if (!base) return {};
    AddressRange range;
    range.base_ = *base;
    range.prefix_ = base->bits();
    if (slash != text.npos) {
        const char* first = text.data() + slash + 1;
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(first, last, range.prefix_);
        if (error != std::errc{} || end != last || range.prefix_ < 0 ||
            range.prefix_ > base->bits())
            return {};
    }
    return range;
}

bool AddressRange::contains(const Address& address) const {
    if (address.bits() != base_.bits()) return false;
    const std::size_t whole = static_cast<std::size_t>(prefix_) / 8;
    if (std::memcmp(address.bytes().data(), base_.bytes().data(), whole) != 0) return false;
    const int rest = prefix_ % 8;
    if (rest == 0) return true;
    const int mask = 0xff << (8 - rest) & 0xff;
    return (address.bytes()[whole] & mask) == (base_.bytes()[whole] & mask);
}

std::string AddressRange::text() const { return base_.text() + "/" + std::to_string(prefix_); }

bool contains(const std::vector<AddressRange>& ranges, const Address& address) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const AddressRange& range) { return range.contains(address); });
}

std::vector<Address> interface_addresses() {
    std::vector<Address> found;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return found;
    for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
        if (!entry->ifa_addr || !(entry->ifa_flags & IFF_UP)) continue;
        if (entry->ifa_addr->sa_family == AF_INET) {
            sockaddr_in in{};
            std::memcpy(&in, entry->ifa_addr, sizeof in);
            std::array<std::uint8_t, 4> bytes{};
            std::memcpy(bytes.data(), &in.sin_addr, bytes.size());
            found.push_back(Address::v4(bytes));
        } else if (entry->ifa_addr->sa_family == AF_INET6) {
            sockaddr_in6 in{};
            std::memcpy(&in, entry->ifa_addr, sizeof in);
            std::array<std::uint8_t, 16> bytes{};
            std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
            found.push_back(Address::v6(bytes));
        }
    }
    freeifaddrs(list);
    return found;
}

}  // namespace rokada::net
