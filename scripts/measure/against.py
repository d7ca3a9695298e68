"""Comparison of two builds of the programs, for `scripts/bench.py --against`."""

import collections
import hashlib
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from .bench import ROOT, Bench, Failed, machine
from .groups import (FELNER, FIVE, KORF24, NUMBER_40, build_once, search_command, search_once,
                     total_bytes)
from .tables import machine_lines, table

PROGRAMS = ["solver", "pdb-gen"]
# Student's t for intervals of 95 %, by number of pairs; from six pairs on, order statistics are
# used.
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776}
# Minimum number of pairs that are measured per line, even beyond the line's budget.
LEAST_PAIRS = min(STUDENT)
# Budget per line with --quick, in seconds.
QUICK_BUDGET = 8
# Kinds of time: name in the printed table, and key in the figures of `Bench.run`. Builds with
# several threads are compared by processor time and by wall time.
PROCESSOR, WALL = {"processor": "cpu_seconds"}, {"wall": "seconds"}
# Rows of a summary that must be equal in both versions, and their names in messages.
COUNTS = {"length": "lengths", "bound": "bounds", "nodes": "nodes", "expanded": "expanded nodes"}
COLUMNS = ["line", "time", ">pairs", ">old, s", ">new, s", ">new / old", ">interval", "verdict"]
LEGEND = """
The times and their ratio are medians. The interval contains the true ratio with 95 % confidence: by
order statistics, or Student's t for fewer than six pairs. Unclear: the interval contains a bound of
the tolerance, and a quieter machine may decide."""

# `budget` is in seconds; `tables` are the options of the tables that a search reads; `run` takes a
# Bench, and returns exact counts and figures.
Line = collections.namedtuple("Line", "name budget tables times run")


class Unusable(Exception):
    """An unknown commit, or programs that cannot be compiled or found."""


