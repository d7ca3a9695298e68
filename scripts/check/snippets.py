#!/usr/bin/env python3
"""Runs the snippets of the frontends' documentation unchanged.

    scripts/check/snippets.py [PAGE...] [--bin DIR]

PAGE is docs/rust.md, docs/python.md, docs/c.md or docs/http.md [default: all]. DIR contains the
programs. The packages of the frontends must have been built by scripts/build.

The snippets of a page run in order, in one directory per page:

- python: all snippets of a page form one program, which runs last. A snippet that begins with a
  comment with a file name is saved under that name and runs as a separate program;
- c, js: each snippet is a program. A snippet that begins with a comment with a file name is
  saved under that name, so later snippets can use it;
- rust: a snippet must be part of crates/solver/examples/readme.rs; the script runs this example;
- sh: each snippet is run by sh -e. A snippet that begins with solver-server runs until the page
  ends.

An sh snippet whose fence continues with "in a clone" runs in the root of this clone. Any other text
after the language, such as "```sh needs Docker", states why the snippet is not run; the script
prints this reason. Snippets in other languages are data.

pytest-markdown-docs 0.9.2 runs only Python, and its blocks cannot use names of earlier blocks.
byexample 11.0.0 and clitest 0.4.0 need prompts and find no example in docs/http.md.
"""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["docs/rust.md", "docs/python.md", "docs/c.md", "docs/http.md"]
RUN = {"python", "c", "js", "rust", "sh"}
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
HEALTH = "http://127.0.0.1:8015/healthz"
# Text of a fence whose snippet runs in the root of the clone.
CLONE = "in a clone"
# Time limit per snippet in seconds, sufficient on a busy machine.
TIMEOUT = 300


class Failure(Exception):
    """Error of a snippet that does not work as the page states."""


@dataclasses.dataclass
class Snippet:
    """A fenced block: language, words after the language, number of its first line, and text."""

    language: str
    reason: str
    line: int
    text: str = ""
    file: str | None = None

    def file_name(self):
        """The file name of the program, or the name in the comment at the start of the text."""
        named = re.match(r"(?://|#) ([\w.-]+\.(?:c|h|mjs|js|py))\n", self.text)
        return self.file or (named and named[1])

    def is_server(self):
        return self.language == "sh" and self.text.startswith("solver-server")


def snippets(page):
    """Yields the fenced blocks of a page."""
    fence = None
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        opened = re.match(r"```(\w*) ?(.*)$", line)
        if fence is None and opened:
            fence = Snippet(opened[1], opened[2], number + 1)
        elif line == "```":
            yield fence
            fence = None
        elif fence is not None:
            fence.text += line + "\n"


