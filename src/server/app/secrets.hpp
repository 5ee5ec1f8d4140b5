// SPDX-License-Identifier: GPL-3.0-or-later
// Randomness and secrets: ids, session tokens, password hashes, one-time codes. All randomness comes
// from the system's generator through an interface, so that tests can repeat themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rokada::server {

class RandomSource {
  public:
    virtual ~RandomSource() = default;
    virtual void fill(void* bytes, std::size_t size) = 0;

    std::uint32_t below(std::uint32_t bound);  // 0 to bound-1, each equally likely
    std::string id();                          // ten letters and digits: games, users, sessions
    std::string token();                       // 256 bits, base64url
};

class SystemRandom final : public RandomSource {
  public:
    SystemRandom();  // starts libsodium
    void fill(void* bytes, std::size_t size) override;
};

// What is stored in place of a token. Tokens are random, so one quick hash is enough.
std::string token_hash(std::string_view token);

// Memory and passes of argon2id. Tests use cheaper ones.
struct PasswordCost {
    std::size_t memory = std::size_t{64} << 20;
    unsigned long long passes = 2;
};
// Nothing when memory ran out.
std::optional<std::string> hash_password(std::string_view password, PasswordCost cost = {});
// A hash no password fits; verifying against it costs as much as against a real one.
std::string unmatchable_hash(PasswordCost cost = {});
bool verify_password(std::string_view hash, std::string_view password);
bool needs_rehash(std::string_view hash, PasswordCost cost = {});

bool same_bytes(std::string_view a, std::string_view b);  // in constant time

}  // namespace rokada::server
