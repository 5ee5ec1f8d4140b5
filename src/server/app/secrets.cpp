// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/secrets.hpp"

#include <array>
#include <stdexcept>

#include <sodium.h>

namespace rokada::server {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

}  // namespace

std::uint32_t RandomSource::below(std::uint32_t bound) {
    // Values of the last, incomplete round are thrown away.
    const std::uint32_t limit = 0xffffffffu - 0xffffffffu % bound;
    std::uint32_t value = 0;
    do fill(&value, sizeof value);
    while (value >= limit);
    return value % bound;
}

std::string RandomSource::id() {
    std::string text(10, '0');
    for (char& c : text) c = kLetters[below(static_cast<std::uint32_t>(kLetters.size()))];
    return text;
}

std::string RandomSource::token() {
    std::array<unsigned char, 32> bytes{};
    fill(bytes.data(), bytes.size());
    std::string text(
        sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text.pop_back();  // the terminator
    return text;
}

SystemRandom::SystemRandom() {
    if (sodium_init() < 0) throw std::runtime_error("libsodium cannot start");
}

void SystemRandom::fill(void* bytes, std::size_t size) { randombytes_buf(bytes, size); }

std::string token_hash(std::string_view token) {
    std::array<unsigned char, 32> hash{};
    crypto_generichash(hash.data(), hash.size(),
                       reinterpret_cast<const unsigned char*>(token.data()), token.size(), nullptr,
                       0);
    std::string text(hash.size() * 2 + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
    text.pop_back();
    return text;
}

std::optional<std::string> hash_password(std::string_view password, PasswordCost cost) {
    std::array<char, crypto_pwhash_STRBYTES> text{};
    if (crypto_pwhash_str_alg(text.data(), password.data(), password.size(), cost.passes,
                              cost.memory, crypto_pwhash_ALG_ARGON2ID13) != 0)
        return std::nullopt;
    return std::string(text.data());
}

std::string unmatchable_hash(PasswordCost cost) {
    // The parameters set the cost; salt and hash are any text of the right length.
    return "$argon2id$v=19$m=" + std::to_string(cost.memory >> 10) +
           ",t=" + std::to_string(cost.passes) + ",p=1$" + std::string(22, 'A') + "$" +
           std::string(43, 'A');
}

bool verify_password(std::string_view hash, std::string_view password) {
    const std::string terminated(hash);
    return crypto_pwhash_str_verify(terminated.c_str(), password.data(), password.size()) == 0;
}

bool needs_rehash(std::string_view hash, PasswordCost cost) {
    const std::string terminated(hash);
    return crypto_pwhash_str_needs_rehash(terminated.c_str(), cost.passes, cost.memory) != 0;
}

bool same_bytes(std::string_view a, std::string_view b) {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace rokada::server
