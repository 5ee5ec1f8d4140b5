// SPDX-License-Identifier: GPL-3.0-or-later
// Included before everything else when the module with threads is compiled: Debian's libc++ for WebAssembly knows no threads, but shared
// pointers must be counted with atomic operations all the same.
#pragma once

#include <__config>
#undef _LIBCPP_HAS_NO_THREADS
#include <__memory/shared_ptr.h>
#define _LIBCPP_HAS_NO_THREADS
