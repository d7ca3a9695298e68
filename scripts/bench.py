#!/usr/bin/env python3
"""Measures what docs/results.md reports: five processes each, wall time and peak memory.

    cargo build --release && scripts/bench.py [WORD]

WORD: only the measurements whose names have it.

Prints a table in Markdown: median (smallest to largest). Needs some 5 GB of memory and 3 GB of
disk.
"""

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "target/release"
SUITES = ROOT / "data/suites"
RUNS = 5
LARGE = {
    "4x4, 8 tiles": "--goal blank-first --tiles 8,9,10,11,12,13,14,15",
    "4x4, 9 tiles": "--goal blank-first --tiles 1,2,3,4,5,6,7,8,9",
    "5x5, 6 tiles": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,10",
    "5x5, 7 tiles": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,10,11",
}
THREADS = {"": "", ", one thread": " --threads 1"}


def run(words, tables, **options):
    """One run of a command: seconds, peak KiB, standard output."""
    environment = dict(os.environ, PDB_TABLES=str(tables))
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(BIN / words[0]), *words[1:]], env=environment, stdout=subprocess.PIPE, text=True, **options
    )
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {process.returncode}")
    return seconds, usage.ru_maxrss, output


def spread(values, digits):
    low, high = min(values), max(values)
    return f"{statistics.median(values):.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def report(name, command, seconds, memory, note):
    peak = f"{statistics.median(memory) / 1000:.0f}"
    print(f"| {name} | `{command}` | {spread(seconds, 3)} | {peak} | {note} |", flush=True)


def measure_build(name, words):
    seconds, memory = [], []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as tables:
            one, peak, _ = run(words, tables)
            size = sum(file.stat().st_size for file in pathlib.Path(tables).iterdir())
            seconds.append(one)
            memory.append(peak)
    report(name, " ".join(words), seconds, memory, f"{size / 2**20:.2f} MiB of files")


def measure_plans():
    """Forecast and truth of the large tables: peak memory and whole-process time of one build."""
    print("\n| table | memory forecast | measured | ratio | time forecast | measured | ratio |\n|" + " --- |" * 7)
    for name, words in LARGE.items():
        with tempfile.TemporaryDirectory() as tables:
            plan = json.loads(run(["pdb-gen", "plan", "--json", *words.split()], tables)[2])
            seconds, peak, _ = run(["pdb-gen", *words.split()], tables)
        memory, time = plan["memory"] / 1024, plan["seconds"]
        print(
            f"| {name} | {memory / 1000:.0f} MB | {peak / 1000:.0f} MB | {memory / peak:.3f} "
            f"| {time:.2f} s | {seconds:.2f} s | {time / seconds:.2f} |",
            flush=True,
        )


SETS = {
    "6-6-3": "--partition 6-6-3",
    "6-6-3 blank-compressed": "--partition 6-6-3 --kind blank-compressed",
    "7-8": "--partition 7-8",
    "5x5, 6 tiles": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,12",
}


def measure_packing():
    """Size of packed sets, and unpacking them into an empty directory, checksums and syncing
    included."""
    print("\n| set | packed bytes | entries | unpacked, s | peak MB | entries/s |\n|" + " --- |" * 6)
    for name, words in SETS.items():
        with tempfile.TemporaryDirectory() as folder:
            tables, site = f"{folder}/tables", f"{folder}/site"
            run(["pdb-gen", "pack", "--out", site, *words.split()], tables)
            packed = sum(file.stat().st_size for file in pathlib.Path(site).glob("*.pdbz"))
            info = run(["pdb-gen", "info", "--json"], tables)[2]
            entries = sum(json.loads(line)["entries"] for line in info.splitlines())
            runs = [run(["pdb-gen", "unpack", site], f"{folder}/unpacked{i}")[:2] for i in range(RUNS)]
        seconds, peak = [one[0] for one in runs], statistics.median(one[1] for one in runs)
        rate = entries / statistics.median(seconds) / 1e6
        print(f"| {name} | {packed:,} | {entries:,} | {spread(seconds, 3)} | {peak / 1000:.0f} | {rate:.0f} M |", flush=True)


