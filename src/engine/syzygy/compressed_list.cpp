// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/syzygy/compressed_list.hpp"

namespace rokada::engine {

namespace {

constexpr std::uint8_t kConstant = 128;  // flag
constexpr unsigned kNoSymbol = 0xFFF;    // in place of the right half: the left is a number
constexpr std::size_t kTreeEntry = 3, kIndexEntry = 6, kLengthEntry = 2;

std::uint64_t big_endian(std::span<const unsigned char> bytes, std::uint64_t at, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i, ++at)
        value = value << 8 | (at < bytes.size() ? bytes[static_cast<std::size_t>(at)] : 0u);
    return value;
}

}  // namespace

std::optional<std::string> CompressedList::read_header(ByteReader& reader, std::uint64_t length) {
    length_ = length;
    flags_ = reader.u8();
    if ((flags_ & kConstant) != 0) {
        constant_ = reader.u8();
        return std::nullopt;
    }
    block_bits_ = reader.u8();
    span_bits_ = reader.u8();
    const std::uint64_t spare = reader.u8();
    blocks_ = reader.u32();
    block_lengths_ = blocks_ + spare;
    if (block_bits_ > 20 || span_bits_ > 40) return "its blocks have an impossible size";
    return read_symbols(reader);
}

std::optional<std::string> CompressedList::read_symbols(ByteReader& reader) {
    const unsigned longest = reader.u8();
    shortest_ = reader.u8();
    if (shortest_ < 1 || shortest_ > longest || longest > 32)
        return "its codes have an impossible length";
    const std::size_t lengths = longest - shortest_ + 1;
    for (std::size_t i = 0; i < lengths; ++i) first_symbol_.push_back(reader.u16());

    // A canonical code: the longer codes are the lower ones, and from the lowest code of a length follows that of
    // the next shorter.
    first_code_.assign(lengths, 0);
    for (std::size_t i = lengths - 1; i-- > 0;)
        first_code_[i] = (first_code_[i + 1] + first_symbol_[i] - first_symbol_[i + 1]) / 2;
    for (std::size_t i = 0; i < lengths; ++i)
        first_code_[i] <<= 64 - shortest_ - static_cast<unsigned>(i);

    const std::size_t symbols = reader.u16();
    tree_ = reader.take(symbols * kTreeEntry);
    if (symbols % 2 != 0) reader.u8();
    if (tree_.empty()) return "it has no symbols";

    // Symbols stand for pairs of others, which must not go round in a circle. Those still on the way down are marked.
    constexpr std::uint16_t unknown = 0, on_the_way = 0xFFFF;
    symbol_length_.assign(symbols, unknown);
    std::vector<unsigned> way;
    for (unsigned begin = 0; begin < symbols; ++begin) {
        way.push_back(begin);
        while (!way.empty()) {
            const unsigned symbol = way.back();
            std::uint16_t& own = symbol_length_[symbol];
            if (own != unknown && own != on_the_way) {
                way.pop_back();
                continue;
            }
            if (right(symbol) == kNoSymbol) {
                own = 1;
                way.pop_back();
                continue;
            }
            if (left(symbol) >= symbols || right(symbol) >= symbols)
                return "a symbol is out of range";
            const std::uint16_t first = symbol_length_[left(symbol)],
                                second = symbol_length_[right(symbol)];
            if (first != unknown && first != on_the_way && second != unknown &&
                second != on_the_way) {
                if (first + second > 256) return "a symbol stands for too many numbers";
                own = static_cast<std::uint16_t>(first + second);
                way.pop_back();
                continue;
            }
            if (own == on_the_way) return "its symbols go round in a circle";
            own = on_the_way;
            if (first == on_the_way || second == on_the_way)
                return "its symbols go round in a circle";
            if (second == unknown) way.push_back(right(symbol));
            if (first == unknown) way.push_back(left(symbol));
        }
    }
    return std::nullopt;
}

