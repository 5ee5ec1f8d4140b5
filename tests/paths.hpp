// SPDX-License-Identifier: GPL-3.0-or-later
// Where a test or benchmark finds the source tree and the program; included before every one of them. They are functions,
// not literals, so that the objects are the same in every clone and come from the compiler's cache.
#pragma once

namespace rokada::testing_support {
const char* source_folder();
const char* program_path();
}  // namespace rokada::testing_support

#define ROKADA_SOURCE_DIR ::rokada::testing_support::source_folder()
#define ROKADA_BINARY ::rokada::testing_support::program_path()
