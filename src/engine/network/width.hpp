// SPDX-License-Identifier: GPL-3.0-or-later
// Neurons per view of the network this program is built for; files of another width are refused. The build may choose
// another one (cmake -DROKADA_HIDDEN=384), to try networks that `rokada lab train --hidden 384` makes.
#pragma once

#ifndef ROKADA_HIDDEN
#define ROKADA_HIDDEN 256
#endif

namespace rokada::engine {

inline constexpr int kHiddenNeurons = ROKADA_HIDDEN;
// The widest vectors are filled, and even the narrowest have room for their partial sums.
static_assert(kHiddenNeurons % 64 == 0 && kHiddenNeurons >= 64 && kHiddenNeurons <= 1024);

}  // namespace rokada::engine
