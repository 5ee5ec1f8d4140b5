// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP and WebSocket client: one-shot requests, NDJSON line streams, WebSockets, plain and TLS.
// Used by tests, the load generator, rokada open and the lichess bot. Every request ends exactly
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "chess/result.hpp"
#include "net/http.hpp"
#include "net/loop.hpp"
#include "net/tls.hpp"
#include "net/url.hpp"
#include "net/websocket.hpp"

namespace rokada::net {

struct ClientOptions {
    TlsClientOptions tls;
    Milliseconds timeout{10'000};  // connect to last byte, unless the request says otherwise
    std::size_t body_limit = 16 * 1024 * 1024;
    std::size_t idle_connections = 64;  // kept for reuse, over all origins
    WebSocketLimits websocket;
};

struct ClientRequest {
    Method method = Method::kGet;
    std::string url{};  // http:// https://, ws:// wss:// for websockets
    Headers headers{};
    std::string body{};
    std::optional<Milliseconds> timeout{};
};

struct ClientResponse {
    int status = 0;
    Headers headers{};
    std::string body{};
};

struct ClientError {
    enum class Kind {
        kBadUrl,
        kResolve,
        kConnect,
        kTls,
        kTimeout,
        kProtocol,
        kTooBig,
        kClosed,
        kRefused
    };
    Kind kind = Kind::kClosed;
    std::string message;  // one line, names the host
    std::optional<ClientResponse>
        response;  // kRefused: the answer to a WebSocket upgrade that is not 101
};

using ClientResult = Result<ClientResponse, ClientError>;

// Callbacks of a line stream, on the stream's executor. on_end comes exactly once and last: no
// error means that the server ended the stream.
struct LineEvents {
    std::function<void(const ClientResponse& head)> on_head;  // status and headers; body empty
    std::function<void(std::string_view line)> on_line;  // without its line break; empty lines too
    std::function<void(std::optional<ClientError> error)> on_end;
};

class HttpClient {
  public:
    explicit HttpClient(Loops& loops, ClientOptions options = {});
    ~HttpClient();  // ends what is running with kClosed
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    // The callback runs on one of the loops.
    void send(ClientRequest request, std::function<void(ClientResult)> callback);
    // Blocks; not for use on a loop's thread.
    ClientResult fetch(ClientRequest request);

    // Keeps the connection open and hands over line by line. idle: the longest silence allowed.
    // Destroying the handle cancels the stream; on_end then comes with kClosed.
    class LineStream;
    std::shared_ptr<LineStream> stream_lines(ClientRequest request, LineEvents events,
                                             Milliseconds idle = Milliseconds(60'000));

    // opened gets the socket, already open (on_open is called before), or the reason why not.
    void open_websocket(ClientRequest request, WebSocketEvents events,
                        std::function<void(Result<WebSocketPtr, ClientError>)> opened = {});

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace rokada::net
