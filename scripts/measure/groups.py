"""Groups of measurements. Each group is a function that receives a Bench and returns rows of
data."""

import os
import pathlib
import statistics
import tempfile

from .bench import Failed, suite_lines, summary
from .laboratory import LAB_GROUPS

# Counts of a search; with one thread they are the same in every run.
COUNTS = ["length", "nodes", "expanded"]
CORES = os.cpu_count()
# Numbers of threads to measure: 1 and the number of cores.
ONE_AND_ALL = sorted({1, CORES})
BOARD = '"5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"'
FELNER = "--goal blank-first {} --file data/suites/felner1000.txt"
KORF = "--goal blank-first {} --file data/suites/korf100.txt"
HARDEST = "--goal blank-last {} --file data/suites/hardest80.txt"
MULTI = "--goal blank-last --metric multi {} --file data/suites/multi100.txt"
# Shell commands that pipe lines of the 24-puzzle's suite to the solver.
KORF24 = "grep -v '^#' data/suites/korf50_24.txt | {} | "
NUMBER_40 = KORF24.format("sed -n 40p")
# The ten boards with the fewest nodes in Korf & Felner 2002.
TEN_EASIEST = KORF24.format("sort -n -k 27,27 | head -10")
FIVE = "--size 5x5 --goal blank-first {}"
EIGHT = FIVE.format("--tiles 1,2,5,6,7,10,11,12")


# Tables


def build_once(bench, command, look):
    """Builds or unpacks tables into an empty directory. Returns the result of `look` for the table
    files, and the figures of the run."""
    with tempfile.TemporaryDirectory() as folder:
        _, figures = bench.run(command, folder)
        return look(sorted(pathlib.Path(folder).glob("*.pdb"))), figures


def total_bytes(files):
    return sum(file.stat().st_size for file in files)


def build_lines(bench, tables, numbers=ONE_AND_ALL[::-1]):
    """Measures builds with each number of threads in `numbers`. Each build begins with an empty
    directory."""
    for name, options in tables.items():
        forecast = bench.forecast(options)
        for threads in numbers:
            # Without the option all cores are used.
            command = f"pdb-gen {options}" + (" --threads 1" if threads == 1 else "")
            results = bench.repeat(lambda: build_once(bench, command, total_bytes))
            fields = {"threads": threads, "file_bytes": results[0][0]}
            if threads == CORES:
                fields["forecast"] = forecast
            yield bench.line(name, command, [run[-1] for run in results], **fields)


def builds(bench):
    return build_lines(bench, {
        "6-6-3": "--partition 6-6-3",
        "7-8": "--partition 7-8",
        "best": "--partition best",
        "4x4, 8 tiles": "--goal blank-first --tiles 8,9,10,11,12,13,14,15",
        "5x5, 6 tiles": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,10",
        "5x5, 7 tiles": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,10,11",
        "3x3 fringe": "--size 3x3 --partition fringe",
        "runs (multi-tile)": "--metric multi --partition runs",
    })


def builds_large(bench):
    tiles = {"4x4, 9 tiles": "--goal blank-first --tiles 1,2,3,4,5,6,7,8,9"}
    yield from build_lines(bench, tiles)
    yield from build_lines(bench, {"5x5 best": "--size 5x5 --partition best"}, [CORES])


def eight_tiles(bench):
    """One build of an eight-tile table of the 24-puzzle, with its forecast and histogram, and its
    verification."""
    forecast = bench.forecast(EIGHT)
    with tempfile.TemporaryDirectory() as folder:
        build = f"pdb-gen {EIGHT}"
        built = bench.run(build, folder)[-1]
        (info,), _ = bench.json("pdb-gen info --json", folder)
        size = pathlib.Path(info["file"]).stat().st_size
        proved = bench.run("pdb-gen verify", folder)[-1]
    table = {key: info[key] for key in ["entries", "sha256", "histogram"]}
    return [bench.line("build", build, [built], file_bytes=size, forecast=forecast, **table),
            bench.line("verify", "pdb-gen verify", [proved])]


