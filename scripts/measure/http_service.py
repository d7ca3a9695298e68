#!/usr/bin/env python3
"""Measures the HTTP service on the loopback interface.

    cargo build --release -p sliding-tile-pdb-server -p sliding-tile-pdb
    scripts/measure/http_service.py [NAME...] [--json] [--runs N] [--schemathesis ST]

`list` and `requests` are compared with the command, in pairs of consecutive runs. Other programs on
the machine make all figures worse. A figure is the median or the worst of its runs. Takes about
four minutes on two cores, 90 seconds of them for `hostile`.
"""

import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from figures import ROOT, measure, parser, row

sys.path.insert(0, str(ROOT / "crates/server/trials"))
import hostile as trial
from load import Load
from service import BINARIES, EASY_3X3, HARD_5X5, QUIET, Service, request
from strangers import wait_until

SUITE = ROOT / "data/suites/felner1000.txt"
COMMAND = ["--json", "--quiet", "--goal", "blank-first", "--partition", "6-6-3", "--build",
           "--file", SUITE]
OPTIONS = {"goal": "blank-first", "partition": "6-6-3"}
# Sum of the lengths of shortest solutions, to check the answers.
FELNER_MOVES = 52522


def suite():
    """The boards of the suite, as texts."""
    return [line for line in SUITE.read_text().splitlines() if line and not line.startswith("#")]


def figure(unit, bar, bound, choose):
    """Decorates a function that returns the results of several runs. The decorated function yields
    one row of measurements; `choose` computes the row's figure from the results."""
    def decorate(runs_of):
        def part(options):
            runs = runs_of(options)
            command = f"scripts/measure/http_service.py {part.__name__}"
            yield row(f"HTTP: {runs_of.__doc__}", command, unit,
                      [round(run, 4) for run in runs], round(choose(runs), 4), bar, bound)
        part.__name__ = runs_of.__name__.rstrip("_")
        return part
    return decorate


def server(options, *arguments):
    return Service(options.binaries / "solver-server", arguments, QUIET)


def ratios(options, request_all):
    """Measures pairs of calls: the command solves felner1000, and `request_all` requests the same
    boards from the service. Returns, for each pair, the seconds of the command divided by the
    seconds of `request_all`. Both calls return one line of JSON per board."""
    def command():
        return subprocess.run(
            [options.binaries / "solver", *COMMAND], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, check=True, env={**os.environ, "PDB_TABLES": options.tables},
        ).stdout.splitlines()

    def seconds_of(call):
        begun = time.perf_counter()
        lines = call()
        seconds = time.perf_counter() - begun
        assert sum(json.loads(line)["length"] for line in lines) == FELNER_MOVES, "wrong answers"
        return seconds
    seconds_of(command)
    seconds_of(request_all)
    found = []
    for number in range(options.runs):
        # The order alternates.
        order = [command, request_all] if number % 2 else [request_all, command]
        seconds = {call: seconds_of(call) for call in order}
        found.append(seconds[command] / seconds[request_all])
    return found


@figure("times the command's boards per second", 0.85, "least", statistics.median)
def list_(options):
    """felner1000 in one NDJSON request"""
    body = "\n".join(suite()).encode()
    raw = request("POST", "/v1/solve?goal=blank-first&partition=6-6-3", body,
                  [("Content-Type", "text/plain")])
    with server(options) as service:
        def request_all():
            with service.connect(300) as connection:
                connection.send(raw)
                _, _, body = connection.answer()
            return body.splitlines()
        return ratios(options, request_all)


@figure("times the command's boards per second", 0.60, "least", statistics.median)
def requests(options):
    """felner1000 as 1,000 requests over 16 connections"""
    raws = [request("POST", "/v1/solve", {"board": board, **OPTIONS})
            for board in suite()]
    with server(options) as service:
        def request_all():
            bodies = []
            Load(service.port, 16, 300).run(raws, lambda _, body: bodies.append(body))
            return bodies
        return ratios(options, request_all)


