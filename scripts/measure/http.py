#!/usr/bin/env python3
"""Measures the service on the loopback.

    cargo build --release -p sliding-tile-pdb-server -p sliding-tile-pdb
    scripts/measure/http.py [NAME...] [--json] [--runs N] [--schemathesis ST]

Lists and requests are compared with the command, in pairs of runs next to each other. Other programs
on the machine make all figures worse. With --json an array of rows: `name`, `command`, `unit`,
`figure` (the median of the runs, or their worst), `bar` and `bound` (what it should be at most, or at
least), and `runs`. Some four minutes on two cores, of which the trial called hostile takes 90 seconds.
"""

import argparse
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "crates/server/trials"))
import hostile
from load import Load
from service import BINARIES, EASY_3X3, HARD_5X5, QUIET, SUITES, Service, random_boards, request, suite

COMMAND = [
    "--json", "--quiet", "--goal", "blank-first", "--partition", "6-6-3", "--build",
    "--file", str(SUITES / "felner1000.txt"),
]
ASKED = {"goal": "blank-first", "partition": "6-6-3"}
# The sum of the lengths of shortest solutions: what is measured is right.
FELNER_MOVES = 52522


class Measure:
    def __init__(self, options):
        self.binaries, self.number = options.binaries, options.runs
        self.schemathesis = options.schemathesis
        self.tables = tempfile.mkdtemp(prefix="measure-")

    def server(self, *options):
        return Service(self.binaries / "solver-server", options, QUIET)

    def command(self):
        """Seconds of the command for felner1000, from its start to its end."""
        begun = time.perf_counter()
        output = subprocess.run(
            [self.binaries / "solver", *COMMAND], env={**os.environ, "PDB_TABLES": self.tables},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
        ).stdout
        seconds = time.perf_counter() - begun
        check_lengths(json.loads(line)["length"] for line in output.splitlines())
        return seconds

    def ratios(self, ask):
        """The command's seconds over those of a function, in pairs."""
        self.command()
        ask()
        ratios = []
        for number in range(self.number):
            # What is measured first takes turns.
            first, second = (self.command, ask) if number % 2 else (ask, self.command)
            seconds = {first: first(), second: second()}
            ratios.append(seconds[self.command] / seconds[ask])
        return ratios

    def list(self):
        """felner1000 in one NDJSON request"""
        body = "\n".join(suite("felner1000")).encode()
        raw = request("POST", "/v1/solve?goal=blank-first&partition=6-6-3", body,
                      [("Content-Type", "text/plain")])
        with self.server() as server:
            def ask():
                begun = time.perf_counter()
                with server.connect(300) as connection:
                    connection.send(raw)
                    status, _, body = connection.answer()
                seconds = time.perf_counter() - begun
                check_lengths(json.loads(line)["length"] for line in body.splitlines())
                return seconds
            return self.ratios(ask), statistics.median

    def requests(self):
        """felner1000 as 1,000 requests over 16 connections"""
        raws = [request("POST", "/v1/solve", {"board": board, **ASKED}) for board in suite("felner1000")]
        with self.server() as server:
            def ask():
                bodies = []
                seconds = Load(server.port, 16, 300).run(raws, lambda _, body: bodies.append(body))
                check_lengths(json.loads(body)["length"] for body in bodies)
                return seconds
            return self.ratios(ask), statistics.median

    def health(self):
        """health check, 99th percentile of 2,000, while all workers solve 5x5 boards"""
        with self.server("--max-time", 300) as server:
            busy = [server.connect() for _ in range(16)]
            for connection in busy:
                connection.request("POST", "/v1/solve", {"board": HARD_5X5, "max_time": 300})
            wait_until(lambda: server.metric("searches_running") == os.cpu_count())
            # Tables are built by then.
            time.sleep(3)
            runs = []
            for _ in range(self.number):
                times = []
                for number in range(2000):
                    begun = time.perf_counter()
                    if number % 2 == 0 or number == 1:
                        checking = server.connect(5)
                    status, _, _ = checking.ask("GET", "/healthz")
                    times.append((time.perf_counter() - begun) * 1000)
                    assert status == 200
                    time.sleep(0.0005)
                runs.append(statistics.quantiles(times, n=100)[98])
            assert server.metric("searches_running") == os.cpu_count()
            for connection in busy:
                connection.reset()
        return runs, statistics.median

    def abandoned(self):
        """searches that go on 100 ms after 1,000 clients went"""
        most = ["--max-searches", 2000, "--max-searches-per-client", 2000, "--max-connections", 2000,
                "--max-connections-per-client", 2000, "--max-time", 300]
        runs = []
        with self.server(*most) as server:
            for number in range(self.number):
                clients = [server.connect() for _ in range(1000)]
                for client in clients:
                    headers = [("Accept", random.choice(["application/json", "text/event-stream"]))]
                    client.request("POST", "/v1/solve", {"board": HARD_5X5, "max_time": 300}, headers)
                wait_until(lambda: server.metric("searches_(running|waiting)") == 1000)
                for client in clients:
                    client.reset() if number % 2 else client.close()
                time.sleep(0.1)
                runs.append(server.metric("searches_(running|waiting)"))
                wait_until(lambda: server.metric("searches_(running|waiting)") == 0)
        return runs, max

    def memory(self):
        """growth of memory over 100,000 requests of all kinds"""
        with self.server() as server:
            Load(server.port, 8).run(mixed(5_000, 1))
            before = server.resident()
            load = Load(server.port, 8)
            seconds = load.run(mixed(100_000, 2))
            grown = server.resident() - before
            print(f"# {dict(load.statuses)} in {seconds:.0f} s, {before:.0f} MB before", file=sys.stderr)
            assert set(load.statuses) <= {200, 404, 422}
        return [grown], max

    def hostile(self):
        """faults after 10,000 hostile requests: answers 5xx, hangs, panics, others"""
        by_hand, described, faults = hostile.run(
            self.binaries / "solver-server", command=self.schemathesis, say=to_standard_error,
        )
        for fault in faults:
            print(f"# {fault}", file=sys.stderr)
        print(f"# {by_hand} requests by hand, {described} by schemathesis", file=sys.stderr)
        return [len(faults)], max


