// SPDX-License-Identifier: GPL-3.0-or-later
// Files for the pgn command: a source of bytes with progress on the terminal, and an output that notices when
// it cannot be written.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "chess/notation/byte_source.hpp"

namespace rokada::cli {

// "-" is the standard input.
class FileSource final : public ByteSource {
  public:
    explicit FileSource(const std::string& path);
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override;

    bool is_open() const { return file_ != nullptr; }
    bool failed() const;  // a read failed before the end
    const std::string& name() const { return name_; }
    std::size_t read(char* buffer, std::size_t size) override;

  private:
    void show_progress();

    std::string name_;
    std::FILE* file_ = nullptr;
    std::uint64_t size_ = 0, done_ = 0;  // size 0: not known
    bool shows_progress_ = false, has_shown_ = false;
    std::chrono::steady_clock::time_point next_report_;
};

// Gathers text and writes it in large pieces. An empty path is the standard output.
class Output {
  public:
    Output() = default;
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() { close(); }

    bool open(const std::string& path);
    std::string& text() { return text_; }  // to append to
    void write_if_large();
    void flush();  // now, for output that comes slowly
    // False if anything could not be written.
    bool close();

  private:
    void write();

    std::FILE* file_ = nullptr;
    std::string text_;
    bool failed_ = false;
};

}  // namespace rokada::cli