@figure("ms", 50, "most", statistics.median)
def health(options):
    """health check, 99th percentile of 2,000, while all workers solve 5x5 boards"""
    with server(options, "--max-time", 300) as service:
        busy = [service.connect() for _ in range(16)]
        for connection in busy:
            connection.request("POST", "/v1/solve", {"board": HARD_5X5, "max_time": 300})
        wait_until(lambda: service.metric("searches_running") == os.cpu_count())
        # Enough time to build the tables.
        time.sleep(3)
        runs = []
        for _ in range(options.runs):
            times = []
            for number in range(2000):
                begun = time.perf_counter()
                if number % 2 == 0 or number == 1:
                    checking = service.connect(5)
                status, _, _ = checking.ask("GET", "/healthz")
                times.append((time.perf_counter() - begun) * 1000)
                assert status == 200
                time.sleep(0.0005)
            runs.append(statistics.quantiles(times, n=100)[98])
        assert service.metric("searches_running") == os.cpu_count()
        for connection in busy:
            connection.reset()
    return runs


@figure("searches", 0, "most", max)
def abandoned(options):
    """searches still running 100 ms after 1,000 clients disconnected"""
    most = ["--max-searches", 2000, "--max-searches-per-client", 2000, "--max-connections", 2000,
            "--max-time", 300]
    runs = []
    with server(options, *most) as service:
        for number in range(options.runs):
            clients = [service.connect() for _ in range(1000)]
            for client in clients:
                headers = [("Accept", random.choice(["application/json", "text/event-stream"]))]
                client.request("POST", "/v1/solve", {"board": HARD_5X5, "max_time": 300}, headers)
            wait_until(lambda: service.metric("searches_(running|waiting)") == 1000)
            for client in clients:
                client.reset() if number % 2 else client.close()
            time.sleep(0.1)
            runs.append(service.metric("searches_(running|waiting)"))
            wait_until(lambda: service.metric("searches_(running|waiting)") == 0)
    return runs


@figure("MB", 20, "most", max)
def memory(options):
    """memory growth over 100,000 requests of all kinds"""
    with server(options) as service:
        drawn = json.loads(service.get("/v1/scramble?size=3x3&number=500&seed=1"))
        boards = [each["board"] for each in drawn]
        Load(service.port, 8).run(mixed(boards, 5_000, 1))
        before = service.resident()
        load = Load(service.port, 8)
        load.run(mixed(boards, 100_000, 2))
        assert set(load.statuses) <= {200, 404, 422}
        return [service.resident() - before]


@figure("faults", 0, "most", max)
def hostile(options):
    """faults after hostile requests: 5xx answers, hangs, panics, others"""
    def say(words):
        print(f"# {words}", file=sys.stderr)
    binary = options.binaries / "solver-server"
    _, _, faults = trial.run(binary, command=options.schemathesis, say=say)
    for fault in faults:
        say(fault)
    return [len(faults)]


def mixed(boards, number, seed):
    """Yields random short requests of all kinds."""
    some = random.Random(seed)
    list_ = "\n".join(boards[:20]).encode()
    text, events = [("Content-Type", "text/plain")], [("Accept", "text/event-stream")]

    def post(path, body, *headers):
        return request("POST", f"/v1/{path}", body, *headers)

    def own(**fields):
        return {"board": some.choice(boards), **fields}
    game = "1 2 3/4 0 6/7 5 8"
    kinds = [
        *[lambda: post("solve", own(size="3x3"))] * 6,
        lambda: post("solve", own(size="3x3"), events),
        lambda: post("solve", {"board": "1 2 3/4 5 6/8 7 0"}),
        lambda: post("solve", {"board": f"{some.random()}"}),
        lambda: post("solve", own(mode="strategic", explain=True)),
        lambda: post("solve?size=3x3", list_, text),
        lambda: post("hint", {"board": game}),
        lambda: post("rate", {"board": game, "moves": "LRUL"}),
        lambda: post("probe", {"board": EASY_3X3}),
        lambda: post("scramble", {"size": "5x5", "number": 3}),
        lambda: request("GET", f"/v1/nothing/{some.random()}"),
        lambda: request("GET", "/healthz"),
        lambda: request("GET", "/v1/tables"),
        lambda: request("DELETE", f"/v1/searches/{some.getrandbits(128):032x}"),
    ]
    for _ in range(number):
        yield some.choice(kinds)()


PARTS = [list_, requests, health, abandoned, memory, hostile]

if __name__ == "__main__":
    arguments = parser(__doc__, PARTS)
    arguments.add_argument("--binaries", type=pathlib.Path, default=BINARIES, metavar="DIR",
                           help="folder of solver and solver-server [default: target/release]")
    arguments.add_argument("--schemathesis", metavar="ST", default=shutil.which("st"),
                           help="the command of schemathesis [default: st, if found]")
    with tempfile.TemporaryDirectory() as tables:
        chosen = arguments.parse_args()
        chosen.tables = tables
        measure(PARTS, chosen)
