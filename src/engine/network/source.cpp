// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/network.hpp"

#if !defined(__wasm__)

#include <fstream>
#include <vector>

// The file goes into the program as it is, aligned for the widest vectors.
asm(".section .rodata\n"
    ".balign 64\n"
    ".global rokada_network_begin\n"
    "rokada_network_begin:\n"
    ".incbin \"" ROKADA_NETWORK_FILE
    "\"\n"
    ".global rokada_network_end\n"
    "rokada_network_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const unsigned char rokada_network_begin[], rokada_network_end[];

namespace rokada::engine {

std::shared_ptr<const Network> Network::embedded() {
    static const std::shared_ptr<const Network> network = [] {
        auto loaded = load(rokada_network_begin,
                           static_cast<std::size_t>(rokada_network_end - rokada_network_begin));
        return loaded ? *loaded : nullptr;
    }();
    return network;
}

Result<std::shared_ptr<const Network>, std::string> Network::from_file(const std::string& path) {
    if (path.empty() || path == "<built in>") return embedded();
    std::ifstream file(path, std::ios::binary);
    if (!file) return Error{"the network file " + path + " cannot be opened"};
    // One byte more than a network has tells a longer file; a device may have no end.
    std::vector<char> bytes(sizeof(NetworkHeader) + network_payload_size(kHiddenNeurons) + 1);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (file.bad()) return Error{"the network file " + path + " cannot be read"};
    return load(reinterpret_cast<const unsigned char*>(bytes.data()),
                static_cast<std::size_t>(file.gcount()));
}

}  // namespace rokada::engine

#else

// WebAssembly has no assembler sections; its compiler (clang 19) reads the file as an array instead.
alignas(64) static const unsigned char kNetworkBytes[] = {
#embed ROKADA_NETWORK_FILE
};

namespace rokada::engine {

std::shared_ptr<const Network> Network::embedded() {
    static const std::shared_ptr<const Network> network = [] {
        auto loaded = load(kNetworkBytes, sizeof kNetworkBytes);
        return loaded ? *loaded : nullptr;
    }();
    return network;
}

Result<std::shared_ptr<const Network>, std::string> Network::from_file(const std::string& path) {
    if (path.empty() || path == "<built in>") return embedded();
    return Error{std::string("there are no files here; the network is built in")};
}

}  // namespace rokada::engine

#endif
