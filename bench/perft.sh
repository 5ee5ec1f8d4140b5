#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of both move generators beside Debian's Stockfish, in one run: one thread, no hash, the last ply counted.
# The figures are user time without start-up, the median of several rounds that take turns.
#   bench/perft.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}
program=build/rokada
stockfish=$(PATH=$PATH:/usr/games command -v stockfish || true)
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'

# Seconds of user time of a command, run several times.
user_time() { # TIMES COMMAND...
    local times=$1 TIMEFORMAT=%U
    shift
    { time for _ in $(seq "$times"); do "$@" >/dev/null; done; } 2>&1 | awk -v n="$times" '{printf "%.6f\n", $1 / n}'
}
seconds() { local TIMEFORMAT=%R; { time "$@" >/dev/null; } 2>&1; }
median() { sort -g | awk '{a[NR] = $1} END {print NR % 2 ? a[(NR + 1) / 2] : (a[NR / 2] + a[NR / 2 + 1]) / 2}'; }

ask_stockfish() { printf 'position fen %s\ngo perft %s\nquit\n' "$1" "$2" | "$stockfish"; }
start_stockfish() { echo quit | "$stockfish"; }
ask_us() { "$program" perft "$2" --fen "$1" --generator "$3"; }
start_us() { "$program" perft 0; }

work=$(mktemp -d "${TMPDIR:-/tmp}/rokada-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
measure() { # NAME FEN DEPTH NODES
    local name=$1 fen=$2 depth=$3 nodes=$4
    rm -f "$work"/*
    for _ in $(seq "$rounds"); do
        if [ -n "$stockfish" ]; then
            user_time 3 start_stockfish >>"$work/stockfish-start"
            user_time 2 ask_stockfish "$fen" "$depth" >>"$work/stockfish"
        fi
        user_time 10 start_us >>"$work/start"
        user_time 2 ask_us "$fen" "$depth" list >>"$work/list"
        user_time 10 ask_us "$fen" "$depth" count >>"$work/count"
    done
    local ours theirs=
    ours=$(median <"$work/start")
    [ -z "$stockfish" ] || theirs=$(awk -v a="$(median <"$work/stockfish")" -v b="$(median <"$work/stockfish-start")" 'BEGIN {print a - b}')
    echo "$name, depth $depth, $nodes leaves"
    for generator in list count; do
        awk -v name="$generator" -v time="$(median <"$work/$generator")" -v start="$ours" -v nodes="$nodes" -v theirs="$theirs" 'BEGIN {
            time -= start
            printf "  rokada, %-6s %7.3f s  %7.1f M leaves/s", name, time, nodes / time / 1e6
            if (theirs) printf "  %5.2fx stockfish", theirs / time
            print ""
        }'
    done
    [ -z "$theirs" ] || awk -v time="$theirs" -v nodes="$nodes" 'BEGIN {printf "  stockfish      %7.3f s  %7.1f M leaves/s\n", time, nodes / time / 1e6}'
}

[ -n "$stockfish" ] || echo "stockfish is not installed: no comparison"
measure "Start position" "$start" 6 119060324
measure "Kiwipete" "$kiwipete" 5 193690690

for _ in $(seq "$rounds"); do
    for threads in 1 2; do
        seconds "$program" perft 7 --threads "$threads" >>"$work/threads-$threads"
    done
done
awk -v one="$(median <"$work/threads-1")" -v two="$(median <"$work/threads-2")" 'BEGIN {
    printf "Two threads, start position, depth 7: %.2f s and %.2f s, %.2fx\n", one, two, one / two}'
