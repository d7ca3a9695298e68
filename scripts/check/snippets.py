#!/usr/bin/env python3
"""Runs the snippets of the documents on frontends, as they stand there.

    scripts/check/snippets.py [PAGE...] [--bin DIR] [--npm DIR] [--python DIR] [--wheels DIR]
                              [--c DIR]

PAGE is README.md (its section "Frontends"), docs/python.md, docs/c.md or docs/http.md; by default
all of them. Needed for them are what the options name: directories with the programs, the npm
package, a virtual environment with the Python package, its wheel, and the installed C library.

The snippets of a page run in order, in one directory of their own:

- python: all of a page are one program, which runs last. One that begins with a comment of a file
  name is that file, and a program of its own;
- c, cpp, js: a program each. One that begins with a comment of a file name is kept under this name,
  so that later snippets can use it;
- rust: is part of crates/solver/examples/readme.rs, and runs as this example;
- sh: by sh -e. One that begins with solver-server runs until the page ends.

One of sh whose fence goes on with "in a clone" runs in the root of this one. Any other words after
the language, such as "```sh needs Docker", are the reason why a snippet is not run, which is printed.
Snippets of other languages are data.
"""

import argparse
import contextlib
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
PAGES = ["README.md", "docs/python.md", "docs/c.md", "docs/http.md"]
SECTION = {"README.md": "Frontends"}
RUN = {"python", "c", "cpp", "js", "rust", "sh"}
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
HEALTH = "http://127.0.0.1:8015/healthz"
# What a fence says of a snippet that runs in the root of the clone.
CLONE = "in a clone"
# The board of the README, in its shortest solution.
ANSWER = "55"
# Longer than any snippet takes on a busy machine.
TIMEOUT = 300


class Failure(Exception):
    """A snippet that does not do what the page says."""


class Snippet:
    """A fenced block: its language, why it is not run, its first line's number, its text."""

    def __init__(self, language, reason, line, text):
        self.language, self.reason, self.line, self.text = language, reason, line, text

    def file_name(self):
        """The name in the comment that the text begins with."""
        named = re.match(r"(?://|#) ([\w.-]+\.(?:c|cpp|h|mjs|js|py))\n", self.text)
        return named and named[1]


def snippets(page):
    """The fenced blocks of a page, or of the section of it that is meant."""
    section, inside, fence = SECTION.get(page), page not in SECTION, None
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        opened = re.match(r"```(\w*) ?(.*)$", line)
        if fence is None and opened:
            fence = Snippet(opened[1], opened[2], number + 1, "")
        elif line == "```":
            if inside:
                yield fence
            fence = None
        elif fence is not None:
            fence.text += line + "\n"
        elif section and line.startswith("## "):
            inside = line == f"## {section}"


