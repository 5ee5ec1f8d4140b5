// SPDX-License-Identifier: GPL-3.0-or-later
// A file seen as bytes in memory, and the files of a folder: all that tablebases need of a file system. Where
// there is none (the browser) every file is refused.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "chess/result.hpp"

namespace rokada::engine {

class MappedFile {
  public:
    static Result<MappedFile, std::string> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    // Stays where it is as long as the file is mapped, also when the object is moved.
    std::span<const unsigned char> bytes() const { return bytes_; }

  private:
    MappedFile() = default;
    std::span<const unsigned char> bytes_;
};

// The names of the files in a folder, sorted; the error says why it cannot be read.
Result<std::vector<std::string>, std::string> files_in_folder(const std::string& path);

}  // namespace rokada::engine
