// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/hash_file.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "chess/position.hpp"

namespace rokada::engine {

#if !defined(__wasm__)

namespace {

// Read and written as it lies in memory: on another kind of machine the numbers come out wrong and are refused.
struct Header {
    char magic[8] = {'R', 'o', 'k', 'H', 'a', 's', 'h', '\n'};
    std::uint32_t version = 1;  // of the file and of the layout of entries
    std::uint32_t byte_order = 0x01020304;
    std::uint64_t start_key = Position().key();  // keys of another making find nothing
    std::uint64_t evaluation = 0;
    std::uint64_t megabytes = 0;
    std::uint64_t age = 0;
    std::uint64_t checksum = 0;  // of everything behind the header
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::string& path, const char* mode) {
    return {std::fopen(path.c_str(), mode), &std::fclose};
}

class Checksum {
  public:
    void add(const unsigned char* bytes, std::size_t size) {
        for (; size >= 8; bytes += 8, size -= 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes, 8);
            sum_ = (sum_ ^ word) * 0x9E3779B97F4A7C15ull;
            sum_ ^= sum_ >> 29;
        }
    }
    std::uint64_t value() const { return sum_; }

  private:
    std::uint64_t sum_ = 0x243F6A8885A308D3ull;
};

std::uint64_t number_of(const std::string& name) {
    std::uint64_t number = 1;
    for (const char c : name) number = mix_bits(number ^ static_cast<unsigned char>(c));
    return number;
}

constexpr std::size_t kStep = std::size_t{1} << 16;  // divides a megabyte

std::optional<std::string> check_header(const Header& found, const TranspositionTable& table,
                                        const std::string& evaluation) {
    const Header expected;
    if (std::memcmp(found.magic, expected.magic, sizeof found.magic) != 0)
        return "it is no hash file";
    if (found.byte_order != expected.byte_order) return "it was made on another kind of machine";
    if (found.version != expected.version || found.start_key != expected.start_key)
        return "it was made by another version of the program";
    if (found.evaluation != number_of(evaluation)) return "it was made with another evaluation";
    if (found.megabytes != table.megabytes())
        return "it is for a Hash of " + std::to_string(found.megabytes) + " MB";
    return std::nullopt;
}

// The sum of the rest of the file, which must be exactly as long as the table.
std::optional<std::string> check_rest(std::FILE* file, std::size_t size, std::uint64_t expected) {
    Checksum sum;
    auto buffer = std::make_unique<unsigned char[]>(kStep);
    for (std::size_t left = size; left > 0; left -= kStep) {
        if (std::fread(buffer.get(), 1, kStep, file) != kStep) return "it is too short";
        sum.add(buffer.get(), kStep);
    }
    if (std::fgetc(file) != EOF) return "it is too long";
    if (sum.value() != expected) return "it is damaged";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> save_table(const TranspositionTable& table,
                                      const std::string& evaluation, const std::string& path) {
    const auto bytes = table.bytes();
    Header header;
    header.evaluation = number_of(evaluation);
    header.megabytes = table.megabytes();
    header.age = table.age();
    Checksum sum;
    sum.add(bytes.data(), bytes.size());
    header.checksum = sum.value();

    // Beside the old file first: whoever is interrupted keeps that.
    const std::string beside = path + ".new";
    {
        const File file = open(beside, "wb");
        if (!file) return "cannot write " + beside;
        bool written = std::fwrite(&header, sizeof header, 1, file.get()) == 1;
        written = written && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
        written = std::fflush(file.get()) == 0 && written;
        if (!written) {
            std::remove(beside.c_str());
            return "cannot write all of " + beside;
        }
    }
    if (std::rename(beside.c_str(), path.c_str()) != 0) {
        std::remove(beside.c_str());
        return "cannot write " + path;
    }
    return std::nullopt;
}

std::optional<std::string> load_table(TranspositionTable& table, const std::string& evaluation,
                                      const std::string& path) {
    const File file = open(path, "rb");
    if (!file) return "cannot open " + path;
    const auto refused = [&path](const std::string& reason) {
        return path + " is not loaded: " + reason;
    };
    Header header;
    if (std::fread(&header, sizeof header, 1, file.get()) != 1) return refused("it is too short");
    if (const auto problem = check_header(header, table, evaluation)) return refused(*problem);
    const auto bytes = table.bytes();
    if (const auto problem = check_rest(file.get(), bytes.size(), header.checksum))
        return refused(*problem);
    if (std::fseek(file.get(), sizeof header, SEEK_SET) != 0 ||
        std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
        table.clear();
        return refused("it changed while it was read; the table is empty now");
    }
    table.set_age(static_cast<int>(header.age));
    return std::nullopt;
}

#else

std::optional<std::string> save_table(const TranspositionTable&, const std::string&,
                                      const std::string&) {
    return std::string("there are no files here");
}
std::optional<std::string> load_table(TranspositionTable&, const std::string&, const std::string&) {
    return std::string("there are no files here");
}

#endif

}  // namespace rokada::engine
