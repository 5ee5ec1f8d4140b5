// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/syzygy/tablebases.hpp"

#include <algorithm>

#include "chess/movegen.hpp"

namespace rokada::engine {

namespace {

// "KRPvKR": the men of a file name, White's first; none if it is no such name.
std::optional<Material> parse_material(std::string_view name) {
    Material material;
    Color side = Color::White;
    bool king = false;
    int men = 0;
    for (const char c : name) {
        if (c == 'v' && king && side == Color::White) {
            side = Color::Black;
            king = false;
            continue;
        }
        const PieceType type = parse_piece_type(c);
        // Each side begins with its king.
        if (type == PieceType::None || (type == PieceType::King) == king || ++men > kMaxTableMen)
            return std::nullopt;
        if (type == PieceType::King)
            king = true;
        else
            material.add(side, type);
    }
    if (side != Color::Black || !king || men < 3) return std::nullopt;
    return material;
}

int sign(int value) { return (value > 0) - (value < 0); }

}  // namespace

bool is_zeroing(const Position& position, Move move) {
    return position.is_capture(move) || type_of(position.at(move.from())) == PieceType::Pawn;
}

int distance_of_zeroing(TableResult result) {
    switch (result) {
        case TableResult::Win: return 1;
        case TableResult::CursedWin: return 101;
        case TableResult::Draw: return 0;
        case TableResult::BlessedLoss: return -101;
        case TableResult::Loss: return -1;
    }
    return 0;
}

Result<std::shared_ptr<const Tablebases>, std::string> Tablebases::open(
    const std::string& folders) {
    auto tables = std::make_shared<Tablebases>();
    for (std::size_t begin = 0; begin < folders.size();) {
        const std::size_t end = std::min(folders.find_first_of(":;", begin), folders.size());
        if (end > begin)
            if (auto problem = tables->open_folder(folders.substr(begin, end - begin)))
                return Error{*problem};
        begin = end + 1;
    }
    return std::shared_ptr<const Tablebases>(std::move(tables));
}

std::optional<std::string> Tablebases::open_folder(const std::string& folder) {
    const auto names = files_in_folder(folder);
    if (!names) return names.error();
    for (const std::string& name : *names) open_file(folder, name);
    return std::nullopt;
}

void Tablebases::open_file(const std::string& folder, const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return;
    const std::string extension = name.substr(dot);
    if (extension != ".rtbw" && extension != ".rtbz") return;
    const TableKind kind = extension == ".rtbw" ? TableKind::Result : TableKind::Distance;
    const auto material = parse_material(std::string_view(name).substr(0, dot));
    if (!material) return;

    auto known = endings_.find(material->bits());
    std::shared_ptr<Ending> ending =
        known == endings_.end() ? std::make_shared<Ending>() : known->second;
    auto& table = kind == TableKind::Result ? ending->result : ending->distance;
    if (table) return;  // an earlier folder has it
    auto file = MappedFile::open(folder + '/' + name);
    if (!file) return problems_.push_back(name + ' ' + file.error());
    auto read = Table::read(file->bytes(), *material, kind);
    if (!read) return problems_.push_back(name + " is not used: " + read.error());
    table = std::move(*read);
    (kind == TableKind::Result ? ending->result_file : ending->distance_file) = std::move(*file);
    (kind == TableKind::Result ? result_tables_ : distance_tables_) += 1;
    if (kind == TableKind::Result) largest_ = std::max(largest_, material->men());
    endings_[material->bits()] = ending;
    endings_[material->swapped().bits()] = ending;
}

const Tablebases::Ending* Tablebases::ending(const Position& position) const {
    const auto found = endings_.find(Material::of(position).bits());
    return found == endings_.end() ? nullptr : found->second.get();
}

std::optional<TableResult> Tablebases::stored_result(const Position& position) const {
    if (position.occupied().count() == 2) return TableResult::Draw;
    const Ending* const e = ending(position);
    if (!e || !e->result) return std::nullopt;
    return e->result->result(position);
}

// The tables store whatever compresses best where a capture decides, and know no en passant: captures are tried.
std::optional<Tablebases::Searched> Tablebases::search(const Position& position,
                                                       bool pawn_moves_too) const {
    TableResult best = TableResult::Loss;
    int tried = 0;
    const MoveList moves = legal_moves(position);
    for (const Move move : moves) {
        if (!(pawn_moves_too ? is_zeroing(position, move) : position.is_capture(move))) continue;
        ++tried;
        Position next = position;
        next.play(move);
        const auto below = search(next, false);
        if (!below) return std::nullopt;
        best = std::max(best, -below->result);
        if (best == TableResult::Win) return Searched{best, true};
    }
    // With no other move, what the table says about the position is about a different one.
    const bool all_tried = tried > 0 && tried == static_cast<int>(moves.size());
    if (all_tried) return Searched{best, true};
    const auto stored = stored_result(position);
    if (!stored) return std::nullopt;
    if (tried > 0 && best >= *stored) return Searched{best, best > TableResult::Draw};
    return Searched{*stored, false};
}

std::optional<TableResult> Tablebases::result(const Position& position) const {
    if (position.castling().any() || position.occupied().count() > largest_) return std::nullopt;
    const auto found = search(position, false);
    if (!found) return std::nullopt;
    return found->result;
}

std::optional<int> Tablebases::distance(const Position& position) const {
    if (position.castling().any() || position.occupied().count() > largest_) return std::nullopt;
    const auto found = search(position, true);
    if (!found) return std::nullopt;
    if (found->result == TableResult::Draw) return 0;
    if (found->by_zeroing) return distance_of_zeroing(found->result);
    const Ending* const e = ending(position);
    if (!e || !e->distance) return std::nullopt;
    const auto stored = e->distance->distance(position, found->result);
    if (!stored) return std::nullopt;
    if (stored->other_side) return distance_by_search(position, found->result);
    const bool too_late =
        found->result == TableResult::CursedWin || found->result == TableResult::BlessedLoss;
    return sign(static_cast<int>(found->result)) * (stored->plies + (too_late ? 100 : 0));
}

// The table has the other side's positions only: one move further it is known.
std::optional<int> Tablebases::distance_by_search(const Position& position,
                                                  TableResult result) const {
    const int wanted = sign(static_cast<int>(result));
    std::optional<int> best;
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        int distance = 0;
        if (is_zeroing(position, move)) {
            const auto below = search(next, false);
            if (!below) return std::nullopt;
            distance = distance_of_zeroing(-below->result);
        } else if (next.in_check() && !has_legal_move(next)) {
            distance = 1;
        } else {
            const auto below = this->distance(next);
            if (!below) return std::nullopt;
            distance = -*below + sign(-*below);
        }
        // A winner takes the shortest way, a loser the longest.
        if (sign(distance) == wanted && (!best || distance < *best)) best = distance;
    }
    // Mated.
    return best ? best : -1;
}

}  // namespace rokada::engine
