// SPDX-License-Identifier: GPL-3.0-or-later
// Health, for machines that watch over the server (no details: those are for the administrator), and the way out.
#include "net/json.hpp"
#include "server/api/api.hpp"

namespace rokada::server {

void add_server_routes(net::Router& router, ApiServices& api) {
    router.get("/healthz", [](const net::RequestPtr&, const net::Responder& responder) {
        reply(responder, net::Response::text(200, "ok\n"));
    });
    router.get("/readyz", [&api](const net::RequestPtr&, const net::Responder& responder) {
        const bool ready = api.store->writer().takes_writes() && (!api.ready || api.ready());
        reply(responder, net::Response::text(ready ? 200 : 503, ready ? "ready\n" : "not ready\n"));
    });
    // A server started by `rokada open` is stopped from its page, by people of this machine only.
    router.post("/api/v1/exit",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    if (!api.exit || !request->remote.is_loopback())
                        return reply(responder, net::problem(404, "not_found"));
                    reply(responder, net::Response(204));
                    api.exit();
                });
}

}  // namespace rokada::server
