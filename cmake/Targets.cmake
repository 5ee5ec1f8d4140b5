# SPDX-License-Identifier: GPL-3.0-or-later
# The three kinds of target this project has.

# rokada_library(NAME [DEPENDS targets...] [SYSTEM libraries...]): every .cpp of this folder (and below).
function(rokada_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS;SYSTEM" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(rokada_${name} STATIC ${sources})
  target_link_libraries(rokada_${name} PUBLIC rokada_flags)
  foreach(dependency ${arg_DEPENDS})
    target_link_libraries(rokada_${name} PUBLIC rokada_${dependency})
  endforeach()
  target_link_libraries(rokada_${name} PUBLIC ${arg_SYSTEM})
endfunction()

# rokada_test(NAME DEPENDS targets...): one GoogleTest program from every .cpp of tests/NAME, known to ctest case by case.
function(rokada_test name)
  cmake_parse_arguments(arg "" "" "DEPENDS;SYSTEM" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(test_${name} PRIVATE
    ROKADA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ROKADA_BINARY="${CMAKE_BINARY_DIR}/rokada")
  foreach(dependency ${arg_DEPENDS})
    target_link_libraries(test_${name} PRIVATE rokada_${dependency})
  endforeach()
  target_link_libraries(test_${name} PRIVATE ${arg_SYSTEM} GTest::gtest GTest::gmock GTest::gtest_main)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()

# rokada_fuzz(NAME DEPENDS targets...): a libFuzzer program from NAME.cpp with its corpus in corpus/NAME.
function(rokada_fuzz name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_executable(fuzz_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  foreach(dependency ${arg_DEPENDS})
    target_link_libraries(fuzz_${name} PRIVATE rokada_${dependency})
  endforeach()
endfunction()
