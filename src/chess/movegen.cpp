// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.hpp"

#if defined(__AVX512VBMI2__) && defined(__AVX512BW__)
#define ROKADA_COMPRESS 1
#include <immintrin.h>
#else
#define ROKADA_COMPRESS 0
#endif

namespace rokada {

namespace {

// Appends to a list; its place stays in a register, where the size of the list would be in memory.
class MoveWriter {
  public:
    explicit MoveWriter(MoveList& list) : list_(list), begin_(list.free_slots()), at_(begin_) {}
    ~MoveWriter() { list_.grow_to(at_); }
    MoveWriter(const MoveWriter&) = delete;
    MoveWriter& operator=(const MoveWriter&) = delete;

    bool any() const { return at_ != begin_; }
    void add(Move move) { (at_++)->move = move; }
    // For what nobody can guess: written in any case, kept or not without a branch.
    void add_if(bool kept, Move move) {
        at_->move = move;
        at_ += kept;
    }
    // One piece to several squares.
    void add(Square from, Bitboard targets) {
#if ROKADA_COMPRESS
        store(targets, squares_of(targets), _mm512_set1_epi16(static_cast<short>(from)));
#else
        for (const Square to : targets) add(Move(from, to));
#endif
    }
    // Several pieces, each from one direction.
    void add(Bitboard targets, int offset) {
#if ROKADA_COMPRESS
        const __m512i to = squares_of(targets);
        store(targets, to, _mm512_sub_epi16(to, _mm512_set1_epi16(static_cast<short>(offset))));
#else
        for (const Square to : targets) add(Move(square_at(index(to) - offset), to));
#endif
    }

  private:
#if ROKADA_COMPRESS
    // The squares of the set in order, 16 bits each: of the numbers 0 to 63 those with a bit
    // remain.
    static __m512i squares_of(Bitboard set) {
        alignas(64) static constexpr auto kNumbers = [] {
            std::array<std::uint8_t, 64> numbers{};
            for (std::uint8_t i = 0; i < 64; ++i) numbers[i] = i;
            return numbers;
        }();
        const __m512i squares =
            _mm512_maskz_compress_epi8(set.bits(), _mm512_load_si512(kNumbers.data()));
        return _mm512_cvtepu8_epi16(_mm512_maskz_extracti64x4_epi64(0xFF, squares, 0));
    }
    // A set of at most 32 moves at once; only as many as there are squares count.
    void store(Bitboard targets, __m512i to, __m512i from) {
        _mm512_storeu_si512(at_, _mm512_or_si512(_mm512_slli_epi16(to, 6), from));
        at_ += targets.count();
    }
#endif
    MoveList& list_;
    MoveList::Slot* const begin_;
    MoveList::Slot* at_;
};

template <Color Us, MoveSet Set>
class MoveGenerator {
  public:
    MoveGenerator(const Position& position, MoveList& list)
        : position_(position),
          moves_(list),
          king_(position.king(Us)),
          occupied_(position.occupied()),
          enemies_(position.pieces(kThem)),
          wanted_(Set == MoveSet::All     ? ~position.pieces(Us)
                  : Set == MoveSet::Noisy ? enemies_
                                          : ~occupied_),
          answers_(position.in_check()
                       ? between(king_, position.checkers().first()) | position.checkers()
                       : kAllSquares) {}

    void run() {
        king_moves();
        if (position_.checkers().several()) return;
        pawn_moves();
        piece_moves();
        if (Set != MoveSet::Noisy) castlings();
    }

    // Stops at the first kind of piece that can move, the likely and cheap ones first.
    bool finds_one() {
        if (!position_.checkers().several()) {
            pawn_moves();
            if (moves_.any()) return true;
            piece_moves();
            if (moves_.any()) return true;
        }
        king_moves();
        castlings();  // in Chess960 it can be the only move
        return moves_.any();
    }

  private:
    static constexpr Color kThem = ~Us;
    static constexpr Direction kUp = forward(Us);
    static constexpr Direction kUpEast =
        Us == Color::White ? Direction::NorthEast : Direction::SouthEast;
    static constexpr Direction kUpWest =
        Us == Color::White ? Direction::NorthWest : Direction::SouthWest;
    static constexpr Bitboard kLastRank{relative(Us, Rank::R8)};
    static constexpr Bitboard kThirdRank{relative(Us, Rank::R3)};

    void king_moves() {
        // The king must not hide behind itself from a slider.
        const Bitboard without_king = occupied_ ^ Bitboard { king_ };
        for (const Square to : king_attacks(king_) & wanted_)
            moves_.add_if(!position_.attacked_by(kThem, to, without_king), Move(king_, to));
    }

