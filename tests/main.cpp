// SPDX-License-Identifier: GPL-3.0-or-later
// The start of every test program. Each run gets a folder of its own for testing::TempDir(): ctest runs many at once, and two tests
// that write a file of the same name must not meet.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

int main(int count, char** words) {
    testing::InitGoogleMock(&count, words);
    std::string folder = (std::filesystem::temp_directory_path() / "rokada-run-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        std::perror(folder.c_str());
        return 1;
    }
    setenv("TEST_TMPDIR", folder.c_str(), 1);
    const int failures = RUN_ALL_TESTS();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return failures;
}
