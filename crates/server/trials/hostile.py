#!/usr/bin/env python3
"""Attacks a server with malformed and hostile requests, and checks that it keeps working.

    cargo build --release -p sliding-tile-pdb-server
    crates/server/trials/hostile.py [--quick] [--schemathesis ST]

It sends handwritten requests that are not HTTP, too large or incomplete, and resets connections.
--quick sends fewer requests. Then schemathesis (`pip install schemathesis`), if installed, tests
all routes of /openapi.json; the fuzz target `http` tests bodies.

A fault is a 5xx answer, an answer that is not HTTP, a rejection without a problem object, a missing
or late answer, a panic, a search or connection that does not end, a failed health check, or a
server that does not stop. The exit code is 1 if there is a fault.
"""

import argparse
import json
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback

from service import BINARIES, EASY_3X3, QUIET, Broken, Service, request

# Short limits, so that a request that reaches a limit ends soon.
OPTIONS = [
    "--max-time", 2, "--default-time", 1, "--head-timeout", 1.5, "--read-timeout", 1.5,
    "--max-list-time", 20, "--grace", 1, "--max-connections", 300,
]
# Maximum time of an answer, in seconds: the limits above, plus queueing on a busy machine.
ANSWER_TIMEOUT = 20
POSTS = ["/v1/solve", "/v1/anytime", "/v1/hint", "/v1/rate", "/v1/explain", "/v1/probe", "/v1/scramble"]


class Trial:
    """Counts the requests sent, and collects the faults found."""

    def __init__(self, service, scale, seed):
        self.service, self.scale = service, scale
        self.random = random.Random(seed)
        self.requests = 0
        self.faults = []

    def times(self, number):
        """Number of repetitions of a step, which is `number` in a full run."""
        return max(1, round(number * self.scale))

    def fault(self, attack, found):
        self.faults.append(f"{attack}: {found}")

    def check(self, attack, status, headers, body, expected=None):
        """Checks an answer; `expected` are the allowed statuses."""
        if status >= 500:
            self.fault(attack, f"{status} {body[:300]}")
        elif expected and status not in expected:
            self.fault(attack, f"{status}, expected {expected}: {body[:200]}")
        elif status >= 400 and body:
            kind = headers.get("content-type")
            try:
                problem = json.loads(body)
                is_problem = problem["status"] == status and problem["detail"] and problem["code"]
            except (ValueError, KeyError, TypeError):
                is_problem = False
            if kind != "application/problem+json" or not is_problem:
                self.fault(attack, f"{status} without a problem object: {kind} {body[:200]}")

    def ask(self, attack, raw, method="POST", expected=None, may_close=False, half_close=False):
        """Sends bytes on a new connection, and checks the answer."""
        self.requests += 1
        try:
            with self.service.connect(ANSWER_TIMEOUT) as connection:
                try:
                    connection.send(raw)
                    if half_close:
                        connection.socket.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # Answered and closed before all was sent.
                status, headers, body = connection.answer(method)
                self.check(attack, status, headers, body, expected)
        except TimeoutError:
            self.fault(attack, f"no answer within {ANSWER_TIMEOUT} s: {raw[:120]}")
        except (Broken, OSError, ValueError) as error:
            if not may_close:
                self.fault(attack, f"{type(error).__name__} {error}: {raw[:120]}")


# --- heads ----------------------------------------------------------------------------------------

def heads(trial):
    """Heads that are not HTTP/1.1, or too large."""
    get = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
    post = b"POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    body = json.dumps({"board": EASY_3X3}).encode()
    length = b"Content-Length: %d\r\n" % len(body)
    raws = [
        b"GET /\r\n\r\n", b"GET / HTTP/1.0\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500, b"\r\n" * 10_000, b"\0" * 10_000,
        b"GET  /  HTTP/1.1\r\n\r\n", b"BREW /coffee HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"GET /\xff\xfe HTTP/1.1\r\n\r\n",
        b"GET * HTTP/1.1\r\nHost: a\r\n\r\n", b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        get + b"no colon\r\n\r\n", get + b"A: \x00\r\n\r\n", get + b"A: b\r\n folded\r\n\r\n",
        get + b"A: b\r\n" * 150 + b"\r\n", get + b"A: " + b"b" * 100_000 + b"\r\n\r\n",
        get + b"".join(b"A%d: b\r\n" % number for number in range(5000)) + b"\r\n",
        get + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", get + b"Content-Length: 5\r\n\r\nhello",
        post + b"Content-Length: -1\r\n\r\n", post + b"Content-Length: 99999999999999999999\r\n\r\n",
        post + b"Content-Length: 9223372036854775807\r\n\r\n",
        post + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
        post + length + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"e" * 70_000 + b"\r\na\r\n0\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + b"T: a\r\n" * 5000 + b"\r\n",
        post + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 20_000 + b"0\r\n\r\n",
        post + b"Expect: 100-continue\r\n" + length + b"\r\n" + body,
        post + length + b"\r\n" + body + b"rubbish after it",
    ]
    for raw in raws:
        for _ in range(trial.times(8)):
            # A request that is not HTTP may be answered by closing the connection.
            trial.ask("heads", raw, may_close=True, half_close=b"Expect: 100" not in raw)
    for _ in range(trial.times(300)):
        raw = bytearray(post + length + b"\r\n" + body)
        for _ in range(trial.random.randint(1, 4)):
            raw[trial.random.randrange(len(raw))] = trial.random.randrange(256)
        trial.ask("heads by chance", bytes(raw), may_close=True, half_close=True)


