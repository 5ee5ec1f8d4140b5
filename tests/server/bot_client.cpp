// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/bot_client.hpp"

#include "tests/server/schema_checker.hpp"

namespace rokada::server::test {

struct LineReader::Inbox {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<net::json::value> lines;
    int status = 0;
    net::Headers headers;
    bool ended = false;
};

LineReader::LineReader(net::HttpClient& client, net::ClientRequest request)
    : inbox_(std::make_shared<Inbox>()) {
    net::LineEvents events;
    events.on_head = [inbox = inbox_](const net::ClientResponse& head) {
        const std::lock_guard lock(inbox->mutex);
        inbox->status = head.status;
        inbox->headers = head.headers;
        inbox->wake.notify_all();
    };
    events.on_line = [inbox = inbox_](std::string_view line) {
        if (line.empty()) return;
        const auto value = net::parse_json(line, 64);
        ASSERT_TRUE(value) << line;
        const std::lock_guard lock(inbox->mutex);
        inbox->lines.push_back(*value);
        inbox->wake.notify_all();
    };
    events.on_end = [inbox = inbox_](const std::optional<net::ClientError>&) {
        const std::lock_guard lock(inbox->mutex);
        inbox->ended = true;
        inbox->wake.notify_all();
    };
    stream_ = client.stream_lines(std::move(request), std::move(events));
}

LineReader::~LineReader() = default;
void LineReader::cancel() { stream_.reset(); }

net::json::value LineReader::next() {
    std::unique_lock lock(inbox_->mutex);
    inbox_->wake.wait_for(lock, kPatience,
                          [this] { return !inbox_->lines.empty() || inbox_->ended; });
    if (inbox_->lines.empty()) return nullptr;
    net::json::value line = std::move(inbox_->lines.front());
    inbox_->lines.pop_front();
    return line;
}

net::json::value LineReader::next_of(std::string_view type) {
    for (;;) {
        net::json::value line = next();
        if (line.is_null()) return line;
        const auto* found = line.get_object().if_contains("type");
        if (found != nullptr && found->get_string() == type) return line;
    }
}

bool LineReader::ended() {
    std::unique_lock lock(inbox_->mutex);
    return inbox_->wake.wait_for(lock, kPatience, [this] { return inbox_->ended; });
}

int LineReader::status() {
    std::unique_lock lock(inbox_->mutex);
    inbox_->wake.wait_for(lock, kPatience, [this] { return inbox_->status != 0 || inbox_->ended; });
    return inbox_->status;
}

std::string LineReader::header(std::string_view name) {
    status();
    const std::lock_guard lock(inbox_->mutex);
    return std::string(inbox_->headers.get(name));
}

BotClient::BotClient(SiteTest& site, net::HttpClient& client, const std::string& name, bool upgrade,
                     const std::string& scopes)
    : browser(site), client_(client), program_(site) {
    const Answer registered = browser.post(
        "/api/v1/register", R"({"username":")" + name + R"(","password":"long enough words"})");
    EXPECT_EQ(registered.status, 201) << registered.body;
    origin_ = registered.text("/server/address");
    const Answer made =
        browser.post("/api/v1/me/tokens", R"({"name":"bot","scopes":)" + scopes + "}");
    EXPECT_EQ(made.status, 201) << made.body;
    token_ = made.text("/token");
    program_.with_origin = false;
    program_.extra.set("Authorization", "Bearer " + token_);
    if (upgrade) {
        EXPECT_EQ(post("/api/bot/account/upgrade").status, 200);
    }
}

Answer BotClient::post(const std::string& path, const std::string& form) {
    program_.extra.erase("Content-Type");
    if (!form.empty()) program_.extra.set("Content-Type", "application/x-www-form-urlencoded");
    Answer answer = program_.post(path, form);
    program_.extra.erase("Content-Type");
    return answer;
}

LineReader BotClient::open(const std::string& path, const std::string& form) {
    net::ClientRequest request;
    request.url = origin_ + path;
    request.headers.set("Authorization", "Bearer " + token_);
    if (!form.empty()) {
        request.method = net::Method::kPost;
        request.body = form;
        request.headers.set("Content-Type", "application/x-www-form-urlencoded");
    }
    return LineReader(client_, std::move(request));
}

}  // namespace rokada::server::test
