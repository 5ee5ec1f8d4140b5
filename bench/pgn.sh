#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reading PGN with every move checked, beside pgn-extract, in one run. Files are repeated to 200 MB; the figures are of
# user and system time, so that other work on the machine disturbs them little.
#   bench/pgn.sh [MEGABYTES]
# Uses the larger collections of $ROKADA_SHARED or ../shared where there are any, else bench/sample.pgn.
set -euo pipefail
cd "$(dirname "$0")/.."
megabytes=${1:-200}
work=$(mktemp -d "${TMPDIR:-/tmp}/rokada-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
extract=$(PATH=$PATH:/usr/games command -v pgn-extract || true)
shared=${ROKADA_SHARED:-../shared}

# Repeats a file until it has that many megabytes.
repeat() {
    local size times
    size=$(stat -c %s "$1")
    times=$((megabytes * 1000000 / size))
    [ "$times" -gt 0 ] || times=1
    for _ in $(seq "$times"); do cat "$1"; done
}

# Seconds of CPU time of a command.
cpu_time() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>"$work/err"; } 2>&1 | awk '{printf "%.3f", $1 + $2}'
}

report() {
    awk -v name="$1" -v bytes="$2" -v moves="$3" -v time="$4" \
        'BEGIN {printf "  %-12s %7.2f s  %7.1f MB/s  %6.2f M moves/s\n", name, time, bytes / time / 1e6, moves / time / 1e6}'
}

measure() {
    local title=$1 file=$2 bytes moves ours theirs
    bytes=$(stat -c %s "$file")
    moves=$(build/rokada pgn check "$file" | sed -nE 's/.* ([0-9]+) moves.*/\1/p')
    echo "$title: $((bytes / 1000000)) MB, $moves moves"
    ours=$(cpu_time build/rokada pgn check "$file")
    report rokada "$bytes" "$moves" "$ours"
    if [ -n "$extract" ]; then
        theirs=$(cpu_time "$extract" -r -s "$file")
        report pgn-extract "$bytes" "$moves" "$theirs"
        awk -v a="$theirs" -v b="$ours" 'BEGIN {printf "  rokada is %.1fx as fast\n", a / b}'
    else
        echo "  pgn-extract is not installed"
    fi
}

if [ -d "$shared/data/pgn" ]; then
    repeat "$shared/data/pgn/lichess_db_1000k.pgn" >"$work/games.pgn"
    measure "Lichess games with clocks" "$work/games.pgn"
    rm "$work/games.pgn"
    unzip -p "$shared/data/books/8moves_v3.pgn.zip" >"$work/book.pgn"
    repeat "$work/book.pgn" >"$work/games.pgn"
    measure "Openings of 8 moves" "$work/games.pgn"
else
    repeat bench/sample.pgn >"$work/games.pgn"
    measure "Famous games" "$work/games.pgn"
fi
