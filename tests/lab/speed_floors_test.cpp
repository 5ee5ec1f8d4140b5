// SPDX-License-Identifier: GPL-3.0-or-later
// bench/speed.sh fails when an engine is slower than it has to be, and says which.
#include <cstdio>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <sys/wait.h>

namespace rokada::lab {
namespace {

// The exit code and what is said of such measurements.
std::string judged(const std::string& measured) {
    const std::string path = testing::TempDir() + "rokada_speed_floors";
    std::ofstream(path) << measured;
    const std::string command =
        "'" + std::string(ROKADA_SOURCE_DIR) + "/bench/speed-floors.awk' '" + path + "' 2>&1";
    FILE* const pipe = ::popen(command.c_str(), "r");
    std::string output;
    for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
    const int status = ::pclose(pipe);
    std::remove(path.c_str());
    return std::to_string(WEXITSTATUS(status)) + " " + output;
}

TEST(SpeedFloors, NameTheEngineThatIsTooSlow) {
    const std::string network = "network                     2400000 nodes/s   1.20 x ethereal\n";
    const std::string classical = "classical                   1900000 nodes/s   1.50 x ethereal\n";
    const std::string threads =
        "two threads:\n2 threads                   4200000 nodes/s   1.80 x 1 thread\n";
    const std::string others =
        "network, baseline            900000 nodes/s   0.70 x ethereal\n"
        "ethereal                    1300000 nodes/s   1.00 x ethereal\n";
    EXPECT_EQ(judged(network + classical + others + threads), "0 all above their floors\n");
    EXPECT_EQ(judged(network + "classical  1 nodes/s   1.25 x ethereal\n" + others + threads),
              "1 below the floor: classical has 1.25 x, at least 1.5 x is wanted\n");
    EXPECT_EQ(judged(network + classical + "2 threads  1 nodes/s   1.79 x 1 thread\n"),
              "1 below the floor: 2 threads has 1.79 x, at least 1.8 x is wanted\n");
    EXPECT_THAT(judged("network  1 nodes/s   1.19 x ethereal\n" + classical + threads),
                testing::HasSubstr("network has 1.19 x"));
    EXPECT_EQ(judged(network + classical), "1 not measured: 2 threads\n");
}

}  // namespace
}  // namespace rokada::lab
