"""Tables in Markdown. Each table is a function that receives the data of all groups by name and
returns lines."""

import operator
import statistics

from .bench import FORECAST, ROOT

MIB = 2**20
# Published number of entries per distance, counted by another program, for the table of the group
# eight-tiles.
PUBLISHED_LEVELS = ROOT / "data/level_counts/5x5-zero-aware-1.2.5.6.7.10.11.12-blank0.txt"
# Mean generated nodes per board as published; docs/reference.md names the sources.
PUBLISHED = {
    "felner1000, blank-compressed, ULRD, 7-8":
        "36,710 (Korf & Felner 2002): the same tables and counting",
    "felner1000, 6-6-3": "617,555 (Felner, Korf & Hanan 2004)",
    "felner1000, best": "13,687 (Zahavi, Felner, Holte & Schaeffer 2008: 7-8, dual search), the "
                        "fewest that we know of",
    "korf50_24 number 40, 6-6-6-6": "65,099,578 (Korf & Felner 2002); expanded: 19,497,302 "
                                    "with another 6-6-6-6, 8,296,164 with fourteen tables "
                                    "(Clausecker & Reinefeld 2019)",
}


def table(columns, rows):
    """Lines of a table. A column is right-aligned if its name begins with ">"."""
    yield "| " + " | ".join(name.lstrip(">") for name in columns) + " |"
    yield "| " + " | ".join("---:" if name.startswith(">") else "---" for name in columns) + " |"
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"


def columns_table(columns, rows):
    """A table defined by columns. A column is a pair: the heading, and either a format string for a
    row or a function of a row."""
    def cell(row, column):
        return column(row) if callable(column) else column.format_map(row)
    return table([heading for heading, _ in columns],
                 [[cell(row, column) for _, column in columns] for row in rows])


