// SPDX-License-Identifier: GPL-3.0-or-later
// Where a test or benchmark finds the source tree and the program, and how it was built; included before every one of
// them. The paths are functions, not literals, so that the objects are the same in every clone and come from the compiler's cache.
#pragma once

namespace rokada::testing_support {
const char* source_folder();
const char* program_path();

// Whether this is a build in which everything takes many times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif
}  // namespace rokada::testing_support

#define ROKADA_SOURCE_DIR ::rokada::testing_support::source_folder()
#define ROKADA_BINARY ::rokada::testing_support::program_path()
