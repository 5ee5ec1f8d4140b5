// SPDX-License-Identifier: GPL-3.0-or-later
// Health, for machines that watch over the server. No details here: those are for the administrator.
#include "server/api/api.hpp"

namespace rokada::server {

void add_server_routes(net::Router& router, ApiServices& api) {
    router.get("/healthz", [](const net::RequestPtr&, const net::Responder& responder) {
        reply(responder, net::Response::text(200, "ok\n"));
    });
    router.get("/readyz", [&api](const net::RequestPtr&, const net::Responder& responder) {
        const bool ready = !api.store->writer().broken() && (!api.ready || api.ready());
        reply(responder, net::Response::text(ready ? 200 : 503, ready ? "ready\n" : "not ready\n"));
    });
}

}  // namespace rokada::server
