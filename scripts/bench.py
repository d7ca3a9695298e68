#!/usr/bin/env python3
"""Measures the figures of docs/results.md and writes its tables.

    cargo build --release && scripts/bench.py [GROUP...] [--runs N] [--all]
    scripts/bench.py JOB [--minutes N] [--board-minutes N]
    scripts/bench.py --tables     only write the tables again
    scripts/bench.py --check      fail if the tables differ from the data
    scripts/bench.py --against COMMIT [--quick] [--tolerance PERCENT]
                                  compare the programs of a commit with those of this checkout

Each group writes docs/results/GROUP.json. The tables between `<!-- table: NAME -->` and
`<!-- end -->` are written from these files. A group that fails keeps its old data.

Without GROUP all groups except the largest are measured, in about ten minutes on an idle machine;
--all adds the largest. A run needs 2.5 GB of memory and 4 GB of disk. With --all, the group
eight-tiles needs 23 GB of memory and 11 GB of disk; the other groups need 5 GB of memory and 5 GB
of disk. Tables for searches are built once, in PDB_TABLES or else in a temporary directory.

The JOB korf50_24 proves hard boards one by one. Boards with the fewest published nodes come first.
After each board the job writes docs/results/proofs.jsonl. The next run continues with the missing
boards. If the time limit ends the search of a board, the file stores the completed bounds and an
estimate of the whole proof. After the missing boards, a later run searches unfinished boards again.
It skips a board if the mean of the board's estimate exceeds the time limit.

--against compiles the COMMIT and this checkout, and runs the builds and searches of the two
versions in pairs, for about ten minutes on two cores. The COMMIT is compiled in target/against,
where the next call finds its programs. docs/results.md lists the conditions of failure; a legend
under the printed table explains the verdicts. Exit codes: 0 if no row is slower; 1 if a row is
slower, differs or failed; 2 if the call is invalid or a compilation fails. --bin names a folder of
new programs that are already compiled. Searches of both versions read tables built by the new
version.

hyperfine 1.20 is no alternative: it runs all repetitions of one program before the other, so one
busy minute made one of two identical programs "1.39 times faster". It reports no interval of the
ratio and compares no counts.
"""

import argparse
import math
import os
import pathlib
import sys
import tempfile

from measure import document
from measure.bench import ROOT, Bench
from measure.groups import GROUPS, LARGE
from measure.proofs import JOBS


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP",
                        help=f"{', '.join(GROUPS)}, and jobs: {', '.join(JOBS)}")
    parser.add_argument("--all", action="store_true", help=f"also {', '.join(sorted(LARGE))}")
    parser.add_argument("--runs", type=int, default=3, metavar="N",
                        help="runs per row; up to three times as many if short [default: 3]")
    parser.add_argument(
        "--bin", type=pathlib.Path, metavar="DIR",
        help="folder of pdb-gen and solver [default: target/release; --against compiles them]")
    parser.add_argument("--tables", action="store_true", help="only write the tables again")
    parser.add_argument("--check", action="store_true", help="only check the tables")
    jobs = parser.add_argument_group("jobs")
    jobs.add_argument("--minutes", type=float, default=60, metavar="N",
                      help="time limit of all jobs together [default: 60]")
    jobs.add_argument("--board-minutes", type=float, default=math.inf, metavar="N",
                      help="time limit per board [default: none]")
    pairs = parser.add_argument_group("comparison of two versions")
    pairs.add_argument("--against", metavar="COMMIT", help="compare with the programs of a commit")
    pairs.add_argument("--tolerance", type=float, default=2, metavar="PERCENT",
                       help="largest difference of times that counts as equal [default: 2]")
    pairs.add_argument("--quick", action="store_true", help="fewer pairs, about two minutes")
    options = parser.parse_args()
    if options.against and (options.groups or options.all or options.tables or options.check):
        parser.error("--against excludes GROUP, --all, --tables and --check")
    if options.quick and not options.against:
        parser.error("--quick requires --against")
    unknown = [name for name in options.groups if name not in {**GROUPS, **JOBS}]
    if unknown:
        parser.error(f"unknown group {unknown[0]}; groups are {', '.join([*GROUPS, *JOBS])}")
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    return options


def measure(options):
    """Measures the groups and runs the jobs. Returns whether all succeeded."""
    wanted = options.groups or [name for name in GROUPS if options.all or name not in LARGE]
    failed = []
    with tempfile.TemporaryDirectory() as temporary:
        tables = os.environ.get("PDB_TABLES", temporary)
        programs = options.bin or ROOT / "target/release"
        bench = Bench(programs.resolve(), pathlib.Path(tables), options.runs)
        for name in wanted:
            bench.say(f"== {name}")
            try:
                if name in JOBS:
                    JOBS[name](bench, options)
                else:
                    bench.write(name, list(GROUPS[name](bench)))
            except Exception as error:  # After any error the other groups are still measured.
                failed.append(name)
                bench.say(f"{name} failed, its old data is kept: {error!r}")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return not failed


def main():
    options = arguments()
    if options.against:
        # Imported only here, because the import needs memory and so increases the smallest
        # measurable peak, `floor_kib`.
        from measure import against
        sys.exit(against.compare(options))
    if options.check:
        sys.exit(document.check())
    well = options.tables or measure(options)
    document.write()
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
