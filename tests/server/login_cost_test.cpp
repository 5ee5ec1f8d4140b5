// SPDX-License-Identifier: GPL-3.0-or-later
// What a login costs the server, and that it does not tell by its cost whether a name exists: the test program stands between the server
// and libsodium and counts.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <dlfcn.h>

#include "tests/server/site_fixture.hpp"

namespace {
std::atomic<int> verifications{0};
}  // namespace

// Found before the library's own function of this name.
extern "C" int crypto_pwhash_str_verify(const char* hash, const char* password,
                                        unsigned long long length) {
    using Verify = int (*)(const char*, const char*, unsigned long long);
    static const auto real =
        reinterpret_cast<Verify>(::dlsym(RTLD_NEXT, "crypto_pwhash_str_verify"));
    ++verifications;
    return real(hash, password, length);
}

namespace rokada::server::test {
namespace {

std::string account(const std::string& name, const std::string& password) {
    return R"({"username":")" + name + R"(","password":")" + password + "\"}";
}

class LoginCost : public SiteTest {
  protected:
    // Verifications of one login that is answered with this status.
    int cost_of(const std::string& body, int status) {
        const int before = verifications;
        EXPECT_EQ(Visitor(*this).post("/api/v1/login", body).status, status) << body;
        return verifications - before;
    }
};

TEST_F(LoginCost, EveryLoginCostsOneVerificationWhetherTheNameExistsOrNot) {
    Visitor(*this).post("/api/v1/register", account("ana", "horse battery staple"));
    EXPECT_EQ(cost_of(account("ana", "horse battery staple"), 200), 1);
    EXPECT_EQ(cost_of(account("ana", "wrong wrong wrong"), 422), 1);
    EXPECT_EQ(cost_of(account("nobody", "wrong wrong wrong"), 422), 1);
    EXPECT_EQ(cost_of(account("no name at all!", "wrong wrong wrong"), 422), 1);
}

TEST_F(LoginCost, NamesThatDoNotExistShareTheThrottleOfThoseThatDo) {
    options_.limits.login_account = {2, std::chrono::minutes(10)};
    start();
    Visitor(*this).post("/api/v1/register", account("ana", "horse battery staple"));
    for (const char* name : {"ana", "nobody"}) {
        for (int i = 0; i < 2; ++i) EXPECT_EQ(cost_of(account(name, "wrong wrong wrong"), 422), 1);
        EXPECT_EQ(cost_of(account(name, "wrong wrong wrong"), 429), 0) << name;
    }
}

// At the cost of real passwords, all at once, as at the beginning of a lesson.
TEST_F(LoginCost, ThirtyPupilsBehindOneAddressAreInWithinTwoMinutes) {
    options_.password_cost = {};
    start();
    const auto begin = std::chrono::steady_clock::now();
    std::atomic<int> in{0};
    std::vector<std::thread> pupils;
    for (int i = 0; i < 30; ++i)
        pupils.emplace_back([this, i, &in] {
            const std::string body =
                account("pupil" + std::to_string(i), "my own secret " + std::to_string(i));
            Visitor pupil(*this);
            pupil.patience = std::chrono::minutes(2);
            const int registered = pupil.post("/api/v1/register", body).status;
            pupil.post("/api/v1/logout");
            if (registered == 201 && pupil.post("/api/v1/login", body).status == 200) ++in;
        });
    for (std::thread& pupil : pupils) pupil.join();
    EXPECT_EQ(in, 30);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(2));
}

}  // namespace
}  // namespace rokada::server::test
