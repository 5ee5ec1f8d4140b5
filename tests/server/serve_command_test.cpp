// SPDX-License-Identifier: GPL-3.0-or-later
// Starting and stopping `rokada serve`: what it says, what it refuses, what it leaves alone.
#include <filesystem>

#include <gtest/gtest.h>

#include "net/address.hpp"
#include "net/client.hpp"
#include "server/store/games_table.hpp"
#include "server/store/sqlite_session.hpp"
#include "tests/net/test_certificate.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/program_run.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class FailedStart : public SiteTest {};

TEST(ServeCommand, StopsCleanlyOnRequest) {
    const TemporaryFolder folder;
    ServerProcess server(folder.path() / "data");
    EXPECT_EQ(server.stop(), 0);
}

TEST(ServeCommand, ABusyPortNamesTheNextFreeOne) {
    const TemporaryFolder folder;
    ServerProcess server(folder.path() / "data");
    const std::string port = server.origin().substr(server.origin().rfind(':') + 1);
    const std::filesystem::path other = folder.path() / "other";
    const ProgramRun run = run_program("serve --port " + port + " --data " + other.string());
    EXPECT_NE(run.output.find("port " + port + " is in use; --port "), std::string::npos)
        << run.output;
    EXPECT_EQ(run.code, 1);
    EXPECT_FALSE(std::filesystem::exists(other)) << "nothing was begun";
}

// A start that fails touches nothing: no new link for the administrator, no time for running games.
TEST_F(FailedStart, ABusyPortLeavesNoTraceInTheData) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device","clock":"5+0"})");
    ana.move(id, 1, "e2e4");
    ana.move(id, 2, "e7e5");
    const auto code = [this] {
        return open_sqlite(options_.data / "rokada.db", SqliteAccess::ReadOnly);
    };
    const auto setup = games_table::fact(*code(), "setup_code");
    const std::int64_t version = ana.get("/api/v1/games/" + id).number("/version");
    stop();
    {
        SiteOptions other = options_;
        other.data = folder_.path() / "other";
        other.port = port_;
        const auto occupant = Site::start(other);
        ASSERT_TRUE(occupant);
        for (int i = 0; i < 3; ++i) EXPECT_THROW(start(), std::runtime_error);
        EXPECT_EQ(games_table::fact(*code(), "setup_code"), setup);
    }
    start();
    EXPECT_TRUE(eventually([&] {
        return ana.get("/api/v1/games/" + id).number("/version") == version + 1;
    })) << "the restart gave time once";
}

TEST(ServeCommand, OnTheLanItTellsEveryAddressAndThatNothingIsEncrypted) {
    const TemporaryFolder folder;
    const ProgramRun run = run_program(
        "serve --lan --port 0 --data " + (folder.path() / "data").string(), "timeout 3");
    int addresses = 0;
    for (const net::Address& address : net::interface_addresses()) {
        if (!address.is_v4() || !address.is_private() || address.is_loopback()) continue;
        ++addresses;
        EXPECT_NE(run.output.find("On your network:  http://" + address.text() + ":"),
                  std::string::npos)
            << run.output;
    }
    const bool warned = run.output.find("not encrypted") != std::string::npos;
    EXPECT_EQ(warned, addresses > 0) << run.output;
}

TEST(ServeCommand, WithACertificateTheCookieIsBoundToTheHostAndBrowsersStaySafe) {
    const TemporaryFolder folder;
    const net::test::TestCertificate certificate;
    const ServerProcess server(folder.path() / "data", {"--tls-cert", certificate.certificate(),
                                                        "--tls-key", certificate.key()});
    ASSERT_EQ(server.origin().substr(0, 8), "https://");
    net::Loops loops(1);
    net::ClientOptions options;
    options.tls.ca_file = certificate.certificate();
    net::HttpClient client(loops, options);
    net::ClientRequest request;
    request.method = net::Method::kPost;
    request.url = server.origin() + "/api/v1/games";
    request.body = R"({"opponent":"device"})";
    request.headers.set("Origin", server.origin());
    request.headers.set("Content-Type", "application/json");
    const auto answer = client.fetch(std::move(request));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 201);
    EXPECT_EQ(answer->headers.get("Set-Cookie").substr(0, 14), "__Host-rokada=");
    EXPECT_NE(answer->headers.get("Set-Cookie").find("; Secure"), std::string::npos);
    EXPECT_EQ(answer->headers.get("Strict-Transport-Security"), "max-age=31536000");
}

}  // namespace
}  // namespace rokada::server::test
