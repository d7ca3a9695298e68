"""A running solver-server, and connections that send exact bytes."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARIES = ROOT / "target/release"
# No log line per request; the listening address is still logged.
QUIET = {"SOLVER_SERVER_LOG": "warn,solver_server=info"}
# A board of about 100 moves. With the tables that are built on demand, its search would take hours,
# so only limits end it.
HARD_5X5 = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11"
# A board of 31 moves.
EASY_3X3 = "8 6 7/2 5 4/3 0 1"


class Service:
    """A server on a free loopback port, which logs to a file. Leaving the `with` block stops it."""

    def __init__(self, binary=BINARIES / "solver-server", options=(), environment=None):
        self.log = tempfile.NamedTemporaryFile("r", prefix="solver-server-", suffix=".log")
        command = [str(binary), "--listen", "127.0.0.1:0", *map(str, options)]
        with open(self.log.name, "w") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})},
            )
        self.port = self._listening()

    def _listening(self):
        for _ in range(500):
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", self.logged())
            if found:
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.process.kill()
        raise SystemExit(f"the server did not start: {self.logged()[-1000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.log.close()

    def stop(self, time_limit=20):
        """Sends SIGTERM; returns the seconds until the server ended, or None if it was killed."""
        begun = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(time_limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        return time.monotonic() - begun

    def logged(self):
        """The whole log."""
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def panics(self):
        """Number of panics."""
        return self.logged().count("panicked at")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def connect(self, timeout=30, source=None):
        return Connection(self.port, timeout, source)

    def get(self, path, timeout=30):
        with urllib.request.urlopen(self.url + path, timeout=timeout) as answer:
            return answer.read().decode()

    def is_well(self, timeout=5):
        """Whether a health check succeeds."""
        try:
            return json.loads(self.get("/healthz", timeout))["status"] == "ok"
        except OSError:
            return False

    def metric(self, name):
        """Value of a metric, summed over all labels. `name` is a regular expression for the name of
        the metric without `solver_server_`."""
        lines = self.get("/metrics").splitlines()
        begins = re.compile(rf"solver_server_{name}(\{{.*\}})? ")
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if begins.match(line))

    def statuses(self):
        """Number of answered requests by status."""
        counts = {}
        for line in self.get("/metrics").splitlines():
            found = re.match(r'solver_server_requests_total\{.*status="(\d+)"\} (\d+)', line)
            if found:
                counts[int(found[1])] = counts.get(int(found[1]), 0) + int(found[2])
        return counts

    def resident(self, field="VmRSS"):
        """The memory of the server in MB; with `VmHWM`, its peak memory."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) * 1024 / 1e6


class Broken(Exception):
    """The connection closed before the answer was complete."""


class Connection:
    """A connection that parses answers without an HTTP library."""

    def __init__(self, port, timeout=30, source=None):
        """`source` is the local address, such as 127.0.0.2."""
        own = source and (source, 0)
        self.socket = socket.create_connection(("127.0.0.1", port), timeout, own)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes the connection with a reset."""
        linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()

    def send(self, raw):
        self.socket.sendall(raw)

    def request(self, method, path, body=None, headers=()):
        """Sends a request; a body other than bytes is sent as JSON."""
        self.send(request(method, path, body, headers))

    def ask(self, method, path, body=None, headers=()):
        """Sends a request and returns the answer's status, headers and body."""
        self.request(method, path, body, headers)
        return self.answer(method)

    def _more(self):
        received = self.socket.recv(1 << 16)
        if not received:
            raise Broken(self.rest[:200])
        self.rest += received

    def line(self):
        while b"\n" not in self.rest:
            self._more()
        line, self.rest = self.rest.split(b"\n", 1)
        return line.rstrip(b"\r")

    def exactly(self, length):
        while len(self.rest) < length:
            self._more()
        bytes_, self.rest = self.rest[:length], self.rest[length:]
        return bytes_

    def head(self):
        """Reads the status and the headers of an answer."""
        words = self.line().split(b" ", 2)
        if len(words) < 2 or not words[0].startswith(b"HTTP/1."):
            raise Broken(words)
        headers = {}
        while line := self.line():
            name, value = line.split(b":", 1)
            headers[name.decode().lower()] = value.strip().decode("latin-1")
        return int(words[1]), headers

    def pieces(self, headers):
        """Yields the parts of a body as they arrive."""
        if headers.get("transfer-encoding") == "chunked":
            while length := int(self.line(), 16):
                yield self.exactly(length)
                self.line()
            self.line()
        else:
            yield self.exactly(int(headers.get("content-length", 0)))

    def answer(self, method="POST"):
        status, headers = self.head()
        if status == 100:
            status, headers = self.head()
        if method == "HEAD" or status in (204, 304):
            return status, headers, b""
        return status, headers, b"".join(self.pieces(headers))


def request(method, path, body=None, headers=()):
    """The bytes of a request."""
    headers = [("Host", "localhost"), *headers]
    if body is not None:
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers.append(("Content-Type", "application/json"))
        headers.append(("Content-Length", len(body)))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")
