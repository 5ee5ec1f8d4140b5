// SPDX-License-Identifier: GPL-3.0-or-later
// What a playing level is: a row of integers selected by one dial. The Elo of a dial is measured
// (scale.hpp), not chosen. The set is frozen under a name; a change of any number here, or of
// anything else in this folder, needs a new name and a new calibration.
#pragma once

#include <cstdint>
#include <string_view>

namespace rokada::engine {

inline constexpr std::string_view kLevelSet = "levels-4";
inline constexpr int kWeakestElo = 400, kStrongestElo = 3200;
inline constexpr int kHighestDial = 1000;
// Below this a small searcher of its own plays, which overlooks moves; from here on the main search
// with few nodes.
inline constexpr int kMainSearchDial = 600;
// From here on the main search judges by the network, below by the hand-made evaluation. When one of them changes,
// the tests of the frozen set say whether the levels do.
inline constexpr int kNetworkDial = 800;

// Probabilities are thresholds for 16 random bits; 65536 = always.
struct Profile {
    int dial = 0;
    int nodes = 0;          // per move
    int perception = 0;     // 1/100 logit: how likely a plain capture at the root is seen
    int fading = 0;         // 1/100 logit: how much less likely with every ply
    int capture_chain = 0;  // plies of captures that are counted out
    int noise = 0;          // centipawns by which positions are misjudged, standard deviation
    int temperature = 0;    // 1/100 win-percent points: freedom among moves that look alike
    int cap = 0;            // 1/100 win-percent points: what it gives up knowingly at most
    int knowledge = 0;      // per mille of what it knows beyond material and development
    int recapture = 0;      // probabilities of skills that no player of this level lacks often
    int guarded = 0;        // that what one takes can be taken back
    int take_free = 0;
    int own_mate = 0;
    int prevent_mate = 0;
    int notice_queen = 0;
    int avoid_stalemate = 0;
    int elo = 0;  // measured

    bool main_search() const { return dial >= kMainSearchDial; }
    bool network() const { return dial >= kNetworkDial; }
    // Nothing is overlooked.
    bool clear_sighted() const { return perception >= 800; }
};

Profile profile_for_dial(int dial);
int dial_for_elo(int elo);
int elo_of_dial(int dial);

}  // namespace rokada::engine
