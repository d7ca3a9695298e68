#!/usr/bin/env python3
"""Measures the overhead of a call through the C library compared with the same call in Rust.

    scripts/measure/c_library.py [--json] [--runs N] [--prefix DIR] [--repetitions N]

Solves an easy board of 11 moves with 6-6-3 many times. The call in C parses the text of the board,
solves it, and makes and frees a report; the call in Rust solves a parsed board. The C program and
the Rust program run alternately, so that a busy machine slows down both. scripts/build/c.sh must
have installed the library.
"""

import os
import pathlib
import statistics
import subprocess
import tempfile

from figures import ROOT, measure, parser, row

TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# Limit of the overhead per call, in microseconds.
BAR_US = 5


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def overhead(options):
    """Yields two figures: one for one thread, and one for all threads."""
    library = options.prefix.resolve() / "lib"
    paths = {"PKG_CONFIG_PATH": str(library / "pkgconfig"), "LD_LIBRARY_PATH": str(library)}
    environment = {**os.environ, **paths}
    flags = output("pkg-config", "--cflags", "--libs", "slidingtilepdb", env=environment).split()
    build = "cargo build --locked --release -p sliding-tile-pdb-capi --example overhead"
    subprocess.run(build.split(), check=True, cwd=ROOT)
    with tempfile.TemporaryDirectory() as folder:
        in_c = pathlib.Path(folder) / "overhead"
        source = ROOT / "crates/capi/benchmarks/overhead.c"
        subprocess.run(["cc", "-std=c11", "-O2", source, *flags, "-o", in_c], check=True)
        for threads in [1, os.cpu_count()]:
            runs = []
            for _ in range(options.runs):
                arguments = [str(options.repetitions), str(threads)]
                rust = float(output(TARGET / "release/examples/overhead", *arguments))
                # The C program prints two mean times in nanoseconds: of a call, and of a call that
                # also writes the report as JSON.
                c, _ = map(float, output(in_c, *arguments, env=environment).split())
                runs.append(round((c - rust) / 1e3, 3))
            yield row(f"C: overhead of a call, threads {threads}",
                      f"scripts/measure/c_library.py --json --runs {options.runs} "
                      f"--repetitions {options.repetitions}",
                      "µs", runs, round(statistics.median(runs), 3), BAR_US)


PARTS = [overhead]

if __name__ == "__main__":
    arguments = parser(__doc__, PARTS)
    arguments.add_argument("--prefix", type=pathlib.Path, default=TARGET / "c", metavar="DIR",
                           help="prefix of the installed library [default: target/c]")
    arguments.add_argument("--repetitions", type=int, default=200_000, metavar="N",
                           help="calls per run [default: 200,000]")
    measure(PARTS, arguments.parse_args())
