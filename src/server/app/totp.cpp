// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/totp.hpp"

#include <array>
#include <cstdio>
#include <vector>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace rokada::server {
namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr Millis kStep = 30'000;

std::vector<unsigned char> decode_base32(std::string_view text) {
    std::vector<unsigned char> bytes;
    std::uint32_t buffer = 0;
    int bits = 0;
    for (const char c : text) {
        const std::size_t value = kBase32.find(c);
        if (value == std::string_view::npos) continue;
        buffer = (buffer << 5) | static_cast<std::uint32_t>(value);
        bits += 5;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<unsigned char>(buffer >> bits));
    }
    return bytes;
}

}  // namespace

std::string new_totp_secret(RandomSource& random) {
    std::string secret(32, 'A');
    for (char& c : secret) c = kBase32[random.below(32)];
    return secret;
}

std::string totp_code(std::string_view secret, std::int64_t step) {
    const std::vector<unsigned char> key = decode_base32(secret);
    std::array<unsigned char, 8> counter{};
    for (std::size_t i = 0; i < 8; ++i)
        counter[7 - i] = static_cast<unsigned char>(static_cast<std::uint64_t>(step) >> (8 * i));
    std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
    unsigned size = 0;
    HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), counter.data(), counter.size(),
         mac.data(), &size);
    const std::size_t offset = mac[19] & 15u;
    const std::uint32_t number = (static_cast<std::uint32_t>(mac[offset] & 127u) << 24) |
                                 (static_cast<std::uint32_t>(mac[offset + 1]) << 16) |
                                 (static_cast<std::uint32_t>(mac[offset + 2]) << 8) |
                                 static_cast<std::uint32_t>(mac[offset + 3]);
    char text[8];
    std::snprintf(text, sizeof text, "%06u", number % 1'000'000);
    return text;
}

std::string totp_uri(std::string_view secret, std::string_view user_name) {
    // Names may have letters beyond ASCII.
    std::string label;
    for (const char c : user_name) {
        char escaped[4];
        std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
        label += escaped;
    }
    return "otpauth://totp/Rokada:" + label + "?secret=" + std::string(secret) + "&issuer=Rokada";
}

std::optional<std::int64_t> check_totp(std::string_view secret, std::string_view code, Millis wall,
                                       std::int64_t last_step) {
    const std::int64_t current = wall / kStep;
    for (std::int64_t step = current - 1; step <= current + 1; ++step)
        if (step > last_step && same_bytes(totp_code(secret, step), code)) return step;
    return std::nullopt;
}

}  // namespace rokada::server
