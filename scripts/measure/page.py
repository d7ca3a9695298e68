"""The page and the npm package: docs/results/page.json is written by `npm run budget` in
crates/wasm/web, since it is measured in Node and in a browser."""

from .figures import text
from .tables import table

NAME = "page"


def page(data):
    group = data[NAME]
    machine = group["machine"]
    yield f"Commit {group['commit']}, {group['date']} UTC, load {group['load']:.2f} before;"
    yield f"Node {machine['node']}, Chromium {machine['chromium']}."
    yield ""
    rows = [[row["name"], f"{text(row['bar'])} {row['unit']}" if row["bar"] else "",
             f"{text(row['figure'])} {row['unit']}"] for row in group["rows"]]
    yield from table(["", ">at most", ">measured"], rows)
