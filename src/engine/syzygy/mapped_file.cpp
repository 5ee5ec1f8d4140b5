// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/syzygy/mapped_file.hpp"

#if !defined(__wasm__)
#include <algorithm>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rokada::engine {

#if !defined(__wasm__)

Result<MappedFile, std::string> MappedFile::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return Error{std::string("cannot be opened")};
    struct stat status{};
    void* mapping = MAP_FAILED;
    std::size_t size = 0;
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size = static_cast<std::size_t>(status.st_size);
        mapping = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    }
    ::close(descriptor);
    if (mapping == MAP_FAILED) return Error{std::string("cannot be read")};
    // Neighbouring positions lie anywhere: reading ahead would only waste memory.
    ::madvise(mapping, size, MADV_RANDOM);
    MappedFile file;
    file.bytes_ = {static_cast<const unsigned char*>(mapping), size};
    return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<unsigned char*>(bytes_.data()), bytes_.size());
}

Result<std::vector<std::string>, std::string> files_in_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::directory_iterator entry(path, error);
    if (error) return Error{"the folder '" + path + "' cannot be read: " + error.message()};
    std::vector<std::string> names;
    for (const std::filesystem::directory_iterator end; entry != end && !error;
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

#else

Result<MappedFile, std::string> MappedFile::open(const std::string&) {
    return Error{std::string("there are no files here")};
}
MappedFile::MappedFile(MappedFile&&) noexcept = default;
MappedFile& MappedFile::operator=(MappedFile&&) noexcept = default;
MappedFile::~MappedFile() = default;

Result<std::vector<std::string>, std::string> files_in_folder(const std::string&) {
    return Error{std::string("there are no folders here")};
}

#endif

}  // namespace rokada::engine