def checksum(files):
    """Total size of files, and the start of a SHA-256 of their names and contents."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\n" + file.read_bytes())
    return {"bytes": total_bytes(files), "checksums": digest.hexdigest()[:16]}


def build_line(name, budget, options, builds=1):
    """A build with all threads. One measurement repeats the build `builds` times and adds the
    times."""
    def run(bench):
        command = f"pdb-gen --quiet {options}"
        results = [build_once(bench, command, checksum) for _ in range(builds)]
        figures = [figures for _, figures in results]
        return results[0][0], {key: sum(one[key] for one in figures) for key in figures[0]}
    return Line(name, budget, None, PROCESSOR | WALL, run)


def search_line(name, budget, *search):
    """A search with one thread; `search` are the arguments of `search_command`."""
    tables, command = search_command(*search)

    def run(bench):
        found, figures = search_once(bench, command)
        return {name: int(found[key]["total"])
                for key, name in COUNTS.items() if key in found}, figures
    return Line(name, budget, tables, PROCESSOR, run)


# The budgets add up to five and a half minutes.
LINES = [
    build_line("build 6-6-3, five times", 30, "--partition 6-6-3", builds=5),
    build_line("build 7-8", 60, "--partition 7-8"),
    search_line("felner1000, 6-6-3", 90, FELNER, "6-6-3", 1),
    search_line("felner1000, 7-8", 30, FELNER, "7-8", 1),
    search_line("felner1000, best", 30, FELNER, "best", 1),
    search_line("korf50_24 number 40, 6-6-6-6", 50, FIVE, "6-6-6-6", 1, NUMBER_40),
    search_line("anytime, korf50_24 numbers 1 to 4, 2M nodes each", 40, FIVE, "6-6-6-6", 1,
                KORF24.format("head -4"), "--mode anytime --max-nodes 2M"),
]


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, check=False)


def compile_in(source):
    """Compiles the programs of a source tree, and returns their folder."""
    print(f"Compiling {source}", file=sys.stderr, flush=True)
    programs = [f"--bin={name}" for name in PROGRAMS]
    command = ["cargo", "build", "--locked", "--release", *programs, "--target-dir", "target"]
    if subprocess.run(command, cwd=source, stdout=sys.stderr, check=False).returncode:
        raise Unusable(f"cannot compile {source}")
    return source / "target/release"


def extract(commit):
    """Writes the files of a commit to its folder in target/against, unless the folder exists."""
    source = ROOT / "target/against" / commit
    if not source.exists():
        source.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=source.parent) as temporary:
            archive = git("archive", "--prefix=source/", commit).stdout
            subprocess.run(["tar", "-x", "-C", temporary], input=archive, check=True)
            pathlib.Path(temporary, "source").rename(source)
    return source


def folders(options):
    """Returns the short name of the old commit, and the folders of the old and new programs.
    Compiles the old programs, and the new ones unless --bin names their folder."""
    found = git("rev-parse", "--verify", "--quiet", "--short", f"{options.against}^{{commit}}")
    if found.returncode:
        raise Unusable(f"unknown commit: {options.against}")
    commit = found.stdout.decode().strip()
    old = compile_in(extract(commit))
    new = options.bin.resolve() if options.bin else compile_in(ROOT)
    for program in [folder / name for folder in [old, new] for name in PROGRAMS]:
        if not os.access(program, os.X_OK):
            raise Unusable(f"not found: {program}")
    return commit, old, new


def measure(line, benches, budget):
    """Runs the old and the new programs in pairs, reversing the order each time, until the next
    pair would exceed the budget. Returns two dictionaries with the keys "old" and "new": the counts
    of all runs, and the figures of all runs except the first."""
    counts, figures = {side: [] for side in benches}, {side: [] for side in benches}
    order, begun = list(benches), time.monotonic()
    while True:
        for side in order:
            try:
                count, figure = line.run(benches[side])
            except Failed as error:
                raise Failed(f"{side} fails: {error}") from error
            counts[side].append(count)
            figures[side].append(figure)
        order.reverse()
        runs, spent = len(counts["new"]), time.monotonic() - begun
        if runs > LEAST_PAIRS and spent * (runs + 1) / runs > budget:
            return counts, {side: figures[side][1:] for side in benches}


def interval(ratios):
    """Bounds of the ratio with 95 % confidence, as LEGEND explains."""
    ratios, number = sorted(ratios), len(ratios)
    if number in STUDENT:
        half = STUDENT[number] * statistics.stdev(ratios) / math.sqrt(number)
        return statistics.mean(ratios) - half, statistics.mean(ratios) + half

    def outside(dropped):
        """Probability that the true median is outside the interval that remains after removing
        `dropped` ratios at each end."""
        return 2 * sum(math.comb(number, below) for below in range(dropped + 1)) / 2**number
    dropped = max(k for k in range(number // 2) if outside(k) <= 0.05)
    return ratios[dropped], ratios[-1 - dropped]


def verdict(low, high, tolerance):
    """Compares an interval of ratios with the range from 1 - tolerance to 1 + tolerance."""
    if low > 1 + tolerance:
        return "slower"
    if high < 1 - tolerance:
        return "faster"
    return "same" if low >= 1 - tolerance and high <= 1 + tolerance else "unclear"


def differences(counts):
    """Yields a text for each exact count that differs between runs, or between old and new."""
    for key in counts["new"][0]:
        found = {side: sorted({str(count.get(key)) for count in counts[side]}) for side in counts}
        if found["old"] != found["new"] or len(found["new"]) > 1:
            texts = [f"{' or '.join(values)} ({side})" for side, values in found.items()]
            yield f"{key} differ: {', '.join(texts)}"


def rows_of(line, counts, figures, options):
    """Returns the rows of the printed table for a line, one row per kind of time, and whether the
    comparison of this line fails. The first row also lists the counts that differ."""
    different = list(differences(counts))
    rows, failed = [], bool(different)
    for name, key in line.times.items():
        old, new = ([run[key] for run in figures[side]] for side in ["old", "new"])
        ratios = [after / before for before, after in zip(old, new)]
        low, high = interval(ratios)
        found = verdict(low, high, options.tolerance / 100)
        failed = failed or found == "slower"
        rows.append([line.name, name, len(ratios), f"{statistics.median(old):.3f}",
                     f"{statistics.median(new):.3f}", f"{statistics.median(ratios):.3f}",
                     f"{low:.3f} to {high:.3f}", found])
    rows[0][-1] = "; ".join([rows[0][-1], *different])
    return rows, failed


def compared(benches, options, failures):
    """Yields each row when it is measured. Appends the names of failed lines to `failures`."""
    for line in LINES:
        benches["new"].say(line.name)
        try:
            if line.tables:
                benches["new"].build(line.tables)
            budget = QUICK_BUDGET if options.quick else line.budget
            rows, failed = rows_of(line, *measure(line, benches, budget), options)
        except Failed as error:
            benches["new"].say(error)
            # Exit code 3 of the programs means that a table is missing or bad.
            reason = ": cannot read the tables" if "ended with 3:" in str(error) else ""
            rows, failed = [[line.name, *[""] * 6, str(error).split(":")[0] + reason]], True
        if failed:
            failures.append(line.name)
        yield from rows


def compare(options):
    """Prints the comparison as Markdown, and returns the exit code."""
    try:
        commit, *programs = folders(options)
    except Unusable as error:
        print(f"bench.py: error: {error}", file=sys.stderr)
        return 2
    failures = []
    with tempfile.TemporaryDirectory() as temporary:
        tables = pathlib.Path(os.environ.get("PDB_TABLES", temporary))
        old, new = (Bench(folder, tables, 1, progress=sys.stderr) for folder in programs)
        date, load = old.group_start
        print(f"Old: {commit}, {old.binaries}", f"New: {new.commit}, {new.binaries}",
              *machine_lines(machine()),
              f"{date} UTC, load {load:.2f} before; tolerance {options.tolerance:g} %.",
              "", sep="\n", flush=True)
        for text in table(COLUMNS, compared({"old": old, "new": new}, options, failures)):
            print(text, flush=True)
        new.say("end")
    print(LEGEND)
    if failures:
        print(f"Slower, different or failed: {'; '.join(failures)}", file=sys.stderr)
    return 1 if failures else 0
