// SPDX-License-Identifier: GPL-3.0-or-later
// Files read as bytes: bit by bit for the readers of notations, or whole.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "chess/notation/byte_source.hpp"

namespace rokada::lab {

class FileBytes final : public ByteSource {
  public:
    explicit FileBytes(const std::string& path) : file_(path, std::ios::binary) {}
    bool is_open() const { return file_.is_open(); }
    bool failed() const { return file_.bad(); }
    std::size_t read(char* buffer, std::size_t size) override {
        file_.read(buffer, static_cast<std::streamsize>(size));
        return static_cast<std::size_t>(file_.gcount());
    }

  private:
    std::ifstream file_;
};

// The whole content. Says what is wrong, or nothing; folders and devices, which may have no end, are refused.
std::string read_whole_file(const std::string& path, std::vector<unsigned char>& bytes);
// Why a file cannot be read from, or nothing.
std::string why_unreadable(const std::string& path);

}  // namespace rokada::lab
