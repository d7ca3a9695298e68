#!/usr/bin/env python3
"""Reads the table files of this project. docs/format.md describes the format, and docs/ranking.md
describes the numbering of entries. Needs only the standard library. Written for clarity instead of
speed, so it suits only small tables.

    read_table.py FILE              prints the header
    read_table.py FILE --entries    prints the values of all entries as CSV; those of unreachable
                                    entries are empty

As a module, with tiles named by their goal cells:

    name, symmetry = stored_as(4, 4, "zero-aware", {9, 10, 13, 14}, 15)
    with Table(name) as table:
        table.check_name(name)
        table.check_payload()
        positions = {symmetry[goal]: symmetry[cell] for goal, cell in ...}
        value = table.value(table.locate(positions, symmetry[blank]))

A table inside a zstd frame must be inflated first (zstd -d).
"""

import argparse
import array
import bisect
import functools
import hashlib
import itertools
import math
import mmap
import os
import struct
import sys
import types

MAGIC = b"\x89PDB\r\n\x1a\n"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
HEADER = struct.Struct("<8s II 5B 3s II QQQ I 4s 256Q 32s II 1912s 32s")
# Largest number of cells of a tray in format version 1, and in version 2. Headers of version 2 also
# store the high halves of masks.
CELLS = (25, 64)
KINDS = ("zero-aware", "blank-compressed", "full", "runs")
ENCODINGS = ("u8", "one-bit", "mod-3")
# Possible encodings by kind, the default first.
ENCODINGS_OF = {"zero-aware": ("one-bit", "u8"), "blank-compressed": ("u8",), "full": ("u8",),
                "runs": ("mod-3", "u8")}
# Bits per entry.
BITS = {"u8": 8, "one-bit": 1, "mod-3": 2}
UNREACHED = 255


def require(condition, complaint):
    """Raises a ValueError with the message `complaint` unless the condition holds."""
    if not condition:
        raise ValueError(complaint)


def check_sum(what, data, sum_):
    """Raises a ValueError unless the data has this SHA-256."""
    require(hashlib.sha256(data).digest() == sum_, f"{what} does not have its SHA-256")


def mask_of(cells):
    """The set of these cells as a bit mask."""
    return sum(1 << cell for cell in set(cells))


def cells_of(mask):
    """The cells in a bit mask, in ascending order."""
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def payload_length(encoding, entries):
    """Size of a payload with this number of entries, in bytes."""
    return (entries * BITS[encoding] + 7) // 8


def has_blank(kind):
    """Whether the blank's cell is part of an entry."""
    return kind in ("full", "runs")


@functools.lru_cache(maxsize=4096)
def blank_classes(width, height, kind, shape):
    """The blank classes of a shape, each as a mask of its cells. A table has one row per pair of
    shape and blank class."""
    free = (1 << width * height) - 1 & ~shape
    if kind == "blank-compressed":
        return [free]
    if has_blank(kind):
        return [1 << cell for cell in cells_of(free)]
    first_column = mask_of(range(0, width * height, width))
    last_column = first_column << (width - 1)
    regions = []
    while free:
        region, grown = 0, free & -free
        while region != grown:
            region = grown
            beside = (region & ~last_column) << 1 | (region & ~first_column) >> 1
            grown = (region | beside | region << width | region >> width) & free
        regions.append(region)
        free &= ~region
    return regions


def goal_classes(width, height, kind, tiles):
    """Possible values of the header field `blank`, a mask of cells: the blank classes of the goal
    shape. For blank-compressed tables they are the regions instead."""
    return blank_classes(width, height, kind if has_blank(kind) else "zero-aware", tiles)


def rank_of(permutation):
    """Index of a permutation of 0..k-1 in lexicographic order."""
    rank = 0
    for i, p in enumerate(permutation):
        rank = rank * (len(permutation) - i) + len([q for q in permutation[i + 1:] if q < p])
    return rank


