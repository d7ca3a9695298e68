#!/usr/bin/env python3
"""Reads the table files of this project: docs/format.md says what their bytes are, docs/ranking.md
how their entries are numbered. It needs the standard library only, and is written for clearness: it
suits small tables.

    read_table.py FILE              prints what the header says
    read_table.py FILE --entries    prints every entry's value as CSV, none if unreachable

As a module, with tiles named by their goal cells:

    name, symmetry = stored_as(4, 4, "zero-aware", {9, 10, 13, 14}, 15)
    with Table(name) as table:
        table.check_payload()
        positions = {symmetry[goal]: symmetry[cell] for goal, cell in ...}
        value = table.value(table.locate(positions, symmetry[blank]))

A table inside a zstd frame has to be inflated first (zstd -d).
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

MAGIC = b"\x89PDB\r\n\x1a\n"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
HEADER = struct.Struct("<8s II 5B 3s II QQQ I 4s 256Q 32s 1920s 32s")
KINDS = ("zero-aware", "blank-compressed", "full")
ENCODINGS = ("u8", "one-bit")
UNREACHED = 255


def require(condition, complaint):
    """Raises a ValueError with the complaint unless the condition holds."""
    if not condition:
        raise ValueError(complaint)


def mask_of(cells):
    """The set of these cells as a bit mask."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask):
    """The cells in a bit mask, in ascending order."""
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def size_of(mask):
    """The number of cells in a bit mask."""
    return bin(mask).count("1")


def masks_of_size(k, count):
    """The first `count` masks of k cells in ascending order."""
    mask = (1 << k) - 1
    for _ in range(count):
        yield mask
        lowest = mask & -mask
        carried = mask + lowest
        mask = carried | (mask ^ carried) // lowest >> 2


@functools.lru_cache(maxsize=4096)
def blank_classes(width, height, kind, shape):
    """The sets of cells outside the shape that the kind does not tell apart, as masks, class by
    class."""
    free = (1 << width * height) - 1 & ~shape
    if kind == "blank-compressed":
        return [free]
    if kind == "full":
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
    """The masks that the header's `blank` may be: blank-compressed tables have one region there,
    not all cells."""
    return blank_classes(width, height, "full" if kind == "full" else "zero-aware", tiles)


def rank_of(permutation):
    """The place of a permutation of 0..k-1 in lexicographic order."""
    rank = 0
    for i, p in enumerate(permutation):
        rank = rank * (len(permutation) - i) + len([q for q in permutation[i + 1:] if q < p])
    return rank


def permutation_of(rank, k):
    """The permutation of 0..k-1 at this place in lexicographic order."""
    left, permutation = list(range(k)), []
    for i in reversed(range(k)):
        digit, rank = divmod(rank, math.factorial(i))
        permutation.append(left.pop(digit))
    return permutation


def symmetries(width, height):
    """The tray's symmetries, the identity first, each a tuple that holds at index c the image of
    cell c."""
    upright = [range(start, start + width) for start in range(0, width * height, width)]
    for grid in [upright, list(zip(*upright))] if width == height else [upright]:
        for rows in grid, grid[::-1]:
            yield tuple(cell for row in rows for cell in row)
            yield tuple(cell for row in rows for cell in row[::-1])


def stored_as(width, height, kind, tiles, blank, encoding=None):
    """The name of the file for a pattern's goal cells and the blank's goal cell, and the symmetry
    that brings cells and goal cells into the file's orientation. Where several symmetries do, they
    give the same values."""
    require(kind in KINDS, f"no such kind: {kind}")
    require(blank not in tiles, f"the blank's goal cell {blank} is one of the tiles'")
    blank_cells = next(mask for mask in goal_classes(width, height, kind, mask_of(tiles)) if mask >> blank & 1)

    def images(symmetry):
        return mask_of(symmetry[c] for c in tiles), mask_of(symmetry[c] for c in cells_of(blank_cells))

    symmetry = min(symmetries(width, height), key=images)
    goal_cells, blank_cells = map(cells_of, images(symmetry))
    usual = "one-bit" if kind == "zero-aware" else "u8"
    unusual = f".{encoding}" if encoding not in (None, usual) else ""
    return f"{width}x{height}-{kind}-{'.'.join(map(str, goal_cells))}-blank{blank_cells[0]}{unusual}.pdb", symmetry


