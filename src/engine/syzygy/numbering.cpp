// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/syzygy/numbering.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rokada::engine {

namespace {

constexpr int file_number(int square) { return square & 7; }
constexpr int rank_number(int square) { return square >> 3; }
// Positive above the long diagonal from a1, negative below, 0 on it.
constexpr int above_diagonal(int square) { return rank_number(square) - file_number(square); }

// Squares counted in the orders that the numbering needs.
struct Geometry {
    std::uint64_t choose[kMaxTableMen][64] = {};  // [k][n]: ways to choose k of n
    int below[64] = {};                           // b1-h1-h7, below the diagonal: 0 to 27
    int triangle[64] = {};                        // b1-d1-d3: 0 to 5, then a1-d4: 6 to 9
    int kings[10][64] = {};                       // both kings, by triangle of the first: 0 to 461
    int pawn[64] = {};                            // 47 for a2, 46 for h2, 45 for a3 ... 0 for e7
    std::uint64_t lead_pawn[kMaxTableMen][64] = {};  // [pawns][square]: first number of that square
    std::uint64_t lead_pawns[kMaxTableMen][4] = {};  // [pawns][file]: how many in that part

    constexpr Geometry() {
        for (int n = 0; n < 64; ++n)
            for (int k = 0; k < kMaxTableMen; ++k)
                choose[k][n] = k == 0 ? 1 : n == 0 ? 0 : choose[k - 1][n - 1] + choose[k][n - 1];
        count_triangles();
        count_kings();
        count_pawns();
    }

  private:
    constexpr void count_triangles() {
        int code = 0;
        for (int s = 0; s < 64; ++s)
            if (above_diagonal(s) < 0) below[s] = code++;
        code = 0;
        for (int s = 0; s < 32; ++s)
            if (file_number(s) < 4 && above_diagonal(s) < 0) triangle[s] = code++;
        for (int i = 0; i < 4; ++i) triangle[9 * i] = code++;
    }
    constexpr void count_kings() {
        int code = 0;
        // Pairs with both kings on the diagonal come last.
        for (const bool both_on_diagonal : {false, true})
            for (int wanted = 0; wanted < 10; ++wanted)
                for (int first = 0; first < 32; ++first) {
                    if (file_number(first) > 3 || above_diagonal(first) > 0 ||
                        triangle[first] != wanted)
                        continue;
                    for (int second = 0; second < 64; ++second) {
                        const int files = file_number(first) - file_number(second);
                        const int ranks = rank_number(first) - rank_number(second);
                        if (files * files <= 1 && ranks * ranks <= 1) continue;
                        const bool on_diagonal = above_diagonal(first) == 0;
                        if (on_diagonal && above_diagonal(second) > 0) continue;
                        if ((on_diagonal && above_diagonal(second) == 0) == both_on_diagonal)
                            kings[wanted][second] = code++;
                    }
                }
    }
    constexpr void count_pawns() {
        int rest = 47;
        for (int file = 0; file < 4; ++file)
            for (int rank = 1; rank < 7; ++rank) {
                pawn[rank * 8 + file] = rest--;
                pawn[rank * 8 + 7 - file] = rest--;
            }
        for (int pawns = 1; pawns < kMaxTableMen; ++pawns)
            for (int file = 0; file < 4; ++file) {
                std::uint64_t number = 0;
                for (int rank = 1; rank < 7; ++rank) {
                    const int square = rank * 8 + file;
                    lead_pawn[pawns][square] = number;
                    // The other pawns stand further from the edge, or on its file further up.
                    number += choose[pawns - 1][pawn[square]];
                }
                lead_pawns[pawns][file] = number;
            }
    }
};

constexpr Geometry kGeometry;
static_assert(kGeometry.kings[9][0] > 0 && kGeometry.choose[2][62] == 1891);

constexpr std::uint64_t kThreePieces = 31332, kTwoKings = 462;

// A handful at most.
template <class Before>
void sort_squares(PlacedMen& men, int begin, int end, Before before) {
    for (int i = begin + 1; i < end; ++i)
        for (int j = i; j > begin; --j) {
            const auto at = static_cast<std::size_t>(j);
            if (!before(men.squares[at], men.squares[at - 1])) break;
            std::swap(men.squares[at], men.squares[at - 1]);
        }
}

// Whether a pawn stands further from the edge, or on its file further up.
bool pawn_follows(int a, int b) { return kGeometry.pawn[a] < kGeometry.pawn[b]; }

template <class Change>
void change_squares(PlacedMen& men, Change change, int from = 0) {
    for (int i = from; i < men.count; ++i) {
        std::uint8_t& square = men.squares[static_cast<std::size_t>(i)];
        square = static_cast<std::uint8_t>(change(static_cast<int>(square)));
    }
}

// Moves the leading pawn, the one nearest the edge and there the least advanced, to the front.
void bring_leader_to_front(PlacedMen& men, int pawns) {
    std::iter_swap(
        men.squares.begin(),
        std::max_element(men.squares.begin(), men.squares.begin() + pawns, pawn_follows));
}

// The pawns of the leading side, put before all others. Their number.
int bring_pawns_to_front(PlacedMen& men, Piece pawn) {
    int pawns = 0;
    for (int i = 0; i < men.count; ++i) {
        const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(pawns);
        if (men.pieces[from] != pawn) continue;
        std::swap(men.pieces[from], men.pieces[to]);
        std::swap(men.squares[from], men.squares[to]);
        ++pawns;
    }
    return pawns;
}

}  // namespace

