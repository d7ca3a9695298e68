"""Comparisons of textbook searches: data of docs/lab.md and of the last part of docs/results.md."""

import csv
import json
import pathlib
import shutil
import tempfile

from .bench import ROOT, suite_lines
from .tables import columns_table, table

# Folder of the plots in docs/lab.md.
PLOTS = ROOT / "docs/lab"
WORST = '"6 4 7/8 5 0/3 2 1"'
B55 = '"5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"'


def compare(bench, name, options, plots=None):
    """Runs `solver compare`. Returns a row of data with the groups of `summary.csv`, and a list of
    all searches. `plots` maps names of the comparison's plots to names of files in docs/lab."""
    command = f"solver compare {options}"
    with tempfile.TemporaryDirectory() as folder:
        _, run = bench.run(f"{command} --quiet --out {folder}/out", codes=(0, 1))
        results = pathlib.Path(folder, "out")
        groups = read_csv(results / "summary.csv")
        predictions = read_csv(results / "predictions.csv")
        searches = [json.loads(line) for line in open(results / "runs.jsonl")]
        for plot, target in (plots or {}).items():
            shutil.copyfile(results / f"{plot}.svg", PLOTS / f"{target}.svg")
    if plots:
        command += " --out DIR"
    fields = {"predictions": predictions} if predictions else {}
    return bench.line(name, command, [run], groups=groups, **fields), searches


def read_csv(path):
    """Rows of a CSV file with parsed numbers; an empty list if the file is missing."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [{key: number(text) for key, text in row.items() if text}
                for row in csv.DictReader(file)]


def number(text):
    """Parses a number; returns other text unchanged."""
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() else value


SHUFFLES = ("--sizes 3x3,4x4,5x5,6x6 --moves 10,30,50,100 --number 250 --max-nodes 300k "
            "--heuristics zero,misplaced,manhattan,linear-conflict --searches astar")


def shuffles(bench):
    """The table of the course project in docs/lab.md, measured again with 4,000 boards."""
    plots = {"nodes-4x4-walk-50": "shuffles-nodes"}
    return [compare(bench, "shuffles", SHUFFLES, plots)[0]]


def classes(bench):
    """Plots and tables for teaching."""
    plots = {f"{plot}-3x3-random": f"random-{plot}" for plot in ["nodes", "time", "h", "solved"]}
    worst = ("--heuristics misplaced,manhattan,linear-conflict,fringe,manhattan+fringe,5-3 "
             "--searches astar,ida-star --max-nodes 1G ")
    limits = "--max-nodes 1G --max-memory 8G"
    return [compare(bench, *comparison)[0] for comparison in [
        ("heuristics", "--size 3x3 --number 2000 --heuristics zero,misplaced,manhattan,"
                       "linear-conflict,walking-distance,5-3 --searches astar", plots),
        ("searches", "--size 3x3 --number 1000 --heuristics manhattan "
                     "--searches breadth-first,uniform-cost,greedy,astar,weighted-astar:1.5,"
                     "weighted-astar:3,ida-star,bidirectional"),
        ("4x4", "--size 4x4 --number 40 --heuristics linear-conflict,walking-distance,6-6-3 "
                "--searches ida-star --max-nodes 100G"),
        ("worst", worst + WORST),
        ("55 moves", f"--heuristics linear-conflict --searches astar {limits} {B55}"),
        ("55 moves", f"--heuristics 6-6-3 --searches ida-star {B55}"),
    ]]


def korf1985(bench):
    """The 100 boards of Korf's paper, solved with older and newer heuristics."""
    for heuristics, states in [("manhattan,linear-conflict,walking-distance", "10M"),
                               ("6-6-3,7-8,best", "1M")]:
        options = (f"--suite korf100 --heuristics {heuristics} --searches ida-star "
                   f"--max-nodes 1e12 --predict {states}")
        row, searches = compare(bench, "korf100", options)
        row["differ"] = differing(searches)
        yield row


def differing(searches):
    """Boards whose published node count differs from this project's count with Manhattan distance.
    Both counts include the root."""
    printed = {number: int(words[18]) for number, words in enumerate(suite_lines("korf100"), 1)}
    found = {one["number"]: one["generated"] + 1 for one in searches
             if one["heuristic"] == "manhattan"}
    return [[number, printed[number], count] for number, count in sorted(found.items())
            if count != printed[number]]


LAB_GROUPS = {"lab-shuffles": shuffles, "lab-classes": classes, "korf1985": korf1985}


# Tables


