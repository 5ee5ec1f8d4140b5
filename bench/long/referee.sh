#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `rokada match` itself costs and promises; nothing else should run:
#   200 games at 1+0.01 between two copies, two at a time: no loss on time, at most 3 % longer than the engines thought,
#   less than 50 MB; the same tournament killed and resumed: the same pairings, each once; both protocols in one tournament.
# Exit code 1 if one of these does not hold.
#   bench/long/referee.sh [GAMES]
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/games
games=${1:-200}
folder=build/referee
rm -rf "$folder"
mkdir -p "$folder"
program=$(bench/program.sh)
openings=$(bench/long/openings.sh)
code=0

verdict() { # verdict TEXT CONDITION: the condition is arithmetic of awk
    if awk "BEGIN {exit !($2)}"; then echo "$1"; else echo "$1  TOO MUCH" && code=1; fi
}
# copies FILE FLAG...: the tournament of two copies
copies() {
    local file=$1
    shift
    exec build/rokada match --openings "$openings" --concurrency 2 --pgn "$file" --json \
        --engine "cmd='$program uci' name=one option.Hash=16" --engine "cmd='$program uci' name=two option.Hash=16" "$@"
}
number() { sed -E "s/.*\"$1\":([0-9.]+).*/\\1/" "$2"; } # the first one of that name
pairings() { # number, players and opening of each game, in the order of the numbers
    awk -F'"' '/^\[Round /{r=$2} /^\[White /{w=$2} /^\[Black /{b=$2} /^1\. /{print r, w, b, $0}' "$1" | cut -c1-90 | sort -n
}

copies "$folder/copies.pgn" --each 'tc=1+0.01' --games "$games" >"$folder/copies.json" 2>"$folder/copies.txt" &
match=$!
peak=0
while kill -0 $match 2>/dev/null; do
    peak=$(awk -v p="$peak" '/^VmHWM/ {if ($2 > p) p = $2} END {print p}' /proc/$match/status 2>/dev/null || echo "$peak")
    sleep 1
done
wait $match
seconds=$(number seconds "$folder/copies.json")
thinking=$(number thinking_seconds "$folder/copies.json")
ratio=$(awk "BEGIN {printf \"%.3f\", $seconds / ($thinking / 2)}")
verdict "$games games at 1+0.01, two at a time: $seconds s, $ratio x half of what the engines thought" "$ratio <= 1.03"
verdict "memory: $((peak / 1024)) MB at most" "$peak < 50 * 1024"
lost=$(grep -c 'on time' "$folder/copies.pgn" || true)
verdict "losses on time: $lost" "$lost == 0"

# Killed without warning in the middle, and taken up again.
copies "$folder/whole.pgn" --each nodes=2000 --games 60 >/dev/null 2>&1 &
wait $!
copies "$folder/resumed.pgn" --each nodes=2000 --games 60 >/dev/null 2>&1 &
match=$!
until [ -f "$folder/resumed.pgn" ] && [ "$(grep -c '^\[Result' "$folder/resumed.pgn")" -ge 20 ]; do sleep 0.1; done
{ kill -9 $match && wait $match; } 2>/dev/null || true
before=$(grep -c '^\[Result' "$folder/resumed.pgn")
copies "$folder/resumed.pgn" --each nodes=2000 --games 60 --resume >/dev/null 2>&1 &
wait $!
pairings "$folder/whole.pgn" | cut -d' ' -f1-3 >"$folder/whole.txt"
pairings "$folder/resumed.pgn" | cut -d' ' -f1-3 >"$folder/resumed.txt"
same=$(cmp -s "$folder/whole.txt" "$folder/resumed.txt" && wc -l <"$folder/resumed.txt" || echo 0)
verdict "killed after $before of 60 games and resumed: $same games, the same pairings" "$same == 60"

build/rokada match --format round-robin --games 4 --each tc=1+0.01 --openings "$openings" --pgn "$folder/both.pgn" \
    --engine "cmd='$program uci' name=rokada-uci" --engine "cmd='$program xboard' name=rokada-cecp proto=xboard" \
    --engine 'cmd=fairymax proto=xboard' --engine 'cmd=toga2' >"$folder/both.txt" 2>&1 || code=1
failures=$(grep -c ' lost: ' "$folder/both.txt" || true)
verdict "four engines, both protocols: $(grep -c '^\[Result' "$folder/both.pgn") games, engines that failed: $failures" "$failures == 0"
exit $code
