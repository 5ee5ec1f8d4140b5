#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the program to be measured: that of `make release` where there is one, for that is what we would hand out.
cd "$(dirname "$0")/.." || exit 2
for program in build/release/rokada build/rokada; do
    [ ! -x $program ] || exec echo "$PWD/$program"
done
echo "there is no program yet: make build" >&2
exit 1
