// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/book/book.hpp"

#if !defined(__wasm__)

// The file goes into the program as it is; the assembler looks for it where headers are looked for.
asm(".section .rodata\n"
    ".balign 16\n"
    ".global rokada_book_begin\n"
    "rokada_book_begin:\n"
    ".incbin \"engine/book/default.bin\"\n"
    ".global rokada_book_end\n"
    "rokada_book_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const unsigned char rokada_book_begin[], rokada_book_end[];

static std::span<const std::uint8_t> built_in() { return {rokada_book_begin, rokada_book_end}; }

#else

// WebAssembly has no assembler sections; its compiler (clang 19) reads the file as an array instead.
static const unsigned char kBookBytes[] = {
#embed "default.bin"
};

static std::span<const std::uint8_t> built_in() { return kBookBytes; }

#endif

namespace rokada::engine {

Result<PolyglotBook, std::string> open_book(const std::string& name) {
    if (name.empty() || name == kNoBook || name == "<empty>") return PolyglotBook();
    if (name == kBuiltInBook) return PolyglotBook::view(built_in());
    return PolyglotBook::read(name);
}

}  // namespace rokada::engine
