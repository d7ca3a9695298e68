#!/usr/bin/env python3
"""Reads the table files of this project: docs/format.md says what their bytes are, docs/ranking.md
how their entries are numbered. Nothing but the standard library is used.

    read_table.py FILE              the facts of the header
    read_table.py FILE --entries    every entry's value as CSV, empty where no position has the entry

As a module:

    name, symmetry = stored_as(4, 4, "zero-aware", [14, 10, 11], 15)
    with Table(name) as table:
        table.check_payload()
        positions = {symmetry[goal]: symmetry[cell] for goal, cell in ...}
        print(table.value(table.locate(positions, symmetry[blank])))

Files inside a zstd frame have to be inflated first (zstd -d).
"""

import argparse
import array
import bisect
import functools
import hashlib
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
    return sum(1 << cell for cell in cells)


def cells_of(mask):
    """The cells in a bit mask, in ascending order."""
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def size_of(mask):
    """The number of cells in a bit mask."""
    return bin(mask).count("1")


@functools.lru_cache(maxsize=4096)
def regions(width, height, free):
    """The connected components of the free cells as masks, in order of their first cells."""
    first_column = mask_of(range(0, width * height, width))
    last_column = first_column << (width - 1)
    found = []
    while free:
        region, grown = 0, free & -free
        while region != grown:
            region = grown
            beside = (region & ~last_column) << 1 | (region & ~first_column) >> 1
            grown = (region | beside | region << width | region >> width) & free
        found.append(region)
        free &= ~region
    return tuple(found)


def blank_classes(width, height, kind, shape):
    """The sets of cells outside the shape that the kind tells apart as the blank's, class by class."""
    free = (1 << width * height) - 1 & ~shape
    if kind == "zero-aware":
        return regions(width, height, free)
    if kind == "full":
        return [1 << cell for cell in cells_of(free)]
    return [free]


def rank_of(permutation):
    """The place of a permutation of 0..k-1 in lexicographic order."""
    rank = 0
    for i, p in enumerate(permutation):
        smaller = sum(q < p for q in permutation[i + 1:])
        rank = rank * (len(permutation) - i) + smaller
    return rank


def permutation_of(rank, k):
    """The permutation of 0..k-1 at this place in lexicographic order."""
    left, permutation = list(range(k)), []
    for i in reversed(range(k)):
        digit, rank = divmod(rank, math.factorial(i))
        permutation.append(left.pop(digit))
    return permutation


def symmetries(width, height):
    """The tray's symmetries, each as a tuple that holds at index c the image of cell c. The identity is first."""
    for transpose in (False, True)[:1 + (width == height)]:
        for flip_rows in (False, True):
            for flip_columns in (False, True):
                images = []
                for cell in range(width * height):
                    row, column = divmod(cell, width)
                    if flip_rows:
                        row = height - 1 - row
                    if flip_columns:
                        column = width - 1 - column
                    if transpose:
                        row, column = column, row
                    images.append(row * width + column)
                yield tuple(images)


def stored_as(width, height, kind, tiles, blank, encoding=None):
    """The name of the file for a pattern of these goal cells and the blank's goal cell, and the symmetry that brings
    cells and goal cells into the file's orientation. Where several do, any is right, and the first one is given."""
    require(kind in KINDS, f"no such kind: {kind}")
    require(blank not in tiles, "the blank's goal cell is one of the tiles'")
    if kind == "full":
        goal_region = [blank]
    else:
        parts = regions(width, height, (1 << width * height) - 1 & ~mask_of(tiles))
        goal_region = next(cells_of(part) for part in parts if part >> blank & 1)

    def images(symmetry):
        return mask_of(symmetry[c] for c in tiles), mask_of(symmetry[c] for c in goal_region)

    symmetry = min(symmetries(width, height), key=images)
    tiles_mask, blank_mask = images(symmetry)
    usual = "one-bit" if kind == "zero-aware" else "u8"
    other = f".{encoding}" if encoding not in (None, usual) else ""
    numbers = ".".join(map(str, cells_of(tiles_mask)))
    return f"{width}x{height}-{kind}-{numbers}-blank{cells_of(blank_mask)[0]}{other}.pdb", symmetry


