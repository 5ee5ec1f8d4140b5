// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and moves as the page reads them.
#pragma once

#include <string>

#include "bindings/wasm/json.hpp"
#include "chess/position.hpp"

namespace rokada::wasm {

// e1g1 in ordinary games; king takes rook where kings and rooks start elsewhere.
std::string write_uci(const Position& position, Move move);
// The fields of PositionReport in rokada.ts.
void write_position(Json& json, const Position& position);
void write_squares(Json& json, Bitboard squares);
const char* side_name(Color color);

}  // namespace rokada::wasm
