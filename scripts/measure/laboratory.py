"""What docs/lab.md and the last part of docs/results.md report: textbook searches compared."""

import csv
import json
import pathlib
import shutil
import tempfile

from .bench import ROOT
from .tables import seconds, table

# Plots that docs/lab.md shows.
PLOTS = ROOT / "docs/lab"
WORST_S0 = '"6 4 7/8 5 0/3 2 1"'
WORST_S3 = '"8 6 7/2 5 4/3 0 1"'
B55 = '"5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"'
SUITE = ROOT / "data/suites/korf100.txt"


def compare(bench, name, options, plots=None):
    """A comparison: its groups as `summary.csv` has them, and its searches. `plots` names files of
    it, and what they are called in docs/lab."""
    command = f"solver compare {options}"
    with tempfile.TemporaryDirectory() as folder:
        _, run = bench.run(f"{command} --quiet --out {folder}/out", codes=(0, 1))
        results = pathlib.Path(folder, "out")
        groups = read_csv(results / "summary.csv")
        predictions = read_csv(results / "predictions.csv")
        searches = [json.loads(line) for line in open(results / "runs.jsonl")]
        for plot, target in (plots or {}).items():
            PLOTS.mkdir(exist_ok=True)
            shutil.copyfile(results / f"{plot}.svg", PLOTS / f"{target}.svg")
    if plots:
        command += " --out DIR"
    fields = {"predictions": predictions} if predictions else {}
    return bench.line(name, command, [run], groups=groups, **fields), searches


def read_csv(path):
    """The rows of a file, with numbers as such; none if it is not there."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [{key: number(text) for key, text in row.items() if text}
                for row in csv.DictReader(file)]


def number(text):
    """A number of a table, or its words."""
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() else value


SHUFFLES = ("--sizes 3x3,4x4,5x5,6x6 --moves 10,30,50,100 --number 250 --max-nodes 300k "
            "--heuristics zero,misplaced,manhattan,linear-conflict --searches astar")


def shuffles(bench):
    """The published table of the course project of docs/reference.md, over 4,000 boards."""
    plots = {"nodes-4x4-walk-50": "shuffles-nodes", "time-4x4-walk-50": "shuffles-time"}
    return [compare(bench, "shuffles", SHUFFLES, plots)[0]]


def classes(bench):
    """Pictures and tables for a class."""
    names = "zero,misplaced,manhattan,linear-conflict,walking-distance,5-3"
    plots = {f"{plot}-3x3-random": f"random-{plot}" for plot in ["nodes", "time", "h", "solved"]}
    rows = [compare(bench, "heuristics", f"--size 3x3 --number 2000 --heuristics {names} "
                                         "--searches astar", plots)[0]]
    searches = ("breadth-first,uniform-cost,greedy,astar,weighted-astar:1.5,weighted-astar:3,"
                "ida-star,bidirectional")
    rows.append(compare(bench, "searches", "--size 3x3 --number 1000 --heuristics manhattan "
                                           f"--searches {searches}")[0])
    rows.append(compare(bench, "4x4", "--size 4x4 --number 40 --heuristics linear-conflict,"
                                      "walking-distance,6-6-3 --searches ida-star "
                                      "--max-nodes 100G")[0])
    names = "misplaced,manhattan,linear-conflict,fringe,manhattan+fringe,5-3"
    for name, board in [("worst S0", WORST_S0), ("worst S3", WORST_S3)]:
        options = f"--heuristics {names} --searches astar,ida-star --max-nodes 1G {board}"
        rows.append(compare(bench, name, options)[0])
    limits = "--max-nodes 1G --max-memory 8G"
    rows.append(compare(bench, "55 moves", "--heuristics linear-conflict --searches astar "
                                           f"{limits} {B55}")[0])
    rows.append(compare(bench, "55 moves", f"--heuristics 6-6-3 --searches ida-star {B55}")[0])
    return rows


def korf1985(bench):
    """The 100 boards of Korf's paper, by heuristics that are older and younger."""
    rows = []
    for heuristics, states in [("manhattan,linear-conflict,walking-distance", "10M"),
                               ("6-6-3,7-8,best", "1M")]:
        options = (f"--suite korf100 --heuristics {heuristics} --searches ida-star "
                   f"--max-nodes 1e12 --predict {states}")
        row, searches = compare(bench, "korf100", options)
        row["differ"] = differing(searches)
        rows.append(row)
    return rows


def differing(searches):
    """The boards whose printed counts are not those of Manhattan distance and the root."""
    lines = [line.split() for line in SUITE.read_text().splitlines() if not line.startswith("#")]
    printed = {number: int(line[18]) for number, line in enumerate(lines, 1)}
    found = {one["number"]: one["generated"] + 1 for one in searches
             if one["heuristic"] == "manhattan"}
    return [[number, printed[number], count] for number, count in sorted(found.items())
            if count != printed[number]]


LAB_GROUPS = {"lab-shuffles": shuffles, "lab-classes": classes, "korf1985": korf1985}


# Tables


def groups_of(data, name):
    """The groups of a row of the data for classes, and its command."""
    rows = [row for row in data["lab-classes"]["rows"] if row["name"] == name]
    return [group for row in rows for group in row["groups"]], [row["command"] for row in rows]


