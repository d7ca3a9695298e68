"""Markdown of the data. Each table is a function of all data, by group, and returns lines."""

import statistics

from .bench import ROOT

MIB = 2**20
# Another program's counts of the table of the group eight-tiles.
PUBLISHED_LEVELS = ROOT / "data/level_counts/5x5-zero-aware-1.2.5.6.7.10.11.12-blank0.txt"
# Mean generated nodes a board as published; docs/reference.md names the sources.
PUBLISHED = {
    "7-8, blank-compressed, ULRD": "36,710 (Korf & Felner 2002): the same tables and counting",
    "6-6-3": "617,555 (Felner, Korf & Hanan 2004)",
    "best": "13,687 (Zahavi, Felner, Holte & Schaeffer 2008: 7-8, dual search), the fewest that we "
            "know of",
    "korf50_24 number 40, 6-6-6-6": "65,099,578 (Korf & Felner 2002); 8,296,164 expanded "
                                    "(Clausecker & Reinefeld 2019, a catalogue of many tables)",
}


def table(columns, rows):
    """Lines of a table, numbers to the right."""
    yield "| " + " | ".join(name.lstrip(">") for name in columns) + " |"
    yield "| " + " | ".join("---:" if name.startswith(">") else "---" for name in columns) + " |"
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"


def code(command):
    return f"`{command}`"


def seconds(row):
    return statistics.median(run["seconds"] for run in row["runs"])


def spread(values, digits):
    """Median (smallest to largest), as far as there is more than one."""
    middle = f"{statistics.median(values):,.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def times(row, digits=3):
    return spread([run["seconds"] for run in row["runs"]], digits)


def peak_mib(row):
    return statistics.median(run["peak_kib"] for run in row["runs"]) / 1024


def peak(row):
    """In MiB; where the script that measures was as large itself, a bound."""
    floor = max(run["floor_kib"] for run in row["runs"]) / 1024
    mib = peak_mib(row)
    return f"{mib:,.0f}" if mib > floor else f"under {int(floor) + 1}"


def peak_bytes(row):
    return peak_mib(row) * MIB


def mib(count):
    return f"{count / MIB:,.2f}"


def mean(row, field, digits=1):
    """A board's mean; of several threads rounded, since it differs from run to run."""
    value = row[field] / row["boards"]
    return f"{value:,.{digits}f}" if row["exact"] else f"some {value:,.0f}"


def find(data, group, name, **fields):
    """The row of a group with this name and these fields."""
    for row in data[group]["rows"]:
        if row["name"] == name and all(row[key] == value for key, value in fields.items()):
            return row
    raise KeyError(f"{group}: {name} {fields}")


def cores(data):
    return max(group["machine"]["cores"] for group in data.values())


def build_rows(data):
    return [row for group in ["builds", "builds-large"] if group in data
            for row in data[group]["rows"]]


def machine_lines(one, name="Machine"):
    """The description that `bench.machine` returns, as two lines."""
    kind = "virtual" if one["virtual"] else "not virtual"
    yield f"{name}: {one['cpu']}, {one['cores']} cores, {one['memory_gib']} GiB, {kind};"
    yield f"{one['os']}; rustc {one['rustc']}."


def measured(data):
    """Where, when and from what each group's data is."""
    machines = []
    data = {name: group for name, group in data.items() if "rustc" in group["machine"]}
    for group in data.values():
        if group["machine"] not in machines:
            machines.append(group["machine"])
    for number, one in enumerate(machines):
        yield from machine_lines(one, f"Machine {number + 1}" if len(machines) > 1 else "Machine")
    yield ""
    several = [">machine"] if len(machines) > 1 else []
    rows = []
    for name, group in data.items():
        number = [machines.index(group["machine"]) + 1] if several else []
        rows.append([f"[{name}](results/{name}.json)", group["commit"], group["date"],
                     f"{group['load']:.2f}", *number])
    yield from table(["group", "commit", "date, UTC", ">load before", *several], rows)


def builds(data):
    rows = [[row["name"], row["threads"], times(row), peak(row), mib(row["file_bytes"]),
             code(row["command"])] for row in build_rows(data)]
    return table(["tables", ">threads", ">seconds", ">peak MiB", ">files MiB", "command"], rows)


def threads(data):
    rows = []
    for all_cores in build_rows(data):
        if all_cores["threads"] > 1 and seconds(all_cores) >= 0.2:
            rows += [[one["name"], f"{seconds(one) / seconds(all_cores):.2f}"]
                     for one in build_rows(data)
                     if one["name"] == all_cores["name"] and one["threads"] == 1]
    return table(["tables", f">work of {cores(data)} threads, times that of one"], rows)


def forecast_ratios(data):
    """Of builds of 100 MiB and more: row, forecast by measured memory, the same of seconds."""
    for row in build_rows(data):
        if "forecast" in row and row["forecast"]["memory"] >= 100 * MIB:
            memory = row["forecast"]["memory"] / MIB
            yield row, memory / peak_mib(row), row["forecast"]["seconds"] / seconds(row)


