#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Test suites at 1 s per position, and the mates: every 13th of the list, or all with --all. Each mate the engine claims is
# checked: its sign, that it is not shorter than the shortest, and that its line is complete and ends in checkmate.
#   bench/long/suites.sh [--all] [--eval classical|network]
set -euo pipefail
cd "$(dirname "$0")/../.."
suites=${ROKADA_SHARED:-../shared}/data/suites
every=13
evaluation=network
while [ $# -gt 0 ]; do
    case $1 in
        --all) every=1 ;;
        --eval) evaluation=$2 && shift ;;
        *) echo "suites.sh: what is '$1'?" >&2 && exit 2 ;;
    esac
    shift
done
[ -d "$suites" ] || { echo "the suites are not here: $suites" >&2; exit 1; }
engine="cmd='$(bench/program.sh) uci' option.Hash=64 option.Evaluation=$evaluation"
code=0
build/rokada lab suite --engine "$engine" --concurrency "$(nproc)" \
    "$suites"/{wac,bratko-kopec,sts1-15-lan-v6,arasan2024}.epd || code=1
build/rokada lab suite --engine "$engine" --concurrency "$(nproc)" --every $every "$suites/mate/matetrack.epd" || code=1
exit $code
