// SPDX-License-Identifier: GPL-3.0-or-later
// One Syzygy file: what it says about a position with its men, as it stands. What a capture would bring is not in
// it and may make the value wrong; Tablebases sees to that. Immutable, readable from all threads.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "chess/result.hpp"
#include "engine/syzygy/compressed_list.hpp"
#include "engine/syzygy/numbering.hpp"

namespace rokada::engine {

// How a position ends with best play, for the side to move. Cursed wins and blessed losses are draws by the
// fifty-move rule and nothing else.
enum class TableResult : std::int8_t {
    Loss = -2,
    BlessedLoss = -1,
    Draw = 0,
    CursedWin = 1,
    Win = 2
};
constexpr TableResult operator-(TableResult r) {
    return static_cast<TableResult>(-static_cast<int>(r));
}

enum class TableKind : unsigned char { Result, Distance };  // .rtbw, .rtbz

class Table {
  public:
    // `material` as in the file's name, White first. The bytes must outlive the table.
    static Result<Table, std::string> read(std::span<const unsigned char> bytes, Material material,
                                           TableKind kind);

    // For a table of results.
    std::optional<TableResult> result(const Position& position) const;

    // For a table of distances: plies until the next capture, pawn move or mate, if the position has that result. The
    // number is rounded by a ply where the file counts in moves.
    struct Distance {
        bool other_side = false;  // the table only knows positions with the other side to move
        int plies = 0;
    };
    std::optional<Distance> distance(const Position& position, TableResult result) const;

  private:
    struct Part {
        std::optional<Numbering> numbering;
        CompressedList values;
        // For distances: where the list of the numbers behind the values begins, by result.
        std::array<std::size_t, 4> map{};
    };
    // Where a position is to be looked up.
    struct Place {
        PlacedMen men;
        int side = 0, file = 0;
    };
    Table() = default;
    std::optional<std::string> read_order(ByteReader& reader, int file);
    void read_maps(ByteReader& reader);
    Place place(const Position& position) const;
    const Part& part(const Place& p) const { return parts_[p.side][p.file]; }
    std::optional<unsigned> value(const Place& p) const {
        return part(p).values.at(part(p).numbering->number(p.men));
    }

    Material material_;
    TableKind kind_ = TableKind::Result;
    bool symmetric_ = false;  // both sides have the same men
    int sides_ = 1, files_ = 1;
    Part parts_[2][4];
    std::vector<std::uint16_t> map_;  // all maps, one after the other
};

}  // namespace rokada::engine
