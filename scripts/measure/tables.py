"""Tables in Markdown. Each table is a function that receives the data of all groups by name and
returns lines."""

import itertools
import operator
import statistics

from .bench import FORECAST, ROOT

MIB = 2**20
# Published number of entries per distance, counted by another program, for the table of the group
# eight-tiles.
PUBLISHED_LEVELS = ROOT / "data/level_counts/5x5-zero-aware-1.2.5.6.7.10.11.12-blank0.txt"
# Mean generated nodes per board as published; docs/reference.md names the sources.
PUBLISHED = {
    "7-8, blank-compressed, ULRD": "36,710 (Korf & Felner 2002): the same tables and counting",
    "6-6-3": "617,555 (Felner, Korf & Hanan 2004)",
    "best": "13,687 (Zahavi, Felner, Holte & Schaeffer 2008: 7-8, dual search), the fewest that we "
            "know of",
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


def group_table(group, columns):
    """Table of all rows of a group."""
    return lambda data: columns_table(columns, data[group]["rows"])


def code(row):
    return f"`{row['command']}`"


def seconds(row):
    return statistics.median(run["seconds"] for run in row["runs"])


def spread(values, digits):
    """Text of the median with the smallest and the largest value, or of the only value."""
    middle = f"{statistics.median(values):,.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def times(row, digits=3):
    return spread([run["seconds"] for run in row["runs"]], digits)


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


# Columns that several tables share.
PARTITION, THREADS = ("partition", "{preset}"), (">threads", "{threads}")
SECONDS, PEAK, COMMAND = (">seconds", times), (">peak MiB", peak), ("command", "`{command}`")
GENERATED = ">generated", lambda row: mean(row, "nodes")
EXPANDED = ">expanded", lambda row: mean(row, "expanded")
PACKED_BYTES = ">packed bytes", "{packed_bytes:,}"


def find(data, group, name, **fields):
    """Returns the row of a group with this name and these fields."""
    for row in data[group]["rows"]:
        if row["name"] == name and all(row[key] == value for key, value in fields.items()):
            return row
    raise KeyError(f"{group}: {name} {fields}")


def build_rows(data):
    return [row for group in ["builds", "builds-large"] if group in data
            for row in data[group]["rows"]]


def machine_lines(one, name="Machine"):
    """Yields the description of `bench.machine` as two lines."""
    kind = "virtual" if one["virtual"] else "not virtual"
    yield f"{name}: {one['cpu']}, {one['cores']} cores, {one['memory_gib']} GiB, {kind};"
    yield f"{one['os']}; rustc {one['rustc']}."


def measured(data):
    """The machines, and a table with the commit, the date and the load of each group."""
    machines = []
    data = {name: group for name, group in data.items() if "rustc" in group["machine"]}
    for group in data.values():
        if group["machine"] not in machines:
            machines.append(group["machine"])
    columns = [("group", "[{name}](results/{name}.json)"), ("commit", "{commit}"),
               ("date, UTC", "{date}"), (">load before", "{load:.2f}")]
    if len(machines) == 1:
        yield from machine_lines(machines[0])
    else:
        columns.append((">machine", lambda row: machines.index(row["machine"]) + 1))
        for number, one in enumerate(machines, 1):
            yield from machine_lines(one, f"Machine {number}")
    yield ""
    yield from columns_table(columns, [{**group, "name": name} for name, group in data.items()])


def builds(data):
    return columns_table([
        ("tables", "{name}"), THREADS, SECONDS, PEAK,
        (">files MiB", lambda row: mib(row["file_bytes"])), COMMAND], build_rows(data))


def threads(data):
    alone = {row["name"]: row for row in build_rows(data) if row["threads"] == 1}
    rows = [[row["name"], f"{seconds(alone[row['name']]) / seconds(row):.2f}"]
            for row in build_rows(data)
            if row["threads"] > 1 and seconds(row) >= 0.2 and row["name"] in alone]
    cores = max(group["machine"]["cores"] for group in data.values())
    return table(["tables", f">work of {cores} threads, times that of one"], rows)


def forecasts(data):
    """Forecasts and measurements of builds that need at least 100 MiB of memory."""
    def memory(row):
        return row["forecast"]["memory"] / MIB
    return columns_table([
        ("tables", "{name}"), (">forecast MiB", lambda row: f"{memory(row):,.0f}"),
        (">measured", lambda row: f"{peak_mib(row):,.0f}"),
        (">ratio", lambda row: f"{memory(row) / peak_mib(row):.3f}"),
        (">forecast s", "{forecast[seconds]:.2f}"),
        (">measured", lambda row: f"{seconds(row):.2f}"),
        (">ratio", lambda row: f"{row['forecast']['seconds'] / seconds(row):.2f}"),
    ], [row for row in build_rows(data) if "forecast" in row and memory(row) >= 100])


def eight_tiles(data):
    build, proof = (find(data, "eight-tiles", name) for name in ["build", "verify"])
    forecast, command = build["forecast"], code(build)

    def line(name, time, *sizes):
        return [name, f"{time:,.1f}", *(f"{size / 1e9:.2f}" for size in sizes)]
    return table(["", ">seconds", ">peak GB", ">file GB", "command"], [
        [*line("built", seconds(build), peak_mib(build) * MIB, build["file_bytes"]), command],
        [*line("forecast by `pdb-gen plan`", *(forecast[key] for key in FORECAST)),
         command.replace("pdb-gen", "pdb-gen plan", 1)],
        [*line("proved", seconds(proof), peak_mib(proof) * MIB), "", code(proof)]])


def eight_tiles_levels(data):
    counts = find(data, "eight-tiles", "build")["histogram"]
    lines = PUBLISHED_LEVELS.read_text().splitlines()
    published = [int(line.split()[1]) for line in lines if not line.startswith("#")]
    if counts != published:
        raise ValueError(f"the counts differ from {PUBLISHED_LEVELS}")
    levels = [[distance, f"{count:,}"] for distance, count in enumerate(counts)]
    half = (len(levels) + 1) // 2
    rows = itertools.zip_longest(levels[:half], levels[half:], fillvalue=["", ""])
    return table([">distance", ">entries"] * 2, [left + right for left, right in rows])


verify = group_table("verify", [
    ("tables of", "{name}"), (">proved", "{tables}"), SECONDS, PEAK, COMMAND])


def packing_columns(data, kind, groups, columns):
    """Table of all measurements of `kind`, which is `pack` or `unpack`."""
    rows = [row for group in groups if group in data for row in data[group]["rows"]]
    name = "tables", lambda row: row["name"].removeprefix(f"{kind} ")
    return columns_table([name, *columns],
                         [row for row in rows if row["name"].startswith(f"{kind} ")])


def packed(data):
    return packing_columns(data, "pack", ["packing", "packing-large"], [
        (">entries", "{entries:,}"), (">bytes of files", "{file_bytes:,}"), PACKED_BYTES,
        (">frames", lambda row: " + ".join(map(str, row["frames"]))), SECONDS, PEAK, COMMAND])


def unpacked(data):
    return packing_columns(data, "unpack", ["packing"], [
        PACKED_BYTES, SECONDS, PEAK,
        (">M entries/s", lambda row: f"{row['entries'] / seconds(row) / 1e6:.0f}")])


def searches(group):
    """Table of the searches of a suite."""
    def rate(row):
        boards = row["boards"] / seconds(row)
        return f"{boards:,.0f}" if boards >= 10 else f"{boards:.2g}"

    def lines(data):
        rows = data[group]["rows"]
        more = [] if rows[-1]["boards"] == 1 else [
            (">median", "{ms[median]:,.3f}"), (">99 %", "{ms[p99]:,.3f}"),
            (">worst", "{ms[worst]:,.3f}")]
        return columns_table([
            PARTITION, (">tables MiB", lambda row: mib(row["table_bytes"])), THREADS,
            GENERATED, EXPANDED,
            (">M nodes/s", lambda row: f"{row['nodes'] / row['ms']['total'] / 1000:.1f}"),
            (">ms, mean", "{ms[mean]:,.3f}"), *more,
            (">seconds, process", times), (">boards/s", rate), PEAK, COMMAND], rows)
    return lines


parent_only = group_table("parent-only", [
    ("boards", "{name}"), PARTITION, (">generated", lambda row: mean(row, "nodes", 1)),
    (">expanded", lambda row: mean(row, "expanded", 1)), COMMAND])


def published(data):
    def line(name, pruned, only_parent):
        return [name, mean(pruned, "nodes") if pruned else "", mean(only_parent, "nodes"),
                PUBLISHED.get(name, "")]
    rows = [
        line("7-8, blank-compressed, ULRD", None,
             find(data, "parent-only", "felner1000, blank-compressed, ULRD")),
        *(line(preset, find(data, "felner1000", "felner1000", preset=preset, threads=1),
               find(data, "parent-only", "felner1000", preset=preset))
          for preset in ["7-8", "best", "fewest", "6-6-3", "small"]),
        line("korf50_24 number 40, 6-6-6-6",
             find(data, "24-puzzle", "korf50_24 number 40", preset="6-6-6-6", threads=1),
             find(data, "parent-only", "korf50_24 number 40"))]
    return table(["", ">here, duplicates pruned", ">here, only undoing pruned", "published"], rows)


def search_times(row):
    return [run["search_ms"] for run in row["runs"]]


def single(data):
    return columns_table([
        PARTITION, THREADS, GENERATED, EXPANDED,
        (">search, ms", lambda row: spread(search_times(row), 3)),
        (">seconds, process", times), PEAK, COMMAND,
    ], [row for row in data["single"]["rows"] if row["name"] == "the 55-move board"])


def alone(data):
    start = find(data, "single", "start and end")
    without_search = [run["seconds"] * 1000 - run["search_ms"] for run in start["runs"]]
    hardest = find(data, "single", "hardest80, each alone")
    return table(["", ">ms, one process each", "command"], [
        ["100 boards of felner1000: the process without its search",
         spread(without_search, 1), code(start)],
        ["the 17 boards of hardest80: the search", spread(search_times(hardest), 0), code(hardest)],
    ])


max_time = group_table("max-time", [
    ("board", "{name}"), THREADS,
    (">search, ms, latest", lambda row: f"{max(search_times(row)):.1f}"),
    (">process, ms, latest",
     lambda row: f"{max(run['seconds'] for run in row['runs']) * 1000:.0f}")])


def goals(data):
    rows = data["goals"]["rows"]
    means = [row["nodes"] / row["boards"] for row in rows]
    kinds = {"corner": (0, 3, 12, 15), "edge": (1, 2, 4, 7, 8, 11, 13, 14),
             "centre": (5, 6, 9, 10)}
    for row in range(0, 16, 4):
        yield "    " + " ".join(f"{value:>11,.0f}" for value in means[row:row + 4])
    yield ""
    average = [[kind, f"{statistics.mean(means[cell] for cell in cells):,.0f}"]
               for kind, cells in kinds.items()]
    yield from table(["the goal's blank", ">generated per board"], average)
    yield ""
    yield "The first of the 16 lines (the others have other goals):"
    yield ""
    command = rows[0]["command"].replace(" | ", " |\n        ")
    yield "    " + command.replace(" --partition", " \\\n        --partition")


# Mean solution lengths of a web app that solves line by line (docs/results.md). The key is the side
# length of the tray.
HUMAN = {4: 137.7, 5: 296, 8: 1343, 10: 2829, 20: 24927}


def side(row):
    """Side length, from the beginning of the name."""
    return int(row["name"].split("x")[0])


# Lengths and times of the strategic method.
strategic = group_table("strategic", [
    ("tray", "{name}"), ("method", "{method}"), (">boards", "{boards}"),
    (">mean length", "{length:,.1f}"),
    (">of the web app's", lambda row: f"{100 * row['length'] / HUMAN[side(row)]:.0f} %"),
    (">mean ms", "{ms:.2f}"), (">worst ms", "{max_ms:.2f}"), COMMAND])


def anytime(data):
    """Lengths within a time limit, compared with known lengths."""
    def excess(row):
        length = statistics.mean(row["lengths"])
        if row["known"]:
            known = statistics.mean(row["known"])
            return f"{length - known:+.2f} ({100 * (length / known - 1):+.2f} %)"
        human = HUMAN.get(side(row))
        return f"{100 * length / human:.1f} % of the web app's {human:,}" if human else ""

    def as_short(row):
        return sum(map(operator.le, row["lengths"], row["known"])) if row["known"] else ""
    return columns_table([
        ("boards", "{name}"), (">number", "{boards}"), (">limit, s", "{max_time}"),
        (">mean length", lambda row: f"{statistics.mean(row['lengths']):,.2f}"),
        (">known", lambda row: f"{statistics.mean(row['known']):.2f}" if row["known"] else ""),
        (">excess over known", excess), (">as short as known", as_short),
        (">proved", lambda row: sum(map(operator.eq, row["lengths"], row["bounds"]))),
        (">longest, ms", lambda row: f"{max(row['ms']):,.0f}"),
        (">strategic answers, worst ms", "{first_ms:.1f}"), COMMAND,
    ], data["anytime"]["rows"])


TABLES = {
    **{function.__name__.replace("_", "-"): function for function in [
        measured, builds, threads, forecasts, eight_tiles, eight_tiles_levels, packed, unpacked,
        published, single, alone, goals, anytime]},
    **{name: searches(name) for name in
       ["felner1000", "korf100", "hardest80", "24-puzzle", "24-puzzle-ten", "multi100"]},
    "verify": verify,
    "parent-only": parent_only,
    "max-time": max_time,
    "strategic": strategic,
}