    void castlings() {
        if (position_.in_check() || !position_.castling().any(Us)) return;
        for (const CastlingSide side : kCastlingSides)
            if (position_.may_castle(side))
                moves_.add(Move::castling(king_, position_.castling().rook(Us, side)));
    }

    // A pinned piece can never answer a check and otherwise stays on the line of its pin.
    void piece_moves() {
        const Bitboard targets = wanted_ & answers_;
        const Bitboard pinned = position_.pinned();
        const Bitboard free = position_.pieces(Us).without(pinned);
        for (const Square from : free& position_.pieces(PieceType::Knight))
            moves_.add(from, knight_attacks(from) & targets);
        for (const Square from : free& position_.pieces(PieceType::Bishop))
            moves_.add(from, bishop_attacks(from, occupied_) & targets);
        for (const Square from : free& position_.pieces(PieceType::Rook))
            moves_.add(from, rook_attacks(from, occupied_) & targets);
        for (const Square from : free& position_.pieces(PieceType::Queen))
            moves_.add(from, queen_attacks(from, occupied_) & targets);
        if (pinned.empty() || position_.in_check()) return;
        for (const Square from :
             pinned.without(position_.pieces(PieceType::Pawn, PieceType::Knight)))
            moves_.add(from, piece_attacks(type_of(position_.at(from)), from, occupied_) & targets &
                                 line_through(king_, from));
    }

    void pawn_moves() {
        const Bitboard pawns = position_.pieces(Us, PieceType::Pawn);
        const Bitboard pinned = pawns & position_.pinned();
        pushes_and_captures(pawns ^ pinned, answers_);
        if (!position_.in_check())
            for (const Square from : pinned)
                pushes_and_captures(Bitboard{from}, line_through(king_, from));
        if (Set == MoveSet::Quiet || position_.en_passant() == Square::None) return;
        for (const Square from : pawn_attacks(kThem, position_.en_passant()) & pawns)
            if (position_.may_take_en_passant(from))
                moves_.add(Move::en_passant(from, position_.en_passant()));
    }

    void pushes_and_captures(Bitboard pawns, Bitboard allowed) {
        const Bitboard single = shift<kUp>(pawns).without(occupied_);
        if (Set != MoveSet::Noisy) {
            const Bitboard twice = shift<kUp>(single & kThirdRank).without(occupied_);
            moves_.add(twice & allowed, 2 * static_cast<int>(kUp));
            add_steps<kUp>(single & allowed);
        } else {
            add_steps<kUp>(single & allowed & kLastRank);
        }
        // A capture that promotes to less than a queen counts as quiet.
        const Bitboard prey = (Set == MoveSet::Quiet ? enemies_ & kLastRank : enemies_) & allowed;
        add_steps<kUpEast>(shift<kUpEast>(pawns) & prey);
        add_steps<kUpWest>(shift<kUpWest>(pawns) & prey);
    }

    template <Direction D>
    void add_steps(Bitboard targets) {
        moves_.add(targets.without(kLastRank), static_cast<int>(D));
        for (const Square to : targets& kLastRank) {
            const Square from = to - D;
            if (Set != MoveSet::Quiet) moves_.add(Move::promotion(from, to, PieceType::Queen));
            if (Set == MoveSet::Noisy) continue;
            moves_.add(Move::promotion(from, to, PieceType::Knight));
            moves_.add(Move::promotion(from, to, PieceType::Rook));
            moves_.add(Move::promotion(from, to, PieceType::Bishop));
        }
    }

    const Position& position_;
    MoveWriter moves_;
    const Square king_;
    const Bitboard occupied_, enemies_;
    const Bitboard wanted_;   // where moves of this kind go
    const Bitboard answers_;  // in check: the checker itself and the squares in its way
};

template <MoveSet Set>
void generate_for_turn(const Position& position, MoveList& list) {
    if (position.turn() == Color::White)
        MoveGenerator<Color::White, Set>(position, list).run();
    else
        MoveGenerator<Color::Black, Set>(position, list).run();
}

}  // namespace

void generate(const Position& position, MoveSet set, MoveList& list) {
    switch (set) {
        case MoveSet::All: return generate_for_turn<MoveSet::All>(position, list);
        case MoveSet::Noisy: return generate_for_turn<MoveSet::Noisy>(position, list);
        case MoveSet::Quiet: return generate_for_turn<MoveSet::Quiet>(position, list);
    }
}

bool has_legal_move(const Position& position) {
    MoveList list;
    return position.turn() == Color::White
               ? MoveGenerator<Color::White, MoveSet::All>(position, list).finds_one()
               : MoveGenerator<Color::Black, MoveSet::All>(position, list).finds_one();
}

}  // namespace rokada
