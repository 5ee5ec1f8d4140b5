#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a match, as `rokada match --json` tells it, is what it has to be. Exit code 1 and one line for each thing that is not."""
import argparse
import json
import sys

FAULTS = ("time_losses", "illegal_moves", "crashes", "hangs", "other_failures")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result")
    parser.add_argument("--floor", type=float, help="percent that the first engine's score is to be above, with 95 %% confidence")
    parser.add_argument("--between", help="LOW,HIGH: percent that the first engine's score is to be between")
    parser.add_argument("--faultless", action="store_true", help="no engine may lose a game by a fault")
    arguments = parser.parse_args()
    with open(arguments.result, encoding="utf-8") as file:
        match = json.load(file)
    first, second = match["engines"][:2]
    missed = []
    if match["end"] == "stopped":
        missed.append(f"only {match['games']} of {match['planned']} games are played")
    if arguments.floor is not None:
        low = first["score_low"]
        if low is None or 100 * low <= arguments.floor:
            shown = "nothing" if low is None else f"{100 * low:.1f} %"
            missed.append(f"{shown} is proven, {arguments.floor:g} % is the floor")
    if arguments.between:
        low, high = (float(bound) for bound in arguments.between.split(","))
        if not low <= 100 * first["score"] <= high:
            missed.append(f"{100 * first['score']:.1f} % is not between {low:g} and {high:g} %")
    if arguments.faultless:
        for engine in (first, second):
            missed += [f"{engine['name']}: {engine[fault]} {fault.replace('_', ' ')}" for fault in FAULTS if engine[fault]]
    for what in missed:
        print(f"MISSED: {first['name']} v {second['name']}: {what}")
    return 1 if missed else 0


sys.exit(main())