def verify(bench):
    """Verification of the tables of two presets."""
    with tempfile.TemporaryDirectory() as tables:
        for partition in ["6-6-3", "7-8"]:
            bench.run(f"pdb-gen --quiet --partition {partition}", tables)
        results = bench.repeat(lambda: bench.run("pdb-gen verify", tables))
        proved = len(list(pathlib.Path(tables).glob("*.pdb")))
    runs = [run for _, run in results]
    return [bench.line("6-6-3 and 7-8", "pdb-gen verify", runs, tables=proved)]


def pack_lines(bench, sets, unpack):
    """Measures the packing of each set of tables. If `unpack` is true, also measures the unpacking,
    which includes checking, writing and syncing."""
    for name, options in sets.items():
        selection = options.split(" --fixed")[0]
        with tempfile.TemporaryDirectory() as folder:
            bench.run(f"pdb-gen --quiet {selection}", folder)
            tables, _ = bench.json(f"pdb-gen info --json {selection}", folder)
            command = f"pdb-gen pack {options} --json --out DIR"
            packed, run = bench.json(command.replace("DIR", f"{folder}/site"), folder)
            fields = {
                "entries": sum(table["entries"] for table in tables),
                "file_bytes": total_bytes(pathlib.Path(table["file"]) for table in tables),
                "packed_bytes": total_bytes(pathlib.Path(folder, "site").glob("*.pdbz")),
                "frames": [table["frames"] for table in packed],
            }
            yield bench.line(f"pack {name}", command, [run], **fields)
            if unpack:
                command = f"pdb-gen unpack {folder}/site"
                results = bench.repeat(lambda: build_once(bench, command, total_bytes))
                yield bench.line(f"unpack {name}", "pdb-gen unpack DIR",
                                 [figures for _, figures in results], **fields)


def packing(bench):
    yield from pack_lines(bench, {
        "6-6-3": "--partition 6-6-3",
        "6-6-3, blank-compressed": "--partition 6-6-3 --kind blank-compressed",
        "7-8": "--partition 7-8",
        "5x5, 6 tiles": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,12",
    }, True)
    yield from pack_lines(bench, {
        "6-6-3, more frames": "--partition 6-6-3 --fixed 1",
        "6-6-3, a byte per entry": "--partition 6-6-3 --encoding u8",
        "5x5, 6 tiles, one frame": "--size 5x5 --goal blank-first --tiles 1,2,5,6,7,12 --fixed 0",
        "3x3, 8 tiles": "--size 3x3 --partition 8",
    }, False)


def packing_large(bench):
    return pack_lines(bench, {
        "7-8, one frame a table": "--partition 7-8 --fixed 0",
        "8 tiles, small frames": "--goal blank-first --tiles 8,9,10,11,12,13,14,15 --fixed 2",
    }, False)


# Searches


def search_command(options, preset, threads, before="", extra=""):
    """Returns the options that select the tables, and the command line of `solver --summary csv`.
    `options` contains `{}` for the partition; `before` is a shell command that pipes boards to the
    solver."""
    chosen = f"--partition {preset}"
    kind = " --kind blank-compressed" if "--kind blank-compressed" in extra else ""
    table_options = options.split(" --file")[0].format(chosen) + kind
    words = " ".join(part for part in [chosen, extra, f"--threads {threads} --build"] if part)
    return table_options, f"{before}solver --quiet --summary csv {options.format(words)}"


def search_once(bench, command):
    """Runs a search once. Returns the summary and the figures. All boards must be solved."""
    output, figures = bench.run(command)
    found = summary(output)
    if found["solved"]["boards"] != found["boards"]["boards"]:
        raise Failed(f"not all solved: {command}")
    figures["search_ms"] = found["ms"]["total"]
    return found, figures


