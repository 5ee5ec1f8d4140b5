// SPDX-License-Identifier: GPL-3.0-or-later
// Extended Position Description: the first four fields of a FEN and operations, `bm Nf3; id "BK.01";`. Reads
// the strict form and the loose ones of test suites: counters present, operations parted from the position by
// `;`, a last operation without one, unquoted text. Used by test suites, the lab and perft.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/notation/parse_error.hpp"
#include "chess/position.hpp"

namespace rokada {

struct EpdOperand {
    std::string text;
    bool quoted = false;

    friend bool operator==(const EpdOperand& a, const EpdOperand& b) {
        return a.text == b.text && a.quoted == b.quoted;
    }
};

struct EpdOperation {
    std::string opcode;
    std::vector<EpdOperand> operands;

    std::string text() const;  // all operands, joined by one blank

    friend bool operator==(const EpdOperation& a, const EpdOperation& b) {
        return a.opcode == b.opcode && a.operands == b.operands;
    }
};

struct Epd {
    // With its counters, whether they came as fields or as the operations hmvc and fmvn.
    Position position;
    std::vector<EpdOperation> operations;

    // The first operation of that name; null if there is none.
    const EpdOperation* find(std::string_view opcode) const;
    // The operands of an operation as moves, "bm Nf3 e4"; empty if there is no such operation. An error's
    // offset counts within the operand.
    Result<std::vector<Move>, ParseError> moves(std::string_view opcode) const;
};

Result<Epd, ParseError> parse_epd(std::string_view line);

// One line without its end. Counters other than `0 1` become hmvc and fmvn.
std::string to_epd(const Epd& epd);

}  // namespace rokada