# --- connections ----------------------------------------------------------------------------------

def cut_bodies(trial):
    """Bodies cut short by an orderly close and by a reset."""
    body = json.dumps({"board": EASY_3X3}).encode()
    for number in range(trial.times(300)):
        path = trial.random.choice(POSTS)
        raw = request("POST", path, body, [("Content-Type", "application/json")])
        cut = raw[: trial.random.randrange(1, len(raw))]
        if number % 2:
            trial.ask("cut bodies", cut, may_close=True, half_close=True)
        else:
            trial.requests += 1
            connection = trial.service.connect()
            connection.send(cut)
            connection.reset()


def idle_soon(trial, attack, time_limit):
    """Waits until no search runs. A search that runs after `time_limit` seconds is a fault."""
    end = time.monotonic() + time_limit
    while busy := trial.service.metric("searches_(running|waiting)"):
        if time.monotonic() > end:
            trial.fault(attack, f"{busy:.0f} searches left after {time_limit} s")
            break
        time.sleep(0.01)


ATTACKS = [heads, cut_bodies]


# --- all ------------------------------------------------------------------------------------------

def schemathesis(trial, command, seconds):
    """Runs schemathesis; its findings are faults. Returns its number of requests."""
    checks = [
        "not_a_server_error", "status_code_conformance", "content_type_conformance",
        "response_headers_conformance", "response_schema_conformance", "negative_data_rejection",
        "unsupported_method", "allow_header_conformance",
    ]
    before = sum(trial.service.statuses().values())
    with tempfile.TemporaryDirectory() as folder:
        # By default 413 counts as an accepted request.
        expected = 'negative_data_rejection.expected-statuses = ["4xx", "5xx"]'
        (pathlib.Path(folder) / "schemathesis.toml").write_text(f"[checks]\n{expected}\n")
        run = subprocess.run(
            [command, "run", f"{trial.service.url}/openapi.json", "--max-time", str(seconds),
             "--checks", ",".join(checks), "--continue-on-failure",
             "--request-timeout", str(ANSWER_TIMEOUT),
             "--phases", "examples,coverage,fuzzing", "--workers", "4", "--no-color", "--warnings", "off",
             "--suppress-health-check", "all", "--generation-database", "none", "--seed", "1"],
            cwd=folder, capture_output=True, text=True, timeout=seconds * 4 + 120, check=False,
        )
    if run.returncode:
        trial.fault("schemathesis", run.stdout[-6000:] + run.stderr[-1000:])
    return round(sum(trial.service.statuses().values()) - before)


def run(binary, scale=1.0, seed=1, command=None, seconds=60, say=lambda _: None):
    """Runs all attacks on a new server; returns the numbers of handwritten requests and of
    schemathesis requests, and the faults."""
    with Service(binary, OPTIONS, QUIET) as service:
        trial = Trial(service, scale, seed)
        for attack in ATTACKS:
            begun, faults = time.monotonic(), len(trial.faults)
            try:
                attack(trial)
            except Exception:  # The server has ended, or the trial has a defect.
                trial.fault(attack.__name__, traceback.format_exc())
            if not service.is_well():
                trial.fault(attack.__name__, "no health check after it")
            # Waits here, so that leftover work is attributed to this attack and not to the next.
            idle_soon(trial, attack.__name__, 1)
            say(f"{time.monotonic() - begun:6.1f} s  {len(trial.faults) - faults} faults  {attack.__name__}")
        described = 0
        if command:
            begun = time.monotonic()
            described = schemathesis(trial, command, seconds)
            say(f"{time.monotonic() - begun:6.1f} s  schemathesis, {described} requests")
        idle_soon(trial, "at the end", 5)
        if panics := service.panics():
            trial.fault("panics", f"{panics}: {service.logged()[-3000:]}")
        server_errors = {code: count for code, count in service.statuses().items() if code >= 500}
        if server_errors:
            trial.fault("server errors", server_errors)
        if service.stop() is None or service.process.returncode != 0:
            trial.fault("stop", f"it ended with {service.process.returncode}")
        return trial.requests, described, trial.faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer of each")
    parser.add_argument("--binary", type=pathlib.Path, default=BINARIES / "solver-server")
    parser.add_argument("--schemathesis", metavar="ST", default=shutil.which("st"),
                        help="command of schemathesis [default: st, if installed]")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    scale, seconds = (0.05, 20) if options.quick else (1.0, 60)
    requests, described, faults = run(options.binary, scale, options.seed, options.schemathesis,
                                      seconds, print)
    for fault in faults:
        print(f"FAULT {fault}")
    if not options.schemathesis:
        print("schemathesis not found; try: pip install schemathesis, or --schemathesis ST")
    print(f"{requests} requests by hand, {described} by schemathesis, {len(faults)} faults, "
          f"{time.monotonic() - begun:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
