#!/usr/bin/env python3
"""Unpacks packed tables (.pdbz): docs/format.md says what their bytes are and how values are found.
It needs the standard library only, is written for clearness and takes some ten microseconds an
entry: it suits small tables.

    unpack_table.py FILE.pdbz             prints what the header says
    unpack_table.py FILE.pdbz OUT.pdb     writes the table file

As a module: Packed(data).frame(number) is one frame alone, Packed(data).table() the bytes of the
table file.
"""

import argparse
import hashlib
import math
import struct
import sys

from read_table import (ENCODINGS, HEADER, KINDS, MAGIC, UNREACHED, Numbering, cells_of, permutation_of, rank_of, require,
                        size_of)

PACKED_MAGIC = b"\x89PDZ\r\n\x1a\n"
FIELDS = struct.Struct("<8s II 8B II QQQ II II 32s Q")
FRAME = struct.Struct("<Q 32s")
ROWS, PLAIN = 0, 1
PLAIN_FRAME = 1 << 24
BACK = (1, 2, 6, 24, 120)


def shares():
    """t(0), t(1), ... of the model's codes."""
    t = [8192]
    while len(t) < 127:
        t.append(max(1, t[-1] - (t[-1] // 16 if t[-1] >= 32 else 1)))
    return t


class Decisions:
    """The decisions of a frame."""

    def __init__(self, data, model):
        require(len(data) >= 8 and len(data) % 2 == 0, "a frame's length is impossible")
        self.states = list(struct.unpack_from("<II", data))
        self.words = iter(struct.unpack(f"<{len(data) // 2 - 4}H", data[8:]))
        self.model = model
        self.number = 0

    def __call__(self, context):
        p, x = self.model[context], self.states[self.number % 2]
        low = x % (1 << 14)
        yes = low < p
        x = (x >> 14) * p + low if yes else (x >> 14) * ((1 << 14) - p) + low - p
        if x < 1 << 16:
            x = x << 16 | next(self.words)
        self.states[self.number % 2] = x
        self.number += 1
        return yes

    def finish(self):
        require(self.states == [1 << 16] * 2 and next(self.words, None) is None, "a frame does not end as it should")


class Packed(Numbering):
    """A packed table in memory. Bad bytes are a ValueError."""

    def __init__(self, data):
        self.data = data
        require(data.startswith(PACKED_MAGIC) and len(data) >= FIELDS.size, "not a packed table")
        (_, version, length, width, height, kind, encoding, order, self.method, self.fixed, zero_23, tiles, self.blank,
         self.entries, self.payload_length, file_length, self.max, frames, model_length, zero_68, self.payload_sum,
         zero_104) = FIELDS.unpack_from(data)
        require(length <= len(data) and hashlib.sha256(data[:length - 32]).digest() == data[length - 32:length],
                "the header does not have its SHA-256")
        require(version == 1, f"version {version}; this reader knows version 1")
        require(file_length == len(data), f"{len(data)} bytes long, should be {file_length}")
        require(width >= 2 and height >= 2 and width * height <= 25, f"no such tray: {width}x{height}")
        require(kind < 3 and encoding < 2 and order == 1 and self.method < 2, "an unknown kind, encoding, order or method")
        require(not (zero_23 or zero_68 or zero_104), "a reserved byte is not 0")
        k = size_of(tiles)
        require(tiles < 1 << width * height and 1 <= k <= 12, f"no such set of tiles: {tiles:#x}")
        require(self.entries // 4096 <= len(data), f"{self.entries} entries are too many for so few bytes")
        require(self.entries >= math.comb(width * height, k) * math.factorial(k), "too few entries")
        self.encoding = ENCODINGS[encoding]
        super().__init__(width, height, KINDS[kind], tiles)
        require(self.entries == self.rows * self.row_length, "the entries are not those of the rows")
        counts = 112 + 8 * (self.max + 1)
        self.histogram = struct.unpack_from(f"<{self.max + 1}Q", data, 112)
        self.model = self._read_model(data[counts:counts + model_length], 256 if self.method == PLAIN else 4915)
        index = counts + (model_length + 7) // 8 * 8
        require(index + FRAME.size * frames + 32 == length, "the header's parts do not fill it")
        self.frames, start = [], length
        for frame_length, sum_ in FRAME.iter_unpack(data[index:length - 32]):
            self.frames.append((start, start + frame_length, sum_))
            start += frame_length
        require(start == len(data), "the frames do not fill the file")
        require(self.fixed == 0 or self.fixed <= self.k - 4, "too many tiles are fixed")
        self.stretch = math.factorial(self.k - self.fixed)
        if self.method == ROWS:
            require(frames == self.row_length // self.stretch, "the number of frames is wrong")
            self._plan()

    @staticmethod
    def _read_model(model, contexts):
        bits, codes = model[:(contexts + 7) // 8], iter(model[(contexts + 7) // 8:])
        t, model = shares(), [8192] * contexts
        for context in range(contexts):
            if bits[context // 8] >> context % 8 & 1:
                code = next(codes)
                model[context] = t[code - 1] if code < 128 else (1 << 14) - t[code - 128]
        require(next(codes, None) is None, "the model is too long")
        return model

    def frame(self, number):
        """A frame's entries end to end, encoded like a payload."""
        start, end, sum_ = self.frames[number]
        require(hashlib.sha256(self.data[start:end]).digest() == sum_, f"frame {number} does not have its SHA-256")
        decide = Decisions(self.data[start:end], self.model)
        if self.method == PLAIN:
            plain = bytes(self._byte(decide) for _ in range(min(PLAIN_FRAME, self.payload_length - number * PLAIN_FRAME)))
            decide.finish()
            return plain
        rows = self._values(number, decide)
        decide.finish()
        values = [value for row in rows for value in row]
        if self.encoding == "u8":
            return bytes(values)
        values += [0] * (-len(values) % 8)
        return bytes(sum((values[i + bit] >> 1 & 1) << bit for bit in range(8) if values[i + bit] != UNREACHED)
                     for i in range(0, len(values), 8))

    @staticmethod
    def _byte(decide):
        context = 1
        while context < 256:
            context = 2 * context + decide(context)
        return context - 256

    def payload(self):
        """The table's payload, checked against its sum."""
        frames = [self.frame(number) for number in range(len(self.frames))]
        if self.method == PLAIN or len(frames) == 1:
            payload = b"".join(frames)
        else:
            piece = self.stretch if self.encoding == "u8" else self.stretch // 8
            payload = b"".join(frame[row * piece:][:piece] for row in range(self.rows) for frame in frames)
        require(hashlib.sha256(payload).digest() == self.payload_sum, "the payload does not have its SHA-256")
        return payload

    def table(self):
        """The bytes of the table file."""
        payload = self.payload()
        histogram = list(self.histogram) + [0] * (256 - len(self.histogram))
        header = HEADER.pack(MAGIC, 1, HEADER.size, self.width, self.height, KINDS.index(self.kind),
                             ENCODINGS.index(self.encoding), 1, bytes(3), self.tiles, self.blank, self.entries,
                             sum(histogram), self.payload_length, self.max, bytes(4), *histogram, self.payload_sum,
                             bytes(1920), bytes(32))
        return header[:-32] + hashlib.sha256(header[:-32]).digest() + payload

    def _moves(self, row):
        """All moves out of a row: the row they lead to, and the reading positions before and
        after."""
        shape, class_ = self.shape_and_class(row)
        for hole in cells_of(self.classes(shape)[class_]):
            for cell in cells_of(self._adjacent(hole)):
                if shape >> cell & 1:
                    after = shape & ~(1 << cell) | 1 << hole
                    number = [blanks >> cell & 1 for blanks in self.classes(after)].index(1)
                    before = size_of(shape & (1 << cell) - 1)
                    yield self.row_of(after, number), before, size_of(after & (1 << hole) - 1)
                elif self.kind == "full":
                    number = [blanks >> cell & 1 for blanks in self.classes(shape)].index(1)
                    yield self.row_of(shape, number), 0, 0

    def _plan(self):
        """The order of the rows, and all moves out of each."""
        self.moves = [list(self._moves(row)) for row in range(self.rows)]
        self.order, met = [], set()
        for first in range(self.rows):
            level = [] if first in met else [first]
            met.add(first)
            while level:
                self.order += level
                after = {row for before in level for row, i, j in self.moves[before] if self._stays(i, j)} - met
                met |= after
                level = sorted(after)

    def _stays(self, i, j):
        return i == j or min(i, j) >= self.fixed

    def _parity_of_row(self, row):
        shape, class_ = self.shape_and_class(row)
        if self.kind == "full":
            return self._colour(self.classes(shape)[class_]) ^ self._colour(self.blank)
        return self._colour(shape) ^ self._colour(self.tiles)

    def _colour(self, mask):
        return sum(cell // self.width + cell % self.width for cell in cells_of(mask)) % 2

    def _values(self, number, decide):
        """The values of a frame, row by row."""
        first = number * self.stretch
        self.orders = [permutation_of(first + entry, self.k) for entry in range(self.stretch)]
        self.images = {}
        values = [None] * self.rows
        for row in self.order:
            shape, _ = self.shape_and_class(row)
            parity = self._parity_of_row(row)
            floor = [self._floor(shape, order, parity) for order in self.orders]
            before = [move for move in self.moves[row] if self._stays(*move[1:]) and values[move[0]] is not None]
            siblings = [other for other in range(row - 24, row + 25) if 0 <= other < self.rows and values[other] is not None
                        and self.shape_and_class(other)[0] == shape and self._parity_of_row(other) == parity]
            sibling = values[max(siblings)] if siblings else None
            if not before:
                values[row] = self._alone(floor, sibling, decide)
                continue
            left = len(self.moves[row]) - len(before)
            beside = [[values[other][image] for image in self._images(i, j)] for other, i, j in before]
            beside = list(zip(*beside))
            place = 5 * (min(len(before), 4) - 1) + min(left, 4)
            if self.kind == "blank-compressed":
                values[row] = self._loose(place, beside, floor, decide)
            elif left == 0 and shape != self.tiles:
                values[row] = [min(min(near) + 1, 255) for near in beside]
            else:
                values[row] = self._by_one(place, beside, floor, sibling, decide)
        return values

    def _images(self, i, j):
        """The image of each entry of a stretch under a move."""
        if (i, j) not in self.images:
            images = []
            for order in self.orders:
                moved = list(order)
                moved.insert(j, moved.pop(i))
                images.append(rank_of(moved) % self.stretch)
            self.images[i, j] = images
        return self.images[i, j]

    def _floor(self, shape, order, parity):
        floor = 0
        for cell, tile in zip(cells_of(shape), order):
            goal = self.goal_cells[tile]
            floor += abs(cell % self.width - goal % self.width) + abs(cell // self.width - goal // self.width)
        return floor + (floor + parity) % 2

    @staticmethod
    def _sum(votes, entry, vote=lambda v: v):
        return sum(vote(votes[entry - back]) for back in BACK if entry >= back)

    @staticmethod
    def _is_open(near, floor):
        return min(near) == max(near) and min(near) > floor and min(near) != UNREACHED

    def _by_one(self, place, beside, floor, sibling, decide):
        count = len(beside)
        is_open = [self._is_open(beside[entry], floor[entry]) for entry in range(count)]
        values = [min(min(near) + 1, 255) for near in beside]
        votes = [1] * count
        for entry in filter(is_open.__getitem__, range(count)):
            least = min(beside[entry])
            excess = min((least - floor[entry]) // 2, 3)
            relation = 0
            if sibling is not None:
                s = sibling[entry]
                relation = 1 + (s >= least - 1) + (s >= min(least + 1, 255)) + (s >= min(least + 3, 255))
            yes = decide(((place * 4 + excess) * 5 + relation) * 11 + self._sum(votes, entry) + 5)
            values[entry], votes[entry] = (least + 1, 1) if yes else (least - 1, -1)
        return values

    def _loose(self, place, beside, floor, decide):
        count = len(beside)
        is_open = [self._is_open(beside[entry], floor[entry]) for entry in range(count)]
        values, votes = [None] * count, [1] * count
        for entry in range(count):
            if is_open[entry]:
                continue
            near = beside[entry]
            least = min(near)
            guess = max(min(least + 1, 255), floor[entry])
            spread = min((max(near) - least) // 2, 3) if least > floor[entry] else 0
            yes = decide(4400 + place * 12 + spread * 3 + min(near.count(least), 3) - 1)
            values[entry] = guess if yes else self._stray(guess, guess, decide)
        for entry in filter(is_open.__getitem__, range(count)):
            least = min(beside[entry])
            excess = min((least - floor[entry]) // 2, 3)
            if decide((place * 4 + excess) * 5 * 11 + self._sum(votes, entry) + 5):
                values[entry] = least + 1
                continue
            votes[entry] = -1
            values[entry] = least - 1 if decide(4640 + excess) else self._stray(least - 1, least + 1, decide)
        return values

    @staticmethod
    def _stray(low, high, decide):
        first = True
        if decide(4644):
            v = min(high + 2, 255)
            while v < 253 and decide(4645 if first else 4646):
                v, first = v + 2, False
        else:
            v = max(low - 2, 0)
            while v >= 2 and not decide(4647 if first else 4648):
                v, first = v - 2, False
        return v

    def _alone(self, floor, sibling, decide):
        values, rises = [], []
        for entry in range(len(floor)):
            if self.k >= self.cells - 2:
                order = permutation_of(entry, self.k - self.fixed)
                odd = sum(a > b for i, a in enumerate(order) for b in order[i + 1:]) % 2
                if decide(4649 + odd):
                    values.append(UNREACHED)
                    rises.append(None)
                    continue
            v = floor[entry]
            w = floor[entry] if sibling is None else sibling[entry]
            step = 0
            while v < 253:
                rise = max((v - w) // 2, -127)
                relation = 0 if sibling is None else min(max(3 + rise, 1), 5)
                votes = self._sum(rises, entry, lambda earlier: 0 if earlier is None else 1 if earlier > rise else -1)
                if not decide(4651 + (step * 6 + relation) * 11 + votes + 5):
                    break
                v, step = v + 2, min(step + 1, 3)
            values.append(v)
            rises.append(max((v - w) // 2, -127))
        return values


def main():
    """The command."""
    parser = argparse.ArgumentParser(description="Unpacks a packed table.")
    parser.add_argument("packed")
    parser.add_argument("table", nargs="?", help="the table file to write")
    arguments = parser.parse_args()
    try:
        with open(arguments.packed, "rb") as file:
            packed = Packed(file.read())
        if arguments.table:
            table = packed.table()
            with open(arguments.table, "wb") as file:
                file.write(table)
        else:
            print(f"tray      {packed.width}x{packed.height}")
            print(f"kind      {packed.kind}")
            print(f"encoding  {packed.encoding}")
            print(f"tiles     {' '.join(map(str, packed.goal_cells))}")
            print(f"blank     {' '.join(map(str, cells_of(packed.blank)))}")
            print(f"entries   {packed.entries}")
            print(f"frames    {len(packed.frames)}, {packed.fixed} tiles fixed")
            print(f"bytes     {len(packed.data)} for {HEADER.size + packed.payload_length}")
    except (OSError, ValueError, StopIteration, IndexError, struct.error) as error:
        sys.exit(f"{arguments.packed}: {str(error) or 'damaged'}")


if __name__ == "__main__":
    main()