def forecasts(data):
    rows = [[row["name"], f"{row['forecast']['memory'] / MIB:,.0f}", f"{peak_mib(row):,.0f}",
             f"{memory:.3f}", f"{row['forecast']['seconds']:.2f}", f"{seconds(row):.2f}",
             f"{time:.2f}"] for row, memory, time in forecast_ratios(data)]
    return table(["tables", ">forecast MiB", ">measured", ">ratio", ">forecast s", ">measured",
                  ">ratio"], rows)


def eight_tiles(data):
    build, proof = (find(data, "eight-tiles", name) for name in ["build", "verify"])
    forecast = build["forecast"]
    rows = [["built", f"{seconds(build):,.1f}", f"{peak_bytes(build) / 1e9:.2f}",
             f"{build['file_bytes'] / 1e9:.2f}", code(build["command"])],
            ["as `pdb-gen plan` foretold", f"{forecast['seconds']:,.1f}",
             f"{forecast['memory'] / 1e9:.2f}", f"{forecast['disk'] / 1e9:.2f}",
             code(build["command"].replace("pdb-gen", "pdb-gen plan", 1))],
            ["proved", f"{seconds(proof):,.1f}", f"{peak_bytes(proof) / 1e9:.2f}", "",
             code(proof["command"])]]
    return table(["", ">seconds", ">peak GB", ">file GB", "command"], rows)


def eight_tiles_levels(data):
    counts = find(data, "eight-tiles", "build")["histogram"]
    lines = PUBLISHED_LEVELS.read_text().splitlines()
    published = [int(line.split()[1]) for line in lines if not line.startswith("#")]
    if counts != published:
        raise ValueError(f"{PUBLISHED_LEVELS} has other counts")
    half = (len(counts) + 1) // 2
    rows = [[low, f"{counts[low]:,}", low + half, f"{counts[low + half]:,}"]
            for low in range(len(counts) - half)]
    if len(counts) % 2:
        rows.append([half - 1, f"{counts[half - 1]:,}", "", ""])
    return table([">distance", ">entries", ">distance", ">entries"], rows)


def verify(data):
    rows = [[row["name"], row["tables"], times(row), peak(row), code(row["command"])]
            for row in data["verify"]["rows"]]
    return table(["tables of", ">proved", ">seconds", ">peak MiB", "command"], rows)


def rates(row):
    """Entries a second, in millions."""
    return row["entries"] / seconds(row) / 1e6


def packed(data):
    rows = []
    for group in ["packing", "packing-large"]:
        for row in data.get(group, {"rows": []})["rows"]:
            if row["name"].startswith("pack "):
                rows.append([row["name"][5:], f"{row['entries']:,}", f"{row['file_bytes']:,}",
                             f"{row['packed_bytes']:,}", " + ".join(map(str, row["frames"])),
                             times(row), peak(row), code(row["command"])])
    return table(["tables", ">entries", ">bytes of files", ">packed bytes", ">frames", ">seconds",
                  ">peak MiB", "command"], rows)


def unpacked(data):
    rows = [[row["name"][7:], f"{row['packed_bytes']:,}", times(row), peak(row),
             f"{rates(row):.0f}"] for row in data["packing"]["rows"]
            if row["name"].startswith("unpack ")]
    return table(["tables", ">packed bytes", ">seconds", ">peak MiB", ">M entries/s"], rows)


def searches(group):
    """Of a suite."""
    def lines(data):
        rows = []
        for row in data[group]["rows"]:
            one = row["boards"] == 1
            ms = row["ms"]
            rate = row["boards"] / seconds(row)
            rate = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
            keys = [] if one else ["median", "p99", "worst"]
            rows.append([
                row["preset"], mib(row["table_bytes"]), row["threads"], mean(row, "nodes", 1 - one),
                mean(row, "expanded", 1 - one), f"{row['nodes'] / ms['total'] / 1000:.1f}",
                *(f"{ms[key]:,.3f}" for key in ["mean", *keys]), times(row), rate, peak(row),
                code(row["command"]),
            ])
        more = [] if one else [">median", ">99 %", ">worst"]
        return table(["partition", ">tables MiB", ">threads", ">generated", ">expanded",
                      ">M nodes/s", ">ms, mean", *more, ">seconds, process", ">boards/s",
                      ">peak MiB", "command"], rows)
    return lines


def parent_only(data):
    rows = [[row["name"], row["preset"], mean(row, "nodes"), mean(row, "expanded"),
             code(row["command"])] for row in data["parent-only"]["rows"]]
    return table(["boards", "partition", ">generated", ">expanded", "command"], rows)


