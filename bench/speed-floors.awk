#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads what `rokada lab speed` prints and names every engine below its floor; exit code 1 if there is one, or if a
# floor was not measured at all.
BEGIN {
    floor["network"] = 1.2
    floor["classical"] = 1.5
    floor["2 threads"] = 1.8
}
match($0, / +[0-9]+ nodes\/s +[0-9.]+ x /) {
    name = substr($0, 1, RSTART - 1)
    split(substr($0, RSTART, RLENGTH), word)
    if (!(name in floor)) next
    measured[name] = 1
    if (word[3] < floor[name]) {
        printf "below the floor: %s has %.2f x, at least %.1f x is wanted\n", name, word[3], floor[name]
        missed = 1
    }
}
END {
    for (name in floor)
        if (!(name in measured)) {
            printf "not measured: %s\n", name
            missed = 1
        }
    if (!missed) print "all above their floors"
    exit missed
}