def permutation_of(rank, k):
    """The permutation of 0..k-1 with this index in lexicographic order."""
    left, permutation = list(range(k)), []
    for i in reversed(range(k)):
        digit, rank = divmod(rank, math.factorial(i))
        permutation.append(left.pop(digit))
    return permutation


def symmetries(width, height):
    """Yields the tray's symmetries, the identity first. Each is a tuple; item c is the image of
    cell c."""
    upright = [range(start, start + width) for start in range(0, width * height, width)]
    for grid in [upright, list(zip(*upright))] if width == height else [upright]:
        for rows in grid, grid[::-1]:
            yield tuple(cell for row in rows for cell in row)
            yield tuple(cell for row in rows for cell in row[::-1])


def name_of(header):
    """File name of a table with this header."""
    ending = "" if header.encoding == ENCODINGS_OF[header.kind][0] else f".{header.encoding}"
    tiles = ".".join(map(str, cells_of(header.tiles)))
    blank = cells_of(header.blank)[0]
    return f"{header.width}x{header.height}-{header.kind}-{tiles}-blank{blank}{ending}.pdb"


def stored_as(width, height, kind, tiles, blank, encoding=None):
    """Returns the name of the file for the pattern with these goal cells, and a symmetry that maps
    them to the goal cells in the file (docs/format.md, "Names")."""
    require(kind in KINDS, f"unknown kind: {kind}")
    require(blank not in tiles, f"the blank's goal cell {blank} is also a tile's goal cell")
    classes = goal_classes(width, height, kind, mask_of(tiles))
    blank_cells = cells_of(next(mask for mask in classes if mask >> blank & 1))

    def images(symmetry):
        return tuple(mask_of(symmetry[c] for c in cells) for cells in (tiles, blank_cells))

    symmetry = min(symmetries(width, height), key=images)
    tiles, blank = images(symmetry)
    encoding = encoding or ENCODINGS_OF[kind][0]
    header = types.SimpleNamespace(width=width, height=height, kind=kind, encoding=encoding,
                                   tiles=tiles, blank=blank)
    return name_of(header), symmetry


def read_header(page):
    """Parses a header page and makes all checks that need only this page. Returns the fields of the
    header; `tiles` and `blank` are masks."""
    require(not page.startswith(ZSTD_MAGIC), "a zstd frame: inflate it first (zstd -d)")
    require(page.startswith(MAGIC),
            "not a table file, or damaged by a copy in text mode")
    require(len(page) == HEADER.size, f"cut short: {len(page)} bytes, less than a header")
    (_, version, header_length, width, height, kind, encoding, order, zeros_21, tiles, blank,
     entries, reached, length, max_, zeros_60, *histogram, payload_sum, tiles_high, blank_high,
     zeros_2152, header_sum) = HEADER.unpack(page)
    check_sum("the header", page[:-32], header_sum)
    require(version in (1, 2), f"format version {version}; this reader knows versions 1 and 2")
    require(header_length == HEADER.size,
            f"header length {header_length}, should be {HEADER.size}")
    require(width >= 2 and height >= 2 and width * height <= CELLS[1],
            f"invalid tray: {width}x{height}")
    require(version == version_of(width, height),
            f"format version {version} is not that of a {width}x{height} tray")
    require(kind < len(KINDS), f"unknown kind {kind}")
    require(encoding < len(ENCODINGS), f"unknown encoding {encoding}")
    kind, encoding = KINDS[kind], ENCODINGS[encoding]
    require(encoding in ENCODINGS_OF[kind], f"a {kind} table cannot be {encoding}")
    require(order == 1, f"unknown row order {order}")
    high = version == 1 and (tiles_high or blank_high)
    require(not (high or any(zeros_21 + zeros_60 + zeros_2152)), "a reserved byte is not 0")
    tiles, blank = tiles | tiles_high << 32, blank | blank_high << 32

    cells, k = width * height, len(cells_of(tiles))
    require(tiles < 1 << cells and 1 <= k <= 12, f"invalid set of tiles: {tiles:#x}")
    require(blank in goal_classes(width, height, kind, tiles),
            f"the blank's goal cells {blank:#x} do not match the tiles {tiles:#x}")
    require(histogram[UNREACHED] == 0, "the histogram's last count is not 0")
    require(reached == sum(histogram), f"{reached} reached, but {sum(histogram)} in the histogram")
    require(1 <= reached <= entries, f"{reached} entries reached of {entries}")
    largest = max(h for h, count in enumerate(histogram) if count)
    require(max_ == largest, f"max is {max_}, but the histogram's largest value is {largest}")
    # Every shape has at least one row. The exact number of rows is computed later, and only if the
    # file is long enough.
    row = math.factorial(k)
    least = math.comb(cells, k) * row
    require(entries % row == 0 and least <= entries <= (cells - k) * least,
            f"{entries} entries, should be {least} or more, a multiple of {row}")
    expected = payload_length(encoding, entries)
    require(length == expected, f"payload length {length}, should be {expected}")
    return types.SimpleNamespace(
        width=width, height=height, kind=kind, encoding=encoding, tiles=tiles, blank=blank,
        entries=entries, reached=reached, payload_length=length, max=max_, histogram=histogram,
        payload_sum=payload_sum)


