#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a move costs: one server on its own file, one on PostgreSQL, and two on PostgreSQL and NATS where each move comes in at the one
# that does not run the game. Processor time of all that take part; PostgreSQL and NATS are started for it, with their usual settings.
# The three take turns, three times; the medians count. Exit code 1 if a move that is passed on costs the servers more than 1.5 times what
# it costs the single server with its file.
#   bench/long/cluster.sh [SECONDS] [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-10}
rounds=${2:-3}
players=256 # the same for all: the more wait for the disk together, the cheaper is each
rokada=${ROKADA:-build/rokada}
programs=
for folder in /usr/lib/postgresql/*/bin; do
    [ ! -x "$folder/initdb" ] || programs=$folder
done
nats=$(PATH=$PATH:/usr/sbin command -v nats-server || true)
if [ -z "$programs" ] || [ -z "$nats" ]; then
    echo "bench/long/cluster.sh: needs PostgreSQL and nats-server" >&2
    exit 1
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/rokada-bench-XXXXXX")
chmod 755 "$work"
# PostgreSQL refuses to run as root.
as_other=()
if [ "$(id -u)" = 0 ]; then
    as_other=(runuser -u postgres --)
    mkdir "$work/db" && chown postgres "$work" "$work/db"
fi
pg() { (cd "$work" && "${as_other[@]}" "$programs/$1" "${@:2}" >>"$work/postgres.log" 2>&1 </dev/null); }
nats_pid=
cleanup() {
    pg pg_ctl -D "$work/db" -w -m immediate stop || true
    [ -z "$nats_pid" ] || kill "$nats_pid" || true
    rm -rf "$work"
}
trap cleanup EXIT
pg initdb -D "$work/db" -U postgres -A trust
pg pg_ctl -D "$work/db" -w -o "-c listen_addresses= -c unix_socket_directories=$work" start
port=$((21000 + RANDOM % 900))
"$nats" -a 127.0.0.1 -p "$port" >"$work/nats.log" 2>&1 &
nats_pid=$!
postgres_pid=$(head -n 1 "$work/db/postmaster.pid")
base="postgresql:///postgres?user=postgres&host=$work"

schemas=0
fresh() {
    schemas=$((schemas + 1))
    "$programs/psql" -q -h "$work" -U postgres -c "CREATE SCHEMA s$schemas" postgres
    url="$base&options=-csearch_path%3Ds$schemas"
}

# Microseconds of a move, all together, into $cost; in the servers alone into $own.
measure() {
    local title=$1 out
    shift
    echo "$title"
    out=$("$rokada" lab load --seconds "$seconds" --players $players "$@")
    printf '%s\n' "$out" | sed 's/^/  /'
    own=$(printf '%s\n' "$out" | sed -nE 's/^processor time of a move: ([0-9.]+) us in the servers.*$/\1/p')
    cost=$(printf '%s\n' "$out" | sed -nE 's/^processor time of a move: ([0-9.]+) us in the servers(, ([0-9.]+) us.*)?$/\1 \3/p' | awk '{print $1 + $2}')
}

ask() { "$programs/psql" -qtA -h "$work" -U postgres -c "$1" postgres; }
median() { printf '%s\n' "$@" | sort -g | awk '{value[NR] = $1} END {print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2}'; }
all_file=() all_single=() all_single_own=() all_passed=() all_passed_own=()
for ((round = 1; round <= rounds; round++)); do
    echo "== round $round of $rounds"
    echo "one server on its own file"
    out=$("$rokada" lab load --kind moves --seconds "$seconds" --players $players)
    printf '%s\n' "$out" | sed 's/^/  /'
    all_file+=("$(printf '%s\n' "$out" | sed -nE 's/.* and moves ([0-9]+) per CPU-second.*/\1/p' | awk '{printf "%.1f", 1e6 / $1}')")
    fresh
    log_before=$(ask "SELECT pg_current_wal_lsn()")
    measure "one server on PostgreSQL" --db "$url" --also "$postgres_pid"
    all_single+=("$cost") all_single_own+=("$own")
    ask "SELECT '  a move leaves ' || (pg_total_relation_size('s$schemas.moves') + pg_total_relation_size('s$schemas.game_events')) / count(*) ||
         ' bytes in the tables and ' || (pg_wal_lsn_diff(pg_current_wal_lsn(), '$log_before') / count(*))::int || ' in the log'
         FROM s$schemas.moves"
    fresh
    measure "two servers on PostgreSQL and NATS, every move passed on" --db "$url" --bus "nats://127.0.0.1:$port" --also "$postgres_pid,$nats_pid"
    all_passed+=("$cost") all_passed_own+=("$own")
done
# Few at a time: each is a transaction of its own, as on a large site with many servers.
nats_ticks() { awk '{print $14 + $15}' "/proc/$nats_pid/stat"; }
before=$(nats_ticks)
measure "the same at 300 moves a second, with PostgreSQL alone as the other" --db "$url" --bus "nats://127.0.0.1:$port" --also "$postgres_pid" --rate 300
awk -v ticks=$(($(nats_ticks) - before)) -v hz="$(getconf CLK_TCK)" -v moves=$((300 * seconds)) 'BEGIN {printf "  and %.0f us in NATS\n", 1e6 * ticks / hz / moves}'

file=$(median "${all_file[@]}") single=$(median "${all_single[@]}") single_own=$(median "${all_single_own[@]}")
passed=$(median "${all_passed[@]}") passed_own=$(median "${all_passed_own[@]}")
echo "== medians"
awk -v file="$file" -v single="$single" -v passed="$passed" 'BEGIN {
    printf "processor time of a move, all processes: %.1f us on a file, %.1f us on PostgreSQL, %.1f us passed on: %.2fx the single server on PostgreSQL\n",
        file, single, passed, passed / single}'
awk -v file="$file" -v single="$single_own" -v passed="$passed_own" 'BEGIN {
    printf "in the servers alone: %.1f us on a file, %.1f us on PostgreSQL, %.1f us passed on: %.2fx and %.2fx the single server\n",
        file, single, passed, passed / file, passed / single}'
awk -v file="$file" -v passed="$passed_own" 'BEGIN {exit (passed > 1.5 * file)}' || { echo "TOO MUCH: more than 1.5x the single server with its file"; exit 1; }
