// SPDX-License-Identifier: GPL-3.0-or-later
// What a processor without vectors gets. Every x86-64 has some: this one is made to forget them.
#undef __SSE2__
#include "engine/network/kernels.hpp"
#include "tests/engine/kernels/backend.hpp"

namespace rokada::engine {

const Backend kPlain = ROKADA_BACKEND(plain);

}  // namespace rokada::engine
