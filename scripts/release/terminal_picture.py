#!/usr/bin/env python3
"""Draws the pictures of README.md. docs/terminal.svg shows a terminal session with the real output
of pdb-gen and solver. docs/solution.svg is drawn by `solver show`.

    cargo build --release && scripts/release/terminal_picture.py [--check] [--bin DIR]

--check only fails if the output in docs/terminal.svg differs from that of the programs in DIR
[default: target/release]. Times may differ.
"""

import argparse
import html
import os
import pathlib
import re
import subprocess
import sys
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
PICTURE = ROOT / "docs/terminal.svg"
TIME = re.compile(r"[0-9.]+ m?s\b")
COLUMNS, LINE, LEFT, TOP = 110, 19, 14, 16


def run(words, tables, programs):
    program = programs / words[0]
    environment = dict(os.environ, PDB_TABLES=str(tables))
    done = subprocess.run([program, *words[1:]], env=environment, capture_output=True, text=True)
    # The picture must not depend on the directory of the tables.
    text = (done.stdout + done.stderr).replace(str(tables) + os.sep, "")
    return text.replace(str(tables), "~/.local/share/sliding-tile-pdb")


def session(programs):
    with tempfile.TemporaryDirectory() as tables:
        for words in COMMANDS:
            yield "prompt", "$ " + " ".join(f'"{word}"' if " " in word else word for word in words)
            for line in run(words, tables, programs).splitlines():
                for start in range(0, max(len(line), 1), COLUMNS):
                    yield "output", line[start:start + COLUMNS]
            yield "output", ""


def check(lines):
    """Compares the lines, without times, with those of the picture. Returns the exit code."""
    found = re.findall(r'class="(prompt|output)">(.*)</text>', PICTURE.read_text(encoding="utf-8"))
    found = [TIME.sub("", html.unescape(line)) for _, line in found]
    expected = [TIME.sub("", line) for _, line in lines]
    for old, new in zip([*found, None], [*expected, None]):
        if old != new:
            print(f"{PICTURE} shows {old!r}, the programs print {new!r}: draw it again",
                  file=sys.stderr)
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "target/release", metavar="DIR")
    options = parser.parse_args()
    lines = list(session(options.bin.resolve()))[:-1]
    if options.check:
        sys.exit(check(lines))
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
    PICTURE.write_text("\n".join(svg), encoding="utf-8")
    with tempfile.TemporaryDirectory() as tables:
        run([*SOLUTION, str(ROOT / "docs/solution.svg")], tables, options.bin.resolve())


if __name__ == "__main__":
    main()
