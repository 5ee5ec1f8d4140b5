#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A day of a site of the size of the largest open server, minute by minute, from measured figures: how busy servers, PostgreSQL and NATS are,
# how long a move waits, and what is full first. Each figure can be given another value: `bench/long/capacity.sh servers=8 peak=2`.
#   server_us, postgres_us, nats_us  processor time of a move that is passed on (bench/long/cluster.sh)
#   ping_us, socket_kb               of a live socket (rokada lab load); pings of one a minute
#   row_bytes, wal_bytes             that a move leaves in the tables, and writes to the log of PostgreSQL
set -euo pipefail
figures=(games=5.2e6 moves=4500 sockets_at_peak=100000 peak=1.6 # the busiest hour beside the average one
    servers=4 cores=4 postgres_cores=8 nats_cores=2 memory_gb=8
    server_us=160 postgres_us=390 nats_us=100 ping_us=6 pings=12 socket_kb=8 row_bytes=490 wal_bytes=950)
settings=()
for figure in "${figures[@]}" "$@"; do settings+=(-v "$figure"); done
awk "${settings[@]}" "$(cat <<'AWK'
# How long one waits for one of c, each busy that share of the time, in units of its work (Sakasegawa).
function queue(c, busy) { return busy >= 1 ? -1 : busy ^ (sqrt(2 * (c + 1)) - 1) / (c * (1 - busy)) }
function share(value) { return sprintf("%.0f %%", 100 * value) }
function row(hour, rate, sockets) {
    wait = queue(servers * cores, busy_servers)
    printf "%5s %9.0f %9.0f %9s %9s %9s %10.1f\n", hour, rate, sockets, share(busy_servers), share(busy_postgres), share(busy_nats),
        wait < 0 ? -1 : wait * server_us / 1000
}
function load_of(rate, sockets) {
    busy_servers = (rate * server_us + sockets * pings / 60 * ping_us) / 1e6 / (servers * cores)
    busy_postgres = rate * postgres_us / 1e6 / postgres_cores
    busy_nats = rate * nats_us / 1e6 / nats_cores
}
function full(what, busy, more) { printf "  %-44s at %5.1f times this day%s\n", what, 1 / busy, more }
BEGIN {
    printf "%d servers of %d cores, PostgreSQL with %d, NATS with %d; %.1f M games, %.0f M moves in the day\n\n", servers, cores,
        postgres_cores, nats_cores, games / 1e6, moves * 86400 / 1e6
    print " hour   moves/s   sockets   servers PostgreSQL     NATS  move waits (ms)"
    for (minute = 0; minute < 1440; ++minute) {
        # Quietest at five in the morning, busiest at five in the afternoon.
        curve = 1 - (peak - 1) * cos((minute - 300) * 2 * 3.14159265 / 1440)
        rate = moves * curve; sockets = sockets_at_peak * curve / peak
        load_of(rate, sockets)
        if (rate > top) { top = rate; top_sockets = sockets }
        if (minute % 120 == 0) row(sprintf("%d:00", minute / 60), rate, sockets)
    }
    load_of(top, top_sockets)
    printf "\nat the peak: %.0f moves/s, %.1f MB/s of log, %.1f GB for the sockets of each server\n", top, top * wal_bytes / 1e6,
        top_sockets * socket_kb / servers / 1e6
    printf "the day leaves %.0f GB in the tables\n", moves * 86400 * row_bytes / 1e9
    one_less = busy_servers * servers / (servers - 1)
    printf "one server dies at the peak: the others are busy %s of the time\n\nfull first:\n", share(one_less)
    full("the servers", busy_servers, sprintf("; with one dead at %.1f", 1 / one_less))
    full("PostgreSQL", busy_postgres, "")
    full("NATS", busy_nats, "")
    full("one connection that writes, of each server", top / servers / 3000, ": 3000 moves/s")
    full("memory of the servers", top_sockets * socket_kb / servers / 1e6 / memory_gb, "")
}
AWK
)"
