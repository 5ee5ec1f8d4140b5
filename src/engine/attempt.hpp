// SPDX-License-Identifier: GPL-3.0-or-later
// For work that may find no memory or no thread: the engine never ends its host over that. Where there are no
// exceptions (the browser) there is nothing to catch.
#pragma once

#ifdef __cpp_exceptions
#include <new>
#include <system_error>
#else
#include <cstdlib>
#endif

namespace rokada::engine {

// Whether the work was done.
template <class Work>
bool attempt(Work work) {
#ifdef __cpp_exceptions
    try {
        work();
        return true;
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {
    }
    return false;
#else
    work();
    return true;
#endif
}

// Nothing can be begun: for whoever makes the engine to catch.
[[noreturn]] inline void no_memory() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

}  // namespace rokada::engine
