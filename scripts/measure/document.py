"""Writes the tables between markers in README.md, docs/results.md and docs/lab.md from the data.
docs/experiments.md is written by hand; `check` rejects counts there that are also in
docs/results.md."""

import difflib
import json
import re

from .bench import DATA, ROOT, replace
from .groups import GROUPS
from .laboratory import LAB_TABLES, RESULT_TABLES
from .proofs import JOB_TABLES
from .rivals import rivals
from .tables import TABLES

DOCUMENT = ROOT / "docs/results.md"
# Each document with its tables.
DOCUMENTS = {
    DOCUMENT: {**TABLES, **JOB_TABLES, **RESULT_TABLES},
    ROOT / "docs/lab.md": LAB_TABLES,
    ROOT / "README.md": {"rivals": rivals},
}
EXPERIMENTS = ROOT / "docs/experiments.md"
MARKED = re.compile(r"(<!-- table: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def made(document):
    """Returns the text of a document with tables written from the data."""
    text, tables = document.read_text(), DOCUMENTS[document]
    data = {name: json.loads((DATA / f"{name}.json").read_text())
            for name in [*GROUPS, "page"] if (DATA / f"{name}.json").exists()}
    names = [found[1] for found in MARKED.findall(text)]
    if sorted(names) != sorted(tables):
        odd = sorted(set(names) ^ set(tables)) or "duplicate marker"
        raise ValueError(f"{document}: tables without marker, or markers without table: {odd}")

    def table(found):
        try:
            lines = list(tables[found[2]](data))
        except KeyError as missing:
            lines = [f"(Not measured: {missing}.)"]
        return found[1] + "\n" + "\n".join(lines) + "\n\n" + found[4]

    return MARKED.sub(table, text)


def write():
    """Writes the tables of all documents."""
    for document in DOCUMENTS:
        replace(document, made(document))


def counts(text):
    """Numbers of at least four digits: nodes, entries or bytes."""
    return set(re.findall(r"\b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b", text))


def check():
    """Returns the errors of the documents, or None."""
    for document in DOCUMENTS:
        old, new = document.read_text(), made(document)
        if old != new:
            name = document.relative_to(ROOT)
            lines = difflib.unified_diff(old.splitlines(), new.splitlines(), str(name),
                                         "written from the data", lineterm="", n=0)
            return "\n".join([*lines, "To write the tables: scripts/bench.py --tables"])
    twice = sorted(counts(DOCUMENT.read_text()) & counts(EXPERIMENTS.read_text()))
    return f"both in {DOCUMENT.name} and in {EXPERIMENTS.name}: {twice}" if twice else None