ROWS = {
    "list": ("boards a second over the command's", 0.85, "least"),
    "requests": ("boards a second over the command's", 0.60, "least"),
    "health": ("ms", 50, "most"),
    "abandoned": ("searches", 0, "most"),
    "memory": ("MB", 20, "most"),
    "hostile": ("faults", 0, "most"),
}


def to_standard_error(words):
    print(f"# {words}", file=sys.stderr)


def check_lengths(lengths):
    assert sum(lengths) == FELNER_MOVES, "the answers are wrong"


def wait_until(is_so, patience=60):
    end = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


def mixed(number, seed):
    """Requests of all kinds that take little time."""
    some = random.Random(seed)
    boards = random_boards(3, 500, seed)
    list_ = "\n".join(boards[:20]).encode()
    text = [("Content-Type", "text/plain")]
    def board():
        return some.choice(boards)
    kinds = [
        *[lambda: request("POST", "/v1/solve", {"board": board(), "size": "3x3"})] * 6,
        lambda: request("POST", "/v1/solve", {"board": board(), "size": "3x3"}, [("Accept", "text/event-stream")]),
        lambda: request("POST", "/v1/solve", {"board": "1 2 3/4 5 6/8 7 0"}),
        lambda: request("POST", "/v1/solve", {"board": f"{some.random()}"}),
        lambda: request("POST", "/v1/solve", {"board": board(), "mode": "strategic", "explain": True}),
        lambda: request("POST", "/v1/solve?size=3x3", list_, text),
        lambda: request("POST", "/v1/hint", {"board": "1 2 3/4 0 6/7 5 8"}),
        lambda: request("POST", "/v1/rate", {"board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL"}),
        lambda: request("POST", "/v1/probe", {"board": EASY_3X3}),
        lambda: request("POST", "/v1/scramble", {"size": "5x5", "number": 3}),
        lambda: request("GET", f"/v1/nothing/{some.random()}"),
        lambda: request("GET", "/healthz"),
        lambda: request("GET", "/v1/tables"),
        lambda: request("DELETE", f"/v1/searches/{some.getrandbits(128):032x}"),
    ]
    for _ in range(number):
        yield some.choice(kinds)()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ROWS))
    parser.add_argument("--json", action="store_true", help="an array of rows")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each [default: 5]")
    parser.add_argument("--binaries", type=pathlib.Path, default=BINARIES, metavar="DIR",
                        help="where solver and solver-server are [default: target/release]")
    parser.add_argument("--schemathesis", metavar="ST", default=shutil.which("st"),
                        help="the command of schemathesis [default: st, if it is found]")
    options = parser.parse_args()
    if unknown := set(options.names) - set(ROWS):
        parser.error(f"there is no {', '.join(unknown)}: choose of {', '.join(ROWS)}")
    measure, rows = Measure(options), []
    try:
        for name in options.names or ROWS:
            unit, bar, bound = ROWS[name]
            begun, load = time.monotonic(), os.getloadavg()[0]
            method = getattr(measure, name)
            runs, of_runs = method()
            rows.append({
                "name": f"http: {method.__doc__.split(chr(10))[0].rstrip('.')}",
                "command": f"scripts/measure/http.py {name}",
                "unit": unit, "figure": round(of_runs(runs), 4), "bar": bar, "bound": bound,
                "runs": [round(run, 4) for run in runs],
            })
            figure = rows[-1]["figure"]
            print(f"# {time.monotonic() - begun:6.1f} s, load before {load:.2f}: {name} {figure} {unit} "
                  f"(at {bound} {bar}) of {rows[-1]['runs']}", file=sys.stderr)
    finally:
        shutil.rmtree(measure.tables)
    if options.json:
        print(json.dumps(rows, indent=1))
    def is_met(row):
        return row["figure"] <= row["bar"] if row["bound"] == "most" else row["figure"] >= row["bar"]
    sys.exit(0 if all(map(is_met, rows)) else 1)


if __name__ == "__main__":
    main()
