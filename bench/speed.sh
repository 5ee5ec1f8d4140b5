#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes per second of the search beside Debian's ethereal-chess: the same 20 positions, 2 s each, 16 MB, one thread, the
# median of three rounds that take turns. With --baseline also our build for any x86-64, which is what Debian's is.
# Below a floor it says which and ends with 1: the network 1.2 x Ethereal, classical 1.5 x, two threads 1.8 x one.
#   bench/speed.sh [--baseline]
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/games
program=$(bench/program.sh)
echo "program: ${program#"$PWD/"}"
engines=(--engine "cmd='$program uci' name=network option.Hash=16"
    --engine "cmd='$program uci' name=classical option.Hash=16 option.Evaluation=classical")
if [ "${1:-}" = --baseline ]; then
    cmake --preset baseline >build/logs/baseline.txt 2>&1
    cmake --build build/baseline --target rokada >>build/logs/baseline.txt 2>&1
    engines+=(--engine "cmd='$PWD/build/baseline/rokada uci' name='network, baseline' option.Hash=16"
        --engine "cmd='$PWD/build/baseline/rokada uci' name='classical, baseline' option.Hash=16 option.Evaluation=classical")
fi
mkdir -p build/logs
measured=build/logs/speed.txt
build/rokada lab speed "${engines[@]}" --engine "cmd='$(command -v ethereal-chess)' name=ethereal option.Hash=16" | tee "$measured"
echo "two threads:"
build/rokada lab speed --repeat 3 --engine "cmd='$program uci' name='2 threads' option.Hash=16 option.Threads=2" \
    --engine "cmd='$program uci' name='1 thread' option.Hash=16" | tee -a "$measured"
bench/speed-floors.awk "$measured"