def version_of(width, height):
    """Format version of tables on this tray."""
    return 1 if width * height <= CELLS[0] else 2


class Numbering:
    """The numbering of entries, which depends only on tray, kind and tiles (a mask).

    Lists all shapes and, for zero-aware tables, counts their regions. This takes a few seconds for
    a million shapes."""

    def __init__(self, width, height, kind, tiles):
        self.width, self.height, self.kind, self.tiles = width, height, kind, tiles
        self.cells = width * height
        self.goal_cells = cells_of(tiles)
        self.k = len(self.goal_cells)
        self.row_length = math.factorial(self.k)
        # From descending cells, `combinations` generates the masks in descending order. Reversing
        # the list puts them in ascending order.
        combinations = itertools.combinations(reversed(range(self.cells)), self.k)
        self.shapes = array.array("Q", map(mask_of, combinations))
        self.shapes.reverse()
        rows = (len(self.classes(shape)) for shape in self.shapes)
        self._first_rows = array.array("I", itertools.accumulate(rows, initial=0))
        self.rows = self._first_rows.pop()

    def classes(self, shape):
        """The blank classes of a shape, each as a mask of its cells."""
        return blank_classes(self.width, self.height, self.kind, shape)

    def row_of(self, shape, blank):
        """Row of a shape (a mask) with the blank on this cell."""
        class_ = [blanks >> blank & 1 for blanks in self.classes(shape)].index(1)
        return self._first_rows[bisect.bisect_left(self.shapes, shape)] + class_

    def shape_and_blanks(self, row):
        """Shape of a row, and its possible blank cells, as masks."""
        number = bisect.bisect_right(self._first_rows, row) - 1
        shape = self.shapes[number]
        return shape, self.classes(shape)[row - self._first_rows[number]]

    def locate(self, positions, blank):
        """Entry of a position. `positions` maps the goal cell of each pattern tile to its current
        cell."""
        require(sorted(positions) == self.goal_cells, f"the pattern's tiles are {self.goal_cells}")
        cells = [positions[goal] for goal in self.goal_cells]
        require(len({*cells, blank}) == self.k + 1,
                "two tiles, or a tile and the blank, are on one cell")
        require(all(0 <= cell < self.cells for cell in [*cells, blank]),
                f"cells are 0 to {self.cells - 1}")
        return self._entry(cells, blank)

    def place(self, entry):
        """Inverse of `locate`: the tiles' cells, and the mask of possible blank cells."""
        cells, blanks = self._place(entry)
        return dict(zip(self.goal_cells, cells)), blanks

    def neighbours(self, entry):
        """Yields the entries that one move reaches. In additive tables only moves of pattern tiles
        count."""
        cells, blanks = self._place(entry)
        for blank in cells_of(blanks):
            for line in self.lines_from(blank):
                moved, hole = list(cells), blank
                for cell in line if self.kind == "runs" else line[:1]:
                    is_tile = cell in moved
                    if is_tile:
                        moved[moved.index(cell)] = hole
                    hole = cell
                    if is_tile or has_blank(self.kind):
                        yield self._entry(moved, hole)

    def lines_from(self, cell):
        """Yields the lines of cells right, left, below and above a cell, each from near to far."""
        row = range(cell - cell % self.width, cell - cell % self.width + self.width)
        column = range(cell % self.width, self.cells, self.width)
        for line, at in (row, cell % self.width), (column, cell // self.width):
            yield line[at + 1:]
            yield line[:at][::-1]

    def _entry(self, cells, blank):
        rank = rank_of(sorted(range(self.k), key=cells.__getitem__))
        return self.row_of(mask_of(cells), blank) * self.row_length + rank

    def _place(self, entry):
        require(0 <= entry < self.rows * self.row_length, f"no entry {entry}")
        row, rank = divmod(entry, self.row_length)
        shape, blanks = self.shape_and_blanks(row)
        cells = [cell for _, cell in sorted(zip(permutation_of(rank, self.k), cells_of(shape)))]
        return cells, blanks

    def colour(self, mask):
        """Sum of the checkerboard colours of the cells, modulo 2."""
        return sum(cell // self.width + cell % self.width for cell in cells_of(mask)) % 2


class Table(Numbering):
    """A table file, mapped into memory. Opening checks everything except the payload, which
    `check_payload` checks; an invalid file raises a ValueError. The header's fields are
    attributes. `tiles` and `blank` are masks."""

    def __init__(self, path):
        with open(path, "rb") as file:
            header = read_header(file.read(HEADER.size))
            found = os.fstat(file.fileno()).st_size
            expected = HEADER.size + header.payload_length
            require(found == expected, f"{found} bytes long, should be {expected}")
            super().__init__(header.width, header.height, header.kind, header.tiles)
            expected = self.rows * self.row_length
            require(header.entries == expected,
                    f"{header.entries} entries, should be {expected}")
            vars(self).update(vars(header))
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.goal_entry = self._entry(self.goal_cells, cells_of(self.blank)[0])

    @property
    def name(self):
        """The correct file name."""
        return name_of(self)

    def check_name(self, name):
        """Raises a ValueError unless this is the correct file name."""
        require(self.name == name, f"contains table {self.name}, not {name}")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._map.close()

    def check_payload(self):
        """Checks the SHA-256 of the payload. In u8 tables it also checks the histogram."""
        with memoryview(self._map) as whole, whole[HEADER.size:] as payload:
            check_sum("the payload", payload, self.payload_sum)
            used = self.entries * BITS[self.encoding] % 8
            require(not used or payload[-1] >> used == 0, "the bits after the last entry are not 0")
            if self.encoding == "u8":
                values = bytes(payload)
                counts = [values.count(value) for value in range(UNREACHED)]
                require(counts == self.histogram[:UNREACHED],
                        "the payload's values do not match the histogram")

    def code(self, entry):
        """The bits of an entry."""
        require(0 <= entry < self.entries, f"no entry {entry}")
        bits = BITS[self.encoding]
        byte = self._map[HEADER.size + entry * bits // 8]
        return byte >> entry * bits % 8 & (1 << bits) - 1

    def residue(self, entry):
        """The value (u8), or the value modulo 4 (one-bit) or 3 (mod-3). None if the entry is
        unreachable; one-bit tables do not mark unreachable entries."""
        code = self.code(entry)
        if self.encoding == "u8":
            return None if code == UNREACHED else code
        if self.encoding == "mod-3":
            return None if code == 0 else code - 1
        shape, _ = self.shape_and_blanks(entry // self.row_length)
        return 2 * code + (self.colour(shape) ^ self.colour(self.tiles))

    def value(self, entry):
        """Value of an entry, or None if it is unreachable."""
        if self.encoding == "u8":
            return self.residue(entry)
        if not self._is_possible(entry):
            return None
        value, passed = self._walk(entry, {self.goal_entry: 0}.get)
        return value + len(passed)

    def values(self):
        """Yields the values of all entries. In tables that are not u8, they are computed by
        `_walk`; each walk ends at the first entry that an earlier walk visited. This needs one byte
        of memory per entry."""
        if self.encoding == "u8":
            yield from map(self.value, range(self.entries))
            return
        known = bytearray([UNREACHED]) * self.entries
        known[self.goal_entry] = 0
        for entry in range(self.entries):
            if self._is_possible(entry):
                value, passed = self._walk(
                    entry, lambda e: None if known[e] == UNREACHED else known[e])
                for higher, e in enumerate(reversed(passed), 1):
                    known[e] = value + higher
            yield None if known[entry] == UNREACHED else known[entry]

    def _walk(self, entry, known):
        """Walks from an entry to the first entry for which `known` does not return None. Each step
        leads to a neighbour whose residue is one less. Returns the value from `known`, and the list
        of the earlier entries of the walk."""
        modulus = 3 if self.encoding == "mod-3" else 4
        passed = []
        while (value := known(entry)) is None:
            passed.append(entry)
            require(len(passed) <= self.max,
                    f"damaged: more than {self.max} steps from entry {passed[0]}")
            below = (self.residue(entry) - 1) % modulus
            entry = next((e for e in self.neighbours(entry) if self.residue(e) == below), None)
            require(entry is not None, f"damaged: a dead end at entry {passed[-1]}")
        require(value + len(passed) <= self.max,
                f"damaged: more than {self.max} steps to entry {entry}")
        return value, passed

    def _is_possible(self, entry):
        """Whether an entry is reachable. docs/format.md, "Encodings", describes the test."""
        if self.encoding != "one-bit":
            return self.residue(entry) is not None
        if self.k < self.cells - 2:
            return True
        return self._parity(*self._place(entry)) == self._parity(self.goal_cells, self.blank)

    def _parity(self, cells, blanks):
        """Parity of the permutation of tiles and blank, plus the blank's colour, modulo 2. No move
        changes this sum: a move swaps the blank with a neighbouring tile, which flips both the
        parity of the permutation and the blank's colour."""
        outside = (1 << self.cells) - 1 & ~mask_of(cells) & ~blanks
        blank, *other = cells_of(blanks) + cells_of(outside)
        inversions = sum(a > b for a, b in itertools.combinations([*cells, blank, *other], 2))
        return inversions % 2 ^ self.colour(1 << blank)


def print_facts(table, **more):
    """Prints fields of the header of a table or packed table, then those in `more`."""
    facts = {"tray": f"{table.width}x{table.height}", "kind": table.kind,
             "encoding": table.encoding, "tiles": " ".join(map(str, table.goal_cells)),
             "blank": " ".join(map(str, cells_of(table.blank))), **more}
    for name, fact in facts.items():
        print(f"{name:9} {fact}")


def main():
    """The command."""
    parser = argparse.ArgumentParser(description="Reads a table file.")
    parser.add_argument("file")
    parser.add_argument("--entries", action="store_true",
                        help="check the payload and print every value as CSV")
    arguments = parser.parse_args()
    try:
        with Table(arguments.file) as table:
            table.check_name(os.path.basename(arguments.file))
            if arguments.entries:
                table.check_payload()
                print("entry,value")
                for entry, value in enumerate(table.values()):
                    print(f"{entry},{'' if value is None else value}")
            else:
                print(f"name      {table.name}")
                print_facts(
                    table, entries=f"{table.entries}, {table.reached} of them reached",
                    payload=f"{table.payload_length} bytes, SHA-256 {table.payload_sum.hex()}",
                    max=table.max)
                for value, count in enumerate(table.histogram[:table.max + 1]):
                    print(f"{value:9} {count}")
    except BrokenPipeError:  # the reader of our output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        sys.exit(f"{arguments.file}: {error}")


if __name__ == "__main__":
    main()
