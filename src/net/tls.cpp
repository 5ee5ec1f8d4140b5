// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tls.hpp"

#include <openssl/ssl.h>

#include "net/detail/tls_context.hpp"

namespace rokada::net {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace detail {

TlsContextHolder::TlsContextHolder(ssl::context::method method) : context(method) {
    SSL_CTX* native = context.native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_options(
        native, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Idle connections give their record buffers back (32 KB each).
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    // TLS 1.2 suites: forward secrecy and authenticated encryption only.
    SSL_CTX_set_cipher_list(native, "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL");
}

Result<std::shared_ptr<TlsContextHolder>, std::string> make_client_context(
    const TlsClientOptions& options) {
    auto holder = std::make_shared<TlsContextHolder>(ssl::context::tls_client);
    if (!options.verify) {
        holder->context.set_verify_mode(ssl::verify_none);
        return holder;
    }
    holder->context.set_verify_mode(ssl::verify_peer);
    error_code error;
    if (options.ca_file.empty())
        holder->context.set_default_verify_paths(error);
    else
        holder->context.load_verify_file(options.ca_file, error);
    if (error)
        return Error{"cannot load certificates of authorities" +
                     (options.ca_file.empty() ? std::string() : " from " + options.ca_file) + ": " +
                     error.message()};
    return holder;
}

}  // namespace detail

Result<TlsServerContext, std::string> TlsServerContext::load(const std::string& certificate_file,
                                                             const std::string& key_file) {
    TlsServerContext result;
    result.holder_ = std::make_shared<detail::TlsContextHolder>(ssl::context::tls_server);
    ssl::context& context = result.holder_->context;
    error_code error;
    context.use_certificate_chain_file(certificate_file, error);
    if (error) return Error{"cannot use certificate " + certificate_file + ": " + error.message()};
    context.use_private_key_file(key_file, ssl::context::pem, error);
    if (error) return Error{"cannot use private key " + key_file + ": " + error.message()};
    if (SSL_CTX_check_private_key(context.native_handle()) != 1)
        return Error{"the private key " + key_file + " does not belong to the certificate " +
                     certificate_file};
    // Sessions resume by tickets alone; a cache of them would grow with every visitor.
    SSL_CTX_set_session_cache_mode(context.native_handle(), SSL_SESS_CACHE_OFF);
    return result;
}

}  // namespace rokada::net
