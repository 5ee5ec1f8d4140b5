// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/names.hpp"

#include <gtest/gtest.h>

#include "server/app/password_rules.hpp"

namespace rokada::server {
namespace {

TEST(UserNames, LettersOfTheLanguagesAreAccepted) {
    for (const char* name : {"ana", "Ștefan", "łukasz", "Đurđica", "a-b_c9", "ĄĆĘŁŃÓŚŹŻ", "ČĆĐŠŽ"})
        EXPECT_TRUE(parse_user_name(name)) << name;
}

TEST(UserNames, TheSameNameInAnotherFormIsTheSame) {
    const auto folded = [](const char* name) { return parse_user_name(name)->folded; };
    EXPECT_EQ(folded("ANA"), folded("ana"));
    EXPECT_EQ(folded("ȘTEFAN"), folded("ștefan"));
    EXPECT_EQ(folded("s\xCC\xA6tefan"), folded("ștefan")) << "letter and combining mark";
    EXPECT_EQ(folded("ştefan"), folded("ștefan")) << "cedilla of old keyboards";
    EXPECT_EQ(folded("ＡＮＡ"), folded("ana")) << "full width";
    EXPECT_NE(folded("stefan"), folded("ștefan"));
}

TEST(UserNames, OthersAreRefusedWithTheReason) {
    EXPECT_EQ(parse_user_name("a").error(), NameError::TooShort);
    EXPECT_EQ(parse_user_name("").error(), NameError::TooShort);
    EXPECT_EQ(parse_user_name("abcdefghijklmnopqrstuvwxy").error(), NameError::TooLong);
    EXPECT_TRUE(parse_user_name("abcdefghijklmnopqrstuvwx"));
    EXPECT_EQ(parse_user_name("Admin").error(), NameError::Reserved);
    for (const char* name :
         {"a b", "a.b", "<script>", "аnа", "ana\n", "\xff\xfe", "na\xC8", "日本"})
        EXPECT_EQ(parse_user_name(name).error(), NameError::Characters) << name;
}

TEST(Passwords, AtLeastEightCharactersOfAnyKind) {
    EXPECT_EQ(check_password("kX9!vQ2", "ana"), PasswordError::TooShort);
    EXPECT_FALSE(check_password("kX9!vQ2z", "ana"));
    EXPECT_FALSE(check_password("șapte mere și o pară", "ana"));
    EXPECT_FALSE(check_password("correct horse battery staple", "ana"));
    EXPECT_FALSE(check_password("🙂🙃🙂🙃🐴🐎🦄🐪", "ana"));
    EXPECT_FALSE(check_password(std::string("trailing space "), "ana"));
    EXPECT_FALSE(check_password(std::string(64, 'x') + "7 blue doors", "ana"));
    EXPECT_EQ(check_password(std::string(1025, 'x'), "ana"), PasswordError::TooLong);
}

TEST(Passwords, CommonOnesAreRefused) {
    for (const char* password :
         {"password",  "Password1",  "password123", "P@ssw0rd",         "12345678",  "123456789",
          "87654321",  "qwertyuiop", "asdfghjkl",   "1q2w3e4r5t6y7u8i", "abcdefgh",  "aaaaaaaa",
          "abcabcabc", "iloveyou",   "iloveyou1",   "letmein!!",        "football",  "baseball1",
          "sunshine",  "princess",   "trustno1",    "welcome1",         "admin1234", "qwerty123",
          "1qaz2wsx",  "zaq12wsx",   "11111111",    "00000000",         "superman",  "19871987",
          "20001231",  "parola123",  "haslo123",    "lozinka1",         "checkmate"})
        EXPECT_TRUE(check_password(password, "ana")) << password;
}

TEST(Passwords, TheOwnNameIsNoPassword) {
    EXPECT_EQ(check_password("ionescu12", "ionescu"), PasswordError::LikeName);
}

}  // namespace
}  // namespace rokada::server
