#!/usr/bin/env python3
"""Fault injection: runs the commands, injects faults at random moments, and checks the promises of
docs/reliability.md.

    scripts/check/faults.py                       # one minute
    scripts/check/faults.py --minutes 480         # one night
    scripts/check/faults.py --seed 7 --round 41   # repeats one round
    scripts/check/faults.py --only pack,unpack --fault kill,kill-call --rounds 300
    scripts/check/faults.py --list                # operations and faults

A round is an operation, a fault and a moment; the seed and the number of the round determine all
three. Moments are fractions of the operation's measured duration, so a repeated round injects its
fault at nearly the same moment. The faults kill-call and error-call repeat their moment exactly:
they trace a run without a fault, and choose one of the system calls on the program's files. In the
next run, kill-call kills the program at this call, and error-call makes the call fail. Each round
prints the moment of its fault. If the program breaks a promise, the script also prints the command
that repeats the round.

In each round the program must end by itself within a minute and must not panic. Its exit code must
be one of docs/solver.md. A failure must be reported in one line on standard error. All answers must
be correct.

Rounds that need a missing feature (namespaces, strace, root, a program) are skipped and reported.
--bin DIR contains the programs [default: target/release, built first]. The exit code is 1 if a
promise was broken; the work folder of such a round is kept.

libfiu 1.1 is no alternative: it cannot select calls on one file, and cannot kill the program. It
also makes the writing of the error message fail.
"""

import argparse
import collections
import itertools
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from disturb.faults import FAULTS, pairs, schedule
from disturb.operations import OPERATIONS
from disturb.process import Broken, Skipped
from disturb.system import in_own_mounts
from disturb.trial import Trial

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def build():
    command = "cargo build --locked --release --bins"
    command += " -p sliding-tile-pdb -p sliding-tile-pdb-server -p pdb-dist"
    subprocess.run(command.split(), cwd=REPOSITORY, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "release"


def table_of(done):
    """Numbers of rounds by operation and fault, as a Markdown table."""
    faults = [fault for fault in FAULTS if any(key[1] == fault for key in done)]
    lines = ["| operation | " + " | ".join(faults) + " |"]
    lines.append("| --- |" + " ---: |" * len(faults))
    for name in OPERATIONS:
        row = [done[name, fault] for fault in faults]
        if any(row):
            lines.append(f"| {name} | " + " | ".join(str(n) if n else "" for n in row) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=1, help="duration [1]")
    parser.add_argument("--rounds", type=int, help="number of rounds, instead of --minutes")
    parser.add_argument("--seed", type=int, default=None,
                        help="seed of operations, faults and moments [random]")
    parser.add_argument("--round", type=int, help="run only this round")
    parser.add_argument("--only", help="run only these operations, separated by commas")
    parser.add_argument("--fault", help="run only these faults, separated by commas")
    parser.add_argument("--bin", type=pathlib.Path, help="folder with the programs")
    parser.add_argument("--list", action="store_true", help="list operations and faults")
    options = parser.parse_args()
    if options.list:
        for name, operation in OPERATIONS.items():
            print(f"{name:14} {shlex.join(operation.command)}")
        for name, fault in FAULTS.items():
            print(f"{name:14} {fault.words}")
        return 0
    chosen = {}
    for word, all in (("only", OPERATIONS), ("fault", FAULTS)):
        text = getattr(options, word)
        chosen[word] = set(text.split(",")) if text else set(all)
        if unknown := chosen[word] - set(all):
            parser.error(f"--{word}: {', '.join(sorted(unknown))}; there are {', '.join(all)}")
    if not any(o.name in chosen["only"] and f in chosen["fault"] for o, f in pairs()):
        parser.error("none of these faults applies to any of these operations")
    in_own_mounts()
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    bin = (options.bin or build()).resolve()
    print(f"seed {seed}, programs of {bin}", flush=True)
    # The fault `denied` runs programs as another user, who must be able to enter this folder.
    work = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
    work.chmod(0o755)
    failures, skipped, done = [], collections.Counter(), collections.Counter()
    trial = Trial(bin, seed, work)
    begun = time.monotonic()

    def is_over():
        if options.round is not None:
            return False
        if options.rounds is not None:
            is_enough = done.total() + len(failures) >= options.rounds
            return is_enough or skipped.total() > 100 * options.rounds
        return time.monotonic() - begun > options.minutes * 60

    try:
        for number in itertools.count() if options.round is None else [options.round]:
            if is_over() or len(failures) >= 20:
                break
            operation, fault = schedule(seed, number)
            if operation.name not in chosen["only"] or fault not in chosen["fault"]:
                continue
            name = f"round {number}: {operation.name}, {fault}"
            try:
                word = trial.round(number, operation, fault)
                print(f"{name}, {word}", flush=True)
                done[operation.name, fault] += 1
            except Skipped as why:
                skipped[str(why)] += 1
            except Broken as error:
                print(f"{name}: BROKEN: {error}", flush=True)
                again = f"scripts/check/faults.py --seed {seed} --round {number}"
                failures.append(f"{name}: {error}\n    {again}")
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        trial.kill_all()
        if not failures:
            shutil.rmtree(work, ignore_errors=True)
    print(f"\n{table_of(done)}\n")
    for why, count in skipped.items():
        print(f"skipped {count} rounds: {why}")
    rounds = done.total() + len(failures)
    word = f"{len(failures)} broken" if failures else "all promises kept"
    print(f"{rounds} rounds in {time.monotonic() - begun:.0f} s, "
          f"{trial.kills} kills of running programs: {word}")
    for failure in failures:
        print(failure)
    return 1 if failures or not rounds else 0


if __name__ == "__main__":
    sys.exit(main())