def counted(field, digits=0):
    """A column of means. If limits ended searches, the mean is a lower bound, marked with ">"."""
    def cell(group):
        is_limited = group["solved"] < group["boards"]
        return (">" if is_limited else "") + f"{group[field]:,.{digits}f}"
    return cell


MEAN_VALUE = ">mean value", "{h0_mean:.2f}"
VALUE = ">value", "{h0_mean}"
MOVES = ">moves", lambda group: f"{group['length_mean']:.2f}" if "length_mean" in group else "-"
HEURISTIC, SEARCH = ("heuristic", "{heuristic}"), ("search", "{search}")
GENERATED = ">generated", counted("generated_mean")
EXPANDED = ">expanded", counted("expanded_mean")
KEPT = ">kept at most", counted("peak_mean")
FACTOR = ">branching factor", "{branching_factor:.3f}"
MS, MS_1 = ((">ms", counted("ms_mean", digits)) for digits in [3, 1])


def comparison(data, name, columns):
    """Yields a table of the groups of a comparison, and then the commands that measured them."""
    rows = [row for row in data["lab-classes"]["rows"] if row["name"] == name]
    yield from columns_table(columns, [group for row in rows for group in row["groups"]])
    yield ""
    yield from (f"    {row['command']}" for row in rows)


def compared(*arguments):
    return lambda data: comparison(data, *arguments)


def worst(data):
    return comparison(data, "worst", [SEARCH, HEURISTIC, VALUE, GENERATED, EXPANDED, MS])


def by_shuffles(data):
    """Mean generated nodes by tray, number of shuffles and heuristic, and solved boards if not
    all."""
    [row] = data["lab-shuffles"]["rows"]
    cells = {}
    for group in row["groups"]:
        solved = "" if group["solved"] == group["boards"] else f" ({group['solved']})"
        tray = group["size"], group["set"].removeprefix("walk-")
        cells.setdefault(tray, {})[group["heuristic"]] = GENERATED[1](group) + solved
    names = list(next(iter(cells.values())))
    yield from table(["tray", ">shuffles", *(f">{name}" for name in names)],
                     [[*tray, *(found[name] for name in names)] for tray, found in cells.items()])
    yield ""
    yield f"    {row['command']}"


def of_1985(data):
    rows = data["korf1985"]["rows"]
    yield from columns_table([
        HEURISTIC, MEAN_VALUE, (">generated nodes", "{generated_total:,}"),
        (">M nodes/s", lambda group: f"{group['generated_total'] / group['ms_total'] / 1e3:.1f}"),
        (">seconds of one core", lambda group: f"{group['ms_total'] / 1000:,.1f}"),
    ], [group for row in rows for group in row["groups"]])
    yield ""
    yield f"    {rows[0]['command']}"
    yield ""
    yield "Boards with a different printed count:"
    yield ""
    yield from table([">board", ">printed", ">counted, with the root"],
                     [[number, f"{printed:,}", f"{found:,}"]
                      for number, printed, found in rows[0]["differ"]])


def predicted(data):
    """The last bound of each heuristic."""
    owns = [own for row in data["korf1985"]["rows"] for own in row["predictions"]
            if own["expanded"]]
    last = {own["heuristic"]: own["bound"] for own in owns}
    return columns_table([
        HEURISTIC, (">bound", "{bound}"),
        (">expanded", lambda own: f"{own['expanded'] / own['boards']:,.0f}"),
        (">predicted", lambda own: f"{own['predicted'] / own['boards']:,.0f}"),
        (">ratio", lambda own: f"{own['predicted'] / own['expanded']:.2f}"),
    ], [own for own in owns if own["bound"] == last[own["heuristic"]]])


LAB_TABLES = {
    "lab-heuristics": compared(
        "heuristics", [HEURISTIC, MEAN_VALUE, MOVES, GENERATED, EXPANDED, FACTOR, MS]),
    "lab-searches": compared(
        "searches", [SEARCH, MOVES, (">longest", "{length_worst}"), GENERATED, EXPANDED, KEPT, MS]),
    "lab-4x4": compared("4x4", [HEURISTIC, MEAN_VALUE, MOVES, GENERATED, MS_1,
                                (">worst ms", counted("ms_worst", 1))]),
    "lab-worst": worst,
    "lab-55": compared("55 moves", [SEARCH, HEURISTIC, VALUE, MOVES, GENERATED, KEPT, MS_1]),
    "lab-shuffles": by_shuffles,
}
RESULT_TABLES = {"korf1985": of_1985, "predictions": predicted}
