// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation: what a move wins or loses once all captures on its target square have
// been made in the cheapest order. Used to order and to prune moves.
#pragma once

#include "chess/position.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

// The values exchanges are counted in; the king's is never collected.
inline constexpr PerPieceType<Value> kExchangeValue{{100, 310, 330, 500, 950, 0}};
constexpr Value exchange_value(PieceType type) {
    return type == PieceType::None ? 0 : kExchangeValue[type];
}
constexpr Value exchange_value(Piece piece) { return exchange_value(type_of(piece)); }

// True if the exchange started by the move gains at least the threshold. The move must be legal.
bool exchange_reaches(const Position& position, Move move, Value threshold);

}  // namespace rokada::engine
