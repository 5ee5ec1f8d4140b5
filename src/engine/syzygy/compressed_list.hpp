// SPDX-License-Identifier: GPL-3.0-or-later
// A list of small numbers as Syzygy tables store it: pairs of numbers that occur often are replaced by symbols, pairs
// of symbols by others, and the symbols are written in a canonical Huffman code, in blocks of equal size. Any number
// can be read without those before its block. Used by the tables only; damaged bytes give no number, never harm.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/syzygy/byte_reader.hpp"

namespace rokada::engine {

class CompressedList {
  public:
    // The three sections of the list lie in different places of the file, in this order. The error says what is
    // wrong with it; whether the file was too short is for the reader to say.
    std::optional<std::string> read_header(ByteReader& reader, std::uint64_t length);
    void read_index(ByteReader& reader);
    void read_block_lengths(ByteReader& reader);
    void read_blocks(ByteReader& reader);

    std::uint8_t flags() const { return flags_; }
    // None if the bytes make no sense there.
    std::optional<unsigned> at(std::uint64_t index) const;

  private:
    struct Place {
        std::uint32_t block = 0;
        std::int64_t offset = 0;
    };
    std::optional<std::string> read_symbols(ByteReader& reader);
    std::optional<Place> find(std::uint64_t index) const;
    std::optional<unsigned> decode(Place place) const;
    unsigned left(unsigned symbol) const;
    unsigned right(unsigned symbol) const;
    std::uint32_t block_length(std::uint64_t block) const;  // in numbers

    std::uint8_t flags_ = 0;
    std::optional<unsigned> constant_;  // all numbers are this one
    std::uint64_t length_ = 0;
    unsigned block_bits_ = 0;  // a block has 2 to that many bytes
    unsigned span_bits_ = 0;   // and the index has an entry for as many numbers
    std::uint64_t blocks_ = 0;
    std::uint64_t block_lengths_ = 0;
    unsigned shortest_ = 0;                  // code, in bits
    std::vector<std::uint64_t> first_code_;  // by length of code: the lowest, at the top of 64 bits
    std::vector<std::uint16_t> first_symbol_;   // by length of code
    std::vector<std::uint16_t> symbol_length_;  // how many numbers a symbol stands for
    std::span<const unsigned char> tree_, index_, lengths_, data_;
};

}  // namespace rokada::engine
