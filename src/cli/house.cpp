// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/house.hpp"

namespace rokada::cli {

protocol::House make_house() {
    protocol::House house;
    house.version = ROKADA_VERSION;
    return house;
}

}  // namespace rokada::cli
