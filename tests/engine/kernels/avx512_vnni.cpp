// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/kernels.hpp"
#include "tests/engine/kernels/backend.hpp"

namespace rokada::engine {

const Backend kAvx512Vnni = ROKADA_BACKEND(avx512_vnni);

}  // namespace rokada::engine
