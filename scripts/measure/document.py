"""docs/results.md: the tables between its markers are made from the data. No count stands there and
in docs/experiments.md, which is kept by hand."""

import difflib
import json
import os
import re

from .bench import DATA, ROOT
from .groups import GROUPS
from .tables import TABLES

DOCUMENT = ROOT / "docs/results.md"
EXPERIMENTS = ROOT / "docs/experiments.md"
MARKED = re.compile(r"(<!-- table: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def made():
    """The document as the data says it should be."""
    text = DOCUMENT.read_text()
    data = {name: json.loads((DATA / f"{name}.json").read_text())
            for name in GROUPS if (DATA / f"{name}.json").exists()}
    names = [found[1] for found in MARKED.findall(text)]
    if sorted(names) != sorted(TABLES):
        odd = sorted(set(names) ^ set(TABLES)) or "one of them twice"
        raise ValueError(f"{DOCUMENT}: tables without marker, or markers without table: {odd}")

    def table(found):
        try:
            lines = TABLES[found[2]](data)
        except KeyError as missing:
            lines = [f"(Not measured: {missing}.)"]
        return found[1] + "\n" + "\n".join(lines) + "\n\n" + found[4]

    return MARKED.sub(table, text)


def write():
    """Makes the tables again."""
    temporary = DOCUMENT.with_suffix(".md.tmp")
    temporary.write_text(made())
    os.replace(temporary, DOCUMENT)


def counts(text):
    """Numbers of four digits and more, which are nodes, entries or bytes."""
    return set(re.findall(r"\b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b", text))


def check():
    """What is wrong with the document, or nothing."""
    old, new = DOCUMENT.read_text(), made()
    if old == new:
        twice = sorted(counts(old) & counts(EXPERIMENTS.read_text()))
        return f"both on {DOCUMENT.name} and {EXPERIMENTS.name}: {twice}" if twice else None
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "docs/results.md",
                                 "what the data says", lineterm="", n=0)
    return "\n".join([*lines, "Tables are made: scripts/bench.py --tables"])
