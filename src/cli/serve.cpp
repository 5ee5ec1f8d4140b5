// SPDX-License-Identifier: GPL-3.0-or-later
// rokada serve: the web site.
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "net/address.hpp"
#include "server/web/site.hpp"

namespace rokada::cli {
namespace {

struct ServeOptions {
    server::SiteOptions site;
    std::string data;
    bool lan = false;
    bool exit_from_page = false;
};

std::vector<std::string> private_addresses() {
    std::vector<std::string> found;
    for (const net::Address& address : net::interface_addresses())
        if (address.is_v4() && address.is_private() && !address.is_loopback())
            found.push_back(address.text());
    return found;
}

int serve(ServeOptions& options) {
    // Signals are taken by the waiting thread only; every thread made from here on inherits this.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    signal(SIGPIPE, SIG_IGN);

    server::SiteOptions& site_options = options.site;
    site_options.data = options.data;
    site_options.version = ROKADA_VERSION;
    site_options.lan = options.lan;
    if (options.exit_from_page) site_options.exit = [] { ::kill(::getpid(), SIGTERM); };
    site_options.log = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    const std::vector<std::string> lan =
        options.lan ? private_addresses() : std::vector<std::string>{};
    site_options.hosts.insert(site_options.hosts.end(), lan.begin(), lan.end());
    const auto site = server::Site::start(site_options);
    if (!site) {
        fmt::print(stderr, "rokada serve: {}\n", site.error());
        return 1;
    }
    const std::string scheme = site_options.tls_certificate.empty() ? "http" : "https";
    fmt::print("Rokada is ready: {}://localhost:{}\n", scheme, (*site)->port());
    for (const std::string& address : lan)
        fmt::print("On your network:  {}://{}:{}\n", scheme, address, (*site)->port());
    if (!lan.empty() && scheme == "http")
        fmt::print("Traffic on the network is not encrypted; use it among people you trust.\n");
    if (options.lan && lan.empty()) fmt::print("This machine has no private network address.\n");
    if (const std::string link = (*site)->setup_link(); !link.empty())
        fmt::print("Make the administrator (good once): {}://localhost:{}{}\n", scheme,
                   (*site)->port(), link);
    std::fflush(stdout);

    int received = 0;
    sigwait(&signals, &received);
    fmt::print(stderr, "Stopping.\n");
    (*site)->stop();
    return 0;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command =
        app.add_subcommand("serve", "The web site: play, watch, analyse in a browser");
    server::SiteOptions& site = options->site;
    command->add_option("--port", site.port, "Port to listen on")->envname("ROKADA_PORT");
    command->add_option("--data", options->data, "Folder of the data (made if missing)")
        ->envname("ROKADA_DATA");
    command->add_option("--db", site.database, "postgres://... instead of the built-in database")
        ->envname("ROKADA_DB");
    command->add_flag("--lan", options->lan, "Listen on the private addresses of this machine too")
        ->envname("ROKADA_LAN");
    command->add_option("--tls-cert", site.tls_certificate, "Certificate with its chain (PEM)")
        ->envname("ROKADA_TLS_CERT");
    command->add_option("--tls-key", site.tls_key, "Its private key (PEM)")
        ->envname("ROKADA_TLS_KEY");
    command->add_option("--public-url", site.public_url, "The address visitors use, behind a proxy")
        ->envname("ROKADA_PUBLIC_URL");
    command
        ->add_option("--trusted-proxy", site.trusted_proxies,
                     "Address or range of a proxy whose headers are believed")
        ->envname("ROKADA_TRUSTED_PROXY");
    command->add_option("--host-name", site.host_names, "A further name this server answers to")
        ->envname("ROKADA_HOST_NAME");
    command->add_option("--web", site.web_folder, "Serve the client from this folder")
        ->envname("ROKADA_WEB");
    command->add_option("--engine-threads", site.engine_threads, "Searches at the same time")
        ->envname("ROKADA_ENGINE_THREADS");
    command->add_flag("--exit-from-page", options->exit_from_page,
                      "Visitors from this machine may stop the server (used by rokada open)");
    command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace rokada::cli
