# SPDX-License-Identifier: GPL-3.0-or-later
# What a build may choose, and the flags that follow from it.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

set(ROKADA_CPU native CACHE STRING "CPU level: baseline, v2, v3, v4 or native")
set(ROKADA_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")
option(ROKADA_TESTS "Build the tests" ON)
option(ROKADA_BENCH "Build the benchmarks" OFF)
option(ROKADA_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(ROKADA_COVERAGE "Instrument for line coverage (clang only)" OFF)
option(ROKADA_LTO "Optimise across translation units at link time" OFF)
set(ROKADA_PGO "" CACHE STRING "Profile guided optimisation: generate, then use")
set(ROKADA_PROFILE "" CACHE FILEPATH "The merged profile that ROKADA_PGO=use reads (clang only)")
set(ROKADA_HIDDEN 256 CACHE STRING "Neurons per view of the network, a multiple of 64 up to 1024")
set(ROKADA_NETWORK "" CACHE FILEPATH "A network file to build in instead of src/engine/network/default.nn")
option(ROKADA_WERROR "Treat warnings as errors" ON)
option(ROKADA_SERVER "Build the web server (needs Boost, SQLite, libsodium, OpenSSL)" ON)

if(ROKADA_CPU STREQUAL "native")
  set(cpu_flags -march=native)
elseif(ROKADA_CPU STREQUAL "baseline")
  set(cpu_flags -march=x86-64)
elseif(ROKADA_CPU MATCHES "^v[234]$")
  set(cpu_flags -march=x86-64-${ROKADA_CPU})
else()
  message(FATAL_ERROR "ROKADA_CPU must be baseline, v2, v3, v4 or native, not '${ROKADA_CPU}'")
endif()
# Below AVX, vectors wider than a register travel in another way than above; every object of a build has the same level.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS ${cpu_flags})
check_cxx_source_compiles("#ifndef __AVX__\n#error no\n#endif\nint main() {}" ROKADA_HAS_AVX)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT ROKADA_HAS_AVX)
  list(APPEND cpu_flags -Wno-psabi)
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT ROKADA_CPU STREQUAL "native")
  set(cpu_flags)
endif()

# What Clang 19 takes for "native" on processors with AVX10 it then calls a combination it has to mend.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-Winvalid-feature-combination ROKADA_WARNS_OF_FEATURES)
if(ROKADA_WARNS_OF_FEATURES)
  list(APPEND cpu_flags -Wno-invalid-feature-combination)
endif()

add_library(rokada_flags INTERFACE)
target_compile_options(rokada_flags INTERFACE ${cpu_flags})
target_include_directories(rokada_flags INTERFACE "${CMAKE_SOURCE_DIR}/src")

# Warnings apply to our own code only; headers of libraries are SYSTEM.
# GCC 12 sees overlapping copies in "text" + std::string where there are none (its bug 105651), and on some CPU levels strings
# that are read before they are written. Clang, which compiles all of it as well, looks for such reads without guessing.
target_compile_options(rokada_flags INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>"
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  # in C++, GCC leaves these out of -Wconversion, Clang does not
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  # std::stable_sort of libstdc++ 12 uses what libstdc++ 12 calls deprecated
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<BOOL:${ROKADA_WERROR}>:-Werror>)

if(ROKADA_SANITIZE)
  target_compile_options(rokada_flags INTERFACE
    -fsanitize=${ROKADA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(rokada_flags INTERFACE -fsanitize=${ROKADA_SANITIZE})
  target_compile_definitions(rokada_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(ROKADA_FUZZ)
  target_compile_options(rokada_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ROKADA_COVERAGE)
  target_compile_options(rokada_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(rokada_flags INTERFACE -fprofile-instr-generate)
endif()

# `make release` drives these; see tools/release.
if(ROKADA_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  target_link_options(rokada_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fuse-ld=lld-19>)
endif()
if(ROKADA_PGO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The counters lie beside the object files, so both steps use one build folder.
  if(ROKADA_PGO STREQUAL "generate")
    set(pgo_flags -fprofile-generate -fprofile-update=atomic)
  else()
    # What the training did not reach is still optimised for speed.
    set(pgo_flags -fprofile-use -fprofile-partial-training -fprofile-correction -Wno-missing-profile)
  endif()
elseif(ROKADA_PGO)
  if(ROKADA_PGO STREQUAL "generate")
    set(pgo_flags -fprofile-instr-generate)
  else()
    set(pgo_flags -fprofile-instr-use=${ROKADA_PROFILE} -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date)
  endif()
endif()
# Only what the training runs is compiled with it (rokada_library's PROFILED); the rest stays as it is in both steps.
target_link_options(rokada_flags INTERFACE ${pgo_flags})

find_program(CCACHE ccache)
if(CCACHE)
  # Paths are made relative, so that every checkout of the same source shares the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

find_package(Threads REQUIRED)
