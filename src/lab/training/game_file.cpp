// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/training/game_file.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <zstd.h>

#include "lab/file_bytes.hpp"
#include "lab/training/game_bytes.hpp"

namespace rokada::lab {

namespace {

constexpr std::uint32_t kZstdMagic = 0xFD2FB528;

std::string decompress(const std::string& path, std::vector<unsigned char>& bytes) {
    std::uint32_t magic = 0;
    if (bytes.size() >= 4) std::memcpy(&magic, bytes.data(), 4);
    if (magic != kZstdMagic) return "";
    std::vector<unsigned char> plain;
    ZSTD_DStream* stream = ZSTD_createDStream();
    std::vector<unsigned char> chunk(ZSTD_DStreamOutSize());
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t status = 0;
    while (in.pos < in.size) {
        ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
        status = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(status)) break;
        plain.insert(plain.end(), chunk.begin(),
                     chunk.begin() + static_cast<std::ptrdiff_t>(out.pos));
    }
    ZSTD_freeDStream(stream);
    if (ZSTD_isError(status)) return path + ": " + ZSTD_getErrorName(status);
    if (status != 0) return path + ": the compressed data ends early";
    bytes = std::move(plain);
    return "";
}

}  // namespace

std::string read_training_games(const std::string& path,
                                const std::function<void(const TrainingGame&)>& on_game) {
    std::vector<unsigned char> bytes;
    if (std::string problem = read_whole_file(path, bytes); !problem.empty()) return problem;
    if (std::string problem = decompress(path, bytes); !problem.empty()) return problem;
    return parse_training_games(path, bytes, on_game);
}

std::string_view GameHeader::wrong() const {
    if (result > kNoResult) return "the result is not 0, 1, 2 or 3";
    if (opening > plies) return "the opening is longer than the game";
    if (result == kNoResult && scores() != 1) return "a game without a result has not one score";
    return "";
}

std::optional<GameHeader> read_game_header(std::span<const unsigned char> bytes) {
    if (bytes.size() < 4) return std::nullopt;
    return GameHeader{bytes[0] | std::size_t{bytes[1]} << 8, bytes[2], bytes[3]};
}

std::string parse_training_games(const std::string& name, const std::vector<unsigned char>& bytes,
                                 const std::function<void(const TrainingGame&)>& on_game) {
    TrainingGame game;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t begin = at;
        const auto wrong = [&](std::string_view what) {
            return name + ": byte " + std::to_string(begin) + ": " + std::string(what);
        };
        const auto header = read_game_header(std::span(bytes).subspan(begin));
        if (!header) return wrong("a game's header is cut off");
        if (!header->wrong().empty()) return wrong(header->wrong());
        if (bytes.size() - begin < header->size()) return wrong("a game is cut off");
        game.opening = static_cast<int>(header->opening);
        game.result = header->result;
        game.moves.resize(header->plies);
        game.scores.resize(header->scores());
        at += 4;
        std::memcpy(game.moves.data(), bytes.data() + at, 2 * game.moves.size());
        at += 2 * game.moves.size();
        std::memcpy(game.scores.data(), bytes.data() + at, 2 * game.scores.size());
        at += 2 * game.scores.size();
        on_game(game);
    }
    return "";
}

void append_training_game(const TrainingGame& game, std::vector<unsigned char>& bytes) {
    const auto push = [&](std::uint16_t value) {
        bytes.push_back(static_cast<unsigned char>(value & 255));
        bytes.push_back(static_cast<unsigned char>(value >> 8));
    };
    push(static_cast<std::uint16_t>(game.moves.size()));
    bytes.push_back(static_cast<unsigned char>(game.opening));
    bytes.push_back(static_cast<unsigned char>(game.result));
    for (const std::uint16_t move : game.moves) push(move);
    for (const std::int16_t score : game.scores) push(static_cast<std::uint16_t>(score));
}

std::string write_training_file(const std::string& path, const std::vector<unsigned char>& bytes) {
    const std::string part = path + ".part";
    std::ofstream file(part, std::ios::binary);
    const auto write = [&](const void* data, std::size_t size) {
        file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    };
    const std::string_view name = path;
    if (name.size() > 4 && name.substr(name.size() - 4) == ".zst") {
        std::vector<unsigned char> packed(ZSTD_compressBound(bytes.size()));
        const std::size_t size =
            ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 9);
        if (ZSTD_isError(size)) return path + ": " + ZSTD_getErrorName(size);
        write(packed.data(), size);
    } else {
        write(bytes.data(), bytes.size());
    }
    file.close();
    if (!file || std::rename(part.c_str(), path.c_str()) != 0) return path + ": cannot be written";
    return "";
}

std::int16_t to_training_score(const engine::Score& score) {
    constexpr int kMate = 30000, kLargest = 29000;
    if (!score.is_mate())
        return static_cast<std::int16_t>(std::clamp(score.centipawns(), -kLargest, kLargest));
    const int moves = std::clamp(score.moves_to_mate(), -400, 400);
    return static_cast<std::int16_t>(moves > 0 ? kMate - (2 * moves - 1) : -(kMate + 2 * moves));
}

Move decode_training_move(const Position& position, std::uint16_t stored) {
    const Square from = square_at(stored & 63), to = square_at((stored >> 6) & 63);
    const int promotion = stored >> 12;
    const Piece moving = position.at(from);
    if (moving == Piece::None) return Move();
    Move move(from, to);
    if (promotion > 4) return Move();
    if (promotion >= 1)
        move = Move::promotion(from, to, static_cast<PieceType>(promotion));
    else if (type_of(moving) == PieceType::Pawn && to == position.en_passant() &&
             file_of(from) != file_of(to))
        move = Move::en_passant(from, to);
    else if (type_of(moving) == PieceType::King && std::abs(index(from) - index(to)) == 2) {
        const CastlingSide side = to > from ? CastlingSide::King : CastlingSide::Queen;
        if (!position.castling().has(position.turn(), side)) return Move();
        move = Move::castling(from, position.castling().rook(position.turn(), side));
    }
    return position.is_legal(move) ? move : Move();
}

std::uint16_t encode_training_move(Move move) {
    Square to = move.to();
    if (move.is_castling())
        to = castled_king(rank_of(move.from()) == Rank::R1 ? Color::White : Color::Black,
                          move.castling_side());
    const int promotion = move.is_promotion() ? index(move.promoted()) : 0;
    return static_cast<std::uint16_t>(index(move.from()) | index(to) << 6 | promotion << 12);
}

}  // namespace rokada::lab
