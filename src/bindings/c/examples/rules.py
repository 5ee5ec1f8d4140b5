#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rokada from Python through ctypes: rules, a fool's mate, and a move of the engine."""
import ctypes
import sys

rokada = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "librokada.so.1")
for name in ("rokada_last_error", "rokada_version", "rokada_game_end_reason"):
    getattr(rokada, name).restype = ctypes.c_char_p
for name in ("rokada_game_pgn", "rokada_move_san", "rokada_position_legal_moves"):
    getattr(rokada, name).restype = ctypes.c_size_t


class Limits(ctypes.Structure):
    _fields_ = (
        [("size", ctypes.c_size_t)]
        + [(name, ctypes.c_int64) for name in ("white", "black", "white_increment", "black_increment", "move")]
        + [("nodes", ctypes.c_uint64)]
        + [(name, ctypes.c_int32) for name in ("moves_to_go", "depth", "mate", "infinite", "ponder", "search_moves_length")]
        + [("search_moves", ctypes.c_void_p)]
    )


def check(error):
    if error:
        raise ValueError(rokada.rokada_last_error().decode())


def text(function, *arguments):
    length = function(*arguments, None, ctypes.c_size_t(0))
    buffer = ctypes.create_string_buffer(length + 1)
    function(*arguments, buffer, ctypes.c_size_t(length + 1))
    return buffer.value.decode()


print("librokada", rokada.rokada_version().decode())

game = ctypes.c_void_p()
check(rokada.rokada_game_new(None, 0, ctypes.byref(game)))
for move in ("f3", "e5", "g4"):
    check(rokada.rokada_game_play_san(game, move.encode()))

try:
    check(rokada.rokada_game_play_san(game, b"Qh5"))
    sys.exit("an illegal move was played")
except ValueError as error:
    print("refused:", error)

engine = ctypes.c_void_p()
check(rokada.rokada_engine_new(None, ctypes.byref(engine)))
check(rokada.rokada_engine_set_game(engine, game))
limits = Limits(size=ctypes.sizeof(Limits), depth=4)
move = ctypes.c_uint16()
check(rokada.rokada_engine_think(engine, ctypes.byref(limits), ctypes.byref(move), None))
check(rokada.rokada_engine_free(engine))

check(rokada.rokada_game_play(game, move))
assert rokada.rokada_game_end_reason(game) == b"checkmate", rokada.rokada_game_end_reason(game)
print(text(rokada.rokada_game_pgn, game))
rokada.rokada_game_free(game)