def search(bench, name, options, preset, threads, before="", extra="", once=False):
    """Measures a search. `search_command` explains the arguments."""
    table_options, command = search_command(options, preset, threads, before, extra)
    table_bytes = bench.build(table_options)
    if "--side start" not in command:
        bench.build(f"{table_options} --both-sides")

    def one():
        return search_once(bench, command)

    results = [one()] if once else bench.repeat(one)
    counts = {tuple(int(found[key]["total"]) for key in COUNTS) for found, _ in results}
    if threads == 1 and len(counts) > 1:
        raise Failed(f"counts differ with one thread: {command}: {counts}")
    # The summary of the run with the median time.
    found, _ = sorted(results, key=lambda result: result[1]["seconds"])[(len(results) - 1) // 2]
    return bench.line(
        name, command, [figures for _, figures in results],
        preset=preset, threads=threads, exact=threads == 1, table_bytes=table_bytes,
        boards=int(found["boards"]["boards"]),
        **{key: int(found[key]["total"]) for key in COUNTS},
        ms={key: found["ms"].get(key) for key in ["mean", "median", "p99", "worst", "total"]})


def suite(name, options, presets, before="", numbers=ONE_AND_ALL, once=False):
    """A group that searches a suite with each preset and each number of threads in `numbers`."""
    def measure(bench):
        return [search(bench, name, options, preset, threads, before, once=once)
                for preset in presets for threads in numbers]
    return measure


def parent_only(bench):
    """Counts of searches that prune only moves that undo the previous move. Each search runs once,
    because its counts are the same in every run."""
    def line(name, options, preset, before="", extra=""):
        extra = f"{extra} --pruning parent --side start".strip()
        return search(bench, name, options, preset, 1, before, extra, once=True)
    ulrd = "--kind blank-compressed --order ULRD"
    return [
        *(line("felner1000", FELNER, preset)
          for preset in ["6-6-3", "small", "7-8", "best", "fewest"]),
        line("felner1000, blank-compressed, ULRD", FELNER, "7-8", extra=ulrd),
        line("felner1000, ULRD", FELNER, "7-8", extra="--order ULRD"),
        line("korf100", KORF, "6-6-3"),
        line("korf50_24 number 40", FIVE, "6-6-6-6", NUMBER_40),
    ]


def solve(bench, command, codes=(0,)):
    """Runs a search of one board. Returns its report and the figures."""
    (report,), figures = bench.json(command, codes=codes)
    return report, dict(figures, search_ms=report["ms"])


def single(bench):
    """Measures single boards, with one process per board."""
    for preset in ["6-6-3", "7-8"]:
        bench.build(f"--partition {preset} --both-sides")
        for threads in ONE_AND_ALL:
            command = f"solver --json --partition {preset} --threads {threads} --build {BOARD}"
            results = bench.repeat(lambda: solve(bench, command))
            counts = {key: results[0][0][key] for key in COUNTS}
            yield bench.line("the 55-move board", command, [run for _, run in results],
                             preset=preset, threads=threads, exact=threads == 1, boards=1, **counts)
    yield alone(bench, "start and end", "--goal blank-first", "6-6-3", "felner1000", 100)
    yield alone(bench, "hardest80, each alone", "--goal blank-last", "best", "hardest80", 17)


def alone(bench, name, goal, preset, suite_name, count):
    """Measures the first `count` boards of a suite, with one process per board."""
    bench.build(f"{goal} --partition {preset} --both-sides")
    command = f"solver --json {goal} --partition {preset} --build BOARD"
    boards = [" ".join(words[:16]) for words in suite_lines(suite_name)[:count]]
    runs = [solve(bench, command.replace("BOARD", f'"{board}"'))[1] for board in boards]
    return bench.line(name, command, runs, preset=preset, threads=CORES, boards=count)


def rows_of(numbers, width):
    """Text of a board: numbers by row, rows separated by slashes."""
    rows = [numbers[start:start + width] for start in range(0, len(numbers), width)]
    return "/".join(" ".join(map(str, row)) for row in rows)


def max_time(bench):
    """Delay of searches that reach their time limit."""
    def backwards(side):
        """A board with the tiles in reverse order and the blank in its goal cell."""
        tiles = side * side - 1
        numbers = list(range(tiles, 0, -1))
        # Solvable if the number of inversions is even; otherwise the first two tiles are swapped.
        if tiles * (tiles - 1) // 2 % 2:
            numbers[:2] = numbers[1::-1]
        return rows_of(numbers + [0], side)
    bench.build("--partition 6-6-3")
    hardest = '"0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"'
    boards = {"4x4, 6-6-3": f"--partition 6-6-3 {hardest}"} | {
        f"{side}x{side}, Manhattan": f'--partition manhattan "{backwards(side)}"'
        for side in [5, 6, 20]}
    for name, words in boards.items():
        for threads in ONE_AND_ALL:
            command = f"solver --json --max-time 0.2 --threads {threads} {words}"
            runs = []
            for _ in range(7):
                report, run = solve(bench, command, (1,))
                if report["status"] != "limit":
                    raise Failed(f"{report['status']}: {command}")
                runs.append(run)
            yield bench.line(name, command, runs, threads=threads)


def goals(bench):
    """Measures searches of random boards for 16 goals, one goal for each goal cell of the blank."""
    for blank in range(16):
        numbers = iter(range(1, 16))
        cells = [0 if cell == blank else next(numbers) for cell in range(16)]
        goal = rows_of(cells, 4)
        before = f'solver scramble --seed 2026 --number 100 --goal "{goal}" | '
        options = f'--goal "{goal}" {{}}'
        yield search(bench, f"blank on cell {blank}", options, "6-6-3", 1, before, once=True)


# Shell command that pipes the first boards of a list to the solver. Each line contains a board and
# the first of the lengths that are listed for this board.
DEEPCUBEA = ("grep -v '^#' data/suites/deepcubea_{0}x{0}_sample.txt | cut -d' ' -f1-{2} | "
             "head -{1} | ")
# Random boards of a tray; the arguments are the number of boards and the tray.
RANDOM = "solver scramble --seed 2026 --number {0} --size {1} | "
# Name, options, shell command that pipes boards to the solver, and time limit in seconds.
ANYTIME = [
    ("4x4, korf100", "--partition 7-8 --goal blank-first",
     "grep -v '^#' data/suites/korf100.txt | ", 10),
    ("5x5, korf50_24", FIVE.format("--partition 6-6-6-6"), KORF24.format("head -50"), 10),
    ("5x5, DeepCubeA", "--size 5x5 --partition 6-6-6-6", DEEPCUBEA.format(5, 20, 26), 10),
    ("6x6, DeepCubeA", "--size 6x6", DEEPCUBEA.format(6, 20, 37), 10),
    ("6x6, DeepCubeA", "--size 6x6", DEEPCUBEA.format(6, 5, 37), 60),
    ("7x7, DeepCubeA", "--size 7x7", DEEPCUBEA.format(7, 20, 50), 10),
    ("7x7, DeepCubeA", "--size 7x7 --partition best", DEEPCUBEA.format(7, 20, 50), 10),
    ("7x7, DeepCubeA", "--size 7x7 --partition best", DEEPCUBEA.format(7, 5, 50), 60),
    ("8x8, random", "--size 8x8", RANDOM.format(5, "8x8"), 10),
    ("10x10, random", "--size 10x10", RANDOM.format(5, "10x10"), 10),
    ("20x20, random", "--size 20x20", RANDOM.format(1, "20x20"), 60),
]


def anytime(bench):
    """Measures the anytime mode with a time limit per board. A row contains the solution lengths,
    and also the known lengths if the list of boards contains them."""
    for name, options, before, limit in ANYTIME:
        if "10x10" not in name and "20x20" not in name:
            bench.build(options)
        boards = bench.run(f"{before}cat")[0].splitlines()
        cells = int(name.split(",")[0].split("x")[0]) ** 2
        numbers = [line.split() for line in boards]
        known = [int(line[cells]) for line in numbers
                 if len(line) > cells and line[cells].isdigit()]
        command = f"{before}solver {options} --json --mode anytime --max-time {limit}"
        reports, run = bench.json(command, codes=(0, 1))
        ends = [report for report in reports if report["status"] == "solved"]
        if len(ends) != len(boards):
            raise Failed(f"{len(ends)} of {len(boards)} solved: {command}")
        first_ms = max(report["ms"] for report in reports
                       if report["status"] == "improved" and report["method"] == "strategic")
        lengths, bounds, ms = ([report[key] for report in ends]
                               for key in ["length", "bound", "ms"])
        yield bench.line(name, command, [run], boards=len(ends), max_time=limit, known=known,
                         lengths=lengths, bounds=bounds, ms=ms, first_ms=first_ms)


def between(bench):
    """Measures ten random boards of each tray between 5x5 and 6x6: proved lower bounds, and lengths
    of solutions. Only nodes are limited, and there is one thread, so other work on the machine has
    no effect."""
    limits = {"optimal": 200_000_000, "anytime": 20_000_000}
    for size in ["4x6", "4x7", "5x6"]:
        options = f"--size {size} --partition best"
        bench.build(options)
        scramble = f"solver scramble --quiet --size {size} --seed 2026 --number 10"
        boards = []
        for board in bench.run(scramble)[0].splitlines():
            ends = {mode: bench.json(f'solver --json {options} --threads 1 --mode {mode} '
                                     f'--max-nodes {most} "{board}"', codes=(0, 1))[0][-1]
                    for mode, most in limits.items()}
            optimal, anytime = ends.values()
            boards.append({"board": board, "bound": max(optimal["bound"], anytime["bound"]),
                           "length": optimal.get("length", anytime["length"]),
                           "nodes": optimal["nodes"]})
            bench.say(f"{size} {boards[-1]}")
        yield {"name": size, "options": options, "scramble": scramble, "limits": limits,
               "boards": boards}


def strategic(bench):
    """Measures the plain and the short strategic method on random boards, with one thread."""
    for side, number in [(4, 500), (5, 200), (8, 50), (10, 30), (20, 5)]:
        before = RANDOM.format(number, f"{side}x{side}")
        for method, mode in [("plain", "strategic"), ("short", "strategic --short")]:
            command = f"{before}solver --size {side}x{side} --threads 1 --json --mode {mode}"
            reports, run = bench.json(command)
            lengths, ms = ([report[key] for report in reports] for key in ["length", "ms"])
            yield bench.line(
                f"{side}x{side}", command, [run], boards=number, method=method,
                length=statistics.mean(lengths), ms=statistics.mean(ms), max_ms=max(ms))


PRESETS = ["6-6-3", "small", "7-8", "best", "fewest"]
# Groups by name, in the order of their measurement.
GROUPS = {
    "builds": builds,
    "builds-large": builds_large,
    "eight-tiles": eight_tiles,
    "verify": verify,
    "packing": packing,
    "packing-large": packing_large,
    "felner1000": suite("felner1000", FELNER, PRESETS),
    "korf100": suite("korf100", KORF, PRESETS),
    "hardest80": suite("hardest80", HARDEST, ["7-8", "best", "fewest"]),
    "multi100": suite("multi100", MULTI, ["runs"]),
    "single": single,
    "parent-only": parent_only,
    "goals": goals,
    "max-time": max_time,
    "24-puzzle": suite("korf50_24 number 40", FIVE, ["6-6-6-6", "best"], NUMBER_40),
    # Searches that take a minute or more.
    "24-puzzle-ten": suite("korf50_24, the ten easiest", FIVE, ["6-6-6-6", "best"], TEN_EASIEST,
                           [CORES], once=True),
    "strategic": strategic,
    "anytime": anytime,
    "between": between,
    **LAB_GROUPS,
}
# Groups that run only if named, or with --all.
LARGE = {"builds-large", "eight-tiles", "packing-large", "24-puzzle-ten", "anytime", "between",
         *LAB_GROUPS}