Material Material::of(const Position& position) {
    Material material;
    for (const Color c : kColors)
        for (const PieceType t : kPieceTypes)
            if (t != PieceType::King)
                material.bits_ += static_cast<std::uint64_t>(position.pieces(c, t).count() & 15)
                                  << shift(c, t);
    return material;
}

int Material::men() const {
    int sum = 2;
    for (std::uint64_t rest = bits_; rest != 0; rest >>= 4) sum += static_cast<int>(rest & 15);
    return sum;
}

bool Material::has_pawns() const {
    return count(Color::White, PieceType::Pawn) + count(Color::Black, PieceType::Pawn) > 0;
}

bool Material::has_single_piece() const {
    for (std::uint64_t rest = bits_; rest != 0; rest >>= 4)
        if ((rest & 15) == 1) return true;
    return false;
}

Color leading_pawns(Material material) {
    const int white = material.count(Color::White, PieceType::Pawn);
    const int black = material.count(Color::Black, PieceType::Pawn);
    return black == 0 || (white > 0 && black >= white) ? Color::White : Color::Black;
}

PlacedMen place_men(const Position& position, bool swap_colors) {
    PlacedMen men;
    for (const Square s : position.occupied()) {
        const Piece piece = position.at(s);
        const auto i = static_cast<std::size_t>(men.count++);
        men.pieces[i] = swap_colors ? make_piece(~color_of(piece), type_of(piece)) : piece;
        men.squares[i] = static_cast<std::uint8_t>(swap_colors ? flip_rank(s) : s);
    }
    return men;
}

int part_of(const PlacedMen& given, Color leading) {
    PlacedMen men = given;
    const int pawns = bring_pawns_to_front(men, make_piece(leading, PieceType::Pawn));
    bring_leader_to_front(men, pawns);
    const int file = file_number(men.squares[0]);
    return std::min(file, 7 - file);
}

std::optional<Numbering> Numbering::make(Material material,
                                         const std::array<Piece, kMaxTableMen>& pieces,
                                         int leading_place, int pawn_place, int file) {
    Numbering result;
    result.men_ = material.men();
    result.pieces_ = pieces;
    result.pawns_ = material.has_pawns();
    const Color leading = leading_pawns(material);
    result.other_pawns_ = result.pawns_ && material.count(~leading, PieceType::Pawn) > 0;
    result.three_leading_ = !result.pawns_ && material.has_single_piece();

    // The list must hold the men of the table, the leading ones first.
    Material listed;
    int kings[2] = {0, 0};
    for (int i = 0; i < result.men_; ++i) {
        const Piece piece = pieces[static_cast<std::size_t>(i)];
        if (type_of(piece) == PieceType::King)
            ++kings[index(color_of(piece))];
        else
            listed.add(color_of(piece), type_of(piece));
    }
    if (listed != material || kings[0] != 1 || kings[1] != 1) return std::nullopt;
    const int lead_pawns = material.count(leading, PieceType::Pawn);
    const int other_pawns = material.count(~leading, PieceType::Pawn);
    for (int i = 0; result.pawns_ && i < lead_pawns + other_pawns; ++i)
        if (pieces[static_cast<std::size_t>(i)] !=
            make_piece(i < lead_pawns ? leading : ~leading, PieceType::Pawn))
            return std::nullopt;
    const int together = result.pawns_ ? 1 : result.three_leading_ ? 3 : 2;
    for (int i = 0; i < together; ++i) {
        if (!result.pawns_ && !result.three_leading_ &&
            type_of(pieces[static_cast<std::size_t>(i)]) != PieceType::King)
            return std::nullopt;
        for (int j = 0; j < i; ++j)
            if (pieces[static_cast<std::size_t>(i)] == pieces[static_cast<std::size_t>(j)])
                return std::nullopt;
    }

    int groups = 0;
    for (int i = 0; i < result.men_; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool joins = i > 0 && (i < together || pieces[at] == pieces[at - 1]);
        if (!joins) ++groups;
        ++result.group_size_[static_cast<std::size_t>(groups - 1)];
    }
    const bool places_fit =
        leading_place < groups &&
        (!result.other_pawns_ || (pawn_place < groups && pawn_place != leading_place));
    if (!places_fit) return std::nullopt;

    std::uint64_t factor = 1;
    int next = result.other_pawns_ ? 2 : 1;
    int free = 64 - result.group_size_[0] - (result.other_pawns_ ? result.group_size_[1] : 0);
    for (int place = 0; place < groups; ++place) {
        if (place == leading_place) {
            result.factor_[0] = factor;
            factor *= result.pawns_           ? kGeometry.lead_pawns[result.group_size_[0]][file]
                      : result.three_leading_ ? kThreePieces
                                              : kTwoKings;
        } else if (result.other_pawns_ && place == pawn_place) {
            result.factor_[1] = factor;
            factor *= kGeometry.choose[result.group_size_[1]][48 - result.group_size_[0]];
        } else {
            const auto group = static_cast<std::size_t>(next++);
            result.factor_[group] = factor;
            factor *= kGeometry.choose[result.group_size_[group]][free];
            free -= result.group_size_[group];
        }
    }
    result.positions_ = factor;
    return result;
}

