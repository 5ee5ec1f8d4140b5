// SPDX-License-Identifier: GPL-3.0-or-later
// What whoever runs a server relies on: metrics, logs without secrets, settings, pages made by the server.
#include <cstdlib>
#include <fstream>

#include "server/web/api_page.hpp"
#include "server/web/page_head.hpp"
#include "server/web/position_picture.hpp"
#include "server/web/qr_code.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/program_run.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class Operations : public SiteTest {
  protected:
    void SetUp() override {
        options_.admin_port = 0;
        options_.log_requests = true;
        options_.log = [this](const LogEntry& entry) {
            const std::lock_guard lock(mutex_);
            log_ += log_line(entry, LogFormat::Json, 1'000) + "\n";
        };
        start();
    }
    ~Operations() override { stop(); }
    std::string log() {
        const std::lock_guard lock(mutex_);
        return log_;
    }
    std::string admin(const std::string& path, int status = 200) {
        net::ClientRequest request;
        request.url = "http://localhost:" + std::to_string(site_->admin_port()) + path;
        const auto answer = client_.fetch(std::move(request));
        EXPECT_TRUE(answer);
        EXPECT_EQ(answer->status, status);
        return answer->body;
    }
    std::mutex mutex_;
    std::string log_;
};

TEST_F(Operations, MetricsAreOnTheOtherDoorOnly) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device"})");
    ana.move(id, 1, "e2e4");
    const std::string text = admin("/metrics");
    EXPECT_NE(text.find("rokada_move_ack_seconds_count 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("rokada_move_ack_seconds_bucket{le=\"+Inf\"} 1\n"), std::string::npos);
    EXPECT_NE(text.find("rokada_http_requests_total{route=\"/api/v1/games/{id}/moves/"
                        "{ply}\",status=\"2xx\"} 1"),
              std::string::npos);
    EXPECT_NE(text.find("rokada_games_loaded 1\n"), std::string::npos);
    EXPECT_NE(text.find("process_resident_memory_bytes "), std::string::npos);
    EXPECT_NE(admin("/readyz").find("\"ready\":true"), std::string::npos);
    EXPECT_EQ(admin("/version"), "test\n");
    admin("/api/v1/me", 404);
    ana.check_schema = false;
    const std::string page = ana.get("/metrics").body;
    EXPECT_EQ(page.find("rokada_move_ack"), std::string::npos);
    EXPECT_EQ(ana.get("/readyz").body, "ready\n") << "no details on the main port";
}

TEST_F(Operations, LogsHoldEventsButNoSecrets) {
    Visitor ana(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    ana.post("/api/v1/login", R"({"username":"ana","password":"wrong horse battery"})");
    ana.post("/api/v1/login", R"({"username":"ana\n{\"forged","password":"x"})");
    // People type passwords where the name belongs.
    ana.post("/api/v1/login", R"({"username":"correct-horse-staple","password":"x"})");
    const std::string token =
        ana.post("/api/v1/me/tokens", R"({"name":"t","scopes":["play"]})").text("/token");
    ana.get("/api/v1/bestmove?fen=" + token);
    const auto logged = [this](const char* what) { return log().find(what) != std::string::npos; };
    // The line of a request follows its answer.
    EXPECT_TRUE(eventually([&] { return logged("\"route\":\"/api/v1/bestmove\""); }));
    EXPECT_TRUE(logged("\"event\":\"registered\""));
    EXPECT_TRUE(logged("\"event\":\"login_failed\""));
    const std::string text = log();
    for (const std::string& secret : {std::string("three blue doors"), std::string("wrong horse"),
                                      std::string("correct-horse"), token, ana.cookie.substr(7)})
        EXPECT_EQ(text.find(secret), std::string::npos) << secret;
    EXPECT_EQ(text.find("forged"), std::string::npos) << "nobody forges a line";
    EXPECT_NE(text.find("\"event\":\"login_failed\",\"name\":\"ana\""), std::string::npos)
        << "whose account is tried must be seen";
}

TEST(Log, LinesAreOneLineEach) {
    const LogEntry entry{LogLevel::Warning, "login_failed", {{"name", "a b\n\"c\""}, {"n", "5"}}};
    EXPECT_EQ(log_line(entry, LogFormat::Plain, 0),
              "1970-01-01T00:00:00.000Z warning login_failed name=\"a b\\n\\\"c\\\"\" n=5");
    EXPECT_EQ(log_line(entry, LogFormat::Json, 0),
              R"({"time":"1970-01-01T00:00:00.000Z","level":"warning","event":"login_failed",)"
              R"("name":"a b\n\"c\"","n":"5"})");
}

TEST_F(Operations, TheInterfaceHasAPageForPeople) {
    Visitor ana(*this);
    ana.check_schema = false;
    const Answer page = ana.get("/api");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.headers.get("Content-Type"), "text/html; charset=utf-8");
    EXPECT_NE(page.body.find("/api/v1/bestmove"), std::string::npos);
    EXPECT_NE(page.body.find("<a href=\"#Game\">"), std::string::npos);
    EXPECT_EQ(page.body.find("<script"), std::string::npos);
    EXPECT_EQ(page.body.find("style="), std::string::npos) << "the policy allows files only";
    EXPECT_EQ(ana.get("/api/page.css").headers.get("Content-Type"), "text/css; charset=utf-8");
    EXPECT_EQ(api_page("nonsense"), "");
}

