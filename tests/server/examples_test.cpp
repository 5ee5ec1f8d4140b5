// SPDX-License-Identifier: GPL-3.0-or-later
// The configurations that docs/examples shows for several servers do what is said of them, with the real
// programs. haproxy's is tried by the trials of three servers.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "server/app/nats_bus.hpp"
#include "server/store/cluster_table.hpp"
#include "server/store/postgres_session.hpp"
#include "tests/net/test_certificate.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/foreign_program.hpp"
#include "tests/server/loopback.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// Three NATS servers, each with the example file.
class ExampleNats {
  public:
    explicit ExampleNats(const std::filesystem::path& folder) {
        std::uint16_t routes[3];
        for (int i = 0; i < 3; ++i) {
            ports_.push_back(free_port());
            routes[i] = free_port();
        }
        for (std::size_t i = 0; i < 3; ++i) {
            // The place of this machine in the file, and the way to all three.
            const std::string file = folder / ("nats" + std::to_string(i) + ".conf");
            std::ofstream(file) << example(
                "nats.conf",
                {{"server_name: n1", "server_name: n" + std::to_string(i + 1)},
                 {"listen: 10.0.0.1:4222", "listen: 127.0.0.1:" + std::to_string(ports_[i])},
                 {"listen: 10.0.0.1:6222", "listen: 127.0.0.1:" + std::to_string(routes[i])},
                 {"@10.0.0.1:6222", "@127.0.0.1:" + std::to_string(routes[0])},
                 {"@10.0.0.2:6222", "@127.0.0.1:" + std::to_string(routes[1])},
                 {"@10.0.0.3:6222", "@127.0.0.1:" + std::to_string(routes[2])}});
            servers_.push_back(std::make_unique<ForeignProgram>(
                std::vector<std::string>{PrivateNats::program(), "-c", file},
                folder / ("nats" + std::to_string(i) + ".log")));
        }
        for (const std::uint16_t port : ports_)
            if (!eventually([port] { return takes_connections(port); }))
                throw std::runtime_error("nats-server does not start with the example file");
    }
    std::string url(std::size_t server, const std::string& password = "CHANGE-ME") const {
        return "nats://rokada:" + password + "@127.0.0.1:" + std::to_string(ports_[server]);
    }
    std::string urls() const { return url(0) + "," + url(1) + "," + url(2); }
    void kill(std::size_t server) { servers_[server].reset(); }

  private:
    std::vector<std::uint16_t> ports_;
    std::vector<std::unique_ptr<ForeignProgram>> servers_;
};

TEST(Examples, ThreeNatsServersCarryWhatIsSaidAndAskForThePassword) {
    if (!PrivateNats::installed()) GTEST_SKIP() << "nats-server is not installed";
    const TemporaryFolder folder;
    ExampleNats nats(folder.path());
    net::Loops loops(1);
    const auto bus = [&loops](const std::string& url) {
        return std::make_unique<NatsBus>(loops.next(),
                                         NatsBusOptions{*net::parse_nats_urls(url), "site", {}});
    };
    const auto first = bus(nats.urls()), third = bus(nats.url(2));
    const auto stranger = bus(nats.url(1, "guess"));
    std::atomic<int> heard{0};
    const auto ear = third->subscribe(
        "game", [&heard](const BusMessage& message) { heard += message.gap ? 0 : 1; });
    const auto arrives = [&] {
        const int before = heard;
        return eventually([&] {
            first->publish("game", {1, std::make_shared<const std::string>("e2e4")});
            return heard > before;
        });
    };
    EXPECT_TRUE(arrives()) << "from one server of the cluster to another";
    EXPECT_FALSE(stranger->connected()) << "without the password";
    nats.kill(0);
    EXPECT_TRUE(arrives()) << "when the first of them is dead";
}

class ExampleSite : public ::testing::Test {
  protected:
    static constexpr const char* kNginx = "/usr/sbin/nginx";
    static constexpr std::string_view kNames[] = {"one", "two", "three"};

