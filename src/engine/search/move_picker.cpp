// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/move_picker.hpp"

#include <algorithm>
#include <cstring>

#include "engine/search/parameters.hpp"
#include "engine/search/see.hpp"
#include "engine/search/switches.hpp"

namespace rokada::engine {

namespace {

// What a piece has to fear from a pawn, in units of order_pawn_threat; pawns and kings do not count.
constexpr PerPieceType<int> kFear{{0, 1, 2, 3, 4, 0}};

// The greatest of the numbers, eight at a time; behind the last one stand seven that do not matter. Plain vectors, so that they
// compile to whatever the CPU has.
std::int64_t greatest(const std::int64_t* first, const std::int64_t* last) {
    typedef std::int64_t Eight __attribute__((vector_size(64)));
    typedef std::int64_t Four __attribute__((vector_size(32)));
    typedef std::int64_t Two __attribute__((vector_size(16)));
    Eight eight, more;
    std::memcpy(&eight, first, sizeof eight);
    for (first += 8; first < last; first += 8) {
        std::memcpy(&more, first, sizeof more);
        eight = eight > more ? eight : more;
    }
    const Four low = __builtin_shufflevector(eight, eight, 0, 1, 2, 3);
    const Four high = __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    const Four four = low > high ? low : high;
    const Two left = __builtin_shufflevector(four, four, 0, 1);
    const Two right = __builtin_shufflevector(four, four, 2, 3);
    const Two two = left > right ? left : right;
    return std::max(two[0], two[1]);
}

}  // namespace

MovePicker::MovePicker(const Position& position, const Checks& checks, Histories& histories,
                       const Continuations& continuations, const TranspositionTable& table,
                       Move table_move)
    : position_(position),
      checks_(&checks),
      histories_(histories),
      continuations_(continuations),
      table_(table),
      table_move_(table_move) {
    if (!kUse.move_ordering) table_move_ = Move();
    if (!table_move_) stage_ = Stage::MakeNoisy;
}

MovePicker::MovePicker(const Position& position, Histories& histories,
                       const TranspositionTable& table, Move table_move, Value threshold)
    : position_(position),
      histories_(histories),
      table_(table),
      table_move_(table_move),
      threshold_(threshold),
      noisy_only_(true) {
    if (!table_move_ || !is_noisy(position_, table_move_)) {
        table_move_ = Move();
        stage_ = Stage::MakeNoisy;
    }
}

// Dear victims first, then by experience with this capture.
void MovePicker::make_noisy() {
    MoveList moves;
    generate(position_, MoveSet::Noisy, moves);
    std::size_t end = end_;
    Scored best = kNothing;
    for (const Move m : moves) {
        const Value gain = exchange_value(position_.captured(m)) +
                           (m.is_promotion() ? exchange_value(PieceType::Queen) : 0);
        const int score = gain * kSearch.order_victim + histories_.capture_of(position_, m);
        list_[end] = scored(m, kUse.move_ordering ? score : 0, end);
        best = std::max(best, list_[end]);
        ++end;
    }
    close_list(end, best);
}

void MovePicker::make_quiet() {
    const Color us = position_.turn();
    const auto& butterfly = histories_.butterfly[us];
    const HistoryValue* const pawn = half_of(histories_.pawn_of(position_), us);
    const HistoryValue* const one = half_of(*continuations_.one, us);
    const HistoryValue* const two = half_of(*continuations_.two, us);
    const HistoryValue* const four = half_of(*continuations_.four, us);
    const HistoryValue* const six = half_of(*continuations_.six, us);
    // Many small waits in a row otherwise; the moves take time enough to generate.
    for (const HistoryValue* const half : {pawn, one, two}) prefetch_half(half);

    MoveList moves;
    generate(position_, MoveSet::Quiet, moves);
    const Bitboard pawn_threats = pawn_attacks(~us, position_.pieces(~us, PieceType::Pawn));
    std::size_t end = end_;
    Scored best = kNothing;
    for (const Move m : moves) {
        const PieceType type = type_of(position_.at(m.from()));
        const auto where = static_cast<std::size_t>(index(type) * 64 + index(m.to()));
        int score = 2 * (butterfly[from_to(m)] + pawn[where] + one[where]) + two[where] +
                    four[where] / 2 + six[where] / 2;
        // A piece leaves the attack of a pawn gladly and walks into one unwillingly.
        score += kSearch.order_pawn_threat * kFear[type] *
                 (pawn_threats.contains(m.from()) - pawn_threats.contains(m.to()));
        if (checks_->squares(type).contains(m.to()) &&
            exchange_reaches(position_, m, -kSearch.order_check_exchange))
            score += kSearch.order_check;
        if (m.is_promotion()) score -= kSearch.order_under_promotion;
        list_[end] = scored(m, kUse.move_ordering ? score : 0, end);
        best = std::max(best, list_[end]);
        ++end;
    }
    close_list(end, best);
}

void MovePicker::close_list(std::size_t end, Scored best) {
    end_ = end;
    best_ = best;
    std::fill_n(list_ + end, kBehind, kNothing);
}

MovePicker::Scored MovePicker::take_best() {
    const Scored best = best_ != kNothing ? best_ : greatest(list_ + at_, list_ + end_);
    best_ = kNothing;
    // The one in front takes its place.
    const Scored place = best & kPlaceMask;
    list_[place] = (list_[at_] & ~kPlaceMask) | place;
    ++at_;
    return best;
}

Move MovePicker::next() {
    switch (stage_) {
        case Stage::Table: stage_ = Stage::MakeNoisy; return announce(table_move_);

        case Stage::MakeNoisy:
            make_noisy();
            stage_ = Stage::GoodNoisy;
            [[fallthrough]];

        case Stage::GoodNoisy:
            while (at_ < end_) {
                const Scored scored = take_best();
                const Move m = move_of(scored);
                if (m == table_move_) continue;
                announce(m);  // most are good enough, and the exchange takes time to count
                // A capture with a good record may lose a little and still count as good.
                const Value wanted = noisy_only_
                                         ? threshold_
                                         : -score_of(scored) / kSearch.order_good_capture_divisor;
                if (exchange_reaches(position_, m, wanted)) return m;
                list_[bad_end_++] = scored;
            }
            if (noisy_only_) {
                stage_ = Stage::Done;
                return Move();
            }
            stage_ = Stage::MakeQuiet;
            [[fallthrough]];

        case Stage::MakeQuiet:
            at_ = end_ = bad_end_;
            if (!skip_quiets_) make_quiet();
            stage_ = Stage::Quiet;
            [[fallthrough]];

        case Stage::Quiet:
            while (!skip_quiets_ && at_ < end_)
                if (const Move m = move_of(take_best()); m != table_move_) return announce(m);
            stage_ = Stage::BadNoisy;
            at_ = 0;
            [[fallthrough]];

        case Stage::BadNoisy:
            if (at_ < bad_end_) return announce(move_of(list_[at_++]));
            stage_ = Stage::Done;
            [[fallthrough]];

        case Stage::Done: break;
    }
    return Move();
}

}  // namespace rokada::engine
