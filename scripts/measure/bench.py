"""Runs commands as a user would, and writes the time and memory that they took."""

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
# A line is run again until its runs took this time in seconds, or 3 x `runs` times.
SHORT = 3.0
# Fields of a forecast of `pdb-gen plan` that are kept.
FORECAST = ["seconds", "memory", "disk"]


class Failed(Exception):
    """A command that failed."""


class Bench:
    """Runs the commands in `binaries`, with tables in `tables`, each line at least `runs` times.
    Writes lines of progress to `progress`."""

    def __init__(self, binaries, tables, runs, progress=sys.stdout):
        self.binaries, self.tables, self.runs = binaries, tables, runs
        self.progress = progress
        self.begun = time.monotonic()
        self.commit = commit_of(binaries)
        self.group_start = now_and_load()

    def say(self, words):
        """A line of progress."""
        print(f"{time.monotonic() - self.begun:7.1f} s  {words}", file=self.progress, flush=True)

    def run(self, command, tables=None, codes=(0,)):
        """One run of a line of a shell, in the project's directory: what it printed, and its raw
        figures. `cpu_seconds` is the processor time of its processes, and `peak_kib` their largest
        resident size. A process starts with the peak of the one that made it, so what is no more
        than `floor_kib` is only known to be at most that."""
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
        """One run of a line that prints an object per line: the objects, and its figures."""
        output, figures = self.run(command, tables, codes)
        return [json.loads(line) for line in output.splitlines()], figures

    def forecast(self, options):
        """The kept fields of the forecast of a build."""
        (plan,), _ = self.json(f"pdb-gen plan --json {options}", "/nonexistent")
        return {key: plan[key] for key in FORECAST}

    def repeat(self, once):
        """Runs `once` as often as a line is run: it returns what a run gave, its figures last."""
        results, spent = [], 0.0
        while len(results) < self.runs or (spent < SHORT and len(results) < 3 * self.runs):
            results.append(once())
            spent += results[-1][-1]["seconds"]
        return results

    def line(self, name, command, runs, **fields):
        """Prints a row of the data, and returns it."""
        seconds = statistics.median(run["seconds"] for run in runs)
        words = " ".join(str(fields[key]) for key in ["preset", "threads"] if key in fields)
        self.say(f"{seconds:9.3f} s x{len(runs)}  {name} {words}")
        return {"name": name, "command": command, "runs": runs, **fields}

    def build(self, options):
        """Builds the tables of a search where they are missing, and returns their bytes."""
        self.run(f"pdb-gen --quiet {options}")
        (plan,), _ = self.json(f"pdb-gen plan --json {options}")
        return sum(table["file"] for table in plan["tables"])

    def write(self, group, rows):
        """Writes a group's data."""
        DATA.mkdir(exist_ok=True)
        replace(DATA / f"{group}.json", dump({**self.origin(), "rows": rows}) + "\n")

    def origin(self):
        """Machine, commit, date and load of the data since the last call."""
        date, load = self.group_start
        self.group_start = now_and_load()
        return {"machine": machine(), "commit": self.commit, "date": date, "load": load}


def replace(path, text):
    """Writes a file atomically, and syncs it."""
    temporary = path.with_name(f".{path.name}.tmp")
    with open(temporary, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def suite_lines(name):
    """The fields of each line of a file of data/suites: the board's numbers and further columns."""
    lines = (ROOT / f"data/suites/{name}.txt").read_text().splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


def dump(value, indent="", depth=4):
    """JSON with a line for each row and each run, so that changes of data can be read."""
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
    """The output of `solver --summary csv`, row by row: the header's columns to numbers."""
    return {row.pop("name"): {key: float(value) for key, value in row.items() if value}
            for row in csv.DictReader(output.splitlines())}


def now_and_load():
    """The date and time (UTC), and the mean number of runnable processes in the last minute."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return now.strftime("%Y-%m-%d %H:%M"), round(os.getloadavg()[0], 2)


def commit_of(binaries):
    """The commit of the tree in which the programs were built; `-dirty` where the sources differ
    from it."""
    def git(*words):
        return subprocess.run(["git", "-C", binaries, *words], capture_output=True,
                              text=True).stdout.strip()
    commit = git("describe", "--always")
    # Data files that are being written do not belong to the programs.
    changed = git("status", "--porcelain", "--", ":/crates", ":/Cargo.toml", ":/Cargo.lock")
    return commit + ("-dirty" if changed else "") if commit else "unknown"


@functools.cache
def machine():
    """The machine, on which the figures depend."""
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
