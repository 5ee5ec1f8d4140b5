// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/qr_code.hpp"

#include <memory>

#include <qrencode.h>

namespace rokada::server {

std::string qr_code(const std::string& text) {
    const std::unique_ptr<QRcode, void (*)(QRcode*)> code(
        QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_L), QRcode_free);
    if (!code) return "";
    constexpr int kMargin = 2;
    const auto dark = [&code](int row, int column) {
        if (row < 0 || column < 0 || row >= code->width || column >= code->width) return false;
        return (code->data[row * code->width + column] & 1) != 0;
    };
    // Black on white whatever the terminal's colours are; two rows to a line.
    std::string drawing;
    for (int row = -kMargin; row < code->width + kMargin; row += 2) {
        drawing += "\x1b[30;47m";
        for (int column = -kMargin; column < code->width + kMargin; ++column) {
            const bool upper = dark(row, column), lower = dark(row + 1, column);
            drawing += upper && lower ? "█" : upper ? "▀" : lower ? "▄" : " ";
        }
        drawing += "\x1b[0m\n";
    }
    return drawing;
}

}  // namespace rokada::server