def measure(name, words, tables, summary=lambda output: ""):
    runs = [run(words, tables) for _ in range(RUNS)]
    note = summary(runs[0][2])
    shown = " ".join(f'"{word}"' if " " in word else word.replace(f"{ROOT}/", "") for word in words)
    report(name, shown, [r[0] for r in runs], [r[1] for r in runs], note)


def odd(pieces):
    seen, parity = set(), False
    for start in range(len(pieces)):
        cell = start
        while cell not in seen:
            seen.add(cell)
            cell = pieces[cell]
            parity ^= cell != start
    return parity


def random_boards(blank, count, seed):
    """Uniformly random solvable boards for the goal with its blank on cell `blank` and 1, 2, ... on
    the others."""
    generator = random.Random(f"{seed} {blank}")
    numbers = [0 if cell == blank else cell + (cell < blank) for cell in range(16)]
    boards = []
    while len(boards) < count:
        pieces = list(range(16))
        generator.shuffle(pieces)
        place = pieces.index(blank)
        distance = abs(place // 4 - blank // 4) + abs(place % 4 - blank % 4)
        if odd(pieces) == (distance % 2 == 1):
            boards.append(" ".join(str(numbers[piece]) for piece in pieces))
    goal = "/".join(" ".join(str(n) for n in numbers[row : row + 4]) for row in range(0, 16, 4))
    return goal, boards


def measure_goals(tables):
    """Mean nodes of 100 boards for each cell that the blank may have in the goal."""
    rows = []
    for blank in range(16):
        goal, boards = random_boards(blank, 100, 2026)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(boards))
            file.flush()
            words = ["solver", "--goal", goal, "--json", "--quiet", "--file", file.name]
            _, _, output = run(words, tables)
        rows.append(statistics.mean(json.loads(line)["nodes"] for line in output.splitlines()))
    for row in range(4):
        print("    " + " ".join(f"{rows[4 * row + column]:>11,.0f}" for column in range(4)))
    kinds = {"corner": (0, 3, 12, 15), "centre": (5, 6, 9, 10), "edge": (1, 2, 4, 7, 8, 11, 13, 14)}
    for kind, cells in kinds.items():
        print(f"    {kind}: {statistics.mean(rows[cell] for cell in cells):,.0f}")


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    asked = lambda name: wanted in name
    print("| what | command | seconds, whole process | peak MB | |\n| --- | --- | --- | --- | --- |")
    builds = {
        "build 6-6-3": "pdb-gen --partition 6-6-3",
        "build 6-6-3, one thread": "pdb-gen --partition 6-6-3 --threads 1",
        "build 7-8": "pdb-gen --partition 7-8",
        "build 7-8, one thread": "pdb-gen --partition 7-8 --threads 1",
        **{f"build {name}{word}": f"pdb-gen {words}{threads}"
           for name, words in LARGE.items() for word, threads in THREADS.items()},
        "build 3x3 fringe": "pdb-gen --size 3x3 --partition fringe",
    }
    for name, command in builds.items():
        if asked(name):
            measure_build(name, command.split())
    with tempfile.TemporaryDirectory() as tables:
        for partition in ["6-6-3", "7-8"]:
            run(["pdb-gen", "--partition", partition], tables)
        board = ["solver", "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"]
        searches = {
            "the 55-move board, 6-6-3": board,
            "the 55-move board, 7-8": [*board, "--partition", "7-8"],
        }
        for name, words in searches.items():
            if asked(name):
                measure(name, words, tables, lambda output: output.splitlines()[-1])
        if asked("verify"):
            files = sorted(map(str, pathlib.Path(tables).glob("*.pdb")))
            measure("verify 6-6-3 and 7-8", ["pdb-gen", "verify"], tables, lambda output: f"{len(files)} tables proved")
        if asked("pack"):
            measure_packing()
        if asked("plan"):
            measure_plans()
        if asked("goals"):
            print("\nMean generated nodes by the blank's goal cell, 6-6-3, 100 random boards each:\n")
            measure_goals(tables)


if __name__ == "__main__":
    main()
