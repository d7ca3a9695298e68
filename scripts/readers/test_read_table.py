#!/usr/bin/env python3
"""Tests of read_table.py with tables that pdb-gen writes. The reader and the tables are compared
with a breadth-first search that does not use rows, classes and ranks. The exports of pdb-gen,
described in docs/export.md, are compared with the same search.

    python3 scripts/readers/test_read_table.py            all tests, about 20 s
    python3 scripts/readers/test_read_table.py NAME...    the named classes and tests

PDB_GEN names the command that builds the tables; by default, cargo compiles and runs the pdb-gen of
this repository."""

import ast
import collections
import csv
import functools
import hashlib
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import read_table
from read_table import Numbering, Table, mask_of, stored_as

ROOT = pathlib.Path(__file__).resolve().parents[2]
PDB_GEN = shlex.split(os.environ.get("PDB_GEN", "cargo run --release --quiet --bin pdb-gen --"))

Built = collections.namedtuple("Built", "arguments width height kind encoding patterns")

# Each pattern is a tuple of the numbers on its tiles. The goal is always 1 2 3 ... with the blank
# last.
FIVE_THREE = ((1, 2, 3), (4, 5, 6, 7, 8))
EIGHT = (tuple(range(1, 9)),)
TABLES = [
    Built("--partition 5-3", 3, 3, "zero-aware", "one-bit", FIVE_THREE),
    Built("--partition 5-3 --encoding u8", 3, 3, "zero-aware", "u8", FIVE_THREE),
    Built("--partition 5-3 --kind blank-compressed", 3, 3, "blank-compressed", "u8", FIVE_THREE),
    Built("--partition 5-3 --kind full", 3, 3, "full", "u8", FIVE_THREE),
    Built("--partition fringe", 3, 3, "full", "u8", ((1, 2, 3, 4, 7),)),
    Built("--partition 8", 3, 3, "zero-aware", "one-bit", EIGHT),
    Built("--partition 8 --encoding u8", 3, 3, "zero-aware", "u8", EIGHT),
    Built("--tiles 1,2,3", 2, 2, "zero-aware", "one-bit", ((1, 2, 3),)),
    Built("--tiles 1,2,5,6", 4, 4, "zero-aware", "one-bit", ((1, 2, 5, 6),)),
    Built("--tiles 1,2,5,6 --encoding u8", 4, 4, "zero-aware", "u8", ((1, 2, 5, 6),)),
    # Patterns with two cells outside the shape, on a tray that is not square. The pattern 2,4,5 is
    # the example of ranking.md.
    Built("--tiles 3,4,1,5", 3, 2, "zero-aware", "one-bit", ((3, 4, 1, 5),)),
    Built("--tiles 3,4,1,5 --encoding u8", 3, 2, "zero-aware", "u8", ((3, 4, 1, 5),)),
    Built("--tiles 2,3,5,1 --kind blank-compressed", 3, 2, "blank-compressed", "u8",
          ((2, 3, 5, 1),)),
    Built("--tiles 3,4,1,5 --kind full", 3, 2, "full", "u8", ((3, 4, 1, 5),)),
    Built("--tiles 2,4,5", 3, 3, "zero-aware", "one-bit", ((2, 4, 5),)),
    Built("--metric multi --partition 1,2,3,4/5,6,7,8", 3, 3, "runs", "mod-3",
          ((1, 2, 3, 4), (5, 6, 7, 8))),
    Built("--metric multi --tiles 3,4,1,5", 3, 2, "runs", "mod-3", ((3, 4, 1, 5),)),
    Built("--metric multi --tiles 3,4,1,5 --encoding u8", 3, 2, "runs", "u8", ((3, 4, 1, 5),)),
    # Trays of more than 25 cells, for which the header also stores the high halves of masks.
    Built("--tiles 55,63 --encoding u8", 8, 8, "zero-aware", "u8", ((55, 63),)),
    Built("--tiles 12,33", 6, 6, "zero-aware", "one-bit", ((12, 33),)),
]


