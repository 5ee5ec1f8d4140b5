#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Matches against the engines of Debian, and against the newest Stockfish as npm has it (WebAssembly under Node): 2+0.02, one
# thread, both colours of each opening; nothing else should run. Games already played are kept in build/strength and not
# played again. Where there is a floor, the lower end of the 95 % interval of our score has to reach it; of games against
# ourselves none may be lost by a fault. What is missed is named, and the exit code is 1.
#   bench/long/strength.sh [OPPONENT...]      all of them if none is named
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/games
folder=build/strength
mkdir -p "$folder"

program=$(bench/program.sh)

openings=$(bench/long/openings.sh)

# The package comes without its install script, which only makes links to the variants that are not used here.
npm_stockfish() {
    local package=$folder/npm/node_modules/stockfish
    [ -d "$package" ] || npm install --prefix "$folder/npm" --ignore-scripts --no-audit --no-fund --silent stockfish@19 >&2
    echo "$PWD/$package/bin/stockfish-19-lite-single.js"
}

# play NAME GAMES EVALUATION ENGINE-WORDS [MATCH-FLAG...]: goes on with the games there are, then prints the line of the encounter.
# `ours`, `clock` and `at_once` may be set to other words for our side, another clock, another number of games at a time; `floor` to
# the score in percent that has to be proven, `faultless` to demand that no engine loses a game by a fault.
play() {
    local name=$1 games=$2 evaluation=$3 words=$4
    shift 4
    local file=$folder/$evaluation-$name.pgn resume=()
    [ ! -s "$file" ] || resume=(--resume)
    build/rokada match --each "tc=${clock:-2+0.02}" --games "$games" --concurrency "${at_once:-$(nproc)}" --openings "$openings" \
        --engine "cmd='$program uci' name=rokada-$evaluation option.Hash=16 option.Evaluation=$evaluation ${ours:-}" \
        --engine "name=$name $words" --pgn "$file" "${resume[@]}" --json "$@" \
        >"$folder/$evaluation-$name.json" 2>"$folder/$evaluation-$name.txt" ||
        { echo "$name: the match failed, see $folder/$evaluation-$name.txt"; return 1; }
    grep -E ' v .*: |^Elo| lost: ' "$folder/$evaluation-$name.txt" | tail -n 4 | awk '/ v .*: / {text = ""} {text = text $0 "\n"} END {printf "%s", text}'
    bench/long/verdict.py "$folder/$evaluation-$name.json" ${floor:+--floor "$floor"} ${faultless:+--faultless}
}

encounter() {
    case $1 in
        toga2 | glaurung) floor=60 play "$1" 400 classical "cmd=$1 option.Hash=16" ;;
        gnuchess) floor=80 play gnuchess 100 classical "cmd='gnuchess -u'" ;;
        phalanx) floor=80 play phalanx 100 classical "cmd=phalanx proto=xboard" ;;
        fairymax | sjeng) floor=92 play "$1" 100 classical "cmd=$1 proto=xboard" ;;
        ethereal) floor=55 play ethereal 400 network "cmd=ethereal-chess option.Hash=16" ;;
        classical) play classical 400 network "cmd='$program uci' option.Hash=16 option.Evaluation=classical" --sprt 0,10 ;;
        stockfish) play stockfish 100 network "cmd=stockfish option.Hash=16" ;;
        stockfish-wasm) play stockfish-wasm 100 network "cmd='node $(npm_stockfish)' option.Hash=16" ;;
        # Two threads against one, one game at a time so that each thread has a processor.
        threads) floor=50 ours=option.Threads=2 at_once=1 play threads 400 network "cmd='$program uci' option.Hash=16" ;;
        # Many quick games against itself: nobody may lose on time, crash, or see another result than the referee. One side
        # speaks the xboard protocol, in which an engine says when it takes the game for ended.
        itself) faultless=yes clock=0.5+0.005 play itself 2000 network "cmd='$program' proto=xboard" ;;
        *) echo "strength.sh: no opponent '$1'" >&2 && return 2 ;;
    esac
}

opponents=(fairymax sjeng phalanx gnuchess glaurung toga2 classical ethereal stockfish stockfish-wasm threads itself)
[ $# = 0 ] || opponents=("$@")
code=0
for opponent in "${opponents[@]}"; do encounter "$opponent" || code=1; done
exit $code