    void SetUp() override {
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr || !PrivateNats::installed() || !std::filesystem::exists(kNginx))
            GTEST_SKIP() << "needs PostgreSQL, nats-server and nginx";
        nats_ = std::make_unique<PrivateNats>();
        database_ = postgres->fresh_url();
        for (const std::string_view name : kNames)
            servers_.push_back(std::make_unique<ServerProcess>(
                folder_.path() / name,
                std::vector<std::string>{"--db", database_, "--bus", nats_->url(), "--node-name",
                                         std::string(name), "--trusted-proxy", "127.0.0.1",
                                         "--public-url", origin()}));
    }
    std::string origin() const { return "https://localhost:" + std::to_string(port_); }
    // The example inside the little that the distribution's own file has around it.
    std::string settings() const {
        std::vector<std::pair<std::string, std::string>> changes{
            {"listen 443 ssl", "listen 127.0.0.1:" + std::to_string(port_) + " ssl"},
            {"server_name chess.example.org", "server_name localhost"},
            {"/etc/letsencrypt/live/chess.example.org/fullchain.pem", certificate_.certificate()},
            {"/etc/letsencrypt/live/chess.example.org/privkey.pem", certificate_.key()}};
        for (std::size_t i = 0; i < servers_.size(); ++i) {
            const std::string& server = servers_[i]->origin();
            changes.emplace_back("10.0.0." + std::to_string(i + 1) + ":8080",
                                 "127.0.0.1" + server.substr(server.rfind(':')));
        }
        const std::string own = folder_.path() / "nginx";
        return "daemon off; worker_processes 1; pid " + own + ".pid; error_log " + own +
               ".log;\nevents {}\nhttp {\naccess_log off;\n"
               "client_body_temp_path " +
               own + "_body; proxy_temp_path " + own + "_proxy; fastcgi_temp_path " + own +
               "_fastcgi; uwsgi_temp_path " + own + "_uwsgi; scgi_temp_path " + own + "_scgi;\n" +
               example("nginx-cluster.conf", changes) + "}\n";
    }
    std::size_t server_with_games() const {
        const auto session = open_postgres(database_);
        for (const NodeRecord& node : cluster_table::nodes(*session))
            if (node.alive && node.games > 0)
                return static_cast<std::size_t>(
                    std::find(std::begin(kNames), std::end(kNames), node.name) -
                    std::begin(kNames));
        return servers_.size();
    }
    static net::ClientOptions trusting(const std::string& certificate) {
        net::ClientOptions options;
        options.tls.ca_file = certificate;
        return options;
    }

    TemporaryFolder folder_;
    const net::test::TestCertificate certificate_;
    const std::uint16_t port_ = free_port();
    std::unique_ptr<PrivateNats> nats_;
    std::string database_;
    std::vector<std::unique_ptr<ServerProcess>> servers_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_, trusting(certificate_.certificate())};
};

TEST_F(ExampleSite, NginxTakesVisitorsToServersThatLive) {
    const std::string file = folder_.path() / "nginx.conf";
    std::ofstream(file) << settings();
    const std::string said = folder_.path() / "nginx.said";
    ASSERT_EQ(ForeignProgram({kNginx, "-t", "-c", file}, said).end(), 0) << text_of(said);
    ForeignProgram nginx({kNginx, "-c", file}, said);
    ASSERT_TRUE(eventually([this] { return takes_connections(port_); })) << text_of(said);

    Person ana(client_, origin()), ben(client_, origin());
    const std::string game = ana.new_game(R"({"initial":600,"increment":0})");
    ASSERT_FALSE(game.empty());
    ASSERT_EQ(ben.act(game, "join").status, 200);
    CrowdedGame crowd(client_, ana, ben, game);
    std::size_t wanted = 10;
    CrowdedGame::Plan plan;
    plan.enough = [&wanted](std::size_t plies) { return plies >= wanted; };
    crowd.play(plan);
    EXPECT_EQ(crowd.acknowledged().size(), 10u) << "over HTTPS and the live socket";
    // ip_hash sends everybody of this machine to one server, which therefore has the game.
    for (int i = 0; i < 2; ++i) {
        const std::size_t owner = server_with_games();
        ASSERT_LT(owner, servers_.size());
        servers_[owner]->kill();
        wanted += 6;
        crowd.play(plan);
        EXPECT_EQ(crowd.acknowledged().size(), wanted) << "its server died";
    }
    crowd.check({origin()});
    EXPECT_EQ(nginx.end(SIGTERM), 0);
}

TEST(Examples, SystemdUnderstandsTheUnits) {
    const std::string program = "/usr/bin/systemd-analyze";
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "systemd is not installed";
    const TemporaryFolder folder;
    const std::string said = folder.path() / "said";
    for (const auto& [unit, name] : {std::pair{"rokada@.service", "rokada@8080.service"},
                                     {"rokada-worker.service", "rokada-worker.service"}}) {
        const std::string file = folder.path() / name;
        // It asks whether the program is there.
        std::ofstream(file) << example(unit, {{"/usr/bin/rokada", ROKADA_BINARY}});
        EXPECT_EQ(ForeignProgram({program, "verify", "--man=no", file}, said).end(), 0)
            << text_of(said);
        EXPECT_EQ(text_of(said), "") << unit << ": a word it does not know or a setting it ignores";
    }
}

}  // namespace
}  // namespace rokada::server::test
