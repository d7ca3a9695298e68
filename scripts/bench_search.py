#!/usr/bin/env python3
"""Measures searches for docs/results.md: nodes, time a board and boards a second, preset by preset,
suite by suite.

    cargo build --release && scripts/bench_search.py [WORD...]

WORD: only the lines whose names have all the words.

Prints a table in Markdown. The tables of all presets are built once into a directory of their own
(PDB_TABLES, else a temporary one). Times of single boards are those of the searches alone; boards a
second are of the whole process.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from bench import ROOT, SUITES, run

CORES = os.cpu_count()


def lines(suite):
    text = (SUITES / suite).read_text()
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def easiest_24(count):
    """The 24-puzzles that took Korf & Felner the fewest nodes: the column after the length."""
    return sorted(lines("korf50_24.txt"), key=lambda line: int(line.split()[26]))[:count]


FIRST, LAST = "--goal blank-first", "--goal blank-last"
FIVE = "--size 5x5 --goal blank-first"
FOUR = ["6-6-3", "small", "7-8", "best", "fewest"]
# Name of the boards: how they are read, the boards, the presets, numbers of threads, runs.
SETS = {
    "felner1000": (FIRST, lambda: lines("felner1000.txt"), FOUR, [1, CORES], 3),
    "korf100": (FIRST, lambda: lines("korf100.txt"), FOUR, [1, CORES], 3),
    "hardest80": (LAST, lambda: lines("hardest80.txt"), ["7-8", "best", "fewest"], [1, CORES], 3),
    "korf50_24 number 40": (FIVE, lambda: lines("korf50_24.txt")[39:40], ["6-6-6-6", "best"], [1, CORES], 3),
    "korf50_24 ten easiest": (FIVE, lambda: easiest_24(10), ["6-6-6-6", "best"], [CORES], 1),
    "multi100, multi-tile metric": (f"{LAST} --metric multi", lambda: lines("multi100.txt"), ["runs"], [1, CORES], 3),
}


def table_bytes(options, preset, tables):
    """Bytes of the tables of a preset, which are built where they are missing."""
    words = ["--partition", preset, *options.split()]
    run(["pdb-gen", "--quiet", *words], tables)
    plan = json.loads(run(["pdb-gen", "plan", "--json", *words], tables)[2])
    return sum(table["file"] for table in plan["tables"])


def measure(name, options, boards, preset, threads, count, tables):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(boards) + "\n")
        file.flush()
        words = ["solver", "--json", *options.split(), "--partition", preset, "--threads", str(threads)]
        runs = [run([*words, "--file", file.name], tables) for _ in range(count)]
    seconds = statistics.median(one[0] for one in runs)
    peak = statistics.median(one[1] for one in runs)
    # Of the run with the median time.
    rows = [json.loads(line) for line in sorted(runs, key=lambda one: one[0])[count // 2][2].splitlines()]
    assert len(rows) == len(boards) and all(row["status"] == "solved" for row in rows)
    times = sorted(row["ms"] for row in rows)
    mean = lambda field: statistics.mean(row[field] for row in rows)
    rate = sum(row["nodes"] for row in rows) / sum(times) / 1000
    print(
        f"| {name} | {preset} | {table_bytes(options, preset, tables) / 2**20:.1f} | {threads} | {mean('nodes'):,.1f} "
        f"| {mean('expanded'):,.1f} | {rate:.1f} | {mean('ms'):.3f} | {statistics.median(times):.3f} "
        f"| {times[max(0, -(-99 * len(times) // 100) - 1)]:.3f} | {times[-1]:.3f} | {len(rows) / seconds:,.{1 if seconds < len(rows) else 3}f} | {peak / 1000:.0f} |",
        flush=True,
    )


def main():
    words = sys.argv[1:]
    print(
        "| boards | preset | tables, MiB | threads | generated | expanded | M nodes/s | ms, mean | median | 99 % | worst "
        "| boards/s | peak MB |\n|" + " --- |" * 13
    )
    with tempfile.TemporaryDirectory() as temporary:
        tables = os.environ.get("PDB_TABLES", temporary)
        for name, (options, boards, presets, numbers, count) in SETS.items():
            for preset in presets:
                for threads in numbers:
                    line = f"{name} {preset} {threads}"
                    if all(word in line for word in words):
                        measure(name, options, boards(), preset, threads, count, tables)


if __name__ == "__main__":
    main()
