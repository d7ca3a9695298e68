#!/usr/bin/env python3
"""Runs the checks listed in scripts/check/checks.toml. Each check belongs to one of two sets.

    scripts/check.py short           runs the checks for every change, as .ci/run does
    scripts/check.py all [--again]   runs both sets, before a release
    scripts/check.py NAME...         runs the named checks
    scripts/check.py --list          prints each check, what it tests, and why it is in the long set

`short` and NAME stop at the first failure. `all` continues after a failure and skips checks that
have passed on the same commit, unless --again is given. After an interruption the same command
therefore resumes. target/checks contains a log per check, and `results.json` with the commit, the
date and the duration of the last run of each check.

make and just also run commands in order, but store no results per commit and cannot resume.

A check is a bash command that runs in the root of the clone. $SCRATCH is a folder that the checks
of one run share. A check with `beside = true` runs in the background at the lowest priority. The
list `after` of a check names background checks that must end before the check starts. The run ends
when all background checks have ended.

Needs Python 3.11. Exit codes: 0 if all checks passed, 1 if a check failed, 2 if the call is
invalid.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "target/checks"
RESULTS = PLACE / "results.json"
FIELDS = {"name", "set", "tests", "run", "why", "beside", "after"}


def fail(why):
    sys.exit(f"check: error: {why}")


def read_checks():
    """Returns the checks by name, in the order of the file."""
    checks = {}
    for check in tomllib.loads((ROOT / "scripts/check/checks.toml").read_text())["check"]:
        name = check["name"]
        place = f"scripts/check/checks.toml: {name}"
        unknown = set(check) - FIELDS
        missing = {"set", "tests", "run"} - set(check)
        if unknown or missing or name in checks:
            fail(f"{place}: {unknown or missing or 'twice'}")
        if check["set"] not in ("short", "long") or (check["set"] == "long") != ("why" in check):
            fail(f"{place}: set must be short without `why`, or long with `why`")
        if not set(check.get("after", [])) <= set(checks):
            fail(f"{place}: `after` must name earlier checks")
        checks[name] = check
    return checks


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


class Run:
    """A run of several checks."""

    def __init__(self, checks, scratch):
        self.checks, self.scratch = checks, scratch
        self.commit = output_of("git", "rev-parse", "--short", "HEAD")
        self.is_clean = not output_of("git", "status", "--porcelain")
        self.begun = time.monotonic()
        # Per check: process and start time while it runs; whether it passed; its seconds.
        self.running, self.passed, self.seconds = {}, {}, {}
        PLACE.mkdir(parents=True, exist_ok=True)
        self.results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}

    def has_passed(self, name):
        """Whether a check has passed on this commit, and the tree has no uncommitted changes."""
        result = self.results.get(name, {})
        return self.is_clean and result.get("commit") == self.commit and result["passed"]

    def start(self, name, is_beside):
        """Starts a check in its own session, so all its processes can be stopped together."""
        def lower_priority():
            os.nice(19)
            # Linux may divide CPU time first among sessions and then among the processes of each
            # session. The priorities of the session and of the process are therefore both set.
            with contextlib.suppress(OSError):
                pathlib.Path("/proc/self/autogroup").write_text("19")

        output = (PLACE / f"{name}.log").open("wb") if is_beside else subprocess.PIPE
        return subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", self.checks[name]["run"]], cwd=ROOT,
            env=os.environ | {"SCRATCH": str(self.scratch)}, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lower_priority if is_beside else None,
        ), time.monotonic()

    def finish(self, name):
        """Waits for a background check, prints its output, and returns whether it passed."""
        if name not in self.running:
            return self.passed.get(name, True)
        process, begun = self.running[name]
        with contextlib.suppress(OSError):
            pathlib.Path(f"/proc/{process.pid}/autogroup").write_text("0")
            os.setpriority(os.PRIO_PGRP, process.pid, 0)
        code = process.wait()
        del self.running[name]
        print(f"\n== {name}, started in the background", flush=True)
        sys.stdout.buffer.write((PLACE / f"{name}.log").read_bytes())
        return self.note(name, code == 0, time.monotonic() - begun)

    def check(self, name):
        """Runs a check, or starts it in the background. Returns False if the check, or a check in
        its list `after`, has failed."""
        if not all([self.finish(earlier) for earlier in self.checks[name].get("after", [])]):
            return self.note(name, False, 0)
        if self.checks[name].get("beside"):
            self.running[name] = self.start(name, True)
            return True
        print(f"\n== {name} ({time.monotonic() - self.begun:.0f} s)", flush=True)
        process, begun = self.running[name] = self.start(name, False)
        with (PLACE / f"{name}.log").open("wb") as log:
            for line in process.stdout:
                log.write(line)
                sys.stdout.buffer.write(line)
                sys.stdout.flush()
        code = process.wait()
        del self.running[name]
        return self.note(name, code == 0, time.monotonic() - begun)

    def note(self, name, passed, seconds):
        self.passed[name], self.seconds[name] = passed, seconds
        if not passed:
            print(f"check: {name} failed ({self.checks[name]['run'].strip()})", flush=True)
        commit = self.commit + ("" if self.is_clean else " with changes")
        date = time.strftime("%Y-%m-%d %H:%M")
        self.results[name] = dict(commit=commit, passed=passed, date=date, seconds=round(seconds))
        RESULTS.write_text(json.dumps(self.results, indent=1) + "\n")
        return passed

    def stop(self):
        """Kills the checks that are still running."""
        for process, _ in self.running.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def run(checks, names, is_all, again):
    """Runs checks by their names and returns whether all passed."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="checks-"))
    current = Run(checks, scratch)
    # SIGTERM must reach `finally`, which ends the checks.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for name in names:
            if is_all and not again and current.has_passed(name):
                print(f"== {name}: already passed on this commit")
                continue
            if not current.check(name) and not is_all:
                return False
        results = [current.finish(name) for name in list(current.running)]
        return all(results) and all(current.passed.values())
    finally:
        current.stop()
        shutil.rmtree(scratch, ignore_errors=True)
        for name, seconds in sorted(current.seconds.items(), key=lambda item: -item[1]):
            print(f"{seconds:7.0f} s  {name}")
        failed = sum(not passed for passed in current.passed.values())
        print(f"checks: {len(current.passed) - failed} passed, {failed} failed "
              f"({time.monotonic() - current.begun:.0f} s), results: {RESULTS}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="short | all | NAME")
    for option in ("--again", "--list"):
        parser.add_argument(option, action="store_true")
    options = parser.parse_args()
    checks = read_checks()
    if options.list:
        for check in checks.values():
            why = f" [long: {check['why']}]" if "why" in check else ""
            print(f"{check['name']}: {check['tests']}{why}")
    else:
        is_all = options.names == ["all"]
        names = list(checks) if is_all else options.names
        if names == ["short"]:
            names = [name for name in checks if checks[name]["set"] == "short"]
        if unknown := [name for name in names if name not in checks] or not names:
            parser.error(f"not a check: {unknown}; checks are {', '.join(checks)}")
        sys.exit(0 if run(checks, names, is_all, options.again) else 1)


if __name__ == "__main__":
    main()
