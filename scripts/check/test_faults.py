#!/usr/bin/env python3
"""Checks that scripts/check/faults.py notices what it is there for.

    scripts/check/test_faults.py [--bin DIR]

Programs that break one promise each, most of them the real ones with something around them, have to
be found out. DIR has the real programs [default: target/release].
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parent
# What is broken, operation, fault, program, what stands around it (REAL is the real one), and words
# of the finding.
BROKEN = [
    (
        "half a file has a table's name",
        ("build", "kill", "pdb-gen"),
        'echo half > t/4x4-zero-aware-0.1.2-blank3.pdb; sleep 0.4; REAL "$@"',
        "neither whole",
    ),
    (
        "something is left, each time",
        ("build", "kill", "pdb-gen"),
        'REAL "$@"; code=$?; : > t/left-$$; exit $code',
        "is left",
    ),
    (
        "an interrupted program leaves its unfinished file",
        ("build", "interrupt", "pdb-gen"),
        "trap ': > t/.unfinished-abcdef.tmp; exit 130' INT TERM; REAL \"$@\" & wait $!; wait $!",
        "unfinished",
    ),
    (
        "what a killed program has left stops the next run",
        ("build", "kill", "pdb-gen"),
        'if [ -e t/begun ]; then echo "pdb-gen: begun" >&2; exit 3; fi; '
        ': > t/begun; sleep 0.3; REAL "$@"; code=$?; rm -f t/begun; exit $code',
        "begun is left|next run fails",
    ),
    (
        "a panic",
        ("build", "read-only", "pdb-gen"),
        'REAL "$@" || { code=$?; echo "thread main panicked" >&2; exit $code; }',
        "it panics",
    ),
    (
        "two lines",
        ("build", "read-only", "pdb-gen"),
        'REAL "$@" || { code=$?; echo "something is wrong" >&2; exit $code; }',
        "with these lines",
    ),
    (
        "an unknown exit code",
        ("build", "read-only", "pdb-gen"),
        'REAL "$@" || exit 1',
        "exit code 1",
    ),
    (
        "a program that does not end",
        ("build", "read-only", "pdb-gen"),
        'REAL "$@" || { code=$?; sleep 100; exit $code; }',
        "did not end",
    ),
    (
        "programs that cannot be at once",
        ("build", "crowd", "pdb-gen"),
        'mkdir t/busy || exit 3; sleep 0.2; REAL "$@"; code=$?; rmdir t/busy; exit $code',
        "exit code 3",
    ),
    (
        "success without a table",
        ("build", "read-only", "pdb-gen"),
        'REAL "$@" 2>/dev/null || exit 0',
        "is missing",
    ),
    (
        "a name before the file is on the disk",
        ("man", "order", "pdb-gen"),
        'REAL "$@" && cp o/pdb-gen.1 o/copy && mv o/copy o/pdb-gen.1',
        "before it is on the disk",
    ),
    (
        "a name that is not brought to the disk",
        ("man", "order", "pdb-gen"),
        'REAL "$@" && cp o/pdb-gen.1 o/copy && sync o/copy && mv o/copy o/pdb-gen.1',
        "not brought to the disk",
    ),
    (
        "damaged tables that are believed",
        ("verify", "damage", "pdb-gen"),
        'if [ "$1" = verify ]; then exit 0; fi; REAL "$@"',
        "verify believes",
    ),
    (
        "a wrong answer",
        ("solve", "full", "solver"),
        'REAL "$@" | sed "s/^55 /57 /"',
        "the answer is not 55",
    ),
    (
        "no answer where nothing can be kept",
        ("solve", "read-only", "solver"),
        'touch t/kept 2>/dev/null || exit 3; rm t/kept; REAL "$@"',
        "exit code 3",
    ),
    (
        "a service that answers wrongly",
        ("serve", "kill", "solver-server"),
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
'""",
        "where 55 moves are right",
    ),
]


def find(real, case):
    what, (operation, fault, program), around, words = case
    with tempfile.TemporaryDirectory() as folder:
        bin = pathlib.Path(folder)
        for path in real.iterdir():
            if path.is_file() and os.access(path, os.X_OK) and path.suffix == "":
                (bin / path.name).symlink_to(path)
        if not (bin / program).exists():
            return f"{what}: no {program}, not tried"
        (bin / program).unlink()
        text = around.replace("REAL", f'"{real / program}"')
        (bin / program).write_text(f"#!/bin/sh\n{text}\n")
        (bin / program).chmod(0o755)
        command = [sys.executable, str(SCRIPTS / "faults.py"), "--bin", folder, "--seed", "1"]
        command += ["--only", operation, "--fault", fault, "--rounds", "6"]
        environment = {**os.environ, "FAULTS_PATIENCE": "8", "TMPDIR": folder}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode == 1 and any(word in done.stdout for word in words.split("|")):
            return None
        if "skipped" in done.stdout and "0 rounds" in done.stdout:
            return f"{what}: not tried here"
        raise SystemExit(f"{what} is not found out ({words}):\n{done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=SCRIPTS.parents[1] / "target/release")
    real = parser.parse_args().bin.resolve()
    for case in BROKEN:
        print(find(real, case) or f"{case[0]}: found out", flush=True)


if __name__ == "__main__":
    main()
