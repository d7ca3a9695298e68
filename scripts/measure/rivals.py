"""The table of README.md: measured figures compared with those of other programs and papers. In
each comparison the task is the same, and nodes are counted in the same way. docs/reference.md and
docs/experiments.md list the sources."""

import statistics

from .proofs import billions, boards, published_counts, read
from .tables import MIB, find, mean, peak_mib, seconds, table


def rivals(data):
    yield from table(["task", ">here", "best figure elsewhere that we know of"], [
        ["24-puzzle table of 6 tiles, built by 2 threads", build_time(data, "5x5, 6 tiles"),
         "25.6 s: 24puzzle (Clausecker), 2 cores of an AMD EPYC"],
        ["the same, 7 tiles", build_time(data, "5x5, 7 tiles"), "504 s: 24puzzle, the same"],
        ["the same, 8 tiles (87 G entries)", eight_tiles(data),
         "83.5 to 91.7 min: A087725 (mspiegel), 64 cores; about 8 h with 8 threads"],
        ["6-6-3 tables of one side on disk; packed", packed(data),
         "33.6 MB: JavaScript app, one byte per entry"],
        ["felner1000 with `best`, nodes per board, pruning only undoing moves",
         mean(find(data, "parent-only", "felner1000", preset="best"), "nodes"),
         "13,687 (Zahavi et al. 2008)"],
        ["felner1000 with `best`, nodes per board, as by default",
         mean(find(data, "felner1000", "felner1000", preset="best", threads=1), "nodes"), ""],
        ["felner1000 with 7-8 and `--both-sides`, one thread, time per board", search_time(data), ""],
        ["Korf & Felner's count, reproduced with their tables and pruning",
         mean(find(data, "parent-only", "felner1000, blank-compressed, ULRD"), "nodes"),
         "36,710 (Korf & Felner 2002)"],
        *proved(),
    ])


def build_time(data, name):
    return f"{seconds(find(data, 'builds', name, threads=2)):.2g} s"


def eight_tiles(data):
    row = find(data, "eight-tiles", "build")
    return f"{seconds(row):.0f} s, {peak_mib(row) / 1024:.0f} GiB of memory"


def packed(data):
    row = find(data, "packing", "pack 6-6-3")
    return f"{row['file_bytes'] / MIB:.2f} MiB; {row['packed_bytes'] / 1e6:.2f} MB"


def search_time(data):
    row = find(data, "felner1000", "felner1000", preset="7-8", threads=1)
    ms = statistics.median(run["search_ms"] for run in row["runs"]) / row["boards"]
    return f"{ms:.2f} ms"


def proved():
    """Table rows: nodes to prove boards of korf50_24, with this project and as published."""
    records = read()
    solved = [board for board in boards()
              if records.get(board[1], {}).get("status") == "solved"]
    nodes, expanded = (billions(sum(records[board[1]][key] for board in solved))
                       for key in ["nodes", "expanded"])
    generated, one_partition, fourteen, large = published_counts(solved)
    yield [f"nodes generated to prove {len(solved)} of Korf's 50 boards of the 24-puzzle, best",
           nodes, f"{generated} (Korf & Felner 2002)"]
    yield ["the same, nodes expanded", expanded,
           f"{one_partition} with another 6-6-6-6, {fourteen} with fourteen tables (Clausecker & "
           f"Reinefeld 2019); {large} with 8-8-8, 9-8-7 and 9-9-6 (Döbbelin et al. 2013)"]
