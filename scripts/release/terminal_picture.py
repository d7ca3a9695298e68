#!/usr/bin/env python3
"""Draws the pictures of README.md. docs/terminal.svg shows a terminal session with the real output
of pdb-gen and solver. docs/solution.svg is drawn by `solver show`.

    cargo build --release && scripts/release/terminal_picture.py
"""

import html
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = [
    ["pdb-gen", "--partition", "6-6-3"],
    ["solver", "--threads", "1", "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"],
    ["solver", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"],
    ["pdb-gen", "verify"],
    ["solver", "scramble", "--size", "3x3", "--length", "31", "--seed", "1"],
    ["solver", "show", "--solve", "6 4 7/8 5 0/3 2 1"],
]
SOLUTION = ["solver", "show", "--solve", "6 4 7/8 5 0/3 2 1", "--out"]
COLUMNS, LINE, LEFT, TOP = 110, 19, 14, 16


def run(words, tables):
    program = ROOT / "target/release" / words[0]
    environment = dict(os.environ, PDB_TABLES=str(tables))
    done = subprocess.run([program, *words[1:]], env=environment, capture_output=True, text=True)
    # The picture must not depend on the directory of the tables.
    text = (done.stdout + done.stderr).replace(str(tables) + os.sep, "")
    return text.replace(str(tables), "~/.local/share/sliding-tile-pdb")


def session():
    with tempfile.TemporaryDirectory() as tables:
        for words in COMMANDS:
            yield "prompt", "$ " + " ".join(f'"{word}"' if " " in word else word for word in words)
            for line in run(words, tables).splitlines():
                for start in range(0, max(len(line), 1), COLUMNS):
                    yield "output", line[start:start + COLUMNS]
            yield "output", ""


def main():
    lines = list(session())[:-1]
    height = 2 * TOP + LINE * len(lines)
    width = 2 * LEFT + int(COLUMNS * 8.45)
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>pdb-gen builds the 6-6-3 tables, solver solves two boards, pdb-gen proves the "
        "tables, solver draws a solution</title>",
        "<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre}"
        ".prompt{fill:#7ee787}.output{fill:#d1d5da}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#1b1f24"/>',
    ]
    for number, (kind, line) in enumerate(lines):
        baseline = TOP + LINE * number + 14
        svg.append(f'<text x="{LEFT}" y="{baseline}" class="{kind}">{html.escape(line)}</text>')
    svg.append("</svg>\n")
    (ROOT / "docs/terminal.svg").write_text("\n".join(svg), encoding="utf-8")
    with tempfile.TemporaryDirectory() as tables:
        run([*SOLUTION, str(ROOT / "docs/solution.svg")], tables)


if __name__ == "__main__":
    main()
