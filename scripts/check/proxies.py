#!/usr/bin/env python3
"""Runs solver-server behind nginx and Caddy with the examples of crates/server/deploy.

    scripts/check/proxies.py [--binary FILE]

Of each example only names, ports and certificates are replaced. Checks over TLS: a solved board; a
list; events; the client's name; a search that ends when its client disconnects; no access to
/metrics. With nginx also: a list whose first report arrives before the list is sent, and the limit
of requests.
"""

import argparse
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "crates/server/deploy"
sys.path.insert(0, str(ROOT / "crates/server/trials"))
from service import EASY_3X3, HARD_5X5, Connection, Service, request

# Processes of nginx have no root rights, and only write to the folder.
NGINX = """daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/fast; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
include {folder}/solver.conf; }}"""


class Secure(Connection):
    """A connection over TLS."""

    def __init__(self, port):
        super().__init__(port)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket, server_hostname="localhost")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def nginx(folder, port, service):
    key = ["-newkey", "rsa:2048", "-keyout", f"{folder}/key", "-out", f"{folder}/cert", "-days", "2"]
    subprocess.run(["openssl", "req", "-x509", "-nodes", "-subj", "/CN=localhost", *key],
                   check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text()
    # The last allowed address is the only one of this test.
    for before, after in [("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("allow 127.0.0.1;", ""),
                          ("127.0.0.1:8015", f"127.0.0.1:{service}"),
                          ("/etc/ssl/solver.crt", f"{folder}/cert"),
                          ("/etc/ssl/solver.key", f"{folder}/key")]:
        assert before in text, before
        text = text.replace(before, after)
    (folder / "solver.conf").write_text(text)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    return ["nginx", "-c", f"{folder}/nginx.conf"]


def caddy(folder, port, service):
    text = (DEPLOY / "Caddyfile").read_text()
    for before, after in [("solver.example.org {", f"https://localhost:{port} {{\n\ttls internal"),
                          ("127.0.0.1:8015", f"127.0.0.1:{service}"),
                          ("\tservers {", "\tadmin off\n\tskip_install_trust\n\thttp_port 0\n\tservers {")]:
        assert before in text, before
        text = text.replace(before, after)
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile"]


def until(is_so, time_limit=30):
    end = time.monotonic() + time_limit
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit("BROKEN: no answer in time")
        time.sleep(0.05)


def check(port, service, reads_ahead):
    """Asks the proxy at `port` for everything that an answer of the service needs."""
    status, headers, body = Secure(port).ask("POST", "/v1/solve", {"board": EASY_3X3})
    assert status == 200 and json.loads(body)["length"] == 31, body
    head = request("POST", "/v1/solve", None, [("Content-Type", "text/plain"),
                                               ("Transfer-Encoding", "chunked")])
    listing = Secure(port)
    # Caddy answers a list after it was sent.
    rest = b"0\r\n\r\n"
    listing.send(head + b"9\r\n1 2/0 3\n \r\n" + (b"" if reads_ahead else rest))
    status, headers = listing.head()
    first = next(listing.pieces(headers))
    assert b'"solved"' in first, first
    listing.close()
    events = Secure(port)
    events.request("POST", "/v1/anytime", {"board": HARD_5X5, "max_time": 20})
    status, headers = events.head()
    assert b"event: search" in next(events.pieces(headers))
    until(lambda: service.metric("searches_running") == 1)
    events.close()
    until(lambda: service.metric("searches_running") == 0, 5)
    assert Secure(port).ask("GET", "/metrics")[0] == 403, "the metrics are public"
    log = service.logged()
    assert 'client="127.0.0.1"' in log and 'route="/v1/anytime"' in log, log


def flood(port):
    """Sends requests until one is answered 429."""
    with Secure(port) as connection:
        statuses = [connection.ask("GET", "/healthz")[0] for _ in range(500)]
    assert 429 in statuses, "no limit of requests"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "target/release/solver-server")
    options = parser.parse_args()
    for start in [nginx, caddy]:
        name = start.__name__
        if not shutil.which(name):
            sys.exit(f"{name} not found; try: apt-get install nginx-light caddy")
        with tempfile.TemporaryDirectory() as folder, \
                Service(options.binary, ["--client-header", "X-Client"]) as service:
            folder, port = pathlib.Path(folder), free_port()
            environment = {"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": str(folder)}
            with open(folder / "output", "w") as output:
                proxy = subprocess.Popen(start(folder, port, service.port), env=environment,
                                         stdout=output, stderr=output)
            try:
                until(lambda: not socket.socket().connect_ex(("127.0.0.1", port)))
                check(port, service, start is nginx)
                if start is nginx:
                    flood(port)
            except BaseException:
                print((folder / "output").read_text()[-3000:], file=sys.stderr)
                raise
            finally:
                proxy.kill()
                proxy.wait()
        print(f"{name}: all checks passed")


if __name__ == "__main__":
    main()
