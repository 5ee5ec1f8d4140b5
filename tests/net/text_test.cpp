// SPDX-License-Identifier: GPL-3.0-or-later
// The small languages of HTTP: addresses, URLs, queries, cookies, header lists, dates.
#include <gtest/gtest.h>

#include "net/address.hpp"
#include "net/url.hpp"

namespace rokada::net {
namespace {

TEST(Address, ReadsBothFamiliesAndPrintsThemBack) {
    for (const char* text :
         {"127.0.0.1", "10.1.2.3", "255.255.255.255", "::1", "2001:db8::7", "fe80::1"})
        EXPECT_EQ(Address::parse(text)->text(), text);
    for (const char* text : {"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "localhost", ":::", "[::1]",
                             "1.2.3.4:80", "fe80::1%eth0"})
        EXPECT_FALSE(Address::parse(text)) << text;
    EXPECT_FALSE(Address::parse(std::string_view("1.2.3.4\0x", 9)));
    EXPECT_EQ(Address().text(), "unknown");
}

TEST(Address, TreatsMappedAddressesAsIpv4) {
    EXPECT_EQ(*Address::parse("::ffff:10.0.0.1"), *Address::parse("10.0.0.1"));
    EXPECT_TRUE(Address::parse("::ffff:127.0.0.1")->is_loopback());
}

TEST(Address, KnowsLoopbackAndPrivateNetworks) {
    for (const char* text : {"127.0.0.1", "127.9.9.9", "::1"})
        EXPECT_TRUE(Address::parse(text)->is_loopback()) << text;
    for (const char* text : {"10.0.0.1", "172.16.0.1", "172.31.9.9", "192.168.1.1", "169.254.1.1",
                             "fd00::1", "fe80::2"})
        EXPECT_TRUE(Address::parse(text)->is_private()) << text;
    for (const char* text :
         {"8.8.8.8", "172.32.0.1", "172.15.0.1", "192.169.0.1", "2001:db8::1", "::1"})
        EXPECT_FALSE(Address::parse(text)->is_private()) << text;
}

TEST(Address, CountsAnIpv6HouseholdAsOne) {
    EXPECT_EQ(Address::parse("2001:db8:1:2:3:4:5:6")->limit_key(),
              Address::parse("2001:db8:1:2::9")->limit_key());
    EXPECT_NE(Address::parse("2001:db8:1:3::9")->limit_key(),
              Address::parse("2001:db8:1:2::9")->limit_key());
    EXPECT_NE(Address::parse("10.0.0.1")->limit_key(), Address::parse("10.0.0.2")->limit_key());
}

TEST(AddressRange, ContainsExactlyItsNetwork) {
    const auto range = AddressRange::parse("10.20.0.0/13");
    ASSERT_TRUE(range);
    EXPECT_TRUE(range->contains(*Address::parse("10.23.255.255")));
    EXPECT_FALSE(range->contains(*Address::parse("10.24.0.0")));
    EXPECT_FALSE(range->contains(*Address::parse("::1")));
    EXPECT_TRUE(AddressRange::parse("0.0.0.0/0")->contains(*Address::parse("9.9.9.9")));
    EXPECT_TRUE(AddressRange::parse("::1")->contains(*Address::parse("::1")));
    EXPECT_FALSE(AddressRange::parse("::1")->contains(*Address::parse("::2")));
    for (const char* text :
         {"", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "x/8", "::/129"})
        EXPECT_FALSE(AddressRange::parse(text)) << text;
}

TEST(Percent, DecodesOnlyWellFormedEscapes) {
    EXPECT_EQ(percent_decode("a%20b%C5%82"), "a b\xC5\x82");
    EXPECT_EQ(percent_decode("a+b", true), "a b");
    EXPECT_EQ(percent_decode("a+b", false), "a+b");
    for (const char* text : {"%", "%4", "%zz", "ab%2"}) EXPECT_FALSE(percent_decode(text)) << text;
    EXPECT_EQ(percent_decode(percent_encode("r1bqk/pp w - 0\xff")), "r1bqk/pp w - 0\xff");
}

TEST(Path, RefusesWhateverCouldMeanTwoThings) {
    EXPECT_EQ(decode_path("/a/b%20c"), "/a/b c");
    EXPECT_EQ(decode_path("/"), "/");
    EXPECT_EQ(decode_path("/..a/b.."), "/..a/b..");
    for (const char* text : {"", "a", "/..", "/a/../b", "/./a", "/a/.", "/%2e%2e/x", "/a%2fb",
                             "/a%5cb", "/a%00", "/a%0a", "/a\n", "/a\x7f", "/%ff", "/%"})
        EXPECT_FALSE(decode_path(text)) << text;
}

TEST(Query, GivesPairsInOrder) {
    const auto pairs = parse_query("fen=8%2F8+w&x&y=&=z&&fen=2");
    ASSERT_TRUE(pairs);
    const Pairs expected{{"fen", "8/8 w"}, {"x", ""}, {"y", ""}, {"", "z"}, {"fen", "2"}};
    EXPECT_EQ(*pairs, expected);
    EXPECT_EQ(*find(*pairs, "fen"), "8/8 w");
    EXPECT_EQ(parse_query(build_query(expected)), expected);
}

TEST(Query, IsBounded) {
    std::string many;
    for (int i = 0; i < 65; ++i) many += "a=1&";
    EXPECT_FALSE(parse_query(many));
    EXPECT_FALSE(parse_query("a=%f"));
    EXPECT_FALSE(parse_query("a=%ff"));
}

TEST(Cookies, SkipWhatIsNotOne) {
    const Pairs expected{{"a", "1"}, {"b", "x=y"}, {"c", "q"}, {"e", ""}};
    EXPECT_EQ(parse_cookies("a=1; b=x=y;c=\"q\"; =no; d; e=; a=2; bad name=1; f=a\"b"), expected);
    EXPECT_TRUE(parse_cookies("").empty());
    EXPECT_TRUE(parse_cookies(";;; ; =").empty());
}

TEST(Lists, SplitAtCommasOutsideQuotes) {
    EXPECT_EQ(split_list(" a , b,, \"c,d\" ,e"),
              (std::vector<std::string_view>{"a", "b", "\"c,d\"", "e"}));
    EXPECT_EQ(split_list("\"a\\\",b\",c"), (std::vector<std::string_view>{"\"a\\\",b\"", "c"}));
    EXPECT_EQ(split_list("\"a\\"), (std::vector<std::string_view>{"\"a\\"}));
    EXPECT_TRUE(split_list("").empty());
    EXPECT_TRUE(list_contains("keep-alive, Upgrade", "upgrade"));
    EXPECT_FALSE(list_contains("keep-alive, Upgraded", "upgrade"));
}

TEST(Quality, TakesTheMostSpecificRange) {
    EXPECT_EQ(quality("gzip, br;q=0.5", "br"), 0.5);
    EXPECT_EQ(quality("gzip, br", "br"), 1.0);
    EXPECT_EQ(quality("*;q=0.3", "br"), 0.3);
    EXPECT_FALSE(quality("br;q=0, *", "br"));
    EXPECT_FALSE(quality("gzip", "br"));
    EXPECT_FALSE(quality("", "br"));
    EXPECT_EQ(quality("text/*;q=0.4, */*;q=0.1", "text/event-stream"), 0.4);
    EXPECT_EQ(quality("application/x-ndjson", "application/x-ndjson"), 1.0);
    EXPECT_FALSE(quality("br;q=abc", "br"));
    EXPECT_FALSE(quality("br;q=", "gzip"));
}

TEST(EntityTags, CompareWeakly) {
    EXPECT_TRUE(etag_matches("\"a\", W/\"b\"", "\"b\""));
    EXPECT_TRUE(etag_matches("*", "\"x\""));
    EXPECT_FALSE(etag_matches("\"a\"", "\"b\""));
}

TEST(Utf8, AcceptsExactlyTheValid) {
    for (const char* text :
         {"", "abc", "\xC5\x82", "\xE2\x99\x9E", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"})
        EXPECT_TRUE(valid_utf8(text)) << text;
    for (const char* text :
         {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC5", "\xE2\x99"})
        EXPECT_FALSE(valid_utf8(text));
}

TEST(Urls, AreTakenApart) {
    const auto url = parse_url("HTTPS://Example.org:8443/a/b?c=d#frag");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->scheme, "https");
    EXPECT_EQ(url->host, "Example.org");
    EXPECT_EQ(url->port, 8443);
    EXPECT_EQ(url->target, "/a/b?c=d");
    EXPECT_EQ(parse_url("http://[::1]:80?x")->target, "/?x");
    EXPECT_EQ(parse_url("http://[::1]:80")->authority(), "[::1]");
    EXPECT_EQ(parse_url("wss://h")->port, 443);
    EXPECT_EQ(parse_url("ws://h:81")->authority(), "h:81");
    for (const char* text : {"", "h", "ftp://h", "http://", "http://h:0", "http://h:99999",
                             "http://h:8x", "http://u@h/", "http://[::1", "http://[::1]x",
                             "http://h/a b", "http://h/\r\n", "http://[h]/", "http://[[::1]/",
                             "http://h[/", "http://h<i>/", "http://h\"/", "http://[::1%eth0]/"})
        EXPECT_FALSE(parse_url(text)) << text;
}

TEST(Dates, AreWrittenAsTheStandardSays) {
    EXPECT_EQ(http_date(std::chrono::system_clock::from_time_t(784111777)),
              "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Headers, KeepOrderAndIgnoreCase) {
    Headers headers;
    headers.add("Set-Cookie", "a");
    headers.add("X", "1");
    headers.add("set-cookie", "b");
    EXPECT_EQ(headers.count("SET-COOKIE"), 2u);
    EXPECT_EQ(headers.get("x"), "1");
    headers.set("SET-cookie", "c");
    EXPECT_EQ(headers.count("set-cookie"), 1u);
    EXPECT_EQ(headers.get("Set-Cookie"), "c");
    headers.erase("x");
    EXPECT_FALSE(headers.has("X"));
    EXPECT_EQ(headers.get("missing"), "");
}

TEST(Cookie, CarriesItsFlags) {
    Cookie cookie{.name = "__Host-rokada", .value = "token"};
    cookie.secure = true;
    EXPECT_EQ(cookie.header_value(), "__Host-rokada=token; Path=/; Secure; HttpOnly; SameSite=Lax");
    cookie.max_age_seconds = 0;
    cookie.secure = false;
    EXPECT_EQ(cookie.header_value(),
              "__Host-rokada=token; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
}

TEST(Methods, AreCaseSensitive) {
    for (const Method method : {Method::kGet, Method::kHead, Method::kPost, Method::kPut,
                                Method::kPatch, Method::kDelete, Method::kOptions})
        EXPECT_EQ(parse_method(to_string(method)), method);
    EXPECT_EQ(parse_method("get"), Method::kOther);
    EXPECT_EQ(parse_method("TRACE"), Method::kOther);
}

}  // namespace
}  // namespace rokada::net