unsigned CompressedList::left(unsigned symbol) const {
    return (tree_[symbol * kTreeEntry + 1] & 15u) << 8 | tree_[symbol * kTreeEntry];
}

unsigned CompressedList::right(unsigned symbol) const {
    return static_cast<unsigned>(tree_[symbol * kTreeEntry + 2]) << 4 |
           tree_[symbol * kTreeEntry + 1] >> 4;
}

void CompressedList::read_index(ByteReader& reader) {
    if (constant_) return;
    const std::uint64_t span = std::uint64_t{1} << span_bits_;
    index_ = reader.take((length_ + span - 1) / span * kIndexEntry);
}

void CompressedList::read_block_lengths(ByteReader& reader) {
    if (!constant_) lengths_ = reader.take(block_lengths_ * kLengthEntry);
}

void CompressedList::read_blocks(ByteReader& reader) {
    reader.align(64);
    if (!constant_) data_ = reader.take(blocks_ << block_bits_);
}

std::uint32_t CompressedList::block_length(std::uint64_t block) const {
    const auto at = static_cast<std::size_t>(block) * kLengthEntry;
    return (lengths_[at] | static_cast<std::uint32_t>(lengths_[at + 1]) << 8) + 1;
}

std::optional<unsigned> CompressedList::at(std::uint64_t index) const {
    if (constant_) return constant_;
    if (index >= length_) return std::nullopt;
    const auto place = find(index);
    return place ? decode(*place) : std::nullopt;
}

// The index knows, for the middle of every span, its block and the offset inside; from there it is a few blocks back
// or forth.
std::optional<CompressedList::Place> CompressedList::find(std::uint64_t index) const {
    const std::uint64_t span = std::uint64_t{1} << span_bits_;
    ByteReader entry(
        index_.subspan(static_cast<std::size_t>(index / span) * kIndexEntry, kIndexEntry));
    Place place;
    place.block = entry.u32();
    place.offset =
        entry.u16() + static_cast<std::int64_t>(index % span) - static_cast<std::int64_t>(span / 2);
    if (place.block >= block_lengths_) return std::nullopt;
    while (place.offset < 0) {
        if (place.block == 0) return std::nullopt;
        place.offset += block_length(--place.block);
    }
    while (place.offset >= block_length(place.block)) {
        place.offset -= block_length(place.block);
        if (++place.block >= block_lengths_) return std::nullopt;
    }
    if (place.block >= blocks_) return std::nullopt;
    return place;
}

std::optional<unsigned> CompressedList::decode(Place place) const {
    std::uint64_t next = static_cast<std::uint64_t>(place.block) << block_bits_;
    std::uint64_t bits = big_endian(data_, next, 8);
    next += 8;
    int known = 64;  // bits of `bits` that have been read
    auto rest = static_cast<unsigned>(place.offset);
    unsigned symbol = 0;
    for (;;) {
        std::size_t length = 0;
        while (bits < first_code_[length])
            if (++length >= first_code_.size()) return std::nullopt;
        const unsigned code_bits = shortest_ + static_cast<unsigned>(length);
        const std::uint64_t from_first = (bits - first_code_[length]) >> (64 - code_bits);
        if (from_first + first_symbol_[length] >= symbol_length_.size()) return std::nullopt;
        symbol = static_cast<unsigned>(from_first) + first_symbol_[length];
        if (rest < symbol_length_[symbol]) break;
        rest -= symbol_length_[symbol];
        bits <<= code_bits;
        known -= static_cast<int>(code_bits);
        if (known <= 32) {
            bits |= big_endian(data_, next, 4) << (32 - known);
            next += 4;
            known += 32;
        }
    }
    // Down the pairs to the number itself.
    while (symbol_length_[symbol] > 1) {
        const unsigned first = left(symbol);
        if (rest < symbol_length_[first]) {
            symbol = first;
        } else {
            rest -= symbol_length_[first];
            symbol = right(symbol);
        }
    }
    return left(symbol);
}

}  // namespace rokada::engine
