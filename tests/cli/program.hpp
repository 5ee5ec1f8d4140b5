// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program as a user would and keeps what it said. Every test gets a folder of its own.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace rokada::testing_support {

struct Answer {
    int code = -1;
    std::string out, err;
};

class Workplace {
  public:
    Workplace() {
        std::string name = (std::filesystem::temp_directory_path() / "rokada-test-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) folder_ = name;
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ifstream file(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

    // `arguments` as a shell reads them; the folder is the current one.
    Answer run(const std::string& arguments) const {
        const std::string command = "cd '" + folder_.string() + "' && '" + ROKADA_BINARY + "' " +
                                    arguments + " >.out 2>.err";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
    }

  private:
    std::filesystem::path folder_;
};

}  // namespace rokada::testing_support
