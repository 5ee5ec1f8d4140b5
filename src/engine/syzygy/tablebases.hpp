// SPDX-License-Identifier: GPL-3.0-or-later
// The Syzygy tables of one or more folders: exact results of endings, with the fifty-move rule in mind. Opened once,
// then immutable: all threads may ask at once. A position that is not covered, or a damaged place in a file, gives no
// answer, never a wrong one that could be noticed.
#pragma once

#include <memory>
#include <unordered_map>

#include "engine/syzygy/mapped_file.hpp"
#include "engine/syzygy/table.hpp"

namespace rokada::engine {

class Tablebases {
  public:
    // Folders separated by ':' or ';'. Files that cannot be used are left out and named in problems(); a folder that
    // cannot be read is an error.
    static Result<std::shared_ptr<const Tablebases>, std::string> open(const std::string& folders);

    int largest() const { return largest_; }  // men, kings included; 0 if there are no tables
    std::size_t result_tables() const { return result_tables_; }
    std::size_t distance_tables() const { return distance_tables_; }
    const std::vector<std::string>& problems() const { return problems_; }

    // Neither knows about castling: such positions have no answer. The clock of the fifty-move rule is taken as 0.
    std::optional<TableResult> result(const Position& position) const;
    // Plies to the next capture, pawn move or mate when both sides do their best: positive when winning, beyond 100
    // when that is too late for the fifty-move rule, 0 for draws. May be one off, see Table.
    std::optional<int> distance(const Position& position) const;

  private:
    struct Ending {
        std::optional<MappedFile> result_file, distance_file;
        std::optional<Table> result, distance;
    };
    struct Searched {
        TableResult result = TableResult::Draw;
        bool by_zeroing =
            false;  // a capture (or pawn move) achieves it: there is no distance to look up
    };
    std::optional<std::string> open_folder(const std::string& folder);
    void open_file(const std::string& folder, const std::string& name);
    const Ending* ending(const Position& position) const;
    std::optional<TableResult> stored_result(const Position& position) const;
    std::optional<Searched> search(const Position& position, bool pawn_moves_too) const;
    std::optional<int> distance_by_search(const Position& position, TableResult result) const;

    std::unordered_map<std::uint64_t, std::shared_ptr<Ending>>
        endings_;  // by material, both ways round
    int largest_ = 0;
    std::size_t result_tables_ = 0, distance_tables_ = 0;
    std::vector<std::string> problems_;
};

// The distance of a capture or pawn move that leads to this result for the side that makes it.
int distance_of_zeroing(TableResult result);

// True for captures and pawn moves, which set the fifty-move clock to zero.
bool is_zeroing(const Position& position, Move move);

}  // namespace rokada::engine