TEST_F(Operations, PagesOfGamesAndUsersSayWhatTheyAre) {
    EXPECT_EQ(with_head("<meta name=\"description\" content=\"x\"><title>Rokada</title>",
                        {"<b>\"A\" & B", "it's", ""}),
              "<meta name=\"description\" content=\"it&#39;s\"><title>&lt;b&gt;&quot;A&quot; &amp; "
              "B - Rokada</title>");
    EXPECT_EQ(with_head("<head></head>", {"A", "\"b\"", "http://c/d.png"}),
              "<head><meta property=\"og:title\" content=\"A\">"
              "<meta property=\"og:description\" content=\"&quot;b&quot;\">"
              "<meta property=\"og:image\" content=\"http://c/d.png\">"
              "<meta property=\"og:site_name\" content=\"Rokada\"></head>");
    Visitor ana(*this), ben(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    ben.post("/api/v1/register", R"({"username":"ben","password":"three blue doors"})");
    const std::string id = ana.new_game(R"({"opponent":"user","username":"ben","color":"white"})");
    ben.post("/api/v1/games/" + id + "/join");
    const std::string secret = ana.new_game(R"({"opponent":"device","visibility":"private"})");
    Visitor preview(*this);
    EXPECT_NE(preview.get("/game/" + id).body.find("<title>ana - ben - Rokada</title>"),
              std::string::npos);
    EXPECT_TRUE(preview.cookie.empty()) << "a link preview makes no session";
    EXPECT_NE(preview.get("/user/ana").body.find("<title>ana - Rokada</title>"), std::string::npos);
    EXPECT_NE(preview.get("/game/" + secret).body.find("<title>Rokada</title>"), std::string::npos);
    EXPECT_EQ(preview.get("/game/none").status, 200) << "the page says it";
    // The picture is the position, and that of a private game is nobody's business.
    const std::string address = "/game/" + id + "/picture.png";
    EXPECT_NE(preview.get("/game/" + id).body.find(address + "?ply=0\""), std::string::npos);
    EXPECT_NE(preview.get("/user/ana").body.find("/icon-512.png\""), std::string::npos);
    const Answer before = preview.get(address);
    EXPECT_EQ(before.headers.get("Content-Type"), "image/png");
    EXPECT_EQ(before.body, position_picture(Position(), Move()));
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    EXPECT_NE(preview.get(address).body, before.body);
    EXPECT_EQ(preview.get("/game/" + secret + "/picture.png").status, 404);
    EXPECT_EQ(preview.get("/game/none/picture.png").status, 404);
}

TEST(Config, FlagsWinOverEnvironmentOverFile) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "rokada.conf").string();
    std::ofstream(file) << "# a comment\nport = 9001\nlog = \"json\"\nlan = true\n"
                           "db = postgres://me:secret@host/x\n";
    const ProgramRun plain = run_program("config --config " + file);
    EXPECT_EQ(plain.code, 0) << plain.output;
    EXPECT_NE(plain.output.find("port = 9001\n"), std::string::npos) << plain.output;
    EXPECT_NE(plain.output.find("log = json\n"), std::string::npos);
    EXPECT_NE(plain.output.find("lan = true\n"), std::string::npos);
    EXPECT_NE(plain.output.find("db = postgres://me:***@host/x\n"), std::string::npos);
    EXPECT_EQ(plain.output.find("secret"), std::string::npos);
    ::setenv("ROKADA_PORT", "9002", 1);
    EXPECT_NE(run_program("config --config " + file).output.find("port = 9002\n"),
              std::string::npos);
    EXPECT_NE(run_program("config --port 9003 --config " + file).output.find("port = 9003\n"),
              std::string::npos);
    ::unsetenv("ROKADA_PORT");
    std::ofstream(file) << "port = 9001\nprot = 1\n";
    const ProgramRun wrong = run_program("serve --config " + file);
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.output.find("rokada.conf:2: there is no setting prot"), std::string::npos)
        << wrong.output;
    std::ofstream(file) << "port = many\n";
    EXPECT_NE(run_program("config --config " + file).output.find(":1: port cannot be many"),
              std::string::npos);
    EXPECT_EQ(run_program("config --config /nowhere").code, 2);
}

TEST(Config, ACertificateAndItsKeyAreNeededTogether) {
    const TemporaryFolder folder;
    const std::string data = " --port 0 --data " + (folder.path() / "data").string();
    for (const char* half : {"--tls-key key.pem", "--tls-cert cert.pem"})
        for (const char* command : {"serve ", "config "}) {
            const ProgramRun ran = run_program(command + std::string(half) + data);
            EXPECT_EQ(ran.code, 2) << command << half;
            EXPECT_NE(ran.output.find("--tls-cert and --tls-key are needed together"),
                      std::string::npos)
                << ran.output;
        }
}

TEST(UserCommand, SaysWhatIsWrongWithItsWords) {
    const TemporaryFolder folder;
    const std::string data = " --data " + (folder.path() / "data").string();
    const ProgramRun unknown = run_program("user frobnicate" + data);
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.output.find("no action frobnicate"), std::string::npos) << unknown.output;
    for (const char* action : {"add", "passwd", "disable"}) {
        const ProgramRun nobody = run_program("user " + std::string(action) + data);
        EXPECT_EQ(nobody.code, 2) << action;
        EXPECT_EQ(std::count(nobody.output.begin(), nobody.output.end(), '\n'), 1) << nobody.output;
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "data")) << "nothing was made";
    EXPECT_EQ(run_program("user add ana" + data).code, 0);
    EXPECT_EQ(run_program("user list" + data).output, "ana\n");
}

TEST(QrCode, HasFindersInThreeCorners) {
    const std::string drawing = qr_code("http://192.168.1.7:8080");
    EXPECT_NE(drawing.find("█▀▀▀▀▀█"), std::string::npos);
    EXPECT_EQ(qr_code(std::string(5000, 'x')), "") << "too long";
}

}  // namespace
}  // namespace rokada::server::test