def published(data):
    def line(name, pruned, only_parent):
        digits = 0 if only_parent["boards"] == 1 else 1
        return [name, mean(pruned, "nodes", digits) if pruned else "",
                mean(only_parent, "nodes", digits), PUBLISHED.get(name, "")]
    rows = [line("7-8, blank-compressed, ULRD", None,
                 find(data, "parent-only", "felner1000, blank-compressed, ULRD"))]
    for preset in ["7-8", "best", "fewest", "6-6-3", "small"]:
        rows.append(line(preset, find(data, "felner1000", "felner1000", preset=preset, threads=1),
                         find(data, "parent-only", "felner1000", preset=preset)))
    rows.append(line("korf50_24 number 40, 6-6-6-6",
                     find(data, "24-puzzle", "korf50_24 number 40", preset="6-6-6-6", threads=1),
                     find(data, "parent-only", "korf50_24 number 40")))
    return table(["", ">here, duplicates pruned", ">here, only undoing pruned", "published"], rows)


def without_search(row):
    """Milliseconds of each process outside its search."""
    return [run["seconds"] * 1000 - run["search_ms"] for run in row["runs"]]


def single(data):
    rows = []
    for row in data["single"]["rows"]:
        if row["name"] != "the 55-move board":
            continue
        rows.append([row["preset"], row["threads"], mean(row, "nodes", 0), mean(row, "expanded", 0),
                     spread([run["search_ms"] for run in row["runs"]], 3), times(row), peak(row),
                     code(row["command"])])
    return table(["partition", ">threads", ">generated", ">expanded", ">search, ms",
                  ">seconds, process", ">peak MiB", "command"], rows)


def alone(data):
    start = find(data, "single", "start and end")
    hardest = find(data, "single", "hardest80, each alone")
    rows = [
        ["100 boards of felner1000: the process without its search",
         spread(without_search(start), 1), code(start["command"])],
        ["the 17 boards of hardest80: the search",
         spread([run["search_ms"] for run in hardest["runs"]], 0), code(hardest["command"])],
    ]
    return table(["", ">ms, one process each", "command"], rows)


def max_time(data):
    rows = []
    for row in data["max-time"]["rows"]:
        rows.append([row["name"], row["threads"],
                     f"{max(run['search_ms'] for run in row['runs']):.1f}",
                     f"{max(run['seconds'] for run in row['runs']) * 1000:.0f}"])
    return table(["board", ">threads", ">search, ms, latest", ">process, ms, latest"], rows)


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
    yield from table(["the goal's blank", ">generated a board"], average)
    yield ""
    yield "The first of the 16 lines (the others have other goals):"
    yield ""
    command = rows[0]["command"].replace(" | ", " |\n        ")
    yield "    " + command.replace(" --partition", " \\\n        --partition")


# Means of the human method of docs/reference.md's web app, by the length of a side.
HUMAN = {4: 137.7, 5: 296, 8: 1343, 10: 2829, 20: 24927}


def strategic(data):
    """Lengths and times of the quick answers."""
    rows = []
    for row in data["strategic"]["rows"]:
        share = 100 * row["length"] / HUMAN[int(row["name"].split("x")[0])]
        rows.append([row["name"], row["method"], row["boards"], f"{row['length']:,.1f}",
                     f"{share:.0f} %", f"{row['ms']:.2f}", f"{row['max_ms']:.2f}",
                     code(row["command"])])
    return table(["tray", "method", ">boards", ">mean length", ">of the web app's", ">mean ms",
                  ">worst ms", "command"], rows)


def anytime(data):
    """Lengths within a limit of time, compared with what is known of the boards."""
    rows = []
    for row in data["anytime"]["rows"]:
        length = statistics.mean(row["lengths"])
        known, excess, as_short = "", "", ""
        if row["known"]:
            mean_known = statistics.mean(row["known"])
            known = f"{mean_known:.2f}"
            excess = f"{length - mean_known:+.2f} ({100 * (length / mean_known - 1):+.2f} %)"
            pairs = zip(row["lengths"], row["known"])
            as_short = f"{sum(found <= other for found, other in pairs)}"
        side = int(row["name"].split("x")[0])
        if not known and side in HUMAN:
            excess = f"{100 * length / HUMAN[side]:.1f} % of the web app's {HUMAN[side]:,}"
        proved = sum(a == b for a, b in zip(row["lengths"], row["bounds"]))
        rows.append([row["name"], row["boards"], row["max_time"], f"{length:,.2f}", known, excess,
                     as_short, proved, f"{max(row['ms']):,.0f}", f"{row['first_ms']:.1f}",
                     code(row["command"])])
    return table(["boards", ">number", ">limit, s", ">mean length", ">known", ">over the known",
                  ">as short", ">proved", ">longest, ms", ">strategic answers, worst ms", "command"],
                 rows)


TABLES = {
    "measured": measured,
    "builds": builds,
    "threads": threads,
    "forecasts": forecasts,
    "eight-tiles": eight_tiles,
    "eight-tiles-levels": eight_tiles_levels,
    "verify": verify,
    **{name: searches(name) for name in
       ["felner1000", "korf100", "hardest80", "24-puzzle", "24-puzzle-ten", "multi100"]},
    "parent-only": parent_only,
    "published": published,
    "single": single,
    "alone": alone,
    "max-time": max_time,
    "goals": goals,
    "packed": packed,
    "unpacked": unpacked,
    "strategic": strategic,
    "anytime": anytime,
}
