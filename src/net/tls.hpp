// SPDX-License-Identifier: GPL-3.0-or-later
// TLS settings behind a handle, so that OpenSSL stays out of other headers. Used by Server and
// HttpClient. TLS 1.2 and 1.3 only; clients check certificates and host names unless told not to.
#pragma once

#include <memory>
#include <string>

#include "chess/result.hpp"

namespace rokada::net {

namespace detail {
struct TlsContextHolder;
}

class TlsServerContext {
  public:
    // PEM files: the certificate with its chain, and its private key. The error is one clear line.
    static Result<TlsServerContext, std::string> load(const std::string& certificate_file,
                                                      const std::string& key_file);
    const std::shared_ptr<detail::TlsContextHolder>& holder() const { return holder_; }

  private:
    std::shared_ptr<detail::TlsContextHolder> holder_;
};

struct TlsClientOptions {
    bool verify = true;
    std::string ca_file;  // empty: the system's certificates
};

}  // namespace rokada::net
