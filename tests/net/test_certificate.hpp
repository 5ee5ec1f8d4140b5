// SPDX-License-Identifier: GPL-3.0-or-later
// A certificate made on the spot, for the tests of everything that speaks TLS.
#pragma once

#include <string>

namespace rokada::net::test {

// A self-signed certificate for localhost and 127.0.0.1 in a folder that is removed at the end.
class TestCertificate {
  public:
    explicit TestCertificate(const std::string& name = "localhost");
    ~TestCertificate();
    TestCertificate(const TestCertificate&) = delete;
    TestCertificate& operator=(const TestCertificate&) = delete;
    std::string certificate() const { return folder_ + "/certificate.pem"; }
    std::string key() const { return folder_ + "/key.pem"; }
    const std::string& folder() const { return folder_; }

  private:
    std::string folder_;
};

}  // namespace rokada::net::test
