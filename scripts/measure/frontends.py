"""Figures of the frontends. The Python package, the C library and the HTTP service each have a
script here. The page and the npm package are measured in Node and in a browser: `npm run budget` in
crates/page writes docs/results/page.json."""

import json
import os
import re
import subprocess
import sys

from .bench import ROOT, Failed
from .figures import text
from .tables import columns_table, table

# Interpreter of the virtual environment with the package, created by scripts/check/python.sh.
PYTHON = ROOT / "target/python/venv/bin/python"


def frontends(bench):
    """Yields the rows that the measurement scripts of Python, C and HTTP print. Needs the results
    of scripts/build/c.sh and scripts/check/python.sh, and solver-server in the folder of the
    commands."""
    environment = dict(os.environ, SOLVER_BIN=str(bench.binaries / "solver"),
                       PDB_GEN_BIN=str(bench.binaries / "pdb-gen"))
    scripts = {
        "Python": [PYTHON, "python_package.py", "--runs", "3"],
        "C": [sys.executable, "c_library.py", "--runs", "7"],
        "HTTP": [sys.executable, "http_service.py", "--runs", "3", "--binaries", bench.binaries],
    }
    for name, (python, script, *options) in scripts.items():
        command = [python, ROOT / "scripts/measure" / script, "--json", *options]
        # Exit code 1 means that a figure misses its limit. The row of that figure is still valid.
        run = subprocess.run(command, cwd=ROOT, env=environment, text=True, check=False,
                             stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if run.returncode not in (0, 1) or not run.stdout:
            raise Failed(f"{script} ended with {run.returncode}: {run.stdout[-300:]}")
        for row in json.loads(run.stdout):
            row["name"] = f"{name}: {row['name'].removeprefix(f'{name}: ')}"
            yield row


def origin(group):
    return "Commit {commit}, {date} UTC, load {load:.2f} before".format_map(group)


def measured(row):
    return f"{text(row['figure'])} {row['unit']}"


def frontend_table(data):
    def name(row):
        """Removes the separators from numbers in the name, so that `document.counts` does not treat
        numbers of requests as results."""
        return re.sub(r"(?<=\d),(?=\d{3})", "", row["name"])
    yield f"{origin(data['frontends'])}."
    yield ""
    yield from columns_table([("", name), (">measured", measured)], data["frontends"]["rows"])


def page(data):
    """Figures of the page, and those of the package in Node and in Chromium side by side."""
    yield origin(data["page"]) + ";"
    yield "Node {node}, Chromium {chromium}.".format_map(data["page"]["machine"])
    figures = {}
    for row in data["page"]["rows"]:
        place, name = row["name"].split(": ", 1)
        if name.endswith(("boards, median", "boards, worst")):
            continue
        name = name.replace("of a browser", "of a process")
        figures.setdefault(place, {})[name] = measured(row)
    yield ""
    yield from table(["page", ">measured"], figures["Page"].items())
    yield ""
    yield from table(["package", ">Node", ">Chromium"], [
        [name, figure, figures["Chromium"].get(name, "")]
        for name, figure in figures["Node"].items()])
