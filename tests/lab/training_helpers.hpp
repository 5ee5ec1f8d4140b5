// SPDX-License-Identifier: GPL-3.0-or-later
// Something small to learn from, for the tests of training.
#pragma once

#include <random>
#include <vector>

#include "chess/movegen.hpp"
#include "lab/training/trainer.hpp"

namespace rokada::lab {

// Random games with made-up scores that depend on the board, so that there is something to learn.
inline std::vector<Record> some_records(int wanted, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Record> records;
    while (static_cast<int>(records.size()) < wanted) {
        Position position;
        for (int ply = 0; ply < 120 && static_cast<int>(records.size()) < wanted; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[random() % moves.size()]);
            constexpr int worth[] = {100, 300, 300, 500, 900, 0};
            int balance = 0;
            for (const Square s : position.occupied()) {
                const Piece p = position.at(s);
                balance += (color_of(p) == position.turn() ? 1 : -1) * worth[index(type_of(p))];
            }
            records.push_back(make_record(position, balance, static_cast<int>(random() % 3)));
        }
    }
    return records;
}

inline std::vector<const Record*> pointers(const std::vector<Record>& records) {
    std::vector<const Record*> all;
    for (const Record& r : records) all.push_back(&r);
    return all;
}

inline DataSet small_set() {
    DataSet set;
    set.training = some_records(20'000, 21);
    set.held_out = some_records(2'000, 22);
    return set;
}

inline TrainingPlan small_training_plan() {
    TrainingPlan plan;
    plan.hidden = 64;
    plan.batch = 512;
    plan.samples = 512 * 400;
    plan.report_every = 512 * 100;
    plan.target.result_share = 0;
    plan.rate = 5e-3;
    return plan;
}

}  // namespace rokada::lab
