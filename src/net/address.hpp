// SPDX-License-Identifier: GPL-3.0-or-later
// IP addresses and address ranges as plain values. Used for listening, trusted proxies, limits per
// address. Parsing is total; IPv4 seen through an IPv6 socket (::ffff:1.2.3.4) is treated as IPv4.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rokada::net {

class Address {
  public:
    Address() = default;  // unknown; prints as "unknown"

    static std::optional<Address> parse(std::string_view text);  // no port, no brackets, no scope
    static Address v4(std::array<std::uint8_t, 4> bytes);
    static Address v6(const std::array<std::uint8_t, 16>& bytes);

    bool known() const { return bits_ != 0; }
    bool is_v4() const { return bits_ == 32; }
    bool is_loopback() const;
    bool is_private() const;  // RFC 1918, unique local, link local
    std::string text() const;

    // What limits count by: the address itself, for IPv6 its /64 (one household or one server).
    std::string limit_key() const;

    const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }
    int bits() const { return bits_; }
    auto operator<=>(const Address&) const = default;

  private:
    std::array<std::uint8_t, 16> bytes_{};
    std::uint8_t bits_ = 0;  // 0 unknown, 32 or 128
};

// "10.0.0.0/8", "::1", "192.168.1.7".
class AddressRange {
  public:
    static std::optional<AddressRange> parse(std::string_view text);
    bool contains(const Address& address) const;
    std::string text() const;

  private:
    Address base_;
    int prefix_ = 0;
};

bool contains(const std::vector<AddressRange>& ranges, const Address& address);

// The addresses of this machine's interfaces that are up, for "reach it at ...".
std::vector<Address> interface_addresses();

}  // namespace rokada::net
