# SPDX-License-Identifier: GPL-3.0-or-later
# The kinds of target this project has.

# rokada_library(NAME [PROFILED] [DEPENDS targets...] [SYSTEM libraries...]): every .cpp of this folder (and below).
# PROFILED: its speed is worth a profile, see ROKADA_PGO.
function(rokada_library name)
  cmake_parse_arguments(arg "PROFILED" "" "DEPENDS;SYSTEM" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(source ${sources})
    # Link time optimisation would move assembly that includes a file to where it does not find it.
    file(STRINGS "${source}" including REGEX "\\.incbin" LIMIT_COUNT 1)
    if(including)
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -fno-lto)
    endif()
  endforeach()
  add_library(rokada_${name} STATIC ${sources})
  target_link_libraries(rokada_${name} PUBLIC rokada_flags)
  foreach(dependency ${arg_DEPENDS})
    target_link_libraries(rokada_${name} PUBLIC rokada_${dependency})
  endforeach()
  target_link_libraries(rokada_${name} PUBLIC ${arg_SYSTEM})
  if(arg_PROFILED AND pgo_flags)
    target_compile_options(rokada_${name} PRIVATE ${pgo_flags})
    set_target_properties(rokada_${name} PROPERTIES CXX_COMPILER_LAUNCHER "")
  endif()
endfunction()

# rokada_test(NAME DEPENDS targets...): one GoogleTest program from every .cpp of tests/NAME, known to ctest case by case.
function(rokada_test name)
  cmake_parse_arguments(arg "" "" "DEPENDS;SYSTEM" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_executable(test_${name} ${sources} "${CMAKE_SOURCE_DIR}/tests/main.cpp")
  target_include_directories(test_${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  rokada_tell_paths(test_${name})
  foreach(dependency ${arg_DEPENDS})
    target_link_libraries(test_${name} PRIVATE rokada_${dependency})
  endforeach()
  target_link_libraries(test_${name} PRIVATE ${arg_SYSTEM} GTest::gtest GTest::gmock)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60)
endfunction()

# rokada_fuzz(NAME): a libFuzzer program, fuzz_NAME, from NAME.cpp with its regression corpus in corpus/NAME.
function(rokada_fuzz name)
  rokada_included_targets(libraries "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  add_executable(fuzz_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  target_include_directories(fuzz_${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(fuzz_${name} PRIVATE ${libraries} rokada_flags)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# rokada_bench(NAME): a Google Benchmark program, bench_NAME, from NAME.cpp.
function(rokada_bench name)
  rokada_included_targets(libraries "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  add_executable(bench_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  target_include_directories(bench_${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  rokada_tell_paths(bench_${name})
  target_link_libraries(bench_${name} PRIVATE ${libraries} rokada_flags benchmark::benchmark)
endfunction()

# rokada_tell_paths(TARGET): gives a test or benchmark the names of tests/paths.hpp.
function(rokada_tell_paths target)
  set(file "${CMAKE_BINARY_DIR}/paths.cpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT [=[
namespace rokada::testing_support {
const char* source_folder() { return "@CMAKE_SOURCE_DIR@"; }
const char* program_path() { return "@CMAKE_BINARY_DIR@/rokada"; }
}  // namespace rokada::testing_support
]=] @ONLY)
  target_sources(${target} PRIVATE "${file}")
  target_compile_options(${target} PRIVATE -include "${CMAKE_SOURCE_DIR}/tests/paths.hpp")
endfunction()

# rokada_included_targets(VARIABLE FILE): the libraries of the folders of src/ whose headers FILE includes.
function(rokada_included_targets variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" folders REGEX "^#include \"[a-z]+/")
  list(TRANSFORM folders REPLACE "^#include \"([a-z]+)/.*" "\\1")
  list(REMOVE_DUPLICATES folders)
  list(REMOVE_ITEM folders tests bench)
  list(TRANSFORM folders PREPEND rokada_)
  set(${variable} ${folders} PARENT_SCOPE)
endfunction()