def pdb_gen(*arguments, tables):
    """Runs pdb-gen with a tables directory."""
    command = [*PDB_GEN, *arguments, "--tables", tables, "--quiet"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def flipped(data, bit):
    """The data with one bit changed."""
    data = bytearray(data)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def setUpModule():
    global scratch
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    for built in TABLES:
        size = f"{built.width}x{built.height}"
        pdb_gen("--size", size, *built.arguments.split(), tables=scratch.name)


def opened(width, height, kind, encoding, pattern):
    """Opens the table of a pattern, a list of tile numbers."""
    tiles = [number - 1 for number in pattern]
    name, _ = stored_as(width, height, kind, tiles, width * height - 1, encoding)
    table = Table(os.path.join(scratch.name, name))
    table.check_name(name)
    return table


@functools.lru_cache(maxsize=None)
def search(width, height, pattern, kind):
    """Returns the least cost of each position, and the number of sets of positions per cost, as a
    list. A position is a pair: the cells of the pattern's tiles, and the blank's cell. The
    positions of a set are connected by moves without cost, so they have the same least cost. For
    blank-compressed tables the function returns the costs of zero-aware tables."""
    if kind == "blank-compressed":
        return search(width, height, pattern, "zero-aware")

    def lines(cell):
        x, y = cell % width, cell // width
        for dx, dy in (1, 0), (-1, 0), (0, 1), (0, -1):
            line = [(x + i * dx, y + i * dy) for i in range(1, max(width, height))]
            yield [x + y * width for x, y in line if 0 <= x < width and 0 <= y < height]

    def moves(cells, blank):
        """Yields a pair for each move: the position after the move, and whether a tile of the
        pattern has moved."""
        for line in lines_from[blank]:
            after, hole = cells, blank
            for cell in line:
                if cell in after:
                    after = tuple([hole if c == cell else c for c in after])
                hole = cell
                yield (after, hole), after is not cells

    reach = None if kind == "runs" else 1
    lines_from = [[line[:reach] for line in lines(cell)] for cell in range(width * height)]
    home = tuple(number - 1 for number in pattern), width * height - 1
    costs, sets, layer = {}, [], [home]
    while layer:
        following = []
        sets.append(0)
        for first in layer:
            sets[-1] += first not in costs
            stack = [first]
            while stack:
                state = stack.pop()
                if state in costs:
                    continue
                costs[state] = len(sets) - 1
                for after, has_moved in moves(*state):
                    is_counted = has_moved or kind in ("full", "runs")
                    (following if is_counted else stack).append(after)
        layer = [state for state in following if state not in costs]
    return costs, sets


def values_by_cells(costs):
    """The minimum cost over all blank cells for each placement of the tiles."""
    least = {}
    for (cells, _), cost in costs.items():
        least[cells] = min(cost, least.get(cells, cost))
    return least


@functools.lru_cache(maxsize=None)
def expected_values(width, height, kind, pattern):
    """Computes the expected contents of a table with `search`. Returns the value of every entry
    (None if unreachable), and the histogram. Of the reader it uses only `stored_as`, `mask_of` and
    `Numbering`."""
    costs, histogram = search(width, height, pattern, kind)
    if kind == "blank-compressed":
        least = values_by_cells(costs)
        costs = {(cells, blank): least[cells] for cells, blank in costs}
        counts = collections.Counter(least.values())
        histogram = [counts[value] for value in range(max(counts) + 1)]

    tiles = [number - 1 for number in pattern]
    _, symmetry = stored_as(width, height, kind, tiles, width * height - 1)
    goals = [symmetry[number - 1] for number in pattern]
    numbering = Numbering(width, height, kind, mask_of(goals))
    values = [None] * (numbering.rows * numbering.row_length)
    for (cells, blank), cost in costs.items():
        positions = {goal: symmetry[cell] for goal, cell in zip(goals, cells)}
        entry = numbering.locate(positions, symmetry[blank])
        if values[entry] not in (None, cost):
            raise AssertionError(f"entry {entry} has positions of different costs")
        values[entry] = cost
    return values, histogram


# A table with fewer entries than this counts as small. Comparing all small tables takes about two
# seconds.
SMALL = 4_000


class AgainstSearch(unittest.TestCase):
    """Compares every entry of every table with the search."""

    def test_small_tables(self):
        kinds = self.compare_all(range(SMALL))
        # The small tables include all kinds in all encodings.
        self.assertEqual(kinds, {(built.kind, built.encoding) for built in TABLES})

    def test_large_tables(self):
        self.compare_all(range(SMALL, sys.maxsize))

    def compare_all(self, sizes):
        """Compares tables whose number of entries is in `sizes`. Returns their kinds and
        encodings."""
        kinds = set()
        for built in TABLES:
            for pattern in built.patterns:
                goals = [number - 1 for number in pattern]
                numbering = Numbering(built.width, built.height, built.kind, mask_of(goals))
                if numbering.rows * numbering.row_length in sizes:
                    kinds.add((built.kind, built.encoding))
                    with self.subTest(built.arguments, pattern=pattern):
                        self.compare(built, pattern)
        return kinds

    def compare(self, built, pattern):
        expected, histogram = expected_values(built.width, built.height, built.kind, pattern)
        with opened(*built[1:5], pattern) as table:
            table.check_payload()
            self.assertEqual((table.width, table.height, table.kind, table.encoding), built[1:5])
            self.assertEqual(table.entries, len(expected))
            self.assertEqual(table.histogram[:table.max + 1], histogram)
            self.assertEqual((table.reached, table.max), (sum(histogram), len(histogram) - 1))
            self.assertEqual(table.reached, sum(cost is not None for cost in expected))
            if len(pattern) < built.width * built.height - 2:
                self.assertEqual(table.reached, table.entries)
            if table.encoding == "u8":
                self.assertEqual(list(table.values()), expected)
            else:
                self.assertEqual(table.value(table.goal_entry), 0)
                self.compare_residues(table, expected)

    def compare_residues(self, table, expected):
        """Compares the residue (the value modulo 4 or 3) of every entry. Then compares values: of
        every entry in small tables, and of a sample in large tables."""
        modulus = {"one-bit": 4, "mod-3": 3}[table.encoding]
        for entry, value in enumerate(expected):
            if value is None:
                self.assertEqual(table.code(entry), 0)
            elif table.residue(entry) != value % modulus:
                self.fail(f"entry {entry} is {value}, but modulo {modulus} {table.residue(entry)}")
        if table.entries < 100_000:
            self.assertEqual(list(table.values()), expected)
        for entry in range(0, table.entries, min(table.entries // 400 + 1, 211)):
            self.assertEqual(table.value(entry), expected[entry], f"entry {entry}")


class Numbers(unittest.TestCase):
    """Shapes, classes, rows, ranks and counts."""

    def test_example_of_ranking_md(self):
        with opened(3, 3, "zero-aware", "one-bit", (2, 4, 5)) as table:
            symmetry = stored_as(3, 3, "zero-aware", table.goal_cells, 8)[1]
            self.assertEqual(symmetry, tuple(range(9)))
            self.assertEqual(table.goal_cells, [1, 3, 4])
            shape = mask_of([1, 4, 7])
            self.assertEqual(shape, 146)
            self.assertEqual(list(table.shapes).index(shape), 42)
            classes = [read_table.cells_of(c) for c in table.classes(shape)]
            self.assertEqual(classes, [[0, 3, 6], [2, 5, 8]])
            self.assertEqual([table.row_of(shape, 0), table.row_of(shape, 2)], [63, 64])
            self.assertEqual(table.shape_and_blanks(63), (shape, mask_of([0, 3, 6])))
            self.assertEqual(read_table.rank_of([2, 0, 1]), 4)
            self.assertEqual(read_table.permutation_of(4, 3), [2, 0, 1])
            self.assertEqual(table.locate({1: 4, 3: 7, 4: 1}, 3), 382)
            self.assertEqual(table.place(382), ({1: 4, 3: 7, 4: 1}, mask_of([0, 3, 6])))

    def test_half_of_all_positions_of_eight_tiles(self):
        for encoding in ("one-bit", "u8"):
            with opened(3, 3, "zero-aware", encoding, EIGHT[0]) as table:
                self.assertEqual((table.entries, table.reached), (362_880, 181_440))
                if encoding == "u8":
                    self.assertEqual(sum(value is not None for value in table.values()), 181_440)

    def test_locate_and_place_are_inverse(self):
        for built in TABLES:
            for pattern in built.patterns:
                with self.subTest(built, pattern=pattern), opened(*built[1:5], pattern) as table:
                    for row in range(table.rows):
                        shape, blanks = table.shape_and_blanks(row)
                        for blank in read_table.cells_of(blanks):
                            self.assertEqual(table.row_of(shape, blank), row)
                    for entry in range(0, table.entries, table.entries // 1000 + 1):
                        positions, blanks = table.place(entry)
                        for blank in read_table.cells_of(blanks):
                            self.assertEqual(table.locate(positions, blank), entry)

    def test_locate_rejects_invalid_positions(self):
        with opened(3, 3, "zero-aware", "one-bit", (2, 4, 5)) as table:
            for positions, blank in (
                    ({1: 4, 3: 7}, 3), ({1: 4, 3: 4, 4: 1}, 3), ({1: 4, 3: 7, 4: 1}, 7),
                    ({1: 4, 3: 9, 4: 1}, 3), ({1: 4, 3: 7, 4: 1}, -1), ({1: 4, 2: 7, 4: 1}, 3)):
                self.assertRaises(ValueError, table.locate, positions, blank)

    def test_names(self):
        for name, *pattern in (
                ("4x4-zero-aware-1.2.3.4-blank0.pdb", 4, 4, "zero-aware", [1, 4, 8, 12], 0),
                ("3x3-full-0.1.2-blank6.pdb", 3, 3, "full", [0, 1, 2], 8, "u8"),
                ("3x3-runs-0.1.2-blank6.pdb", 3, 3, "runs", [0, 1, 2], 8),
                ("3x3-runs-0.1.2-blank6.u8.pdb", 3, 3, "runs", [0, 1, 2], 8, "u8"),
                ("3x2-zero-aware-0.1-blank2.u8.pdb", 3, 2, "zero-aware", [3, 4], 5, "u8")):
            self.assertEqual(stored_as(*pattern)[0], name)
        self.assertEqual(len(set(read_table.symmetries(3, 3))), 8)
        self.assertEqual(len(set(read_table.symmetries(3, 2))), 4)


class Exports(unittest.TestCase):
    """Checks every value of exported files. Each pattern is stored as its image under a symmetry,
    and its tiles are not in ascending order."""

    PATTERNS = (
        (3, 3, (8, 5, 6)), (3, 3, (7, 2, 4, 8)), (3, 2, (5, 1, 4, 3, 2)), (4, 3, (11, 6, 7)))

    def exported(self, width, height, kind, pattern, form):
        path = os.path.join(scratch.name, "export." + form)
        pdb_gen("export", "--size", f"{width}x{height}", "--kind", kind, "--format", form,
                "--tiles", ",".join(map(str, pattern)), "--out", path, tables=scratch.name)
        return pathlib.Path(path).read_bytes()

    def test_all(self):
        for width, height, pattern in self.PATTERNS:
            for kind in read_table.KINDS:
                with self.subTest(width=width, height=height, pattern=pattern, kind=kind):
                    # Costs by the cells of the tiles. In blank-compressed tables the blank's cell
                    # is not part of the key.
                    costs, _ = search(width, height, pattern, kind)
                    if kind == "blank-compressed":
                        costs = values_by_cells(costs)
                    else:
                        costs = {(*cells, blank): cost for (cells, blank), cost in costs.items()}
                    self.compare_arrays(width, height, kind, pattern, costs)
                    self.compare_lists(width, height, kind, pattern, costs)

    def compare_arrays(self, width, height, kind, pattern, costs):
        cells, axes = width * height, len(pattern) + (kind != "blank-compressed")
        array = bytearray(b"\xff" * cells ** axes)
        for place, cost in costs.items():
            array[functools.reduce(lambda index, cell: index * cells + cell, place)] = cost
        npy = self.exported(width, height, kind, pattern, "npy")
        self.assertEqual(npy[:8], b"\x93NUMPY\1\0")
        start = 10 + struct.unpack_from("<H", npy, 8)[0]
        self.assertEqual(start % 64, 0)
        description = {"descr": "|u1", "fortran_order": False, "shape": (cells,) * axes}
        self.assertEqual(ast.literal_eval(npy[10:start].decode("ascii")), description)
        self.assertTrue(npy[start:] == array)
        if kind == "blank-compressed":
            self.assertTrue(self.exported(width, height, kind, pattern, "dense") == array)

    def compare_lists(self, width, height, kind, pattern, costs):
        has_blank = kind != "blank-compressed"
        goals = [number - 1 for number in pattern]
        numbering = Numbering(width, height, kind, mask_of(goals))
        ranked = self.exported(width, height, kind, pattern, "ranked")
        lines = self.exported(width, height, kind, pattern, "csv").decode("ascii").splitlines()
        rows = list(csv.reader(lines))
        columns = [f"tile{number}" for number in pattern] + ["blank"] * has_blank + ["value"]
        self.assertEqual(rows.pop(0), columns)
        self.assertEqual(len(ranked), numbering.rows * numbering.row_length)
        self.assertEqual(len(rows), len(ranked))
        for entry, (row, byte) in enumerate(zip(rows, ranked)):
            positions, blanks = numbering.place(entry)
            cells = [positions[goal] for goal in goals]
            self.assertEqual([int(cell) for cell in row[:len(goals)]], cells)
            if has_blank:
                free = [int(cell) for cell in row[-2].split()]
                self.assertEqual(free, read_table.cells_of(blanks))
            for blank in read_table.cells_of(blanks):
                cost = costs.get((*cells, blank) if has_blank else tuple(cells))
                self.assertEqual((byte, row[-1]), (255, "") if cost is None else (cost, str(cost)))


class Damage(unittest.TestCase):
    """Files that must be rejected."""

    def setUp(self):
        name, _ = stored_as(3, 3, "zero-aware", (0, 1, 2), 8)
        self.good = pathlib.Path(scratch.name, name).read_bytes()
        self.path = pathlib.Path(scratch.name, "damaged")

    def write(self, data):
        # Writes a new file each time, because some file systems sync when a file is overwritten.
        self.path.unlink(missing_ok=True)
        self.path.write_bytes(data)

    def rejected(self, data, complaint=""):
        self.write(data)
        with self.assertRaisesRegex(ValueError, complaint) as caught:
            Table(self.path)
        self.assertNotIn("\n", str(caught.exception))

    def changed(self, *changes, payload=None):
        """The valid file after changes, with correct checksums. A change is a tuple (offset, struct
        format, value)."""
        data = bytearray(self.good)
        if payload is not None:
            data[4096:] = payload
            data[2112:2144] = hashlib.sha256(payload).digest()
        for offset, form, value in changes:
            struct.pack_into("<" + form, data, offset, value)
        data[4064:4096] = hashlib.sha256(data[:4064]).digest()
        return bytes(data)

    def test_untouched(self):
        self.assertEqual(self.changed(), self.good)
        self.write(self.good)
        with Table(self.path) as table:
            table.check_payload()

    def test_every_byte_of_the_header(self):
        for offset in range(4096):
            self.rejected(flipped(self.good, 8 * offset + offset % 8))

    def test_every_bit_of_the_payload(self):
        for bit in range(8 * 4096, 8 * len(self.good)):
            self.write(flipped(self.good, bit))
            with Table(self.path) as table:
                self.assertRaisesRegex(ValueError, "payload", table.check_payload)

    def test_lengths(self):
        for length in (0, 1, 8, 9, 4095, 4096, 4097, len(self.good) - 1):
            self.rejected(self.good[:length], "not a table" if length < 8 else "long|cut short")
        self.rejected(self.good + b"\0", "long")
        self.rejected(self.good * 2, "long")

    def test_text_mode_copies(self):
        unix, dos = self.good.replace(b"\r\n", b"\n"), self.good.replace(b"\n", b"\r\n")
        cut, seven_bits = self.good[:self.good.index(b"\x1a")], bytes(b & 127 for b in self.good)
        for data in unix, dos, cut, seven_bits:
            self.rejected(data, "text mode")

    def test_zstd_frame(self):
        self.rejected(b"\x28\xb5\x2f\xfd" + self.good, "zstd")

    def test_fields_out_of_range(self):
        # A key is a text in the expected message. Each item of its list changes one or more fields
        # and causes this message.
        complaints = {
            "version": [[(8, "I", 2)], [(8, "I", 3)]],
            "header length": [[(12, "I", 8192)]],
            "tray": [[(16, "B", 1)], [(17, "B", 0)], [(16, "B", 9)]],
            "kind": [[(18, "B", 4)]],
            "encoding": [[(19, "B", 3)]],
            "cannot be one-bit": [[(18, "B", 1)], [(18, "B", 2)], [(18, "B", 3)]],
            "cannot be mod-3": [[(19, "B", 2)]],
            "row order": [[(20, "B", 0)]],
            "tiles": [[(17, "B", 2), (24, "I", 1 << 6)], [(24, "I", 0)], [(24, "I", 1 << 9 | 7)],
                      [(16, "B", 5), (17, "B", 5), (24, "I", (1 << 13) - 1)]],
            "blank": [[(28, "I", 0)], [(28, "I", 1 << 8)], [(28, "I", 0o777)], [(28, "I", 1 << 9)],
                      [(18, "B", 2), (19, "B", 0)]],
            "histogram": [[(40, "Q", 743)]],
            "max": [[(56, "I", 10)], [(56, "I", 12)]],
            "last count": [[(64 + 8 * 255, "Q", 1), (40, "Q", 745)]],
            "reached": [[(64, "Q", 2), (40, "Q", 745)], [(32, "Q", 743)]],
            "payload length": [[(48, "Q", 94)], [(19, "B", 0)]],
            "reserved": [[(offset, "B", 1)]
                         for offset in (21, 22, 23, 60, 61, 62, 63, 2144, 3000, 4063)]}
        for complaint, lists in complaints.items():
            for changes in lists:
                with self.subTest(complaint, changes=changes):
                    self.rejected(self.changed(*changes), complaint)

    def test_entries(self):
        self.rejected(self.changed((32, "Q", 745)), "745 entries|payload")
        for entries in (744 + 6, 744 + 84 * 6):
            length = (entries + 7) // 8
            data = self.changed((32, "Q", entries), (48, "Q", length), payload=bytes(length))
            self.rejected(data, "entries, should be 744")
        no_histogram = [(64 + 8 * h, "Q", 0) for h in range(1, 12)]
        data = self.changed((32, "Q", 6), (48, "Q", 1), (40, "Q", 1), (56, "I", 0), *no_histogram,
                            payload=b"\0")
        self.rejected(data, "6 entries, should be 504 or more")

    def test_large_numbers_of_entries_are_rejected(self):
        tray = (16, "B", 5), (17, "B", 5), (24, "I", 0xFFF), (28, "I", 0x1FFF000)
        self.rejected(self.changed(*tray, (32, "Q", 1 << 63), (48, "Q", 1 << 60)), "entries")
        entries = math.comb(25, 12) * math.factorial(12)
        self.rejected(self.changed(*tray, (32, "Q", entries), (48, "Q", entries // 8)), "long")
        self.rejected(self.changed(*tray), "should be")

    def test_walks_in_tables_with_wrong_bits_end(self):
        for payload in (bytes(93), b"\xff" * 93):
            self.write(self.changed(payload=payload))
            with Table(self.path) as table, self.assertRaisesRegex(ValueError, "damaged"):
                table.check_payload()
                list(table.values())


class Command(unittest.TestCase):
    """The script itself."""

    def run_script(self, *arguments):
        command = [sys.executable, read_table.__file__, *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def test_facts_and_entries(self):
        path = os.path.join(scratch.name, "2x2-zero-aware-0.1.2-blank3.pdb")
        facts = self.run_script(path)
        self.assertEqual(facts.returncode, 0)
        self.assertIn("entries   24, 12 of them reached\n", facts.stdout)
        lines = self.run_script(path, "--entries").stdout.splitlines()
        with Table(path) as table:
            values = ["" if value is None else str(value) for value in table.values()]
        expected = [f"{entry},{value}" for entry, value in enumerate(values)]
        self.assertEqual(lines, ["entry,value", *expected])

    def test_bad_file(self):
        renamed = os.path.join(scratch.name, "3x2-zero-aware-0.1.2-blank3.pdb")
        shutil.copy(os.path.join(scratch.name, "2x2-zero-aware-0.1.2-blank3.pdb"), renamed)
        for path in read_table.__file__, renamed:
            result = self.run_script(path)
            lines = result.stderr.count("\n")
            self.assertEqual((result.returncode, result.stdout, lines), (1, "", 1))


class Documents(unittest.TestCase):
    """Consistency of the documents."""

    def test_citation_has_the_current_version(self):
        version = re.compile(r'^version(?: =|:) "?([\d.]+)"?$', re.MULTILINE)
        found = [version.search((ROOT / name).read_text())[1]
                 for name in ("CITATION.cff", "Cargo.toml")]
        self.assertEqual(found[0], found[1])

    def test_all_files_of_the_reference_list_exist(self):
        text = (ROOT / "docs/reference.md").read_text()
        paths = re.findall(r"`((?:puzzle|pdb-table|pdb-gen|solver|lab)/[\w/.-]+)`", text)
        self.assertGreater(len(paths), 10)
        self.assertEqual([path for path in paths if not (ROOT / "crates" / path).exists()], [])

    def test_the_worked_example_of_format_md(self):
        text = (ROOT / "docs/format.md").read_text()
        board = re.search(r'^    solver --json "([\d /]+)"$', text, re.MULTILINE)[1]
        board = [int(number) for number in re.split("[ /]", board)]
        parts = re.findall(r"""^    tiles ([\d ]+): (\S+\.pdb)
        cells 0 to 15 become ([\d ]+)
        row (\d+), rank (\d+), entry (\d+)
        bit (\d), h mod 4 = (\d), h = (\d+)$""", text, re.MULTILINE)
        self.assertEqual(len(parts), 6)
        pdb_gen("--partition", "6-6-3", tables=scratch.name)
        values = []
        for tiles, name, shown_symmetry, *shown in parts:
            tiles = [int(number) for number in tiles.split()]
            found, symmetry = stored_as(4, 4, "zero-aware", [number - 1 for number in tiles], 15)
            self.assertEqual((found, " ".join(map(str, symmetry))), (name, shown_symmetry))
            # The goal is 1 2 3 ... 0, so the tile with number n has goal cell n - 1.
            cells = {symmetry[number - 1]: symmetry[board.index(number)] for number in tiles}
            with Table(os.path.join(scratch.name, name)) as table:
                entry = table.locate(cells, symmetry[board.index(0)])
                values.append(table.value(entry))
                self.assertEqual(
                    [int(number) for number in shown],
                    [*divmod(entry, table.row_length), entry, table.code(entry),
                     table.residue(entry), values[-1]])
        for view in values[:3], values[3:]:
            self.assertIn(f"\n    {' + '.join(map(str, view))} = {sum(view)}\n", text)


if __name__ == "__main__":
    unittest.main()
