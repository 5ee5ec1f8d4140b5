#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Our levels beside Debian's Stockfish 15.1 at the strength of the same number, with clocks: each has to score 50 % +/- 8. Both play on
# one thread with 16 MB, 8moves_v3 openings with both colours; nothing else should run. Games already played are kept in build/levels.
#   bench/long/levels.sh [ELO...]      1400, 1600, ... 3000 if none is named
# CLOCK (3+0.03) and GAMES (100) may be set to others.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/games
clock=${CLOCK:-3+0.03}
games=${GAMES:-100}
folder=build/levels
mkdir -p "$folder"

program=$(bench/program.sh)
openings=$(bench/long/openings.sh)

# Stockfish 15.1 makes a level of 0 to 20 from its `UCI_Elo`; what such a level is worth was measured by its developers later, for the
# next version. So: the later measure, Elo to level, then the earlier formula backwards, level to the number that 15.1 understands.
reference_option() { # reference_option ELO
    awk -v elo="$1" 'BEGIN {
        x = (elo - 1320) / 1870
        level = ((37.2473 * x - 40.8525) * x + 22.2943) * x - 0.311438
        printf "%.0f", 1346.6 + 143.4 * level ^ 0.806
    }'
}

code=0
levels=("$@")
[ $# -gt 0 ] || mapfile -t levels < <(seq 1400 200 3000)
for elo in "${levels[@]}"; do
    if [[ ! $elo =~ ^[0-9]+$ ]] || ((elo < 1360 || elo > 3190)); then
        echo "levels.sh: no reference for '$elo'" >&2
        exit 2
    fi
    file=$folder/$elo-${clock/+/-}
    resume=()
    [ ! -s "$file.pgn" ] || resume=(--resume)
    build/rokada match --each "tc=$clock option.Hash=16 option.UCI_LimitStrength=true" --games "$games" --concurrency "$(nproc)" \
        --openings "$openings" --engine "cmd='$program uci' name=rokada-$elo option.UCI_Elo=$elo" \
        --engine "cmd=stockfish name=stockfish-$elo option.UCI_Elo=$(reference_option "$elo")" \
        --pgn "$file.pgn" "${resume[@]}" --json >"$file.json" 2>"$file.txt" ||
        { echo "$elo: the match failed, see $file.txt"; code=1; continue; }
    grep -E ' v .*: ' "$file.txt" | tail -n 1
    bench/long/verdict.py "$file.json" --between 42,58 --faultless || code=1
done
exit $code
