// SPDX-License-Identifier: GPL-3.0-or-later
// rokada serve: the web site.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/config_file.hpp"
#include "cli/file_limit.hpp"
#include "cli/stop_signal.hpp"
#include "net/address.hpp"
#include "server/web/qr_code.hpp"
#include "server/web/site.hpp"

namespace rokada::cli {
namespace {

struct ServeOptions {
    server::SiteOptions site;
    std::string data, config, log = "plain";
    bool lan = false;
    bool exit_from_page = false;
    int admin_port = -1;
};

std::vector<std::string> private_addresses() {
    std::vector<std::string> found;
    for (const net::Address& address : net::interface_addresses())
        if (address.is_v4() && address.is_private() && !address.is_loopback())
            found.push_back(address.text());
    return found;
}

// Tells a service manager that asked for it how things stand.
void notify_manager(const char* state) {
    const char* path = std::getenv("NOTIFY_SOCKET");
    if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t length = std::min(std::strlen(path), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = '\0';
    const int handle = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (handle < 0) return;
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
    // Nobody listens: nothing to be done about it.
    [[maybe_unused]] const auto sent =
        ::sendto(handle, state, std::strlen(state), 0, reinterpret_cast<sockaddr*>(&address), size);
    ::close(handle);
}

server::LogSink log_to_stderr(server::LogFormat format) {
    return [format](const server::LogEntry& entry) {
        const auto now = server::SystemTime().now().wall;
        fmt::print(stderr, "{}\n", server::log_line(entry, format, now));
    };
}

void print_lan(const std::vector<std::string>& lan, const std::string& scheme, std::uint16_t port) {
    for (const std::string& address : lan)
        fmt::print("On your network:  {}://{}:{}\n", scheme, address, port);
    if (!lan.empty() && scheme == "http")
        fmt::print("Traffic on the network is not encrypted; use it among people you trust.\n");
    if (lan.empty()) fmt::print("This machine has no private network address.\n");
    // For telephones; of no use in a file.
    if (!lan.empty() && ::isatty(STDOUT_FILENO) != 0)
        fmt::print("\n{}\n", server::qr_code(fmt::format("{}://{}:{}", scheme, lan.front(), port)));
}

int serve(ServeOptions& options) {
    const StopSignal stop;
    raise_file_limit();

    server::SiteOptions& site_options = options.site;
    site_options.data = options.data;
    site_options.version = ROKADA_VERSION;
    site_options.lan = options.lan;
    if (options.exit_from_page) site_options.exit = [] { ::kill(::getpid(), SIGTERM); };
    site_options.log =
        log_to_stderr(options.log == "json" ? server::LogFormat::Json : server::LogFormat::Plain);
    if (options.admin_port >= 0)
        site_options.admin_port = static_cast<std::uint16_t>(options.admin_port);
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
    if (options.lan) print_lan(lan, scheme, (*site)->port());
    if ((*site)->admin_port() != 0)
        fmt::print("Metrics: http://localhost:{}/metrics\n", (*site)->admin_port());
    if (const std::string link = (*site)->setup_link(); !link.empty())
        fmt::print("Make the administrator (good once): {}://localhost:{}{}\n", scheme,
                   (*site)->port(), link);
    std::fflush(stdout);
    notify_manager("READY=1");

    stop.wait();
    notify_manager("STOPPING=1");
    fmt::print(stderr, "Stopping.\n");
    (*site)->stop();
    return 0;
}

void add_options(CLI::App* command, ServeOptions& options) {
    server::SiteOptions& site = options.site;
    command->add_option("--config", options.config, "Settings from this file (name = value)")
        ->envname("ROKADA_CONFIG");
    command->add_option("--port", site.port, "Port to listen on")->envname("ROKADA_PORT");
    command->add_option("--data", options.data, "Folder of the data (made if missing)")
        ->envname("ROKADA_DATA");
    command->add_option("--db", site.database, "postgres://... instead of the built-in database")
        ->envname("ROKADA_DB");
    command
        ->add_option("--bus", site.bus,
                     "nats://...: one of several servers on the same PostgreSQL database")
        ->envname("ROKADA_BUS");
    command->add_option("--node-name", site.node_name, "What this one of them is called")
        ->envname("ROKADA_NODE_NAME");
    command->add_flag("--lan", options.lan, "Listen on the private addresses of this machine too")
        ->envname("ROKADA_LAN");
    command->add_option("--tls-cert", site.tls_certificate, "Certificate with its chain (PEM)")
        ->envname("ROKADA_TLS_CERT");
    command->add_option("--tls-key", site.tls_key, "Its private key (PEM)")
        ->envname("ROKADA_TLS_KEY");
    command->add_option("--public-url", site.public_url, "The address visitors use, behind a proxy")
        ->envname("ROKADA_PUBLIC_URL");
    command
        ->add_option("--trusted-proxy", site.trusted_proxies,
                     "Address or range of a proxy whose headers are believed; with --public-url "
                     "this machine unless given")
        ->envname("ROKADA_TRUSTED_PROXY");
    command->add_option("--host-name", site.host_names, "A further name this server answers to")
        ->envname("ROKADA_HOST_NAME");
    command->add_option("--web", site.web_folder, "Serve the client from this folder")
        ->envname("ROKADA_WEB");
    command->add_option("--connections", site.connections, "Open connections at most")
        ->envname("ROKADA_CONNECTIONS");
    command
        ->add_option("--connections-per-address", site.connections_per_address,
                     "Of these from one address other than this machine")
        ->envname("ROKADA_CONNECTIONS_PER_ADDRESS");
    command
        ->add_flag("!--quick-computer", site.human_pace,
                   "The computer answers at once instead of at the pace of a person")
        ->envname("ROKADA_QUICK_COMPUTER");
    command->add_option("--engine-threads", site.engine_threads, "Searches at the same time")
        ->envname("ROKADA_ENGINE_THREADS");
    command->add_flag("--exit-from-page", options.exit_from_page,
                      "Visitors from this machine may stop the server (used by rokada open)");
    command
        ->add_option("--admin-port", options.admin_port,
                     "Metrics and details on this port of loopback (0: any free one)")
        ->envname("ROKADA_ADMIN_PORT")
        ->check(CLI::Range(0, 65535));
    command->add_option("--log", options.log, "plain or json")
        ->envname("ROKADA_LOG")
        ->check(CLI::IsMember({"plain", "json"}));
    command->add_flag("--log-requests", site.log_requests, "One line for each request")
        ->envname("ROKADA_LOG_REQUESTS");
}

// Reads the file of --config and checks what belongs together; false after a complaint.
bool read_config(CLI::App& command, const ServeOptions& options) {
    std::optional<std::string> problem;
    if (!options.config.empty()) problem = apply_config_file(command, options.config);
    // With one of them it would serve in the clear without a word.
    if (!problem && options.site.tls_certificate.empty() != options.site.tls_key.empty())
        problem = "--tls-cert and --tls-key are needed together";
    if (problem) fmt::print(stderr, "rokada {}: {}\n", command.get_name(), *problem);
    return !problem;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command =
        app.add_subcommand("serve", "The web site: play, watch, analyse in a browser");
    add_options(command, *options);
    command->callback([options, command, &exit_code] {
        exit_code = read_config(*command, *options) ? serve(*options) : 2;
    });

    CLI::App* config =
        app.add_subcommand("config", "Check and show the settings `rokada serve` would use");
    auto checked = std::make_shared<ServeOptions>();
    add_options(config, *checked);
    config->callback([checked, config, &exit_code] {
        if (!read_config(*config, *checked)) {
            exit_code = 2;
            return;
        }
        fmt::print("{}", settings_text(*config));
    });
}

}  // namespace rokada::cli