std::uint64_t Numbering::number_of_pawns(PlacedMen& men) const {
    const int pawns = group_size_[0];
    bring_leader_to_front(men, pawns);
    if (file_number(men.squares[0]) > 3) change_squares(men, [](int square) { return square ^ 7; });
    sort_squares(men, 1, pawns, pawn_follows);
    std::uint64_t number = kGeometry.lead_pawn[pawns][men.squares[0]];
    for (int i = 1; i < pawns; ++i)
        number += kGeometry.choose[i][kGeometry.pawn[men.squares[static_cast<std::size_t>(i)]]];
    return number;
}

// Turns the board until the first piece stands in the triangle a1-d1-d4 and, as long as the pieces stand on the
// diagonal, the next one below it.
std::uint64_t Numbering::number_of_pieces(PlacedMen& men) const {
    if (file_number(men.squares[0]) > 3) change_squares(men, [](int square) { return square ^ 7; });
    if (rank_number(men.squares[0]) > 3)
        change_squares(men, [](int square) { return square ^ 56; });
    for (int i = 0; i < group_size_[0]; ++i) {
        const int above = above_diagonal(men.squares[static_cast<std::size_t>(i)]);
        if (above == 0) continue;
        if (above > 0)
            change_squares(men, [](int square) { return (square >> 3 | square << 3) & 63; });
        break;
    }
    const int a = men.squares[0], b = men.squares[1], c = men.squares[2];
    const auto below = [](int square) {
        return static_cast<std::uint64_t>(kGeometry.below[square]);
    };
    const auto unsigned_of = [](int value) { return static_cast<std::uint64_t>(value); };
    if (!three_leading_) return unsigned_of(kGeometry.kings[kGeometry.triangle[a]][b]);

    const int b_before = b > a, c_before = (c > a) + (c > b);
    if (above_diagonal(a) != 0)
        return unsigned_of((kGeometry.triangle[a] * 63 + b - b_before) * 62 + c - c_before);
    constexpr std::uint64_t first_off = 6 * 63 * 62, second_off = 4 * 28 * 62,
                            third_off = 4 * 7 * 28;
    const std::uint64_t first = unsigned_of(rank_number(a));
    if (above_diagonal(b) != 0)
        return first_off + (first * 28 + below(b)) * 62 + unsigned_of(c - c_before);
    const std::uint64_t second = unsigned_of(rank_number(b) - b_before);
    if (above_diagonal(c) != 0)
        return first_off + second_off + (first * 7 + second) * 28 + below(c);
    return first_off + second_off + third_off + (first * 7 + second) * 6 +
           unsigned_of(rank_number(c) - c_before);
}

std::uint64_t Numbering::number(PlacedMen men) const {
    // The men in the order of the file.
    for (int i = 0; i < men_; ++i)
        for (int j = i; j < men_; ++j) {
            const auto to = static_cast<std::size_t>(i), from = static_cast<std::size_t>(j);
            if (men.pieces[from] != pieces_[to]) continue;
            std::swap(men.pieces[from], men.pieces[to]);
            std::swap(men.squares[from], men.squares[to]);
            break;
        }
    std::uint64_t number = (pawns_ ? number_of_pawns(men) : number_of_pieces(men)) * factor_[0];

    int begin = group_size_[0];
    for (std::size_t group = 1; group < group_size_.size() && group_size_[group] > 0; ++group) {
        const int end = begin + group_size_[group];
        const auto squares = men.squares.begin();
        sort_squares(men, begin, end, [](int a, int b) { return a < b; });
        // Pawns cannot stand on the first rank, so their squares count from the second.
        const int skipped = group == 1 && other_pawns_ ? 8 : 0;
        std::uint64_t place = 0;
        for (int i = begin; i < end; ++i) {
            const int square = squares[i];
            const auto before = std::count_if(squares, squares + begin,
                                              [square](int other) { return other < square; });
            place += kGeometry.choose[i - begin + 1][square - static_cast<int>(before) - skipped];
        }
        number += place * factor_[group];
        begin = end;
    }
    return number;
}

}  // namespace rokada::engine
