#!/usr/bin/env python3
"""Measures what a call through the C library costs beside the same call in Rust.

    scripts/measure/c.py [--prefix DIRECTORY] [--runs 7] [--repetitions 200000] [--out FILE]
                       [--json]

Solves an easy board of 11 moves many times, in C from its text to a report that is freed, in Rust
from a board that was read before to a solution; in turns, so that both meet the same machine.
Prints JSON with all runs; with --json an array of figures with their bars. The library
must be installed: scripts/build/c.sh.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


# The most microseconds that a call in C may cost more than in Rust.
BAR_US = 5


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def rows(results, arguments):
    """A figure for each number of threads: what a call in C costs more than in Rust."""
    options = f"--runs {arguments.runs} --repetitions {arguments.repetitions}"
    return [
        {
            "name": f"C: overhead of a call, threads {result['threads']}",
            "command": f"scripts/measure/c.py --json {options}",
            "unit": "us",
            "figure": result["overhead_us"],
            "bar": BAR_US,
            "bound": "most",
            "runs": [round((run["c_ns"] - run["rust_ns"]) / 1e3, 3) for run in result["runs"]],
        }
        for result in results
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", type=pathlib.Path, default=TARGET / "c")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--repetitions", type=int, default=200_000)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--json", action="store_true", help="an array of figures with their bars")
    arguments = parser.parse_args()

    library = arguments.prefix.resolve() / "lib"
    paths = {"PKG_CONFIG_PATH": str(library / "pkgconfig"), "LD_LIBRARY_PATH": str(library)}
    environment = {**os.environ, **paths}
    flags = output("pkg-config", "--cflags", "--libs", "slidingtilepdb", env=environment).split()
    build = "cargo build --locked --release -p sliding-tile-pdb-capi --example overhead"
    subprocess.run(build.split(), check=True, cwd=ROOT)
    in_rust = TARGET / "release/examples/overhead"
    with tempfile.TemporaryDirectory() as folder:
        in_c = pathlib.Path(folder) / "overhead"
        source = ROOT / "crates/capi/benchmarks/overhead.c"
        subprocess.run(["cc", "-std=c11", "-O2", source, *flags, "-o", in_c], check=True)
        results = []
        for threads in [1, os.cpu_count()]:
            runs = []
            for _ in range(arguments.runs):
                asked = [str(arguments.repetitions), str(threads)]
                rust = float(output(in_rust, *asked))
                c, json_too = map(float, output(in_c, *asked, env=environment).split())
                times = {"rust_ns": rust, "c_ns": c, "c_json_ns": json_too}
                runs.append({**times, "load": os.getloadavg()[0]})
            median = {key: round(statistics.median(run[key] for run in runs), 1) for key in runs[0]}
            overhead = [run["c_ns"] - run["rust_ns"] for run in runs]
            results.append(
                {
                    "threads": threads,
                    "median": median,
                    "overhead_us": round(statistics.median(overhead) / 1e3, 3),
                    "largest_overhead_us": round(max(overhead) / 1e3, 3),
                    "runs": runs,
                }
            )
    measured = {
        "what": "a board of 11 moves with 6-6-3, nanoseconds a call",
        "machine": f"{os.cpu_count()} cores, {platform.platform()}",
        "repetitions": arguments.repetitions,
        "results": results,
    }
    if arguments.json:
        measured = rows(results, arguments)
    text = json.dumps(measured, indent=1)
    print(text)
    if arguments.out:
        arguments.out.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