def text(value):
    """Text of a value, rounded to three digits. From 100 on, it is rounded to an integer."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def seconds(row):
    return statistics.median(run["seconds"] for run in row["runs"])


def spread(values, digits):
    """Text of the median with the smallest and the largest value, or of the only value."""
    middle = f"{statistics.median(values):,.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def peak_mib(row):
    return statistics.median(run["peak_kib"] for run in row["runs"]) / 1024


def peak(row):
    """Peak memory in MiB; only an upper bound if the measuring script itself used at least that
    much."""
    floor = max(run["floor_kib"] for run in row["runs"]) / 1024
    mib = peak_mib(row)
    return f"{mib:,.0f}" if mib > floor else f"under {int(floor) + 1}"


def mib(count):
    return f"{count / MIB:,.2f}"


def mean(row, field, digits=None):
    """Mean per board. With several threads it differs between runs and is therefore rounded."""
    value = row[field] / row["boards"]
    if digits is None:
        digits = 0 if row["boards"] == 1 else 1
    return f"{value:,.{digits}f}" if row["exact"] else f"about {value:,.0f}"


def find(data, group, name, **fields):
    """Returns the row of a group with this name and these fields."""
    for row in data[group]["rows"]:
        if row["name"] == name and all(row[key] == value for key, value in fields.items()):
            return row
    raise KeyError(f"{group}: {name} {fields}")


def rows_of(data, *groups):
    return [row for group in groups if group in data for row in data[group]["rows"]]


def options(row, program):
    """The options of a command line that name its tables, as code."""
    words = row["command"].removeprefix(program).split(" --threads")[0].split(" --json")[0]
    return f"`{words.strip()}`"


def machine_lines(one, name="Machine"):
    """Yields the description of `bench.machine` as two lines."""
    kind = "virtual" if one["virtual"] else "not virtual"
    yield f"{name}: {one['cpu']}, {one['cores']} cores, {one['memory_gib']} GiB, {kind};"
    yield f"{one['os']}; rustc {one['rustc']}."


def measured(data):
    """The machines, and a table of the groups by commit, day and machine."""
    machines, runs = [], {}
    for name, group in data.items():
        if "rustc" not in group["machine"]:
            continue
        if group["machine"] not in machines:
            machines.append(group["machine"])
        run = group["commit"], group["date"].split()[0], machines.index(group["machine"]) + 1
        runs.setdefault(run, []).append((name, group["load"]))
    for number, one in enumerate(machines, 1):
        yield from machine_lines(one, f"Machine {number}")
    yield ""
    yield from table(
        ["groups", "commit", "date, UTC", ">machine", ">load before, at most"],
        [[", ".join(f"[{name}](results/{name}.json)" for name, _ in groups), *run,
          f"{max(load for _, load in groups):.2f}"] for run, groups in runs.items()])


def builds(data):
    """Builds with all threads and with one, beside the forecasts of `pdb-gen plan`."""
    rows = rows_of(data, "builds", "builds-large")
    alone = {row["name"]: row for row in rows if row["threads"] == 1}

    def line(row):
        one, forecast = alone.get(row["name"]), row["forecast"]
        return [options(row, "pdb-gen"), f"{seconds(row):,.3f}",
                f"{seconds(one):,.3f}" if one else "", peak(row),
                mib(row["file_bytes"]), f"{forecast['seconds']:,.2f}",
                f"{forecast['memory'] / MIB:,.0f}"]
    return table(
        ["`pdb-gen` with", ">seconds", ">one thread", ">peak MiB", ">files MiB", ">forecast, s",
         ">forecast, MiB"], [line(row) for row in rows if row["threads"] > 1])


def eight_tiles(data):
    build, proof = (find(data, "eight-tiles", name) for name in ["build", "verify"])
    lines = PUBLISHED_LEVELS.read_text().splitlines()
    if build["histogram"] != [int(line.split()[1]) for line in lines if not line.startswith("#")]:
        raise ValueError(f"the counts differ from {PUBLISHED_LEVELS}")
    small = find(data, "verify", "6-6-3 and 7-8")

    def line(name, time, *sizes):
        return [name, f"{time:,.1f}", *(f"{size / 1e9:.2f}" for size in sizes)]
    return table(["", ">seconds", ">peak GB", ">file GB"], [
        line(options(build, ""), seconds(build), peak_mib(build) * MIB, build["file_bytes"]),
        line("forecast by `pdb-gen plan`", *(build["forecast"][key] for key in FORECAST)),
        [*line("`pdb-gen verify` of this table", seconds(proof), peak_mib(proof) * MIB), ""],
        [*line("`pdb-gen verify` of 6-6-3 and 7-8", seconds(small), peak_mib(small) * MIB), ""]])


def packed(data):
    rows = rows_of(data, "packing", "packing-large")
    unpacked = {row["name"].removeprefix("unpack "): row for row in rows}

    def line(row):
        other = unpacked.get(row["name"].removeprefix("pack "))
        return [options(row, "pdb-gen pack"), f"{row['entries']:,}", f"{row['file_bytes']:,}",
                f"{row['packed_bytes']:,}", " + ".join(map(str, row["frames"])),
                f"{seconds(row):,.3f}", peak(row),
                f"{seconds(other):,.3f}" if other else "", peak(other) if other else ""]
    return table(
        ["`pdb-gen pack` with", ">entries", ">bytes of files", ">packed bytes", ">frames",
         ">seconds", ">peak MiB", ">unpacked, seconds", ">peak MiB"],
        [line(row) for row in rows if row["name"].startswith("pack ")])


# Groups of searches, and the names of their boards.
SEARCHES = {"felner1000": "felner1000", "korf100": "korf100", "hardest80": "hardest80",
            "24-puzzle": "korf50_24, number 40", "24-puzzle-ten": "korf50_24, the ten easiest",
            "multi100": "multi100"}


def searches(data):
    """Searches of suites: counts and times with one thread if measured, and the boards per second
    with all. The command of the first row follows."""
    def rate(row):
        boards = row["boards"] / seconds(row)
        return f"{boards:,.0f}" if boards >= 10 else f"{boards:.2g}"
    lines = []
    for group, boards in SEARCHES.items():
        rows = data[group]["rows"]
        alone = {row["preset"]: row for row in rows if row["threads"] == 1}
        every = {row["preset"]: row for row in rows if row["threads"] > 1}
        lines += [
            [boards, preset, mib(row["table_bytes"]), mean(row, "nodes"), mean(row, "expanded"),
             *(f"{row['ms'][key]:,.2f}" for key in ["mean", "median", "p99", "worst"]),
             rate(every[preset]), peak(row)]
            for preset, row in (every | alone).items()]
    yield from table(
        ["boards", "partition", ">tables MiB", ">generated", ">expanded", ">ms, mean", ">median",
         ">99 %", ">worst", ">boards/s, all threads", ">peak MiB"], lines)
    yield ""
    yield f"    {data['felner1000']['rows'][0]['command']}"


def published(data):
    """Searches that prune only undoing moves, beside published counts and the default search."""
    defaults = {row["name"] + row["preset"]: row
                for row in rows_of(data, "felner1000", "korf100", "24-puzzle")
                if row["threads"] == 1}

    def line(row):
        name = row["name"] if row["preset"] in row["name"] else f"{row['name']}, {row['preset']}"
        default = defaults.get(row["name"] + row["preset"])
        return [name, mean(default, "nodes") if default else "", mean(row, "nodes", 1),
                mean(row, "expanded", 1), PUBLISHED.get(name, "")]
    yield from table(["", ">generated, as by default", ">generated, only undoing pruned",
                      ">expanded", "published, generated"],
                     [line(row) for row in data["parent-only"]["rows"]])


def search_times(row):
    return [run["search_ms"] for run in row["runs"]]


def single(data):
    """Boards that are solved by a process each."""
    def process_ms(row):
        return [run["seconds"] * 1000 for run in row["runs"]]
    boards = [row for row in data["single"]["rows"] if row.get("exact")]
    lists = {"start and end": "100 boards of felner1000", "hardest80, each alone": "hardest80"}
    rows = [[f"README's board, {row['preset']}", mean(row, "nodes"), spread(search_times(row), 1),
             spread(process_ms(row), 1)] for row in boards]
    for name, shown in lists.items():
        row = find(data, "single", name)
        rows.append([f"{shown}, {row['preset']}", "", spread(search_times(row), 1),
                     spread(process_ms(row), 1)])
    return table(["boards, a process each", ">generated", ">search, ms", ">process, ms"], rows)


def max_time(data):
    rows = data["max-time"]["rows"]
    search = max(max(search_times(row)) for row in rows)
    process = max(run["seconds"] for row in rows for run in row["runs"]) * 1000
    yield (f"`--max-time 0.2` on hard boards from 4x4 to 20x20, {len(rows)} cases with "
           f"{len(rows[0]['runs'])} processes each:")
    yield (f"the latest search ended after {search:.1f} ms, the latest process after {process:.0f} "
           "ms.")


def goals(data):
    rows = data["goals"]["rows"]
    means = [row["nodes"] / row["boards"] for row in rows]
    kinds = {"corner": (0, 3, 12, 15), "edge": (1, 2, 4, 7, 8, 11, 13, 14),
             "centre": (5, 6, 9, 10)}
    found = [f"{kind} {statistics.mean(means[cell] for cell in cells):,.0f}"
             for kind, cells in kinds.items()]
    yield f"Generated per board: {', '.join(found)}."


# Mean solution lengths of a web app that solves line by line (docs/results.md). The key is the side
# length of the tray.
HUMAN = {4: 137.7, 5: 296, 8: 1343, 10: 2829, 20: 24927}


def side(row):
    """Side length, from the beginning of the name."""
    return int(row["name"].split("x")[0])


def strategic(data):
    """Mean lengths and times of the plain and the short method, beside those of a web app."""
    trays = {}
    for row in data["strategic"]["rows"]:
        trays.setdefault(row["name"], []).append(row)
    yield from table(
        ["tray", ">boards", ">web app, moves", ">plain, moves", ">ms, mean", ">worst",
         ">short, moves", ">ms, mean", ">worst"],
        [[tray, rows[0]["boards"], f"{HUMAN[side(rows[0])]:,}",
          *(cell for row in rows for cell in
            (f"{row['length']:,.1f}", f"{row['ms']:.2f}", f"{row['max_ms']:,.2f}"))]
         for tray, rows in trays.items()])


def anytime(data):
    """Lengths within a time limit, compared with known lengths."""
    def excess(row):
        length = statistics.mean(row["lengths"])
        if row["known"]:
            known = statistics.mean(row["known"])
            return f"{length - known:+.2f} ({100 * (length / known - 1):+.2f} %)"
        human = HUMAN[side(row)]
        return f"{100 * length / human:.1f} % of the web app's {human:,}"

    def as_short(row):
        return sum(map(operator.le, row["lengths"], row["known"])) if row["known"] else ""

    def chosen(row):
        words = row["command"].split("solver")[-1].split(" --json")[0].strip()
        return f"`{words}`"
    return columns_table([
        ("boards", "{name}"), (">number", "{boards}"), ("options", chosen),
        (">limit, s", "{max_time}"),
        (">mean length", lambda row: f"{statistics.mean(row['lengths']):,.2f}"),
        (">known", lambda row: f"{statistics.mean(row['known']):.2f}" if row["known"] else ""),
        (">excess over known", excess), (">as short as known", as_short),
        (">proved", lambda row: sum(map(operator.eq, row["lengths"], row["bounds"]))),
        (">latest, ms", lambda row: f"{max(row['ms']):,.0f}"),
    ], data["anytime"]["rows"])


def between(data):
    """Proved bounds and solutions of random boards of trays between 5x5 and 6x6."""
    def mean(key):
        return lambda row: f"{statistics.mean(board[key] for board in row['boards']):.1f}"

    def proved(row):
        return sum(board["bound"] == board["length"] for board in row["boards"])
    return columns_table([
        ("options", "`{options}`"), (">mean proved bound", mean("bound")),
        (">mean length of the solution", mean("length")), (">proved optimal", proved),
    ], data["between"]["rows"])


def page(data):
    """Figures of the page, and those of the package in Node and in Chromium side by side. `npm run
    budget` in crates/page writes the data."""
    yield "Commit {commit}, {date} UTC, load {load:.2f} before;".format_map(data["page"])
    yield "Node {node}, Chromium {chromium}.".format_map(data["page"]["machine"])
    figures = {}
    for row in data["page"]["rows"]:
        place, name = row["name"].split(": ", 1)
        if name.endswith(("boards, median", "boards, worst")):
            continue
        name = name.replace("of a browser", "of a process")
        figures.setdefault(place, {})[name] = f"{text(row['figure'])} {row['unit']}"
    yield ""
    yield from table(["page", ">measured"], figures["Page"].items())
    yield ""
    yield from table(["package", ">Node", ">Chromium"], [
        [name, figure, figures["Chromium"].get(name, "")]
        for name, figure in figures["Node"].items()])


TABLES = {
    function.__name__.replace("_", "-"): function for function in [
        measured, builds, eight_tiles, packed, searches, published, single, max_time, goals,
        strategic, anytime, between, page]}