class Numbering:
    """The entries of a kind of table for a pattern, by number (docs/ranking.md). `tiles` is the pattern's mask.

    Zero-aware tables have the regions of every shape counted here: about a second for 200,000 shapes."""

    def __init__(self, width, height, kind, tiles):
        self.width, self.height, self.kind, self.tiles = width, height, kind, tiles
        self.cells = width * height
        self.goal_cells = cells_of(tiles)
        self.k = len(self.goal_cells)
        self.row_length = math.factorial(self.k)
        self.shapes = math.comb(self.cells, self.k)
        if kind == "zero-aware":
            self._first_rows = array.array("I", [0])
            shape = (1 << self.k) - 1
            for _ in range(self.shapes):
                self._first_rows.append(self._first_rows[-1] + len(self.classes(shape)))
                lowest = shape & -shape  # on to the next larger mask with as many cells
                carried = shape + lowest
                shape = carried | ((shape ^ carried) // lowest >> 2)
        else:
            per_shape = self.cells - self.k if kind == "full" else 1
            self._first_rows = range(0, per_shape * self.shapes + 1, per_shape)
        self.rows = self._first_rows[self.shapes]

    def classes(self, shape):
        """The classes of a shape: for each the mask of the cells where the blank may be."""
        return blank_classes(self.width, self.height, self.kind, shape)

    def shape_number(self, shape):
        """The number of the shape with this mask."""
        return sum(math.comb(cell, i) for i, cell in enumerate(cells_of(shape), 1))

    def shape_mask(self, number):
        """The mask of the shape with this number."""
        shape, cell = 0, self.cells
        for i in range(self.k, 0, -1):
            cell = next(c for c in reversed(range(cell)) if math.comb(c, i) <= number)
            number -= math.comb(cell, i)
            shape |= 1 << cell
        return shape

    def row_of(self, shape, class_):
        """The row of a shape (its mask) and a class."""
        return self._first_rows[self.shape_number(shape)] + class_

    def shape_and_class(self, row):
        """The shape (its mask) and the class of a row."""
        number = bisect.bisect_right(self._first_rows, row) - 1
        return self.shape_mask(number), row - self._first_rows[number]

    def locate(self, positions, blank):
        """The entry of a position: `positions` maps each tile of the pattern, by its goal cell, to its cell."""
        require(sorted(positions) == self.goal_cells, f"the pattern's tiles are {self.goal_cells}")
        cells = [positions[goal] for goal in self.goal_cells]
        taken = {*cells, blank}
        require(len(taken) == self.k + 1, "two things on one cell")
        require(taken <= set(range(self.cells)), f"cells are 0 to {self.cells - 1}")
        return self._entry(cells, blank)

    def place(self, entry):
        """The way back: the tiles' cells as in `locate`, and the set of cells where the blank may be, as a mask."""
        cells, where = self._place(entry)
        return dict(zip(self.goal_cells, cells)), where

    def neighbours(self, entry):
        """The entries that one move of a pattern's tile leads to; in zero-aware tables all that h differs by one in."""
        cells, where = self._place(entry)
        for tile, source in enumerate(cells):
            for target in self._adjacent(source):
                if where >> target & 1:
                    yield self._entry(cells[:tile] + [target] + cells[tile + 1:], source)

    def _entry(self, cells, blank):
        shape = mask_of(cells)
        class_ = next(i for i, where in enumerate(self.classes(shape)) if where >> blank & 1)
        rank = rank_of(sorted(range(self.k), key=cells.__getitem__))
        return self.row_of(shape, class_) * self.row_length + rank

    def _place(self, entry):
        require(0 <= entry < self.rows * self.row_length, f"entries are 0 to {self.rows * self.row_length - 1}")
        row, rank = divmod(entry, self.row_length)
        shape, class_ = self.shape_and_class(row)
        cells = [cell for _, cell in sorted(zip(permutation_of(rank, self.k), cells_of(shape)))]
        return cells, self.classes(shape)[class_]

    def _adjacent(self, cell):
        row, column = divmod(cell, self.width)
        if row > 0:
            yield cell - self.width
        if column > 0:
            yield cell - 1
        if column < self.width - 1:
            yield cell + 1
        if row < self.height - 1:
            yield cell + self.width


class Table(Numbering):
    """A table file, mapped into memory. Opening it makes all checks but that of the payload's sum, which is
    `check_payload`; a bad file is a ValueError. The header's fields are attributes (`tiles` and `blank` are masks)."""

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
        require(not header.startswith(ZSTD_MAGIC), "a zstd frame, not a table: inflate it first (zstd -d)")
        require(header.startswith(MAGIC), "not a table file, or one changed by a copy in text mode")
        require(len(header) == HEADER.size, f"cut short: {file_length} bytes are less than a header")
        (_, version, header_length, width, height, kind, encoding, order, zeros_21, tiles, blank, self.entries,
         self.reached, self.payload_length, self.max, zeros_60, *self.histogram, self.payload_sum, zeros_2144,
         header_sum) = HEADER.unpack(header)
        require(version == 1, f"format version {version}, this reader knows 1")
        require(hashlib.sha256(header[:-32]).digest() == header_sum, "the header does not have its SHA-256")
        require(header_length == HEADER.size, f"header length {header_length}, not {HEADER.size}")
        require(width >= 2 and height >= 2 and width * height <= 25, f"no such tray: {width}x{height}")
        require(kind < len(KINDS), f"unknown kind {kind}")
        require(encoding < len(ENCODINGS), f"unknown encoding {encoding}")
        kind, self.encoding = KINDS[kind], ENCODINGS[encoding]
        require(self.encoding == "u8" or kind == "zero-aware", f"no {kind} table is {self.encoding}")
        require(order == 1, f"unknown row order {order}")
        require(not any(zeros_21 + zeros_60 + zeros_2144), "a reserved byte is not 0")

        k = size_of(tiles)
        require(tiles < 1 << width * height and 1 <= k <= 12, f"no such set of tiles: {tiles:#x}")
        require(blank != 0 and blank < 1 << width * height, f"no such set of goal cells of the blank: {blank:#x}")
        parts = blank_classes(width, height, "full" if kind == "full" else "zero-aware", tiles)
        require(blank in parts, f"the blank's goal {blank:#x} is not a {'cell' if kind == 'full' else 'region'} "
                f"outside of the tiles {tiles:#x}")
        self.blank = blank

        require(self.histogram[UNREACHED] == 0, "the histogram's last count is not 0")
        require(self.reached == sum(self.histogram), "`reached` is not the sum of the histogram")
        require(1 <= self.reached <= self.entries, f"{self.reached} of {self.entries} entries reached")
        largest = max(h for h, count in enumerate(self.histogram) if count)
        require(self.max == largest, f"max is {self.max}, the histogram's largest value {largest}")

        # The file's length comes before the rows: counting them is the only thing that takes time and memory.
        length = self.entries if self.encoding == "u8" else (self.entries + 7) // 8
        require(self.payload_length == length, f"payload length {self.payload_length}, should be {length}")
        require(file_length == HEADER.size + length, f"{file_length} bytes long, should be {HEADER.size + length}")
        least = math.comb(width * height, k) * math.factorial(k)
        require(self.entries >= least, f"{self.entries} entries, should be at least {least}")
        super().__init__(width, height, kind, tiles)
        expected = self.rows * self.row_length
        require(self.entries == expected, f"{self.entries} entries, should be {expected}")

    def check_payload(self):
        """Compares the payload with its SHA-256."""
        with memoryview(self._map) as whole, whole[HEADER.size:] as payload:
            require(hashlib.sha256(payload).digest() == self.payload_sum, "the payload does not have its SHA-256")

    def byte(self, entry):
        """The byte of a u8 table's entry."""
        require(self.encoding == "u8" and 0 <= entry < self.entries, f"no byte of entry {entry}")
        return self._map[HEADER.size + entry]

    def bit(self, entry):
        """Bit 1 of the value of a one-bit table's entry."""
        require(self.encoding == "one-bit" and 0 <= entry < self.entries, f"no bit of entry {entry}")
        return self._map[HEADER.size + entry // 8] >> entry % 8 & 1

    def mod4(self, entry):
        """The value of a one-bit table's entry modulo 4. Means nothing where no position has the entry."""
        shape, _ = self.shape_and_class(entry // self.row_length)
        return 2 * self.bit(entry) + (self._colour(shape) ^ self._colour(self.tiles))

    def value(self, entry):
        """The value of an entry, or None if no position can have it."""
        if self.encoding == "u8":
            byte = self.byte(entry)
            return None if byte == UNREACHED else byte
        if not self._has_position(entry):
            return None
        start, trail = self._walk(entry, {self.goal_entry: 0}.get)
        return start + len(trail)

    def values(self):
        """The values of all entries in turn. Keeps those of a one-bit table, so that no way is walked twice."""
        if self.encoding == "u8":
            yield from map(self.value, range(self.entries))
            return
        known = bytearray([UNREACHED]) * self.entries
        known[self.goal_entry] = 0
        for entry in range(self.entries):
            if not self._has_position(entry):
                yield None
                continue
            value, trail = self._walk(entry, lambda e: None if known[e] == UNREACHED else known[e])
            for passed in reversed(trail):
                value += 1
                known[passed] = value
            yield value

    def _walk(self, entry, known):
        """Walks down to an entry whose value is known (not None); gives that value and the entries passed."""
        trail = []
        while (value := known(entry)) is None:
            trail.append(entry)
            require(len(trail) <= self.max, f"damaged: from entry {trail[0]} it is more than max moves")
            below = (self.mod4(entry) - 1) % 4
            entry = next((near for near in self.neighbours(entry) if self.mod4(near) == below), None)
            require(entry is not None, f"damaged: no way down from entry {trail[-1]}")
        require(value + len(trail) <= self.max, f"damaged: from entry {(trail or [entry])[0]} it is more than max moves")
        return value, trail

    def _colour(self, mask):
        """The sum of the cells' checkerboard colours, modulo 2."""
        return sum(sum(divmod(cell, self.width)) for cell in cells_of(mask)) % 2

    def _has_position(self, entry):
        """Whether some position has this entry of a zero-aware table.

        With three cells or more outside the shape, all have one. With fewer the whole position is known, up to the
        blank's roaming: every move swaps the blank with a tile and changes the colour of its cell, so the cells as a
        permutation of the goal cells are odd just if the blank's cell and its goal cell differ in colour."""
        if self.k < self.cells - 2:
            return True
        cells, where = self._place(entry)
        everything = (1 << self.cells) - 1

        def all_cells(cells, blank):
            return cells + [blank] + cells_of(everything & ~mask_of(cells) & ~(1 << blank))

        blank, goal = cells_of(where)[0], cells_of(self.blank)[0]
        now, home = all_cells(cells, blank), all_cells(self.goal_cells, goal)
        swaps = 0
        for i, cell in enumerate(home):
            at = now.index(cell)
            if at != i:
                now[i], now[at] = now[at], now[i]
                swaps += 1
        return swaps % 2 == self._colour(1 << blank ^ 1 << goal)


def print_facts(table):
    """Prints what the header says."""
    print(f"tray      {table.width}x{table.height}")
    print(f"kind      {table.kind}")
    print(f"encoding  {table.encoding}")
    print(f"tiles     {' '.join(map(str, table.goal_cells))}")
    print(f"blank     {' '.join(map(str, cells_of(table.blank)))}")
    print(f"rows      {table.rows} of {table.row_length} entries")
    print(f"entries   {table.entries}, {table.reached} of them reached")
    print(f"payload   {table.payload_length} bytes, SHA-256 {table.payload_sum.hex()}")
    print(f"max       {table.max}")
    for h, count in enumerate(table.histogram[:table.max + 1]):
        print(f"{h:9} {count}")


def main():
    parser = argparse.ArgumentParser(description="Reads a table file.")
    parser.add_argument("file")
    parser.add_argument("--entries", action="store_true", help="check the payload and print all values as CSV")
    arguments = parser.parse_args()
    try:
        with Table(arguments.file) as table:
            if not arguments.entries:
                print_facts(table)
                return
            table.check_payload()
            print("entry,value")
            for entry, value in enumerate(table.values()):
                print(f"{entry},{'' if value is None else value}")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        sys.exit(f"{arguments.file}: {error}")


if __name__ == "__main__":
    main()