class Numbering:
    """The numbers of entries, of which nothing but tray, kind and tiles (a mask) decide.

    All shapes are listed, and in zero-aware tables their regions counted: a few seconds for a
    million shapes."""

    def __init__(self, width, height, kind, tiles):
        self.width, self.height, self.kind, self.tiles = width, height, kind, tiles
        self.cells = width * height
        self.goal_cells = cells_of(tiles)
        self.k = len(self.goal_cells)
        self.row_length = math.factorial(self.k)
        self._shapes = array.array("I", masks_of_size(self.k, math.comb(self.cells, self.k)))
        counts = (len(self.classes(shape)) for shape in self._shapes)
        self._first_rows = array.array("I", itertools.accumulate(counts, initial=0))
        self.rows = self._first_rows.pop()

    def classes(self, shape):
        """The classes of a shape, for each the mask of the cells where the blank may be."""
        return blank_classes(self.width, self.height, self.kind, shape)

    def row_of(self, shape, class_):
        """The row of a shape (its mask) and a class (its number)."""
        return self._first_rows[bisect.bisect_left(self._shapes, shape)] + class_

    def shape_and_class(self, row):
        """The shape (its mask) and the class (its number) of a row."""
        number = bisect.bisect_right(self._first_rows, row) - 1
        return self._shapes[number], row - self._first_rows[number]

    def locate(self, positions, blank):
        """The entry of a position: `positions` maps each tile of the pattern, by its goal cell, to
        its cell."""
        require(sorted(positions) == self.goal_cells, f"the pattern's tiles are {self.goal_cells}")
        cells = [positions[goal] for goal in self.goal_cells]
        require(len({*cells, blank}) == self.k + 1, "two tiles, or a tile and the blank, are on one cell")
        require(all(0 <= cell < self.cells for cell in [*cells, blank]), f"cells are 0 to {self.cells - 1}")
        return self._entry(cells, blank)

    def place(self, entry):
        """The way back: the tiles' cells as in `locate`, and the mask of the cells where the blank
        may be."""
        cells, blanks = self._place(entry)
        return dict(zip(self.goal_cells, cells)), blanks

    def neighbours(self, entry):
        """The entries that one move of a pattern's tile leads to."""
        cells, blanks = self._place(entry)
        for tile, source in enumerate(cells):
            for target in cells_of(blanks & self._adjacent(source)):
                yield self._entry(cells[:tile] + [target] + cells[tile + 1:], source)

    def _entry(self, cells, blank):
        shape = mask_of(cells)
        class_ = [blanks >> blank & 1 for blanks in self.classes(shape)].index(1)
        rank = rank_of(sorted(range(self.k), key=cells.__getitem__))
        return self.row_of(shape, class_) * self.row_length + rank

    def _place(self, entry):
        require(0 <= entry < self.rows * self.row_length, f"there is no entry {entry}")
        row, rank = divmod(entry, self.row_length)
        shape, class_ = self.shape_and_class(row)
        cells = [cell for _, cell in sorted(zip(permutation_of(rank, self.k), cells_of(shape)))]
        return cells, self.classes(shape)[class_]

    def _adjacent(self, cell):
        beside = [c for c in (cell - 1, cell + 1) if c // self.width == cell // self.width]
        above_below = [c for c in (cell - self.width, cell + self.width) if 0 <= c < self.cells]
        return mask_of(beside + above_below)


class Table(Numbering):
    """A table file, mapped into memory. Opening it makes all checks except that of the payload's
    checksum, which is `check_payload`; a bad file is a ValueError. The header's fields are
    attributes, `tiles` and `blank` masks."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._read_header(file.read(HEADER.size), os.fstat(file.fileno()).st_size)
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.goal_entry = self._entry(self.goal_cells, cells_of(self.blank)[0])

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._map.close()

    def _read_header(self, header, file_length):
        require(not header.startswith(ZSTD_MAGIC), "a zstd frame: inflate it first (zstd -d)")
        require(header.startswith(MAGIC), "not a table file, or one that a copy in text mode has changed")
        require(len(header) == HEADER.size, f"cut short: {file_length} bytes, less than a header")
        (_, version, header_length, width, height, kind, encoding, order, zeros_21, tiles, self.blank, self.entries,
         self.reached, self.payload_length, self.max, zeros_60, *self.histogram, self.payload_sum, zeros_2144,
         header_sum) = HEADER.unpack(header)
        require(version == 1, f"format version {version}; this reader knows version 1")
        require(hashlib.sha256(header[:-32]).digest() == header_sum, "the header does not have its SHA-256")
        require(header_length == HEADER.size, f"header length {header_length}, should be {HEADER.size}")
        require(width >= 2 and height >= 2 and width * height <= 25, f"no such tray: {width}x{height}")
        require(kind < len(KINDS), f"unknown kind {kind}")
        require(encoding < len(ENCODINGS), f"unknown encoding {encoding}")
        kind, self.encoding = KINDS[kind], ENCODINGS[encoding]
        require(self.encoding == "u8" or kind == "zero-aware", f"a {kind} table cannot be {self.encoding}")
        require(order == 1, f"unknown row order {order}")
        require(not any(zeros_21 + zeros_60 + zeros_2144), "a reserved byte is not 0")

        cells, k = width * height, size_of(tiles)
        require(tiles < 1 << cells and 1 <= k <= 12, f"no such set of tiles: {tiles:#x}")
        require(self.blank in goal_classes(width, height, kind, tiles),
                f"the blank's goal cells {self.blank:#x} do not go with the tiles {tiles:#x}")
        require(self.histogram[UNREACHED] == 0, "the histogram's last count is not 0")
        require(self.reached == sum(self.histogram), f"{self.reached} reached, but not by the histogram")
        require(1 <= self.reached <= self.entries, f"{self.reached} entries reached of {self.entries}")
        largest = max(h for h, count in enumerate(self.histogram) if count)
        require(self.max == largest, f"max is {self.max}, but the histogram's largest value {largest}")

        length = self.entries if self.encoding == "u8" else (self.entries + 7) // 8
        require(self.payload_length == length, f"payload length {self.payload_length}, should be {length}")
        require(file_length == HEADER.size + length, f"{file_length} bytes long, should be {HEADER.size + length}")
        # Every shape has a row at least. Only a file that is long enough for that has its rows
        # counted.
        least = math.comb(cells, k) * math.factorial(k)
        require(self.entries >= least, f"{self.entries} entries, should be {least} or more")
        super().__init__(width, height, kind, tiles)
        expected = self.rows * self.row_length
        require(self.entries == expected, f"{self.entries} entries, should be {expected}")

    def check_payload(self):
        """Compares the payload with its SHA-256."""
        with memoryview(self._map) as whole, whole[HEADER.size:] as payload:
            require(hashlib.sha256(payload).digest() == self.payload_sum, "the payload does not have its SHA-256")

    def bit(self, entry):
        """Bit 1 of the value of a one-bit table's entry."""
        require(self.encoding == "one-bit" and 0 <= entry < self.entries, f"there is no bit of entry {entry}")
        return self._map[HEADER.size + entry // 8] >> entry % 8 & 1

    def mod4(self, entry):
        """The value of a one-bit table's entry modulo 4. It means nothing if the entry is
        unreachable."""
        shape, _ = self.shape_and_class(entry // self.row_length)
        return 2 * self.bit(entry) + (self._colour(shape) ^ self._colour(self.tiles))

    def value(self, entry):
        """The value of an entry, or None if no position has it."""
        if self.encoding == "u8":
            require(0 <= entry < self.entries, f"there is no entry {entry}")
            byte = self._map[HEADER.size + entry]
            return None if byte == UNREACHED else byte
        if not self._is_possible(entry):
            return None
        value, passed = self._walk(entry, {self.goal_entry: 0}.get)
        return value + len(passed)

    def values(self):
        """The values of all entries in turn. In a one-bit table, walks end where another has been:
        this takes a byte of memory for each entry."""
        if self.encoding == "u8":
            yield from map(self.value, range(self.entries))
            return
        known = bytearray([UNREACHED]) * self.entries
        known[self.goal_entry] = 0
        for entry in range(self.entries):
            if self._is_possible(entry):
                value, passed = self._walk(entry, lambda e: None if known[e] == UNREACHED else known[e])
                for higher, e in enumerate(reversed(passed), 1):
                    known[e] = value + higher
            yield None if known[entry] == UNREACHED else known[entry]

    def _walk(self, entry, known):
        """Walks down to an entry with a known value (not None); returns that value and the list of
        entries passed."""
        passed = []
        while (value := known(entry)) is None:
            passed.append(entry)
            require(len(passed) <= self.max, f"damaged: more than {self.max} steps from entry {passed[0]}")
            below = (self.mod4(entry) - 1) % 4
            entry = next((near for near in self.neighbours(entry) if self.mod4(near) == below), None)
            require(entry is not None, f"damaged: a dead end at entry {passed[-1]}")
        require(value + len(passed) <= self.max, f"damaged: more than {self.max} steps to entry {entry}")
        return value, passed

    def _is_possible(self, entry):
        """Whether some position has this entry of a zero-aware table: always, unless there are at
        most two cells outside its shape. Then the whole position is known, up to moves of the
        blank, and has to have the goal's parity."""
        return self.k < self.cells - 2 or self._parity(*self._place(entry)) == self._parity(self.goal_cells, self.blank)

    def _parity(self, cells, blanks):
        """What no move changes: whether the order of all tiles and the blank is odd, plus the
        colour of the blank's cell. A move changes both, as it swaps the blank with a neighbouring
        tile."""
        blank, *other = cells_of(blanks) + cells_of((1 << self.cells) - 1 & ~mask_of(cells) & ~blanks)
        inversions = sum(a > b for a, b in itertools.combinations([*cells, blank, *other], 2))
        return inversions % 2 ^ self._colour(1 << blank)

    def _colour(self, mask):
        """The sum of the cells' checkerboard colours, modulo 2."""
        return sum(cell // self.width + cell % self.width for cell in cells_of(mask)) % 2


def print_facts(table):
    """Prints what the header says."""
    print(f"tray      {table.width}x{table.height}")
    print(f"kind      {table.kind}")
    print(f"encoding  {table.encoding}")
    print(f"tiles     {' '.join(map(str, table.goal_cells))}")
    print(f"blank     {' '.join(map(str, cells_of(table.blank)))}")
    print(f"entries   {table.entries}, {table.reached} of them reached")
    print(f"payload   {table.payload_length} bytes, SHA-256 {table.payload_sum.hex()}")
    print(f"max       {table.max}")
    for value, count in enumerate(table.histogram[:table.max + 1]):
        print(f"{value:9} {count}")


def main():
    """The command."""
    parser = argparse.ArgumentParser(description="Reads a table file.")
    parser.add_argument("file")
    parser.add_argument("--entries", action="store_true", help="check the payload and print every value as CSV")
    arguments = parser.parse_args()
    try:
        with Table(arguments.file) as table:
            if arguments.entries:
                table.check_payload()
                print("entry,value")
                for entry, value in enumerate(table.values()):
                    print(f"{entry},{'' if value is None else value}")
            else:
                print_facts(table)
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        sys.exit(f"{arguments.file}: {error}")


if __name__ == "__main__":
    main()
