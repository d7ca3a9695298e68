#!/usr/bin/env python3
"""Tests of scripts/check/faults.py: each broken promise must be detected.

    scripts/check/test_faults.py [--bin DIR]

Each test program breaks one promise; most are wrappers around the real program. DIR contains the
real programs [default: target/release].
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from disturb.operations import OPERATIONS

SCRIPTS = pathlib.Path(__file__).resolve().parent
# Each tuple contains the broken promise, the operation, the fault, the expected text of the finding
# (`|` separates alternatives), and shell code. This code replaces the program that the operation
# runs; in it, REAL is the real program.
BROKEN = [
    ("a truncated file with the name of a table", "build", "kill", "neither whole",
     'echo half > t/4x4-zero-aware-0.1.2-blank3.pdb; sleep 0.4; REAL "$@"'),
    ("an unknown file remains after each run", "build", "kill", "is left",
     'REAL "$@"; code=$?; : > t/left-$$; exit $code'),
    ("an unfinished file remains after an interrupt", "build", "interrupt", "unfinished",
     "trap ': > t/.unfinished-abcdef.tmp; exit 130' INT TERM; REAL \"$@\" & wait $!; wait $!"),
    ("a leftover file of a killed run stops the next run", "build", "kill",
     "begun is left|next run fails",
     'if [ -e t/begun ]; then echo "pdb-gen: begun" >&2; exit 3; fi; '
     ': > t/begun; sleep 0.3; REAL "$@"; code=$?; rm -f t/begun; exit $code'),
    ("a panic", "build", "read-only", "the program panics",
     'REAL "$@" || { code=$?; echo "thread main panicked" >&2; exit $code; }'),
    ("two lines on standard error", "build", "read-only", "with these lines",
     'REAL "$@" || { code=$?; echo "something is wrong" >&2; exit $code; }'),
    ("an unknown exit code", "build", "read-only", "exit code 1",
     'REAL "$@" || exit 1'),
    ("a program that does not end", "build", "read-only", "did not end",
     'REAL "$@" || { code=$?; sleep 100; exit $code; }'),
    ("concurrent runs that exclude each other", "build", "crowd", "exit code 3",
     'mkdir t/busy || exit 3; sleep 0.2; REAL "$@"; code=$?; rmdir t/busy; exit $code'),
    ("success without a table", "build", "read-only", "is missing",
     'REAL "$@" 2>/dev/null || exit 0'),
    ("a rename before the file is synced", "man", "order", "before it is synced",
     'REAL "$@" && cp o/pdb-gen.1 o/copy && mv o/copy o/pdb-gen.1'),
    ("a directory not synced after a rename", "man", "order", "not synced after the rename",
     'REAL "$@" && cp o/pdb-gen.1 o/copy && sync o/copy && mv o/copy o/pdb-gen.1'),
    ("damaged tables that are accepted", "verify", "damage", "verify accepts",
     'if [ "$1" = verify ]; then exit 0; fi; REAL "$@"'),
    ("a wrong answer", "solve", "full", "the answer is not 55",
     'REAL "$@" | sed "s/^55 /57 /"'),
    ("no answer if nothing can be stored", "solve", "read-only", "exit code 3",
     'touch t/kept 2>/dev/null || exit 3; rm t/kept; REAL "$@"'),
    ("a service with a wrong answer", "serve", "kill", "the correct length is 55",
     """exec python3 -c '
import http.server, signal, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{\\"status\\": \\"solved\\", \\"length\\": 57}")
    def log_message(self, *words): pass
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
'"""),
]


def find(real, case):
    what, operation, fault, words, around = case
    program = OPERATIONS[operation].program
    with tempfile.TemporaryDirectory() as folder:
        bin = pathlib.Path(folder)
        for path in real.iterdir():
            if path.is_file() and os.access(path, os.X_OK) and path.suffix == "":
                (bin / path.name).symlink_to(path)
        if not (bin / program).exists():
                return f"{what}: skipped, {program} is missing"
        (bin / program).unlink()
        text = around.replace("REAL", f'"{real / program}"')
        (bin / program).write_text(f"#!/bin/sh\n{text}\n")
        (bin / program).chmod(0o755)
        command = [sys.executable, str(SCRIPTS / "faults.py"), "--bin", folder, "--seed", "1"]
        command += ["--only", operation, "--fault", fault, "--rounds", "6"]
        environment = {**os.environ, "FAULTS_TIME_LIMIT": "8", "TMPDIR": folder}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode == 1 and any(word in done.stdout for word in words.split("|")):
            return None
        if "skipped" in done.stdout and "0 rounds" in done.stdout:
            return f"{what}: skipped on this system"
        raise SystemExit(f"{what}: not detected ({words}):\n{done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=SCRIPTS.parents[1] / "target/release")
    real = parser.parse_args().bin.resolve()
    for case in BROKEN:
        print(find(real, case) or f"{case[0]}: detected", flush=True)


if __name__ == "__main__":
    main()
