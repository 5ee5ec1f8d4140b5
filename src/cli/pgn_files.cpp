// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/pgn_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rokada::cli {

namespace {
constexpr std::chrono::milliseconds kBetweenReports{200};
constexpr std::size_t kPiece = std::size_t{1} << 18;
}  // namespace

FileSource::FileSource(const std::string& path) : name_(path == "-" ? "(standard input)" : path) {
    file_ = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
    if (file_ == nullptr) return;
    struct stat status{};
    if (fstat(fileno(file_), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            std::fclose(file_);
            file_ = nullptr;
            return;
        }
        if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
    }
    std::setvbuf(file_, nullptr, _IONBF, 0);  // the reader asks for large pieces itself
    shows_progress_ = isatty(STDERR_FILENO) != 0;
    next_report_ = std::chrono::steady_clock::now() + 5 * kBetweenReports;
}

FileSource::~FileSource() {
    if (has_shown_) fmt::print(stderr, "\r\x1b[K");
    if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

bool FileSource::failed() const { return file_ != nullptr && std::ferror(file_) != 0; }

std::size_t FileSource::read(char* buffer, std::size_t size) {
    const std::size_t got = std::fread(buffer, 1, size, file_);
    done_ += got;
    if (shows_progress_) show_progress();
    return got;
}

void FileSource::show_progress() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_report_) return;
    next_report_ = now + kBetweenReports;
    has_shown_ = true;
    const double megabytes = static_cast<double>(done_) / 1e6;
    if (size_ > 0)
        fmt::print(stderr, "\r\x1b[K{}: {:3.0f} % of {:.0f} MB", name_,
                   100 * static_cast<double>(done_) / static_cast<double>(size_),
                   static_cast<double>(size_) / 1e6);
    else
        fmt::print(stderr, "\r\x1b[K{}: {:.0f} MB", name_, megabytes);
    std::fflush(stderr);
}

bool Output::open(const std::string& path) {
    close();
    failed_ = false;
    file_ = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
    return file_ != nullptr;
}

void Output::write_if_large() {
    if (text_.size() >= kPiece) write();
}

void Output::flush() {
    write();
    if (file_ != nullptr) std::fflush(file_);
}

void Output::write() {
    if (file_ != nullptr && std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size())
        failed_ = true;
    text_.clear();
}

bool Output::close() {
    if (file_ == nullptr) return !failed_;
    write();
    if (file_ == stdout ? std::fflush(file_) != 0 : std::fclose(file_) != 0) failed_ = true;
    file_ = nullptr;
    return !failed_;
}

}  // namespace rokada::cli
