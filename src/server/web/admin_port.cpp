// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/admin_port.hpp"

namespace rokada::server {

net::Router make_admin_router(AdminView view) {
    net::Router router;
    const auto get = [&router](const char* path, std::function<net::Response()> answer) {
        router.get(path, [answer = std::move(answer)](const net::RequestPtr&,
                                                      const net::Responder& responder) {
            responder.send(answer());
        });
    };
    get("/metrics", [metrics = view.metrics] {
        return net::Response::bytes(200, "text/plain; version=0.0.4; charset=utf-8", metrics());
    });
    get("/healthz", [] { return net::Response::text(200, "ok\n"); });
    get("/readyz", [ready = view.ready, details = view.details] {
        return net::Response::json_text(ready() ? 200 : 503, details());
    });
    get("/version", [version = view.version] { return net::Response::text(200, version + "\n"); });
    return router;
}

}  // namespace rokada::server
