#!/usr/bin/env python3
"""Measures the Python package and compares it with the command.

    python scripts/measure/python_package.py [NAME...] [--json] [--runs N] [--solver PATH]

Run it in an environment with the wheel, such as target/python/venv of scripts/check/python.sh, on
an idle machine.
"""

import gc
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import timeit

from figures import ROOT, measure, parser, row

FELNER = ROOT / "data/suites/felner1000.txt"


def seconds(runs, call, repetitions=1):
    """Seconds per run of `repetitions` calls, after a first call that is not timed."""
    call()
    # timeit disables garbage collection, unlike ordinary programs; `gc.enable` enables it again.
    return timeit.repeat(call, gc.enable, repeat=runs, number=repetitions)


def python(program, *arguments):
    """Returns the output of a program that runs in a new process."""
    command = [sys.executable, "-c", textwrap.dedent(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def imports(options):
    """The slowest of ten imports in new processes, with files cached by the system."""
    program = """
        import time
        begun = time.perf_counter()
        import sliding_tile_pdb
        print(1e3 * (time.perf_counter() - begun))
    """
    python(program)
    runs = [float(python(program)) for _ in range(10)]
    yield row("import", "import sliding_tile_pdb", "ms", runs, max(runs), 50)


SOLVE_FELNER = """
    import sys
    import sliding_tile_pdb as st
    solver = st.Solver("4x4", "6-6-3", goal="blank-first", tables=sys.argv[1])
    for report in solver.solve_many(st.read_boards(sys.argv[2], "4x4")):
        assert report.length
"""


def lists(options):
    """Alternates between the command and a program that calls solve_many, each with 1,000 boards.
    The time is that of the whole process, which opens stored tables, reads the list and solves
    it."""
    if not options.solver.exists():
        print(f"not found: {options.solver}; solve_many is not measured", file=sys.stderr)
        return
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as tables:
        command = [options.solver, "--file", FELNER, "--quiet", "--summary", "csv", "--goal",
                   "blank-first", "--partition", "6-6-3", "--tables", tables]
        subprocess.run(command, capture_output=True, check=True)
        python(SOLVE_FELNER, tables, str(FELNER))
        for _ in range(options.runs):
            begun = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            theirs.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            python(SOLVE_FELNER, tables, str(FELNER))
            ours.append(time.perf_counter() - begun)
    ratio = statistics.median(ours) / statistics.median(theirs)
    runs = [{"python": a, "command": b} for a, b in zip(ours, theirs, strict=True)]
    what, solve = "felner1000 with 6-6-3", "solver.solve_many(read_boards('felner1000.txt'))"
    yield row(f"solve_many, {what}: time relative to the command", solve, "times", runs, ratio, 1.1)


def lookups(options):
    """Look-ups of random boards in a table of six tiles. Its 12 MB exceed the caches of a core."""
    import numpy as np

    import sliding_tile_pdb as st

    number = 4_000_000
    boards = np.random.default_rng(1).permuted(
        np.tile(np.arange(16, dtype=np.uint8), (number, 1)), axis=1)
    tiles = "1,2,3,5,6,7"

    def rates(name, command, number, call, bar=None):
        runs = [number / took for took in seconds(max(options.runs, 5), call)]
        return row(name, command, "per second", runs, statistics.median(runs), bar, "least")

    table = st.Table.build(tiles, "4x4", encoding="u8")
    yield rates("look-ups, six tiles of 4x4, u8, one thread",
                "table.lookup(array of 4,000,000 boards)", number,
                lambda: table.lookup(boards), 20e6)
    by_bit, few = st.Table.build(tiles, "4x4"), boards[:200_000]
    yield rates("look-ups, six tiles of 4x4, one-bit, one thread",
                "table.lookup(array of 200,000 boards)", len(few), lambda: by_bit.lookup(few))
    solver = st.Solver("4x4", "6-6-3")
    solvable = st.scramble("4x4", number=100_000, seed=1)
    some = np.array([board.to_numpy().ravel() for board in solvable])
    yield rates("estimates with 6-6-3, one thread",
                "solver.estimates(array of 100,000 boards, threads=1)", len(some),
                lambda: solver.estimates(some, threads=1))


def calls(options):
    """Times of calls with short searches: the overhead per call."""
    import sliding_tile_pdb as st

    solver = st.Solver("3x3")
    board = st.Board("8 6 7/2 5 4/3 0 1")
    for name, call in [
        ("solver.solve(board, threads=1)", lambda: solver.solve(board, threads=1)),
        ("solver.estimate(board)", lambda: solver.estimate(board)),
    ]:
        runs = [1e6 * took / 300 for took in seconds(max(options.runs, 5), call, 300)]
        yield row(f"a call on 3x3: {name}", name, "µs", runs, statistics.median(runs))
    begun = time.perf_counter()
    st.Solver("4x4", "6-6-3")
    took = time.perf_counter() - begun
    yield row("building 6-6-3 in memory", 'Solver("4x4", "6-6-3")', "ms", [1e3 * took], 1e3 * took)


def interrupts(options):
    """The longest delay from the signal to the exception handler, at several moments of each long
    call. The process that sends the signal and the one that receives it read the same clock."""
    # Imported here, because only this figure needs pytest.
    sys.path.insert(0, str(ROOT / "crates/python/tests"))
    from test_interrupts import CALLS, HARD, PROGRAM

    worst = []
    for name, call in CALLS.items():
        runs = []
        for number in range(options.runs):
            command = [sys.executable, "-c", PROGRAM.format(hard=HARD, call=call)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                  cwd=os.environ["PDB_TABLES"]) as process:
                assert process.stdout.readline() == "ready\n"
                time.sleep(0.2 + 0.137 * number)
                begun = time.monotonic()
                process.send_signal(signal.SIGINT)
                said = process.communicate(timeout=60)[0].split()
            if said[:1] != ["interrupted"]:
                raise SystemExit(f"{name}: ended before it could be interrupted")
            runs.append(1e3 * (float(said[1]) - begun))
        worst.append(max(runs))
    yield row("Ctrl-C, the slowest of all long calls", "all of these", "ms", worst, max(worst), 50)


PARTS = [imports, lists, lookups, calls, interrupts]

if __name__ == "__main__":
    arguments = parser(__doc__, PARTS)
    arguments.add_argument("--solver", type=pathlib.Path, metavar="PATH",
                           default=ROOT / "target/release/solver",
                           help="the command [default: target/release/solver]")
    with tempfile.TemporaryDirectory() as place:
        os.environ["PDB_TABLES"] = place
        measure(PARTS, arguments.parse_args())
