// SPDX-License-Identifier: GPL-3.0-or-later
// A file as a source of bytes for the readers of notations.
#pragma once

#include <fstream>
#include <string>

#include "chess/notation/byte_source.hpp"

namespace rokada::lab {

class FileBytes final : public ByteSource {
  public:
    explicit FileBytes(const std::string& path) : file_(path, std::ios::binary) {}
    bool is_open() const { return file_.is_open(); }
    std::size_t read(char* buffer, std::size_t size) override {
        file_.read(buffer, static_cast<std::streamsize>(size));
        return static_cast<std::size_t>(file_.gcount());
    }

  private:
    std::ifstream file_;
};

}  // namespace rokada::lab
