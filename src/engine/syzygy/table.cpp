// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/syzygy/table.hpp"

#include <algorithm>

namespace rokada::engine {

namespace {

constexpr std::uint8_t kMagic[2][4] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}};

// Of the file.
constexpr std::uint8_t kBothSides = 1, kHasPawns = 2;
// Of a list of distances.
constexpr std::uint8_t kBlackToMove = 1, kMapped = 2, kWinInPlies = 4, kLossInPlies = 8,
                       kWideMap = 16;

// Which of the four maps belongs to a result; the file has them in this order.
std::size_t map_of(TableResult result) {
    switch (result) {
        case TableResult::Win: return 0;
        case TableResult::Loss: return 1;
        case TableResult::CursedWin: return 2;
        default: return 3;
    }
}

Piece decode_piece(unsigned code) {
    const unsigned type = code & 7;
    if (type < 1 || type > 6) return Piece::None;
    return make_piece((code & 8) != 0 ? Color::Black : Color::White,
                      static_cast<PieceType>(type - 1));
}

}  // namespace

Result<Table, std::string> Table::read(std::span<const unsigned char> bytes, Material material,
                                       TableKind kind) {
    // Data in steps of 64 bytes and a checksum of 16.
    if (bytes.size() % 64 != 16)
        return Error{"its size of " + std::to_string(bytes.size()) + " bytes is wrong"};
    const auto& magic = kMagic[static_cast<int>(kind)];
    if (!std::equal(std::begin(magic), std::end(magic), bytes.begin()))
        return Error{std::string("it does not begin like a tablebase of its kind")};
    ByteReader reader(bytes.first(bytes.size() - 16));
    reader.take(4);

    Table table;
    table.material_ = material;
    table.kind_ = kind;
    table.symmetric_ = material == material.swapped();
    table.sides_ = kind == TableKind::Result && !table.symmetric_ ? 2 : 1;
    table.files_ = material.has_pawns() ? 4 : 1;
    const std::uint8_t flags = reader.u8();
    if (((flags & kBothSides) != 0) == table.symmetric_ ||
        ((flags & kHasPawns) != 0) != material.has_pawns())
        return Error{std::string("it is for other men than its name says")};

    const auto each_part = [&table](const auto& action) {
        for (int file = 0; file < table.files_; ++file)
            for (int side = 0; side < table.sides_; ++side) action(table.parts_[side][file]);
    };
    for (int file = 0; file < table.files_; ++file)
        if (auto problem = table.read_order(reader, file)) return Error{*problem};
    reader.align(2);
    std::optional<std::string> problem;
    each_part([&](Part& part) {
        if (!problem) problem = part.values.read_header(reader, part.numbering->positions());
    });
    if (problem) return Error{*problem};
    if (kind == TableKind::Distance) table.read_maps(reader);
    each_part([&](Part& part) { part.values.read_index(reader); });
    each_part([&](Part& part) { part.values.read_block_lengths(reader); });
    each_part([&](Part& part) { part.values.read_blocks(reader); });
    if (reader.overrun()) return Error{std::string("it is too short")};
    return table;
}

std::optional<std::string> Table::read_order(ByteReader& reader, int file) {
    const bool both_have_pawns = material_.count(Color::White, PieceType::Pawn) > 0 &&
                                 material_.count(Color::Black, PieceType::Pawn) > 0;
    const unsigned leading = reader.u8();
    const unsigned pawns = both_have_pawns ? reader.u8() : 0;
    std::array<std::array<Piece, kMaxTableMen>, 2> pieces{};
    for (int i = 0; i < material_.men(); ++i) {
        const unsigned codes = reader.u8();
        pieces[0][static_cast<std::size_t>(i)] = decode_piece(codes & 15);
        pieces[1][static_cast<std::size_t>(i)] = decode_piece(codes >> 4);
    }
    for (int side = 0; side < sides_; ++side) {
        const auto& own = pieces[static_cast<std::size_t>(side)];
        if (std::any_of(own.begin(), own.begin() + material_.men(),
                        [](Piece p) { return p == Piece::None; }))
            return "it names a piece that there is not";
        const unsigned shift = side == 0 ? 0 : 4;
        parts_[side][file].numbering =
            Numbering::make(material_, own, static_cast<int>(leading >> shift & 15),
                            static_cast<int>(pawns >> shift & 15), file);
        if (!parts_[side][file].numbering) return "its order of pieces does not fit its name";
    }
    return std::nullopt;
}

void Table::read_maps(ByteReader& reader) {
    for (int file = 0; file < files_; ++file) {
        Part& part = parts_[0][file];
        if ((part.values.flags() & kMapped) == 0) continue;
        const bool wide = (part.values.flags() & kWideMap) != 0;
        if (wide) reader.align(2);
        for (std::size_t& begin : part.map) {
            const unsigned count = wide ? reader.u16() : reader.u8();
            begin = map_.size();
            for (unsigned i = 0; i < count && !reader.overrun(); ++i)
                map_.push_back(wide ? reader.u16() : reader.u8());
        }
    }
    reader.align(2);
}

Table::Place Table::place(const Position& position) const {
    const bool black = position.turn() == Color::Black;
    // The stronger side is White in the file; of equal sides it is White's move.
    const bool swap = symmetric_ ? black : Material::of(position) != material_;
    Place place;
    place.men = place_men(position, swap);
    place.side = black != swap ? 1 : 0;
    if (files_ > 1) place.file = part_of(place.men, leading_pawns(material_));
    return place;
}

std::optional<TableResult> Table::result(const Position& position) const {
    const auto found = value(place(position));
    if (!found || *found > 4) return std::nullopt;
    return static_cast<TableResult>(static_cast<int>(*found) - 2);
}

std::optional<Table::Distance> Table::distance(const Position& position, TableResult result) const {
    Place place = this->place(position);
    const int side = place.side;
    place.side = 0;
    const Part& part = this->part(place);
    const std::uint8_t flags = part.values.flags();
    if ((flags & kBlackToMove) != side && !(symmetric_ && files_ == 1)) return Distance{true, 0};
    auto found = value(place);
    if (!found) return std::nullopt;
    if ((flags & kMapped) != 0) {
        const std::size_t at = part.map[map_of(result)] + *found;
        if (at >= map_.size()) return std::nullopt;
        found = map_[at];
    }
    const bool in_plies = (result == TableResult::Win && (flags & kWinInPlies) != 0) ||
                          (result == TableResult::Loss && (flags & kLossInPlies) != 0);
    return Distance{false, static_cast<int>(in_plies ? *found : 2 * *found) + 1};
}

}  // namespace rokada::engine
