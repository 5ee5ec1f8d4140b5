// SPDX-License-Identifier: GPL-3.0-or-later
// A Responder for a request that came by another way than a connection of this server. Used by the
// relay between servers. A handler that wants a stream or a socket gives 501 there.
#pragma once

#include <functional>

#include "net/loop.hpp"
#include "net/responder.hpp"

namespace rokada::net {

// The answer is given once, on the executor.
Responder detached_responder(Executor executor, std::function<void(Response)> answer);

}  // namespace rokada::net
