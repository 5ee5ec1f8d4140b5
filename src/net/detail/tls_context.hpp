// SPDX-License-Identifier: GPL-3.0-or-later
// OpenSSL settings behind the handles of net/tls.hpp.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include "net/tls.hpp"

namespace rokada::net::detail {

struct TlsContextHolder {
    explicit TlsContextHolder(boost::asio::ssl::context::method method);
    boost::asio::ssl::context context;
};

Result<std::shared_ptr<TlsContextHolder>, std::string> make_client_context(
    const TlsClientOptions& options);

}  // namespace rokada::net::detail
