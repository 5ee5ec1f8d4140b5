// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/kernels.hpp"
#include "tests/engine/kernels/backend.hpp"

namespace rokada::engine {

const Backend kAvx2 = ROKADA_BACKEND(avx2);

}  // namespace rokada::engine
