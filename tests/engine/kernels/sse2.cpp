// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/kernels.hpp"
#include "tests/engine/kernels/backend.hpp"

namespace rokada::engine {

const Backend kSse2 = ROKADA_BACKEND(sse2);

}  // namespace rokada::engine