def counted(group, field, digits=0):
    """A mean; where limits ended searches, it is at least that."""
    is_limited = group["solved"] < group["boards"]
    return (">" if is_limited else "") + f"{group[field]:,.{digits}f}"


def commands(lines):
    yield ""
    for line in lines:
        yield f"    {line}"


def lengths(group):
    return f"{group['length_mean']:.2f}" if "length_mean" in group else "-"


def by_heuristic(data):
    groups, lines = groups_of(data, "heuristics")
    rows = [[group["heuristic"], f"{group['h0_mean']:.2f}", lengths(group),
             counted(group, "generated_mean"), counted(group, "expanded_mean"),
             f"{group['branching_factor']:.3f}", counted(group, "ms_mean", 3)] for group in groups]
    yield from table(["heuristic", ">mean value", ">moves", ">generated", ">expanded",
                      ">branching factor", ">ms"], rows)
    yield from commands(lines)


def by_search(data):
    groups, lines = groups_of(data, "searches")
    rows = [[group["search"], lengths(group), group["length_worst"],
             counted(group, "generated_mean"), counted(group, "expanded_mean"),
             counted(group, "peak_mean"), counted(group, "ms_mean", 3)] for group in groups]
    yield from table(["search", ">moves", ">longest", ">generated", ">expanded", ">kept at most",
                      ">ms"], rows)
    yield from commands(lines)


def large(data):
    groups, lines = groups_of(data, "4x4")
    rows = [[group["heuristic"], f"{group['h0_mean']:.2f}", lengths(group),
             counted(group, "generated_mean"), counted(group, "ms_mean", 1),
             counted(group, "ms_worst", 1)] for group in groups]
    yield from table(["heuristic", ">mean value", ">moves", ">generated", ">ms", ">worst ms"],
                     rows)
    yield from commands(lines)


def worst(data):
    for name, board in [("worst S0", WORST_S0), ("worst S3", WORST_S3)]:
        groups, lines = groups_of(data, name)
        yield f"{board.strip(chr(34))}, {groups[0]['length_mean']:.0f} moves:"
        yield ""
        rows = [[group["search"], group["heuristic"], group["h0_mean"],
                 counted(group, "generated_mean"), counted(group, "expanded_mean"),
                 counted(group, "ms_mean", 3)] for group in groups]
        yield from table(["search", "heuristic", ">value", ">generated", ">expanded", ">ms"], rows)
        yield from commands(lines)
        yield ""


def fifty_five(data):
    groups, lines = groups_of(data, "55 moves")
    rows = [[group["search"], group["heuristic"], group["h0_mean"], lengths(group),
             counted(group, "generated_mean"), counted(group, "peak_mean"),
             counted(group, "ms_mean", 1)] for group in groups]
    yield from table(["search", "heuristic", ">value", ">moves", ">generated", ">kept at most",
                      ">ms"], rows)
    yield from commands(lines)


def shuffled(data):
    row, = data["lab-shuffles"]["rows"]
    rows = []
    for group in row["groups"]:
        solved = group["solved"]
        share = "all" if solved == group["boards"] else f"{solved} of {group['boards']}"
        rows.append([group["size"], group["set"].removeprefix("walk-"), group["heuristic"], share,
                     lengths(group), counted(group, "generated_mean"),
                     counted(group, "ms_mean", 2)])
    yield from table(["tray", ">shuffles", "heuristic", ">solved", ">moves", ">generated", ">ms"],
                     rows)
    yield from commands([row["command"]])


def of_1985(data):
    rows = []
    for row in data["korf1985"]["rows"]:
        for group in row["groups"]:
            search_seconds = group["ms_total"] / 1000
            rate = group["generated_total"] / search_seconds / 1e6
            rows.append([group["heuristic"], f"{group['h0_mean']:.2f}",
                         f"{group['generated_total']:,}", f"{rate:.1f}", f"{search_seconds:,.1f}"])
    yield from table(["heuristic", ">mean value", ">generated nodes", ">M nodes/s",
                      ">seconds of one core"], rows)
    yield ""
    for row in data["korf1985"]["rows"]:
        yield f"    {row['command']}   # {seconds(row):,.0f} s"
    yield ""
    yield "Boards whose printed count is another:"
    yield ""
    differ = data["korf1985"]["rows"][0]["differ"]
    yield from table([">board", ">printed", ">counted, with the root"],
                     [[number, f"{printed:,}", f"{found:,}"] for number, printed, found in differ])


def predicted(data):
    rows = []
    for row in data["korf1985"]["rows"]:
        for own in row["predictions"]:
            if own["expanded"]:
                rows.append([own["heuristic"], own["bound"],
                             f"{own['expanded'] / own['boards']:,.0f}",
                             f"{own['predicted'] / own['boards']:,.0f}",
                             f"{own['predicted'] / own['expanded']:.2f}"])
    return table(["heuristic", ">bound", ">expanded", ">predicted", ">ratio"], rows)


LAB_TABLES = {
    "lab-heuristics": by_heuristic,
    "lab-searches": by_search,
    "lab-4x4": large,
    "lab-worst": worst,
    "lab-55": fifty_five,
    "lab-shuffles": shuffled,
}
RESULT_TABLES = {"korf1985": of_1985, "predictions": predicted}
