// SPDX-License-Identifier: GPL-3.0-or-later
// The lab's engine: speaks UCI like `rokada uci`, and every technique and number of the search is an
// option. `rokada lab ablation` and `rokada lab spsa` let it play.
#include "protocol/run.hpp"

int main() {
    rokada::protocol::House house;
    house.version = ROKADA_VERSION;
    return rokada::protocol::run_session(rokada::protocol::SessionKind::Uci, house);
}