class Page:
    """The directory and environment in which the snippets of a page run."""

    def __init__(self, page, programs, place):
        self.page, self.place = page, place
        self.servers = []
        self.environment = os.environ | {
            "PDB_TABLES": str(place / ".tables"),
            "PATH": f"{ROOT}/target/python/venv/bin:{programs}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": f"{ROOT}/target/c/lib/pkgconfig",
            "LD_LIBRARY_PATH": f"{ROOT}/target/c/lib",
            # `pip install sliding-tile-pdb` installs the wheel of this clone.
            "PIP_FIND_LINKS": f"{ROOT}/target/python/dist",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "SOLVER_SERVER_LOG": "warn",
        }
        modules = place / "node_modules"
        modules.mkdir()
        (modules / "sliding-tile-pdb").symlink_to(ROOT / "crates/npm")

    def close(self):
        """Stops the servers, which must exit with code 0."""
        for server in self.servers:
            server.send_signal(signal.SIGTERM)
            if server.wait(60):
                raise Failure(f"solver-server ended with {server.returncode}")

    def run(self, *command, where=None):
        """Runs a command and returns its output. If the command fails, the error contains the
        output."""
        done = subprocess.run(
            command, cwd=where or self.place, env=self.environment, timeout=TIMEOUT, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )
        if done.returncode:
            raise Failure(f"{done.stdout}exit code {done.returncode}")
        return done.stdout

    def save(self, snippet, suffix):
        """Writes a program to a file; returns its name."""
        name = snippet.file_name() or f"line{snippet.line}.{suffix}"
        (self.place / name).write_text(snippet.text)
        return name

    def serve(self, snippet):
        """Starts the server and waits until it answers."""
        command = ["sh", "-ec", f"exec {snippet.text}"]
        server = subprocess.Popen(command, cwd=self.place, env=self.environment)
        self.servers.append(server)
        for _ in range(TIMEOUT):
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(HEALTH, timeout=5).read().decode()
            if server.poll() is not None:
                break
            time.sleep(0.1)
        raise Failure(f"solver-server does not answer at {HEALTH}")

    def compiled(self, snippet, compiler, standard):
        """Compiles a program and runs it."""
        source = self.save(snippet, snippet.language)
        program = str(pathlib.Path(source).with_suffix(".out"))
        flags = self.run("pkg-config", "--cflags", "--libs", "slidingtilepdb").split()
        self.run(compiler, standard, *WARNINGS, source, "-o", program, *flags)
        return self.run(f"./{program}")

    def rust(self, snippet):
        """Runs the example that contains the snippet."""
        example = ROOT / "crates/solver/examples/readme.rs"
        if snippet.text not in example.read_text():
            raise Failure(f"not found in {example.relative_to(ROOT)}")
        return self.run("cargo", "run", "--locked", "--quiet", "--example", "readme", where=ROOT)

    def check(self, snippet):
        """Runs a snippet."""
        match snippet.language:
            case "sh" if snippet.is_server():
                return self.serve(snippet)
            case "sh":
                where = ROOT if snippet.reason == CLONE else self.place
                return self.run("sh", "-ec", snippet.text, where=where)
            case "c":
                return self.compiled(snippet, "cc", "-std=c11")
            case "js":
                return self.run("node", self.save(snippet, "mjs"))
            case "rust":
                return self.rust(snippet)
            case "python":
                return self.run("python", self.save(snippet, "py"))

    def program(self, parts):
        """Joins Python snippets into one program, whose lines have the same numbers as on the
        page."""
        text = ""
        for part in parts:
            text += "\n" * (part.line - 1 - text.count("\n")) + part.text
        lines = ", ".join(str(part.line) for part in parts)
        return Snippet("python", "", lines, text, pathlib.Path(self.page).name)


def attempt(where, snippet):
    """Runs a snippet, prints the result, and returns whether it succeeded."""
    name = f"{where.page}:{snippet.line}: {snippet.language}"
    begun = time.monotonic()
    try:
        where.check(snippet)
    except (Failure, OSError, subprocess.TimeoutExpired) as failure:
        print(f"{name}: fails: {failure}", flush=True)
        return False
    print(f"{name}: {time.monotonic() - begun:.1f} s", flush=True)
    return True


def check(page, programs):
    """Runs the snippets of a page and returns whether all succeeded."""
    results, parts = [], []
    with tempfile.TemporaryDirectory() as place:
        where = Page(page, programs, pathlib.Path(place))
        try:
            for snippet in snippets(page):
                if snippet.language in RUN and snippet.reason not in ("", CLONE):
                    print(f"{page}:{snippet.line}: {snippet.language}: not run: {snippet.reason}")
                elif snippet.language == "python" and not snippet.file_name():
                    parts.append(snippet)
                elif snippet.language in RUN:
                    results.append(attempt(where, snippet))
            if parts:
                results.append(attempt(where, where.program(parts)))
        finally:
            where.close()
    if not any(results):
        print(f"{page}: has no snippets")
    return bool(results) and all(results)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=", ".join(PAGES))
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "target/release", metavar="DIR",
                        help="folder of pdb-gen, solver and solver-server [default: target/release]")
    options = parser.parse_args()
    if unknown := [page for page in options.pages if page not in PAGES]:
        parser.error(f"unknown page {unknown[0]}; pages are {', '.join(PAGES)}")
    for tool in ["cc", "c++", "pkg-config", "node", "curl"]:
        if not shutil.which(tool):
            sys.exit(f"snippets: error: not found: {tool}")
    results = [check(page, options.bin.resolve()) for page in options.pages or PAGES]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
