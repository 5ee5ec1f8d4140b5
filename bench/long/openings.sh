#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the file of openings that matches are played from; unpacks it if need be.
set -euo pipefail
cd "$(dirname "$0")/../.."
openings=build/8moves_v3.pgn
book=${ROKADA_SHARED:-../shared}/data/books/8moves_v3.pgn.zip
if [ ! -s "$openings" ]; then
    [ -f "$book" ] || { echo "the openings are not here: $book" >&2; exit 1; }
    mkdir -p build
    unzip -qo "$book" -d build
fi
echo "$PWD/$openings"
