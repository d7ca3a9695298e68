"""Runs commands as a user would, and records their time and memory."""

import csv
import datetime
import functools
import json
import os
import pathlib
import platform
import re
import resource
import shlex
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "docs/results"
# A command is repeated until its runs have taken `SHORT` seconds in total, or until it has run
# three times as often as required.
SHORT = 3.0
# Fields of the output of `pdb-gen plan --json` that the data files store.
FORECAST = ["seconds", "memory", "disk"]


class Failed(Exception):
    """Error of a command with an unexpected exit code or result."""


class Bench:
    """Runs the programs in the directory `binaries` with the tables in the directory `tables`.
    Measures each command line at least `runs` times. Writes lines of progress to `progress`."""

    def __init__(self, binaries, tables, runs, progress=sys.stdout):
        self.binaries, self.tables, self.runs = binaries, tables, runs
        self.progress = progress
        self.begun = time.monotonic()
        self.commit = commit_of(binaries)
        self.group_start = now_and_load()

    def say(self, words):
        """Writes a line of progress."""
        print(f"{time.monotonic() - self.begun:7.1f} s  {words}", file=self.progress, flush=True)

    def run(self, command, tables=None, codes=(0,)):
        """Runs a shell command once, in the project's directory. Returns its output and raw
        figures. `cpu_seconds` is the processor time of the command's processes, and `peak_kib` is
        their largest resident size. A process inherits the peak of its parent, and `floor_kib` is
        the peak of this script. If `peak_kib` is not larger, it is only an upper bound."""
        shell = re.search(r"[|;$<>&`]", command)
        words = ["sh", "-c", command] if shell else shlex.split(command)
        path = f"{self.binaries}{os.pathsep}{os.environ['PATH']}"
        environment = dict(os.environ, PATH=path, PDB_TABLES=str(tables or self.tables), LC_ALL="C")
        if not shell:
            words[0] = str(self.binaries / words[0])
        floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        process = subprocess.Popen(words, env=environment, cwd=ROOT, stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            raise Failed(f"{command} ended with {process.returncode}: {output[-300:]}")
        return output, {
            "seconds": round(seconds, 5),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 5),
            "peak_kib": usage.ru_maxrss,
            "floor_kib": floor,
        }

    def json(self, command, tables=None, codes=(0,)):
        """Runs a command that prints one object per line. Returns the objects and the figures."""
        output, figures = self.run(command, tables, codes)
        return [json.loads(line) for line in output.splitlines()], figures

    def forecast(self, options):
        """Returns the forecast of a build, reduced to the fields in FORECAST."""
        (plan,), _ = self.json(f"pdb-gen plan --json {options}", "/nonexistent")
        return {key: plan[key] for key in FORECAST}

    def repeat(self, once):
        """Calls `once` repeatedly and returns its results. Each result is a tuple whose last item
        contains the figures of the run."""
        results, spent = [], 0.0
        while len(results) < self.runs or (spent < SHORT and len(results) < 3 * self.runs):
            results.append(once())
            spent += results[-1][-1]["seconds"]
        return results

    def line(self, name, command, runs, **fields):
        """Prints a row and returns it."""
        seconds = statistics.median(run["seconds"] for run in runs)
        words = " ".join(str(fields[key]) for key in ["preset", "threads"] if key in fields)
        self.say(f"{seconds:9.3f} s x{len(runs)}  {name} {words}")
        return {"name": name, "command": command, "runs": runs, **fields}

    def build(self, options):
        """Builds the tables that a search needs, unless they exist. Returns their total size in
        bytes."""
        self.run(f"pdb-gen --quiet {options}")
        (plan,), _ = self.json(f"pdb-gen plan --json {options}")
        return sum(table["file"] for table in plan["tables"])

    def write(self, group, rows):
        """Writes a group's data."""
        replace(DATA / f"{group}.json", dump({**self.origin(), "rows": rows}) + "\n")

    def origin(self):
        """Returns machine, commit, date and load for the data measured since the last call."""
        date, load = self.group_start
        self.group_start = now_and_load()
        return {"machine": machine(), "commit": self.commit, "date": date, "load": load}


def replace(path, text):
    """Replaces a file atomically and syncs its contents."""
    temporary = path.with_name(f".{path.name}.tmp")
    with open(temporary, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def suite_lines(name):
    """Words of each line of a file in data/suites: the numbers of the board, then other data."""
    lines = (ROOT / f"data/suites/{name}.txt").read_text().splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


def dump(value, indent="", depth=4):
    """JSON for readable diffs: the outer `depth` levels have one line per item."""
    if not (depth and value and isinstance(value, (dict, list))):
        return json.dumps(value)
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {dump(item, inner, depth - 1)}"
                 for key, item in value.items()]
    else:
        items = [dump(item, inner, depth - 1) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{inner}" + f",\n{inner}".join(items) + f"\n{indent}{end}"


def summary(output):
    """Parses the output of `solver --summary csv`: maps row names to columns and numbers."""
    return {row.pop("name"): {key: float(value) for key, value in row.items() if value}
            for row in csv.DictReader(output.splitlines())}


def now_and_load():
    """Date and time (UTC), and the load average of the last minute."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return now.strftime("%Y-%m-%d %H:%M"), round(os.getloadavg()[0], 2)


def commit_of(binaries):
    """Commit of the tree that contains the programs, with `-dirty` if its sources have uncommitted
    changes."""
    def git(*words):
        return subprocess.run(["git", "-C", binaries, *words], capture_output=True,
                              text=True).stdout.strip()
    commit = git("describe", "--always")
    # Other files, such as the data being written, are not part of the programs.
    changed = git("status", "--porcelain", "--", ":/crates", ":/Cargo.toml", ":/Cargo.lock")
    return commit + ("-dirty" if changed else "") if commit else "unknown"


@functools.cache
def machine():
    """Description of the machine."""
    def first(pattern, path):
        file = pathlib.Path(path)
        found = file.exists() and re.search(pattern, file.read_text(), re.MULTILINE)
        return found[1] if found else None
    try:
        rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout
    except OSError:
        rustc = ""
    memory = first(r"^MemTotal: *(\d+) kB", "/proc/meminfo")
    release = first(r'^PRETTY_NAME="(.*)"', "/etc/os-release")
    return {
        "cpu": first(r"^model name\s*: (.*)$", "/proc/cpuinfo") or platform.processor(),
        "cores": os.cpu_count(),
        "memory_gib": memory and round(int(memory) / 2**20, 1),
        "os": f"{platform.system()} {platform.release()}" + (f", {release}" if release else ""),
        "rustc": " ".join(rustc.split()[1:2]) or None,
        "virtual": first(r"^flags\s*:.*\b(hypervisor)\b", "/proc/cpuinfo") is not None,
    }
