#!/usr/bin/env python3
"""Writes the licences of all third-party code in a program or library.

cargo-about 0.9.3 does the same, but without the standard library and musl. It takes four minutes of
one core to compile and 15 s per package. This script takes 0.3 s, and every build of a wheel, npm
package or C library calls it.

    scripts/release/third-party.py --package CRATE [--package CRATE...] --target TRIPLE [--out FILE]
    scripts/release/third-party.py --check

Reads the list of crates that cargo links for the target, and the licence files in their sources.
Fails if deny.toml does not allow the licence of a crate. Also fails if a crate has no licence text,
unless the licence is MIT: its standard text is then used. The same Cargo.lock always results in the
same output.
--check writes nothing; it checks the licences of all crates that any target of the workspace links.
"""

import argparse
import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# If a crate offers a choice of licences, the first one in this list is chosen.
PREFERRED = ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "0BSD", "Unlicense"]

LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING|UNLICENSE|NOTICE|COPYRIGHT)", re.IGNORECASE)

# Third-party code inside a crate: name, licence, licence file.
VENDORED = {
    "zstd-sys": [("zstd", "BSD-3-Clause", "zstd/LICENSE")],
}

# The MIT licence without the copyright line.
MIT = "Permission " + (ROOT / "LICENSE-MIT").read_text().partition("Permission ")[2]

# Code that the compiler links in addition to crates. Each tuple contains the name, the licence, the
# copyright holder and a text. A target links the code if its name contains this text.
RUNTIMES = [
    ("the standard library of Rust", "MIT OR Apache-2.0", "The Rust Project Contributors", ""),
    ("musl", "MIT", "2005-2025 Rich Felker, et al.", "-musl"),
]


HEAD = """\
Third-party code in sliding-tile-pdb
====================================

The programs and libraries of sliding-tile-pdb contain the following code, with thanks. The
licence texts follow; where a choice of licences is offered, the text of the chosen one.

"""


def fail(message):
    sys.exit(f"third-party: error: {message}")


def cargo(*arguments):
    command = ["cargo", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(command)} failed")
    return done.stdout


def linked(packages, target):
    """Names and versions of the crates that cargo links for a target."""
    tree = cargo("tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none",
                 "--format", "{p}", "--target", target, *(f"--package={name}" for name in packages))
    return set(re.findall(r"^(\S+) v(\S+)", tree, re.MULTILINE))


def ways(tokens):
    """Sets of licences that satisfy an SPDX expression. Consumes its tokens."""
    found, last = [], one(tokens)
    while tokens[:1] in (["OR"], ["AND"]):
        # AND binds more tightly: it extends only the part after the last OR.
        if tokens.pop(0) == "OR":
            found, last = found + last, one(tokens)
        else:
            last = [first + second for first, second in itertools.product(last, one(tokens))]
    return found + last


def one(tokens):
    token = tokens.pop(0)
    if token == "(":
        found = ways(tokens)
        tokens.remove(")")
        return found
    if tokens[:1] == ["WITH"]:
        token += " WITH " + tokens[1]
        del tokens[:2]
    return [[token]]


def chosen(licence, allowed):
    """The licences chosen from an expression, or None if the allowed ones do not satisfy it."""
    # The older syntax separates alternatives by slashes.
    tokens = re.findall(r"[()]|[^\s()]+", licence.replace("/", " OR "))
    try:
        possible = [way for way in ways(tokens) if set(way) <= set(allowed)]
    except (IndexError, ValueError):
        tokens = [licence]
    if tokens:
        fail(f"cannot read the licence {licence!r}")

    def worth(names):
        return len(names), [(*PREFERRED, name).index(name) for name in names]
    return min(possible, key=worth, default=None)


def read(path):
    text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    return "\n".join(line.rstrip() for line in text.strip("\n\f ").splitlines()) + "\n"


def texts(package, names):
    """Texts of the licences chosen for a crate."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and LICENCE_FILE.match(path.name))
    if package["license_file"]:
        files = sorted({*files, folder / package["license_file"]})
    # File names contain the first word of the licence: MIT, APACHE, BSD, UNLICENSE.
    words = ["NOTICE", *(name.split("-")[0].upper() for name in names)]
    fitting = [path for path in files if any(word in path.name.upper() for word in words)]
    # If only one licence was chosen, uses only the files whose names contain the first word of the
    # licence. If no such file exists, or several licences were chosen, uses all files.
    return [read(path) for path in (fitting if len(names) == 1 and fitting else files)]


def document(crates, allowed, target):
    entries, by_text = [], collections.defaultdict(list)

    def add(name, licence, found):
        entries.append((name, licence))
        for text in found:
            by_text[text].append(name)

    for package in crates:
        folder = pathlib.Path(package["manifest_path"]).parent
        for name, licence, path in VENDORED.get(package["name"], []):
            add(f"{name}, in {package['name']}", licence, [read(folder / path)])
        if not package["source"]:
            continue
        name = f"{package['name']} {package['version']}"
        licence = package["license"] or ""
        names = chosen(licence, allowed) if licence else None
        if not names:
            fail(f"deny.toml does not allow the licence of {name}: {licence or 'none'}")
        found = texts(package, names)
        if not found and names == ["MIT"]:
            found = [f"Copyright (c) the authors of {package['name']}\n\n{MIT}"]
        if not found:
            fail(f"{name} has no text of its licence {licence}")
        add(name, licence, found)
    for name, licence, copyright, part in RUNTIMES:
        if part in target:
            add(name, licence, [f"Copyright (c) {copyright}\n\n{MIT}"])

    lines = HEAD.splitlines()
    width = max(len(name) for name, _ in entries)
    lines += [f"{name:{width}}  {licence}" for name, licence in entries]
    for text, names in sorted(by_text.items(), key=lambda item: (item[1], item[0])):
        lines += ["", "-" * 80, "For " + ", ".join(names), "-" * 80, "", text.rstrip("\n")]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", action="append", default=[], metavar="CRATE")
    parser.add_argument("--target", metavar="TRIPLE")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    rules = (ROOT / "deny.toml").read_text()
    allowed = re.findall(r'"([^"]+)"', re.search(r"\nallow = \[(.*?)\]", rules, re.DOTALL)[1])
    metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1"))
    known = {(p["name"], p["version"]): p for p in metadata["packages"]}
    if arguments.check:
        members = set(metadata["workspace_members"])
        # Fuzz targets are not released.
        packages = [p["name"] for p in metadata["packages"]
                    if p["id"] in members and p["name"] != "fuzz"]
        target = "all"
    elif arguments.package and arguments.target:
        packages, target = arguments.package, arguments.target
    else:
        parser.error("--package and --target, or --check, are required")
    names = sorted(linked(packages, target))
    text = document([known[name] for name in names], allowed, target)
    if arguments.check:
        others = sum(known[name]["source"] is not None for name in names)
        print(f"third-party: {others} crates, all with allowed licences and licence texts")
    elif arguments.out:
        arguments.out.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
