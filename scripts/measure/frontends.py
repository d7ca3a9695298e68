"""The Python package, the C library and the HTTP service: each has a script that measures it."""

import json
import os
import re
import subprocess
import sys

from .bench import ROOT, Failed
from .figures import text
from .tables import table

NAME = "frontends"
# Where scripts/check/python.sh leaves a virtual environment with the package.
PYTHON = ROOT / "target/python/venv/bin/python"
BOUNDS = {"most": "at most", "least": "at least"}


def frontends(bench):
    """Rows of all three, which need what scripts/build/c.sh and scripts/check/python.sh made, and
    solver-server next to the commands."""
    environment = dict(os.environ, SOLVER_BIN=str(bench.binaries / "solver"),
                       PDB_GEN_BIN=str(bench.binaries / "pdb-gen"))
    scripts = {
        "Python": [PYTHON, "python_package.py", "--runs", "3"],
        "C": [sys.executable, "c_library.py", "--runs", "7"],
        "HTTP": [sys.executable, "http_service.py", "--runs", "3", "--binaries", bench.binaries],
    }
    rows = []
    for name, (python, script, *options) in scripts.items():
        command = [python, ROOT / "scripts/measure" / script, "--json", *options]
        # Exit code 1: a figure misses its bar, as its row says.
        run = subprocess.run(command, cwd=ROOT, env=environment, text=True, check=False,
                             stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if run.returncode not in (0, 1) or not run.stdout:
            raise Failed(f"{script} ended with {run.returncode}: {run.stdout[-300:]}")
        for row in json.loads(run.stdout):
            row["name"] = f"{name}: {row['name'].removeprefix(f'{name}: ')}"
            rows.append(row)
    return rows


def frontend_table(data):
    """The rows, each with its bound."""
    group = data[NAME]
    yield f"Commit {group['commit']}, {group['date']} UTC, load {group['load']:.2f} before."
    yield ""
    rows = []
    for row in group["rows"]:
        wanted = "" if row["bar"] is None else f"{BOUNDS[row['bound']]} {text(row['bar'])}"
        # Round numbers of requests are no counts of what was measured: see `document.counts`.
        name = re.sub(r"(?<=\d),(?=\d{3})", "", row["name"])
        rows.append([name, wanted, f"{text(row['figure'])} {row['unit']}"])
    yield from table(["", ">wanted", ">measured"], rows)
