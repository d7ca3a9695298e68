"""The Python package, the C library and the HTTP service: each has a script that measures it, which
prints rows of data."""

import json
import os
import re
import subprocess
import sys
import tempfile

from .bench import ROOT, Failed
from .page import figure
from .tables import table

NAME = "frontends"
# Where scripts/check/python.sh leaves a virtual environment with the package.
PYTHON = ROOT / "target/python/venv/bin/python"
BOUNDS = {"most": "at most", "least": "at least"}


def frontends(bench):
    """Rows of all three, which need what scripts/build/c.sh and scripts/check/python.sh made, and
    solver-server next to the commands."""
    binaries = dict(os.environ, SOLVER_BIN=str(bench.binaries / "solver"),
                    PDB_GEN_BIN=str(bench.binaries / "pdb-gen"))
    scripts = {
        "Python": [PYTHON, "scripts/measure/python.py", "--runs", "3", "--json"],
        "C": [sys.executable, "scripts/measure/c.py", "--json"],
        "HTTP": [sys.executable, "scripts/measure/http.py", "--json", "--binaries",
                 bench.binaries, "--runs", "3"],
    }
    rows = []
    for name, command in scripts.items():
        for row in rows_of(name, command, binaries):
            # Some scripts say by themselves what they measure.
            what = re.sub(f"^{name}: ", "", row["name"], flags=re.IGNORECASE)
            row["name"] = f"{name}: {what}"
            rows.append(row)
            bench.say(f"{row['figure']:9.4g} {row['unit']}  {row['name']}")
    return rows


def rows_of(name, command, environment):
    """What a script measures. That of the Python package writes its rows into a file."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        if name == "Python":
            command = [*command, file.name]
        run = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment, text=True,
                             stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
        if run.returncode:
            raise Failed(f"{command[1]} ended with {run.returncode}: {run.stdout[-300:]}")
        return json.loads(file.read() if name == "Python" else run.stdout)


def frontend_table(data):
    """The rows, each with its bound."""
    group = data[NAME]
    yield f"Commit {group['commit']}, {group['date']} UTC, load {group['load']:.2f} before."
    yield ""
    rows = []
    for row in group["rows"]:
        wanted = "" if row["bar"] is None else f"{BOUNDS[row['bound']]} {figure(row['bar'])}"
        # Round numbers of requests are no counts of what was measured: see `document.counts`.
        name = re.sub(r"(?<=\d),(?=\d{3})", "", row["name"])
        rows.append([name, wanted, f"{figure(row['figure'])} {row['unit']}"])
    yield from table(["", ">wanted", ">measured"], rows)
