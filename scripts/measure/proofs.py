"""Jobs that prove boards of the 24-puzzle one by one, in one or several runs. Boards with the
fewest published nodes come first. docs/results/proofs.jsonl contains one line per board of every
list."""

import json
import statistics
import time

from .bench import DATA, ROOT, Failed, replace, suite_lines
from .figures import text
from .groups import CORES, FIVE, rows_of, solve
from .tables import table

# Lists in data/suites. Each line contains a board, its length and two published numbers: for
# korf50_24 generated nodes (Korf & Felner 2002) and expanded nodes with fourteen tables (Clausecker &
# Reinefeld 2019), for korf_taylor_1996 nodes and seconds (Lee 2021).
LISTS = ["korf50_24", "korf_taylor_1996"]
# Fields of solver's report that the results file stores.
KEPT = ["board", "status", "length", "bound", "nodes", "expanded", "ms", "iterations"]
TABLES = FIVE.format("--partition 6-6-6-6")
# Other published counts for the boards of korf50_24; the file names its columns and their sources.
NODE_COUNTS = ROOT / "data/node_counts/korf50_24.txt"


def results_file(side):
    """File of the results. A job with --side uses a separate file."""
    return DATA / f"proofs{f'-{side}' if side else ''}.jsonl"


def read(path):
    """Returns the records of a file by board."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {record["board"]: record for record in map(json.loads, lines)}


def boards(name):
    """Yields, for each board of a list: number in the file, board, known length, and the two
    published figures."""
    for number, words in enumerate(suite_lines(name), 1):
        yield number, rows_of(words[:25], 5), *map(int, words[25:28])


def estimate(report, known):
    """Estimates the nodes and seconds of a whole proof, each as a minimum and a maximum. The last
    iteration of a proof has the known length as its bound. The minimum omits this iteration, and
    the maximum includes all its nodes. Node counts are extrapolated from the last two completed
    bounds of the side (start or goal) that was searched last. Returns None if this side completed
    fewer than two bounds."""
    sides = [one.get("side", "start") for one in report["iterations"]]
    done = [one for one, side in zip(report["iterations"], sides)
            if side == sides[-1] and one["bound"] < report["bound"] and one["nodes"]][-2:]
    if len(done) < 2:
        return None
    bounds, nodes = zip(*((one["bound"], one["nodes"]) for one in done))
    growth = (nodes[1] / nodes[0]) ** (1 / (bounds[1] - bounds[0]))
    before = sum(one["nodes"] for one in report["iterations"] if one["bound"] < report["bound"])
    rest = [nodes[1] * growth ** (bound - bounds[1])
            for bound in range(report["bound"], known + 1, 2)]
    total = [max(round(before + sum(counts)), report["nodes"]) for counts in (rest[:-1], rest)]
    seconds = report["ms"] / 1000 / report["nodes"]
    return {"nodes": total, "seconds": [round(count * seconds) for count in total]}


def seconds_needed(record):
    """Time limit in seconds below which a job skips an unfinished board."""
    spent = record["ms"] / 1000
    if not record["estimate"]:
        return 2 * spent
    return max(spent, statistics.mean(record["estimate"]["seconds"]))


def prove(name):
    """Returns a job that searches the unproved boards of a list, one by one, for at most
    `options.minutes` minutes."""
    def run(bench, options):
        path, deadline = results_file(options.side), bench.begun + 60 * options.minutes
        records = read(path)
        side = f" --side {options.side}" if options.side else ""

        def order(board):
            """Sort key: new boards by published nodes, then unfinished ones by estimate."""
            record = records.get(board[1])
            return (True, seconds_needed(record)) if record else (False, board[3])
        left = [board for board in boards(name)
                if records.get(board[1], {}).get("status") != "solved"]
        bench.build(f"{TABLES} --both-sides")
        for number, board, known, *_ in sorted(left, key=order):
            limit = int(min(60 * options.board_minutes, deadline - time.monotonic()))
            if limit < 1:
                break
            if board in records and seconds_needed(records[board]) > limit:
                continue
            command = (f"solver --json {TABLES} --threads {CORES} --build{side} "
                       f'--max-time {limit} "{board}"')
            report, figures = solve(bench, command, (0, 1))
            if report.get("length", known) != known or report["bound"] > known:
                raise Failed(f"{name} number {number} needs {known} moves: {report}")
            row = bench.line(f"{name} number {number}", command, [figures], threads=CORES,
                             **{key: report[key] for key in KEPT if key in report})
            if report["status"] != "solved":
                row |= {"status": "unfinished", "estimate": estimate(report, known)}
            records[board] = bench.origin() | row
            replace(path, "".join(f"{json.dumps(one)}\n" for one in records.values()))
    return run


JOBS = {name: prove(name) for name in LISTS}


# Tables


def duration(seconds):
    return f"{seconds:,.0f} s" if seconds < 3600 else f"{seconds / 3600:,.1f} h"


def billions(nodes):
    """Text of a node count in billions, with three digits; from 100 G on, as an integer."""
    return f"{nodes / 1e9:,.0f} G" if nodes >= 1e11 else f"{nodes / 1e9:#.3g} G"


def published_counts(solved):
    """Published nodes for boards of korf50_24 as text: generated by Korf and Felner; expanded by
    Clausecker and Reinefeld with 6-6-6-6 and with fourteen tables, and by Döbbelin, Schütt and
    Reinefeld. `solved` contains lines of `boards`."""
    lines = NODE_COUNTS.read_text().splitlines()
    counts = [list(map(int, line.split())) for line in lines if not line.startswith("#")]
    more = {number: figures for number, *figures in counts}
    columns = zip(*((generated, fourteen, *more[number])
                    for number, _, _, generated, fourteen in solved))
    generated, fourteen, one_partition, large = (billions(sum(column)) for column in columns)
    return generated, one_partition, fourteen, large


def extent(estimates):
    """Adds up the estimates. Returns the total nodes and the total seconds as text."""
    nodes, seconds = ([form(sum(bounds)) for bounds in zip(*(one[key] for one in estimates))]
                      for key, form in [("nodes", lambda count: f"{text(count / 1e9)} G"),
                                        ("seconds", duration)])
    return f"{' to '.join(nodes)}, {' to '.join(seconds)}"


def proofs(name):
    """Table of the proved and the unfinished boards of a list, ordered by their published nodes."""
    def lines(_):
        records, listed = read(results_file(None)), sorted(boards(name), key=lambda one: one[3])
        begun = [(board, records[board[1]]) for board in listed if board[1] in records]
        if not begun:
            raise KeyError(name)
        solved = [record for _, record in begun if record["status"] == "solved"]
        nodes, expanded, ms = (sum(record[key] for record in solved)
                               for key in ["nodes", "expanded", "ms"])
        yield (f"Proved: {len(solved)} of {len(listed)} boards, with {billions(nodes)} generated "
               f"and {billions(expanded)} expanded nodes in {duration(ms / 1000)}.")
        if estimates := [record["estimate"] for _, record in begun if record.get("estimate")]:
            yield (f"Unfinished: {len(begun) - len(solved)}; whole proofs of {len(estimates)} of "
                   f"them: {extent(estimates)}.")
        proved = [board for board, record in begun if record["status"] == "solved"]
        yield ""
        if name == "korf_taylor_1996":
            nodes = billions(sum(board[3] for board in proved))
            seconds = duration(sum(board[4] for board in proved))
            yield f"Published for the proved boards: {nodes} in {seconds} (Lee 2021)."
            return
        if proved:
            yield from published_lines(proved)
            yield ""
        yield from table([">board", ">moves", "last side", ">generated", ">expanded", ">seconds"],
                         [row_of(board, record) for board, record in begun])
    return lines


def published_lines(solved):
    """List of the published nodes for the proved boards of korf50_24."""
    generated, one_partition, fourteen, large = published_counts(solved)
    yield "Published for the proved boards:"
    yield ""
    yield f"- {generated} generated with 6-6-6-6 (Korf & Felner 2002)"
    yield f"- {one_partition} expanded with another 6-6-6-6 (Clausecker & Reinefeld 2019)"
    yield f"- {fourteen} expanded with fourteen tables of 6 tiles (Clausecker & Reinefeld 2019)"
    yield f"- {large} expanded with 8-8-8, 9-8-7 and 9-9-6 (Döbbelin, Schütt & Reinefeld 2013)"


def row_of(board, record):
    number, _, known, *_ = board
    iterations, is_solved = record["iterations"], record["status"] == "solved"
    return [number, known if is_solved else f"unfinished, {record['bound']} to {known}",
            iterations[-1].get("side", "start") if iterations else "",
            f"{record['nodes']:,}", f"{record['expanded']:,}", f"{record['ms'] / 1000:,.1f}"]


JOB_TABLES = {name: proofs(name) for name in LISTS}
