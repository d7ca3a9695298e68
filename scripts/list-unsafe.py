#!/usr/bin/env python3
"""Counts what is unsafe in the sources, and compares it with the table of docs/reliability.md.

    scripts/list-unsafe.py                  a line for each place: file:line, what it is, its reason
    scripts/list-unsafe.py --table          the counts as rows of the table
    scripts/list-unsafe.py --check [FILE]   fails unless the table in FILE (docs/reliability.md) has
                                            every file with these counts, and no other

A block is `unsafe { .. }`; an item an `unsafe fn`, `unsafe impl` or `unsafe trait`; an export an
attribute `#[unsafe(no_mangle)]`. Types of functions are none of these: nothing is done by them.
Tests, fuzz targets and examples are listed, and not counted: what they do wrong is no fault of the
library. Outside of them, every block and item must have its reason: a comment with SAFETY above a
block or an impl, a section `# Safety` in the documentation of a function or trait, or, for a
function that C calls, the header.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The first token after `unsafe` tells what it is.
KINDS = [
    ("block", re.compile(r"unsafe\s*\{")),
    ("item", re.compile(r"unsafe\s+(?:extern\s*\"[^\"]*\"\s*)?fn\s+\w|unsafe\s+(?:impl|trait)\b")),
    ("export", re.compile(r"unsafe\s*\(\s*no_mangle\s*\)")),
    ("type", re.compile(r"unsafe\s+(?:extern\s*(?:\"[^\"]*\")?\s*)?fn\s*\(")),
]
# Comments, strings and characters; a lifetime such as 'a is no character.
SILENT = re.compile(
    r"//[^\n]*|/\*.*?\*/|b?r(#*)\".*?\"\1|[bc]?\"(?:\\.|[^\"\\])*\"|b?'(?:\\[^\n]{1,9}?|[^'\\\n])'",
    re.DOTALL,
)
ROW = re.compile(r"^\| `(crates/[^`]+\.rs)` \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


def blanked(text):
    """The text with spaces for comments and what stands in quotes; lines stay where they are."""

    def spaces(match):
        found = match.group()
        if found.startswith('"') and found == '"C"':
            return found
        return re.sub(r"[^\n]", " ", found)

    return SILENT.sub(spaces, text)


def reason(lines, line, kind, text):
    """The comment above a line that says why it is sound; None if there is none."""
    above = []
    at = line - 1
    # A block may begin in the middle of a statement, below attributes, or below a shared comment.
    while at >= 0 and len(above) < 40:
        bare = lines[at].strip()
        if not (bare.startswith(("//", "#["))):
            break
        above.insert(0, bare.lstrip("/! ").strip())
        at -= 1
    comment = " ".join(above)
    for word in ("SAFETY:", "# Safety"):
        if word in comment:
            return comment.split(word, 1)[1].strip()
    if kind == "item" and "no_mangle" in comment:
        return "the header"
    return None


def places(path):
    """What is unsafe in a file: (line, kind, reason, whether it is in tests)."""
    text = (ROOT / path).read_text(encoding="utf-8")
    code, lines = blanked(text), text.split("\n")
    tests = re.search(r"^#\[cfg\(test\)\]\s*mod ", code, re.MULTILINE)
    first_test = tests.start() if tests else len(code)
    is_test = not re.search(r"^crates/(?!fuzz/)[^/]+/src/", path)
    for found in re.finditer(r"\bunsafe\b", code):
        at = found.start()
        kind = next((kind for kind, form in KINDS if form.match(code, at)), None)
        line = code.count("\n", 0, at)
        if kind is None:
            sys.exit(f"list-unsafe: error: {path}:{line + 1}: what is this? {lines[line].strip()}")
        # The statement that a block stands in may begin above it.
        why = None
        if kind in ("block", "item"):
            begin = line
            while begin > 0 and why is None and line - begin < 6:
                why = reason(lines, begin, kind, text)
                if kind == "item" or lines[begin - 1].rstrip().endswith((";", "{", "}")):
                    break
                begin -= 1
        yield line + 1, kind, why, is_test or at > first_test


def sources():
    """The Rust files of the clone: those of git, and the same where there is no git."""
    command = ["git", "-C", str(ROOT), "ls-files", "crates/*.rs"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        listed = [str(path.relative_to(ROOT)) for path in (ROOT / "crates").rglob("*.rs")]
    return sorted(path for path in listed if (ROOT / path).is_file())


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0] not in ("--table", "--check") or len(arguments) > 2:
        sys.exit(__doc__)
    counts, unexplained = {}, []
    for path in sources():
        for line, kind, why, is_test in places(path):
            if kind in ("block", "item") and why is None and not is_test:
                unexplained.append(f"{path}:{line}")
            if not arguments:
                place = f"{path}:{line}:"
                print(f"{place:44} {'test ' if is_test else ''}{kind}: {why or '-'}")
            if kind != "type" and not is_test:
                of_file = counts.setdefault(path, {"block": 0, "item": 0, "export": 0})
                of_file[kind] += 1
    rows = {path: (of["block"], of["item"], of["export"]) for path, of in counts.items()}
    sums = tuple(map(sum, zip(*rows.values())))
    if arguments and arguments[0] == "--table":
        for path, row in rows.items():
            print("| `{}` | {} | {} | {} |".format(path, *row))
        print("| all | {} | {} | {} |".format(*sums))
    faults = [f"{place} is unsafe and does not say why that is sound" for place in unexplained]
    if arguments and arguments[0] == "--check":
        name = arguments[1] if len(arguments) > 1 else "docs/reliability.md"
        try:
            document = (ROOT / name).read_text(encoding="utf-8")
        except OSError as error:
            sys.exit(f"list-unsafe: error: {name}: {error.strerror}")
        written = {path: tuple(map(int, row)) for path, *row in ROW.findall(document)}
        for path in sorted(rows.keys() | written.keys()):
            here, there = rows.get(path, (0, 0, 0)), written.get(path)
            if there is None:
                faults.append(f"{path} has {here} blocks, items and exports, and is not in {name}")
            elif here != there:
                faults.append(f"{path} has {here} blocks, items and exports; {name} says {there}")
    for fault in faults:
        print(f"list-unsafe: error: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    if arguments and arguments[0] == "--check":
        print("list-unsafe: {} blocks, {} items, {} exports in {} files, as {} says".format(
            *sums, len(rows), name))


main()
