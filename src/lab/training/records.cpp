// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/training/records.hpp"

#include <cstdlib>

namespace rokada::lab {

Record make_record(const Position& position, int score, int white_result) {
    Record record;
    const Color us = position.turn();
    const auto seen = [us](Square s) { return relative(us, s); };
    std::uint64_t bits = position.occupied().bits();
    if (us == Color::Black) bits = __builtin_bswap64(bits);
    record.occupied = bits;
    int nth = 0;
    for (const Square s : Bitboard{bits}) {
        const Piece piece = position.at(seen(s));
        const int nibble = index(type_of(piece)) | (color_of(piece) == us ? 0 : 8);
        record.pieces[static_cast<std::size_t>(nth / 2)] |=
            static_cast<std::uint8_t>(nibble << (4 * (nth % 2)));
        ++nth;
    }
    record.score = static_cast<std::int16_t>(score);
    record.result = static_cast<std::uint8_t>(
        us == Color::White || white_result == kNoResult ? white_result : 2 - white_result);
    record.own_king = static_cast<std::uint8_t>(index(seen(position.king(us))));
    record.other_king = static_cast<std::uint8_t>(index(seen(position.king(~us))));
    return record;
}

void active_inputs(const Record& record, ActiveInputs& out) {
    // In a record the side to move is always "White".
    const engine::View own(Color::White, square_at(record.own_king));
    const engine::View other(Color::Black, square_at(record.other_king));
    int nth = 0;
    for (const Square s : Bitboard{record.occupied}) {
        const int nibble =
            (record.pieces[static_cast<std::size_t>(nth / 2)] >> (4 * (nth % 2))) & 15;
        const Piece piece = static_cast<Piece>(nibble);
        out.own[static_cast<std::size_t>(nth)] = static_cast<std::uint16_t>(own.feature(piece, s));
        out.other[static_cast<std::size_t>(nth)] =
            static_cast<std::uint16_t>(other.feature(piece, s));
        ++nth;
    }
    out.count = nth;
}

bool is_held_out(std::uint64_t game) { return mix_bits(game) % 100 == 0; }

std::string load_records(const std::string& path, const RecordFilter& filter, DataSet& set) {
    std::string problem;
    const std::string read = read_training_games(path, [&](const TrainingGame& game) {
        if (!problem.empty()) return;
        ++(game.is_branch() ? set.branches : set.games);
        auto& kept = is_held_out(set.games - 1) ? set.held_out : set.training;
        Position position;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const Move move = decode_training_move(position, game.moves[ply]);
            if (move.none()) {
                problem = path + ": game " + std::to_string(set.games + set.branches) + ", ply " +
                          std::to_string(ply + 1) + ": no legal move";
                return;
            }
            if (ply >= static_cast<std::size_t>(game.opening)) {
                ++set.positions;
                const int score = game.scores[ply - static_cast<std::size_t>(game.opening)];
                const bool quiet =
                    !position.in_check() && !position.is_capture(move) && !move.is_promotion();
                if (quiet && static_cast<int>(ply) >= filter.first_ply &&
                    std::abs(score) <= filter.largest_score)
                    kept.push_back(make_record(position, score, game.result));
            }
            position.play(move);
        }
    });
    return problem.empty() ? read : problem;
}

}  // namespace rokada::lab
