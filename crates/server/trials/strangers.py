#!/usr/bin/env python3
"""Checks that four busy clients harm neither a fifth client nor the machine.

    cargo build --release -p sliding-tile-pdb-server
    crates/server/trials/strangers.py [--seconds N] [--binary FILE]

Four loopback addresses send the most expensive requests of each route, close some connections
early, keep others idle, and do not read the answers to lists. A fifth address solves boards that
are one move from the goal. Linux only.

It checks that the fifth address is answered within 2 s (99th percentile); health checks succeed;
memory and disk stay below the bounds of docs/http.md; only threads of low priority use much of the
processor; no search outlives its client; no answer is 5xx except 503; and the process survives.
Each violation is printed on a line, and the exit code is then 1.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time

from service import BINARIES, EASY_3X3, HARD_5X5, QUIET, Broken, Service

STRANGERS = [f"127.0.0.{last}" for last in range(2, 6)]
# Clients that request only tables.
TABLES_ONLY = STRANGERS[2:]
FIFTH = "127.0.0.6"
# Maximum of the 99th percentile of the fifth address's answer times, in seconds.
MAX_ANSWER_TIME = 2
WORKERS, TABLES, MEMORY, DISK, CONNECTIONS = 2, 64, 32, 64, 600
# MB per MiB; maximum memory in MB, computed as in the list under "Size" in docs/http.md.
MIB = (1 << 20) / 1e6
BOUND = (80 + 2 * TABLES * MIB + (WORKERS + 1) * MEMORY * MIB + 8 * (WORKERS + 16)
         + 0.1 * CONNECTIONS + 2 * 4)
ONE_MOVE = "1 2 3/4 5 6/7 0 8"
TEXT = [("Content-Type", "text/plain")]
EVENTS = [("Accept", "text/event-stream")]


def partition(some, cells, size):
    """A random partition into parts of `size` tiles."""
    tiles = some.sample(range(1, cells), cells - 1)
    parts = [tiles[first : first + size] for first in range(0, cells - 1, size)]
    return "/".join(",".join(map(str, sorted(part))) for part in parts)


def board(some, side):
    """A random solvable board, by a long walk from the goal."""
    numbers, blank = [*range(1, side * side), 0], side * side - 1
    for _ in range(20 * side * side):
        row, column = divmod(blank, side)
        ways = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        row, column = some.choice([(r, c) for r, c in ways if 0 <= r < side and 0 <= c < side])
        other = row * side + column
        numbers[blank], numbers[other], blank = numbers[other], 0, other
    return " ".join(map(str, numbers))


def dearest(some):
    """The most expensive requests of each route: method, path, body, headers."""
    hard = {"board": HARD_5X5, "max_time": 20}
    large = {"board": board(some, 20), "mode": "strategic", "short": True, "max_time": 20}
    heavy = [partition(some, 25, 6) for _ in range(4)]
    short_list = "\n".join(board(some, 20) for _ in range(3)).encode()
    path = "/v1/solve?mode=strategic&short=true&max_time=20"
    return [
        ("POST", "/v1/solve", hard, ()),
        ("POST", "/v1/solve", hard, EVENTS),
        ("POST", "/v1/solve", {"boards": [HARD_5X5] * 20, "max_time": 20}, ()),
        ("POST", "/v1/anytime", hard, ()),
        ("POST", "/v1/hint", hard, ()),
        ("POST", "/v1/rate", {**hard, "moves": "U"}, ()),
        ("POST", "/v1/explain", {"board": HARD_5X5, "heuristics": heavy}, ()),
        ("POST", "/v1/explain", {"board": HARD_5X5, "heuristics": [partition(some, 25, 4)]}, ()),
        ("POST", "/v1/explain", {"board": board(some, 4), "goal": board(some, 4),
                                 "heuristics": ["walking-distance"]}, ()),
        ("POST", "/v1/probe", {"board": HARD_5X5, "partition": partition(some, 25, 5)}, ()),
        ("POST", "/v1/probe", {"board": HARD_5X5, "partition": partition(some, 25, 3)}, ()),
        ("POST", "/v1/solve", {**hard, "partition": partition(some, 25, 5), "max_time": 0.01}, ()),
        ("POST", "/v1/solve", {"board": "1 0 2/3 4 5", "size": "3x2", "partition": "5"}, ()),
        ("POST", "/v1/solve", large, ()),
        ("POST", path, short_list, TEXT),
        ("POST", "/v1/solve", {"board": EASY_3X3, "within": 30, "max_time": 20}, ()),
        ("POST", "/v1/scramble", {"size": "20x20", "number": 2500}, ()),
        ("POST", "/v1/scramble", {"size": "20x20", "number": 1, "moves": 1_000_000}, ()),
    ]


def asks_tables(_, path, body, __):
    return path == "/v1/explain" or isinstance(body, dict) and "partition" in body


class Strangers:
    """Threads that send the most expensive requests from some addresses until stopped."""

    def __init__(self, service, threads, seed=1):
        self.service, self.ends = service, threading.Event()
        self.statuses = {}
        self.open, self.lock = set(), threading.Lock()
        self.threads = [
            threading.Thread(target=self._ask, args=(source, random.Random(f"{seed} {source} {number}")),
                             daemon=True)
            for source in STRANGERS for number in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def _ask(self, source, some):
        while not self.ends.is_set():
            requests = dearest(some)
            if source in TABLES_ONLY:
                # This address uses all its turns in the queue for tables.
                requests = [one for one in requests if asks_tables(*one)]
            method, path, body, headers = some.choice(requests)
            # Some clients disconnect before the answer.
            time_limit, connection = some.choice([0.5, 5, 40]), None
            try:
                with self.service.connect(time_limit, source) as connection:
                    with self.lock:
                        self.open.add(connection)
                    connection.request(method, path, body, headers)
                    status, _, _ = connection.answer(method)
            except (OSError, Broken, ValueError):
                status = None
                if self.service.process.poll() is not None:
                    return
            with self.lock:
                self.open.discard(connection)
                self.statuses[status] = self.statuses.get(status, 0) + 1

    def stop(self, time_limit=60):
        """Closes all connections, and waits for the threads."""
        self.ends.set()
        end = time.monotonic() + time_limit
        while any(thread.is_alive() for thread in self.threads) and time.monotonic() < end:
            with self.lock:
                connections = list(self.open)
            for connection in connections:
                try:
                    connection.socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            time.sleep(0.05)


def slow_readers(service):
    """Sends a list from each address, and does not read its answers."""
    connections = []
    for source in STRANGERS:
        connection = service.connect(30, source)
        connection.request("POST", "/v1/solve", {"boards": [EASY_3X3] * 3000, "within": 4})
        connections.append(connection)
    return connections


def fill(service, number):
    """Opens idle connections from each address."""
    connections = []
    for source in STRANGERS:
        for _ in range(number):
            try:
                connections.append(service.connect(5, source))
            except OSError:
                pass
    return connections


def disk(directory):
    """Size of all files of a directory, in MB."""
    return sum(file.stat().st_size for file in pathlib.Path(directory).iterdir() if file.exists()) / 1e6


def processor(service):
    """Processor seconds of the threads of nice 0, and of all threads."""
    seconds = {}
    for task in pathlib.Path(f"/proc/{service.process.pid}/task").iterdir():
        try:
            fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        taken = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        seconds[int(fields[16])] = seconds.get(int(fields[16]), 0) + taken
    return seconds.get(0, 0), sum(seconds.values())


def busy(binary, seconds, fault):
    """Measures how fast a fifth address is answered while four addresses keep the service busy."""
    directory = tempfile.mkdtemp(prefix="strangers-")
    options = ["--workers", WORKERS, "--max-tables", TABLES, "--max-memory", MEMORY,
               "--max-connections", CONNECTIONS, "--tables", directory]
    with Service(binary, [*options, "--max-disk", DISK], QUIET) as service:
        wait_until(lambda: one_move(service)[0])
        idle = fill(service, 40)
        strangers = Strangers(service, 6)
        readers = slow_readers(service)
        times, wrong, sick, most_disk = [], 0, 0, 0
        end = time.monotonic() + seconds
        number = 0
        while time.monotonic() < end and service.process.poll() is None:
            is_right, taken = one_move(service)
            times.append(taken)
            wrong += not is_right
            number += 1
            if number % 10 == 0:
                sick += not service.is_well(MAX_ANSWER_TIME)
                most_disk = max(most_disk, disk(directory))
            time.sleep(0.05)
        if service.process.poll() is not None:
            fault(f"the process ended with {service.process.returncode}: {service.logged()[-300:]}")
            return
        of_nice_0, of_all = processor(service)
        begun = time.monotonic()
        for connection in readers + idle:
            connection.close()
        strangers.stop()
        left = ended_after(service)
        memory = service.resident("VmHWM")
        slowest = statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]
        print(f"{len(times)} boards of one move: median {statistics.median(times):.3f} s, p99 "
              f"{slowest:.3f} s, longest {max(times):.3f} s; answers to others {strangers.statuses}; memory "
              f"{memory:.0f} MB of {BOUND:.0f}; disk {most_disk:.0f} MB of {DISK * MIB:.0f}; processor "
              f"{of_nice_0:.0f} s of {of_all:.0f} at nice 0; all left after "
              f"{time.monotonic() - begun:.1f} s")
        if slowest > MAX_ANSWER_TIME:
            fault(f"turns: one move took {slowest:.2f} s (p99), "
                  f"at most {MAX_ANSWER_TIME} s are promised")
        if wrong:
            fault(f"turns: {wrong} of {len(times)} boards of one move were not solved")
        if sick:
            fault(f"health: {sick} checks were not answered")
        if memory > BOUND:
            fault(f"memory: {memory:.0f} MB, at most {BOUND:.0f} MB are promised")
        if most_disk > DISK * MIB:
            fault(f"disk: {most_disk:.0f} MB, at most {DISK * MIB:.0f} MB are promised")
        if of_nice_0 > of_all / 4:
            fault(f"priority: {of_nice_0:.0f} s of {of_all:.0f} s of the processor at nice 0")
        if left:
            fault(f"leaving: {left:.0f} searches ran 3 s after their clients had left")
        if errors := {code for code in strangers.statuses if code and code >= 500 and code != 503}:
            fault(f"answers: statuses {errors}")
        if panics := service.panics():
            fault(f"panics: {panics}")
    shutil.rmtree(directory)


def ended_after(service, time_limit=3):
    """Number of searches that run `time_limit` seconds after all clients have disconnected."""
    end = time.monotonic() + time_limit
    while (left := service.metric("searches_(running|waiting)")) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def one_move(service):
    """As the fifth address, solves a board of one move. Returns success and elapsed seconds."""
    begun, is_right = time.monotonic(), False
    try:
        with service.connect(60, FIFTH) as connection:
            status, _, body = connection.ask("POST", "/v1/solve", {"board": ONE_MOVE})
            is_right = status == 200 and json.loads(body)["length"] == 1
    except (OSError, Broken, ValueError):
        pass
    return is_right, time.monotonic() - begun


def wait_until(is_so, time_limit=60):
    end = time.monotonic() + time_limit
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit("the server does not answer")
        time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60,
                        help="duration [default: 60]")
    parser.add_argument("--binary", type=pathlib.Path, default=BINARIES / "solver-server",
                        help="[default: target/release/solver-server]")
    options = parser.parse_args()
    faults = []
    busy(options.binary, options.seconds, faults.append)
    for line in faults:
        print(f"BROKEN {line}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
