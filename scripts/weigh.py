#!/usr/bin/env python3
"""Weighs a checkout: lines of code and of tests per part, words of documents, and files.

    scripts/weigh.py [FOLDER]    prints a table; FOLDER is another checkout [default: this one]
    scripts/weigh.py --check     fails if something is over its budget in scripts/budget.toml

A part is a crate, or a folder beside `crates`. Blank lines and comments, also docstrings, do not
count. Tests are files in folders named tests, trials, benches or e2e, files named test_*, tests.rs,
*.test.* or *.spec.*, and in Rust the lines from a `#[cfg(test)]` before a module to the end.

tokei and cloc count lines of files, but not the tests inside Rust files.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGET = ROOT / "scripts/budget.toml"
TEST_PATH = re.compile(
    r"(^|/)(tests?|trials|benches|e2e)/|(^|/)tests\.rs$|(^|/)test_|\.(test|spec)\.")
TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\n\s*(#\[.*\]\n\s*)?mod \w+ \{")
C_LIKE = ("//", [("/*", "*/")])
# Per ending of a file: the beginning of a comment line, and the ends of comments of several lines.
LANGUAGES = {
    **dict.fromkeys(["rs", "c", "h", "cpp"], C_LIKE),
    **dict.fromkeys(["ts", "mts", "mjs", "js", "svelte"],
                    ("//", [("/*", "*/"), ("<!--", "-->")])),
    "css": (None, [("/*", "*/")]),
    **dict.fromkeys(["py", "pyi"], ("#", [('"""', '"""')])),
    "sh": ("#", []),
}


def part_of(name):
    folders = name.split("/")
    return folders[1] if folders[0] == "crates" else folders[0]


def without_comments(text, language):
    """Number of lines that are neither blank nor comments."""
    comment, blocks = LANGUAGES[language]
    count, end = 0, None
    for line in map(str.strip, text.splitlines()):
        if end:
            end = None if end in line else end
            continue
        opened = next(((start, stop) for start, stop in blocks if line.startswith(start)), None)
        if opened:
            end = None if opened[1] in line[len(opened[0]):] else opened[1]
        elif line and not (comment and line.startswith(comment)):
            count += 1
    return count


def weigh(folder):
    """Returns the lines of code and of tests per part, the words of documents, and the number of
    files."""
    listed = subprocess.run(["git", "-C", folder, "ls-files"], capture_output=True, text=True,
                            check=True).stdout.splitlines()
    parts, words = {}, 0
    for name in listed:
        path, ending = folder / name, name.rsplit(".", 1)[-1]
        if not path.is_file() or ending not in {*LANGUAGES, "md"}:
            continue
        text = path.read_text(errors="replace")
        if ending == "md":
            words += len(text.split())
            continue
        split = 0 if TEST_PATH.search(name) else len(text)
        if ending == "rs" and split and (module := TEST_MODULE.search(text)):
            split = module.start()
        lines = parts.setdefault(part_of(name), [0, 0])
        lines[0] += without_comments(text[:split], ending)
        lines[1] += without_comments(text[split:], ending)
    return parts, words, len(listed)


def over_budget(parts, words, files):
    """Yields a line per budget that is exceeded or missing."""
    budget = tomllib.loads(BUDGET.read_text())
    for part, lines in parts.items():
        for kind, count, most in zip(["code", "tests"], lines, budget["parts"].get(part, [0, 0])):
            if count > most:
                yield f"{part}: {count} lines of {kind}, at most {most}"
    if words > budget["words"]:
        yield f"documents: {words} words, at most {budget['words']}"
    if files > budget["files"]:
        yield f"{files} tracked files, at most {budget['files']}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    parts, words, files = weigh(options.folder)
    if options.check:
        if over := list(over_budget(parts, words, files)):
            sys.exit("\n".join(["weigh: over budget (CONTRIBUTING.md):", *over]))
        return
    rows = sorted(parts.items(), key=lambda item: -item[1][0])
    total = [sum(column) for column in zip(*parts.values())]
    for name, code, tests in [("part", "code", "tests"),
                              *((name, *lines) for name, lines in [*rows, ("all", total)])]:
        print(f"{name:12}{code:>8}{tests:>8}")
    print(f"documents: {words} words; {files} tracked files")


if __name__ == "__main__":
    main()