def run(command, where, environment):
    """Runs a command; what it prints is printed where it fails."""
    done = subprocess.run(
        command, cwd=where, env=environment, timeout=TIMEOUT, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    if done.returncode:
        raise Failure(f"{done.stdout}exit code {done.returncode}")
    return done.stdout


class Page:
    """Where the snippets of a page run."""

    def __init__(self, page, options, place):
        self.page, self.place = page, place
        self.servers = []
        self.environment = dict(os.environ, PDB_TABLES=str(place / ".tables"))
        paths = [options.python / "bin", options.bin]
        self.environment["PATH"] = ":".join([*map(str, paths), os.environ["PATH"]])
        self.environment["PKG_CONFIG_PATH"] = str(options.c / "lib/pkgconfig")
        self.environment["LD_LIBRARY_PATH"] = str(options.c / "lib")
        # `pip install sliding-tile-pdb` takes the wheel that was made here.
        self.environment["PIP_FIND_LINKS"] = str(options.wheels)
        self.environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        self.environment["SOLVER_SERVER_LOG"] = "warn"
        if options.npm.exists():
            modules = place / "node_modules"
            modules.mkdir()
            (modules / "sliding-tile-pdb").symlink_to(options.npm)

    def close(self):
        """Ends the servers, which must end well."""
        for server in self.servers:
            server.send_signal(signal.SIGTERM)
            if server.wait(60):
                raise Failure(f"solver-server ended with {server.returncode}")

    def shell(self, snippet):
        """Runs commands, or starts the server."""
        command = ["sh", "-ec", snippet.text]
        if not snippet.text.startswith("solver-server"):
            where = ROOT if snippet.reason == CLONE else self.place
            return run(command, where, self.environment)
        command[2] = "exec " + snippet.text
        self.servers.append(subprocess.Popen(command, cwd=self.place, env=self.environment))
        for _ in range(TIMEOUT):
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(HEALTH, timeout=5).read().decode()
            if self.servers[-1].poll() is not None:
                break
            time.sleep(0.1)
        raise Failure(f"solver-server does not answer at {HEALTH}")

    def compiled(self, snippet, compiler, standard):
        """Compiles a program and runs it."""
        source = self.place / (snippet.file_name() or f"line{snippet.line}.{snippet.language}")
        source.write_text(snippet.text)
        program = source.with_suffix(".out")
        flags = run(["pkg-config", "--cflags", "--libs", "slidingtilepdb"], self.place,
                    self.environment).split()
        command = [compiler, standard, *WARNINGS, source.name, "-o", program.name, *flags]
        run(command, self.place, self.environment)
        return run([f"./{program.name}"], self.place, self.environment)

    def javascript(self, snippet):
        """Runs a module."""
        source = self.place / (snippet.file_name() or f"line{snippet.line}.mjs")
        source.write_text(snippet.text)
        return run(["node", source.name], self.place, self.environment)

    def python(self, parts):
        """Runs snippets as one program, whose lines are those of the page."""
        text = ""
        for part in parts:
            text += "\n" * (part.line - 1 - text.count("\n")) + part.text
        source = self.place / pathlib.Path(self.page).name
        source.write_text(text)
        return run(["python", source.name], self.place, self.environment)

    def rust(self, snippet):
        """Runs the example that the snippet is."""
        example = ROOT / "crates/solver/examples/readme.rs"
        if snippet.text not in example.read_text():
            raise Failure(f"is not in {example.relative_to(ROOT)}")
        command = ["cargo", "run", "--locked", "--quiet", "--example", "readme"]
        return run(command, ROOT, self.environment)

    def check(self, snippet):
        """Runs a snippet."""
        match snippet.language:
            case "sh":
                return self.shell(snippet)
            case "c":
                return self.compiled(snippet, "cc", "-std=c11")
            case "cpp":
                return self.compiled(snippet, "c++", "-std=c++17")
            case "js":
                return self.javascript(snippet)
            case "rust":
                return self.rust(snippet)
        (self.place / snippet.file_name()).write_text(snippet.text)
        return run(["python", snippet.file_name()], self.place, self.environment)


def has_answer(snippet):
    """Whether a snippet of the README prints what it found."""
    is_server = isinstance(snippet, Snippet) and snippet.text.startswith("solver-server")
    is_rust = isinstance(snippet, Snippet) and snippet.language == "rust"
    return not is_server and not is_rust


def check(page, options):
    """Whether all snippets of a page run."""
    ran, failed, python = 0, 0, []
    with tempfile.TemporaryDirectory() as place:
        where = Page(page, options, pathlib.Path(place))

        def attempt(name, action, argument):
            nonlocal ran, failed
            begun = time.monotonic()
            try:
                answer = action(argument)
                if page == "README.md" and has_answer(argument) and ANSWER not in answer:
                    raise Failure(f"{answer}has no {ANSWER}")
            except (Failure, OSError, subprocess.TimeoutExpired) as failure:
                failed += 1
                print(f"{page}:{name}: fails: {failure}", flush=True)
                return
            ran += 1
            print(f"{page}:{name}: {time.monotonic() - begun:.1f} s", flush=True)
            if options.show:
                print(answer, end="")

        try:
            for snippet in snippets(page):
                name = f"{snippet.line}: {snippet.language}"
                if snippet.language in RUN and snippet.reason not in ("", CLONE):
                    print(f"{page}:{name}: not run: {snippet.reason}")
                elif snippet.language == "python" and not snippet.file_name():
                    python.append(snippet)
                elif snippet.language in RUN:
                    attempt(name, where.check, snippet)
            if python:
                lines = ", ".join(str(snippet.line) for snippet in python)
                attempt(f"{lines}: python", where.python, python)
        finally:
            where.close()
    if not ran:
        print(f"{page}: has no snippets")
    return ran > 0 and not failed


def arguments():
    """The options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=", ".join(PAGES))
    for name, default, what in [
        ("bin", "target/release", "pdb-gen, solver and solver-server"),
        ("npm", "crates/wasm/npm", "the npm package"),
        ("python", "target/python/venv", "a virtual environment with the Python package"),
        ("wheels", "target/python/dist", "the wheel"),
        ("c", "target/c", "where the C library is installed"),
    ]:
        parser.add_argument(
            f"--{name}", type=pathlib.Path, default=ROOT / default, metavar="DIR",
            help=f"{what} [default: {default}]",
        )
    parser.add_argument("--show", action="store_true", help="print what the snippets print")
    options = parser.parse_args()
    for name in ["bin", "npm", "python", "wheels", "c"]:
        setattr(options, name, getattr(options, name).resolve())
    options.pages = options.pages or PAGES
    for page in options.pages:
        if page not in PAGES:
            parser.error(f"{page} is none of {', '.join(PAGES)}")
    return options


def main():
    options = arguments()
    for tool in ["cc", "c++", "pkg-config", "node", "curl"]:
        if not shutil.which(tool):
            sys.exit(f"check-snippets: there is no {tool}")
    results = [check(page, options) for page in options.pages]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
