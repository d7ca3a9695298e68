#!/usr/bin/env python3
"""Unpacks packed tables. docs/format.md describes the format and the decoding. Needs only the
standard library. Written for clarity: it takes about ten microseconds per entry, so it suits only
small tables.

    unpack_table.py PATH              lists the tables
    unpack_table.py PATH DIRECTORY    writes the table files to a directory

PATH is one packed table (.pdbz), a manifest.json, or its directory. As a module:
Packed(data).frame(number) decodes only one frame, and Packed(data).table() returns the bytes of the
table file. read_manifest reads a manifest; unpack_listed unpacks one table and checks it against
its manifest.
"""

import argparse
import hashlib
import itertools
import json
import math
import os
import pathlib
import re
import struct
import sys

from read_table import (HEADER, MAGIC as TABLE_MAGIC, UNREACHED, Numbering, cells_of, check_sum,
                        has_blank, name_of, payload_length, permutation_of, print_facts, rank_of,
                        read_header, require, version_of)

PACKED_MAGIC = b"\x89PDZ\r\n\x1a\n"
FIELDS = struct.Struct("<8s II 8B II QQQ II II 32s II")
FRAME = struct.Struct("<Q 32s")
ROWS, PLAIN = 0, 1
PLAIN_FRAME = 1 << 24
BACK = (1, 2, 6, 24, 120)


# Probabilities t(0), t(1), ... that the model's codes stand for, in units of 1 / 2^14.
SHARES = [8192]
while len(SHARES) < 127:
    SHARES.append(max(1, SHARES[-1] - (SHARES[-1] // 16 if SHARES[-1] >= 32 else 1)))


class Decisions:
    """Decoder of the decisions of a frame."""

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
            x = x << 16 | next(self.words, 0)
        self.states[self.number % 2] = x
        self.number += 1
        return yes

    def finish(self):
        require(self.states == [1 << 16] * 2 and next(self.words, None) is None,
                "a frame does not end as it should")


class Packed(Numbering):
    """A packed table in memory. Invalid bytes raise a ValueError. The fields of the table's header
    are attributes."""

    def __init__(self, data):
        self.data = data
        require(data.startswith(PACKED_MAGIC),
                "not a packed table, or damaged by a copy in text mode")
        require(len(data) >= FIELDS.size + 32, f"cut short: {len(data)} bytes")
        (_, version, length, width, height, kind, encoding, order, self.method, self.fixed, zero_23,
         tiles, blank, entries, payload_bytes, file_length, max_, frames, model_length, zero_68,
         payload_sum, tiles_high, blank_high) = FIELDS.unpack_from(data)
        sum_ = data[length - 32:length] if FIELDS.size + 32 <= length <= len(data) else None
        check_sum("the header", data[:length - 32], sum_)
        require(version in (1, 2), f"version {version}; this reader knows versions 1 and 2")
        require(version == version_of(width, height),
                f"version {version} is not that of a {width}x{height} tray")
        require(file_length == len(data), f"{len(data)} bytes long, should be {file_length}")

        counts = FIELDS.size + 8 * (max_ + 1)
        require(max_ < UNREACHED and counts <= length, f"max is {max_}")
        histogram = struct.unpack_from(f"<{max_ + 1}Q", data, FIELDS.size)
        require(sum(histogram) < 1 << 64, "the histogram has too many entries")
        page = HEADER.pack(
            TABLE_MAGIC, version, HEADER.size, width, height, kind, encoding, order, bytes(3),
            tiles, blank, entries, sum(histogram), payload_bytes, max_, bytes(4), *histogram,
            *[0] * (UNREACHED - max_), payload_sum, tiles_high, blank_high, bytes(1912), bytes(32))
        self.header = page[:-32] + hashlib.sha256(page[:-32]).digest()
        header = read_header(self.header)
        require(header.entries // 4096 <= len(data),
                f"{header.entries} entries are too many for so few bytes")
        super().__init__(header.width, header.height, header.kind, header.tiles)
        expected = self.rows * self.row_length
        require(header.entries == expected, f"{header.entries} entries, should be {expected}")
        vars(self).update(vars(header))

        is_predicted = self.method == ROWS and self.kind != "runs"
        require(self.fixed <= max(self.k - 4, 0) if is_predicted
                else self.method == PLAIN and self.fixed == 0,
                f"method {self.method} with {self.fixed} fixed tiles is impossible")
        self.stretch = math.factorial(self.k - self.fixed)
        expected = self.row_length // self.stretch if is_predicted else (
            (self.payload_length + PLAIN_FRAME - 1) // PLAIN_FRAME)
        require(frames == expected, f"the number of frames, {frames}, should be {expected}")
        index = counts + (model_length + 7) // 8 * 8
        require(index + FRAME.size * frames + 32 == length, "the header's parts do not fill it")
        require(not (zero_23 or zero_68 or any(data[counts + model_length:index])),
                "a reserved byte is not 0")
        contexts = 256 if self.method == PLAIN else 4915
        self.model = self._read_model(data[counts:counts + model_length], contexts)
        self.frames, start = [], length
        for frame_length, sum_ in FRAME.iter_unpack(data[index:length - 32]):
            self.frames.append((start, start + frame_length, sum_))
            start += frame_length
        require(start == len(data), "the frames do not fill the file")
        self.header_length = length
        if self.method == ROWS:
            self._plan()

    @staticmethod
    def _read_model(model, contexts):
        bits, codes = model[:(contexts + 7) // 8], iter(model[(contexts + 7) // 8:])
        model = [8192] * contexts
        for context in range(8 * len(bits)):
            if bits[context // 8] >> context % 8 & 1:
                code = next(codes, 0)
                require(context < contexts and 1 <= code <= 254,
                        "the model has an impossible code")
                model[context] = SHARES[code - 1] if code < 128 else (1 << 14) - SHARES[code - 128]
        require(len(bits) == (contexts + 7) // 8 and next(codes, None) is None,
                "the model has a wrong length")
        return model

    def frame(self, number):
        """The entries of a frame, encoded as in the payload of a table file."""
        start, end, sum_ = self.frames[number]
        check_sum(f"frame {number}", self.data[start:end], sum_)
        decide = Decisions(self.data[start:end], self.model)
        if self.method == PLAIN:
            length = min(PLAIN_FRAME, self.payload_length - number * PLAIN_FRAME)
            plain = bytes(self._byte(decide) for _ in range(length))
            decide.finish()
            return plain
        rows = self._values(number, decide)
        decide.finish()
        values = [value for row in rows for value in row]
        if self.encoding == "u8":
            return bytes(values)
        values += [0] * (-len(values) % 8)
        bits = [value >> 1 & (value != UNREACHED) for value in values]
        return bytes(sum(bits[i + bit] << bit for bit in range(8)) for i in range(0, len(bits), 8))

    @staticmethod
    def _byte(decide):
        context = 1
        while context < 256:
            context = 2 * context + decide(context)
        return context - 256

    def payload(self):
        """The payload of the table, after checking its SHA-256."""
        frames = [self.frame(number) for number in range(len(self.frames))]
        if self.method == PLAIN or len(frames) == 1:
            payload = b"".join(frames)
        else:
            piece = payload_length(self.encoding, self.stretch)
            payload = b"".join(frame[row * piece:][:piece]
                               for row in range(self.rows) for frame in frames)
        check_sum("the payload", payload, self.payload_sum)
        return payload

    def table(self):
        """The bytes of the table file."""
        return self.header + self.payload()

    def _moves(self, row):
        """Yields the moves from the positions of a row, as triples (row, i, j). In a triple, `row`
        is the row after the move. Among the pattern's tiles in reading order, the moved tile has
        index `i` before the move and index `j` after it."""
        shape, blanks = self.shape_and_blanks(row)
        for hole in cells_of(blanks):
            for cell in itertools.chain.from_iterable(line[:1] for line in self.lines_from(hole)):
                if shape >> cell & 1:
                    after = shape & ~(1 << cell) | 1 << hole
                    i, j = cells_of(shape).index(cell), cells_of(after).index(hole)
                    yield self.row_of(after, cell), i, j
                elif has_blank(self.kind):
                    yield self.row_of(shape, cell), 0, 0

    def _plan(self):
        """Computes the moves from each row, and the decoding order of the rows."""
        self.moves = [list(self._moves(row)) for row in range(self.rows)]
        met = {}
        for first in range(self.rows):
            level = [] if first in met else [first]
            while level:
                met.update(dict.fromkeys(level))
                after = {row for before in level for row, i, j in self.moves[before]
                         if self._stays(i, j)}
                level = sorted(after - met.keys())
        self.order = list(met)

    def _stays(self, i, j):
        return i == j or min(i, j) >= self.fixed

    def _parity_of_row(self, row):
        shape, blanks = self.shape_and_blanks(row)
        if has_blank(self.kind):
            return self.colour(blanks) ^ self.colour(self.blank)
        return self.colour(shape) ^ self.colour(self.tiles)

    def _values(self, number, decide):
        """Decodes the values of a frame. Returns one list per row."""
        first = number * self.stretch
        self.orders = [permutation_of(first + entry, self.k) for entry in range(self.stretch)]
        self.images = {}
        values = [None] * self.rows
        for row in self.order:
            shape, _ = self.shape_and_blanks(row)
            parity = self._parity_of_row(row)
            floor = [self._floor(shape, order, parity) for order in self.orders]
            before = [move for move in self.moves[row]
                      if self._stays(*move[1:]) and values[move[0]] is not None]
            nearby = range(max(row - 24, 0), min(row + 25, self.rows))
            siblings = [other for other in nearby if values[other] is not None
                        and self.shape_and_blanks(other)[0] == shape
                        and self._parity_of_row(other) == parity]
            sibling = values[max(siblings)] if siblings else None
            if not before:
                values[row] = self._alone(floor, sibling, decide)
                continue
            left = len(self.moves[row]) - len(before)
            beside = list(zip(*([values[other][image] for image in self._images(i, j)]
                                for other, i, j in before)))
            place = 5 * (min(len(before), 4) - 1) + min(left, 4)
            if self.kind == "blank-compressed":
                values[row] = self._loose(place, beside, floor, decide)
            elif left == 0 and shape != self.tiles:
                values[row] = [min(min(near) + 1, 255) for near in beside]
            else:
                values[row] = self._by_one(place, beside, floor, sibling, decide)
        return values

    def _images(self, i, j):
        """Images of the entries of a stretch under a move."""
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
            floor += abs(cell % self.width - goal % self.width)
            floor += abs(cell // self.width - goal // self.width)
        return floor + (floor + parity) % 2

    @staticmethod
    def _sum(votes, entry, vote=lambda v: v):
        return sum(vote(votes[entry - back]) for back in BACK if entry >= back)

    @staticmethod
    def _open_entries(beside, floor):
        """Entries with two possible values. All neighbours of such an entry have the same value,
        and the entry's value is one more or one less."""
        return [entry for entry, near in enumerate(beside)
                if floor[entry] < min(near) == max(near) != UNREACHED]

    def _by_one(self, place, beside, floor, sibling, decide):
        values = [min(min(near) + 1, 255) for near in beside]
        votes = [1] * len(beside)
        for entry in self._open_entries(beside, floor):
            least = min(beside[entry])
            excess = min((least - floor[entry]) // 2, 3)
            relation = 0
            if sibling is not None:
                s = sibling[entry]
                relation = 1 + sum(s >= min(least + more, 255) for more in (-1, 1, 3))
            context = ((place * 4 + excess) * 5 + relation) * 11 + self._sum(votes, entry) + 5
            yes = decide(context)
            values[entry], votes[entry] = (least + 1, 1) if yes else (least - 1, -1)
        return values

    def _loose(self, place, beside, floor, decide):
        open_entries = self._open_entries(beside, floor)
        values, votes = [None] * len(beside), [1] * len(beside)
        for entry in sorted(set(range(len(beside))) - set(open_entries)):
            near = beside[entry]
            least = min(near)
            guess = max(min(least + 1, 255), floor[entry])
            spread = min((max(near) - least) // 2, 3) if least > floor[entry] else 0
            yes = decide(4400 + place * 12 + spread * 3 + min(near.count(least), 3) - 1)
            values[entry] = guess if yes else self._stray(guess, guess, decide)
        for entry in open_entries:
            least = min(beside[entry])
            excess = min((least - floor[entry]) // 2, 3)
            if decide((place * 4 + excess) * 5 * 11 + self._sum(votes, entry) + 5):
                values[entry] = least + 1
                continue
            votes[entry] = -1
            is_below = decide(4640 + excess)
            values[entry] = least - 1 if is_below else self._stray(least - 1, least + 1, decide)
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
                votes = self._sum(rises, entry, lambda earlier: (
                    0 if earlier is None else 1 if earlier > rise else -1))
                if not decide(4651 + (step * 6 + relation) * 11 + votes + 5):
                    break
                v, step = v + 2, min(step + 1, 3)
            values.append(v)
            rises.append(max((v - w) // 2, -127))
        return values


MANIFEST_FORMAT = "sliding-tile pattern databases, packed"
MAX_MANIFEST = 1 << 24


# Forms of the fields of objects. `int` stands for an integer of at least 0. A pattern stands for a
# text that matches it. A list with one form stands for lists whose items all have this form.
PLAIN_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
TRAY = re.compile(r"[1-9][0-9]*x[1-9][0-9]*")
PART = {"partition": int, "tiles": [int], "table": int}
PACKED = {"file": PLAIN_NAME, "length": int, "sha256": str}
TABLE = {"file": PLAIN_NAME, "length": int, "sha256": str, "format": int, "tray": TRAY,
         "kind": str, "encoding": str, "tiles": [int], "blank": [int], "entries": int,
         "reached": int, "max": int}
LISTED = {"packed": dict, "header": int, "frames": int, "table": dict}
MANIFEST = {"format": str, "version": int, "tray": TRAY, "goal": [int], "rebuild": str,
            "parts": [dict], "tables": [dict]}


def is_of_form(value, form):
    """Whether a JSON value has the form of a field."""
    if isinstance(form, list):
        return type(value) is list and all(is_of_form(item, form[0]) for item in value)
    if isinstance(form, re.Pattern):
        return type(value) is str and form.fullmatch(value)
    return type(value) is form and (form is not int or value >= 0)


def check_fields(found, forms, what):
    """Checks that an object has exactly the fields of `forms`, and that each field has its form."""
    for name in {**found, **forms}:
        require(name in found and name in forms and is_of_form(found[name], forms[name]),
                f"{what} in the manifest has a wrong, missing or unknown field {name}")


def read_manifest(data):
    """Parses a manifest and makes all checks that do not need the tables."""
    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError):
        manifest = None
    require(type(manifest) is dict and manifest.get("format") == MANIFEST_FORMAT,
            "not a manifest of packed tables")
    version = manifest.get("version")
    require(version == 2, f"manifest version {version}; this reader knows version 2")
    check_fields(manifest, MANIFEST, "an object")
    for listed in manifest["tables"]:
        check_fields(listed, LISTED, "a table")
        check_fields(listed["packed"], PACKED, "a packed file")
        check_fields(listed["table"], TABLE, "a table file")
    width, height = map(int, manifest["tray"].split("x"))
    goal = manifest["goal"]
    require(len(goal) == width * height and sorted(goal) == list(range(len(goal))),
            f"the manifest's goal is not a {manifest['tray']} board")
    for part in manifest["parts"]:
        check_fields(part, PART, "a part")
        require(part["table"] < len(manifest["tables"]), f"no table {part['table']}")
        cells = [goal.index(number) for number in part["tiles"] if 0 < number < len(goal)]
        table = manifest["tables"][part["table"]]["table"]
        require(cells == sorted(set(cells))
                and len(cells) == len(part["tiles"]) == len(table["tiles"]),
                f"table {part['table']} has no part of tiles {part['tiles']}")
    return manifest


def unpack_listed(listed, data):
    """Unpacks a table and checks it against its record in a manifest. Returns the table file."""
    said = listed["packed"]
    require(len(data) == said["length"],
            f"{said['file']} has {len(data)} bytes, should have {said['length']}")
    require(hashlib.sha256(data).hexdigest() == said["sha256"],
            f"{said['file']} does not have its SHA-256")
    packed = Packed(data)
    table, name = packed.table(), name_of(packed)
    found = {
        "packed": {"file": name + "z", "length": len(data), "sha256": said["sha256"]},
        "header": packed.header_length, "frames": len(packed.frames),
        "table": {
            "file": name, "length": len(table), "sha256": hashlib.sha256(table).hexdigest(),
            "format": version_of(packed.width, packed.height),
            "tray": f"{packed.width}x{packed.height}", "kind": packed.kind,
            "encoding": packed.encoding, "tiles": packed.goal_cells,
            "blank": cells_of(packed.blank), "entries": packed.entries, "reached": packed.reached,
            "max": packed.max}}
    require(found == listed, f"{said['file']} does not match its record in the manifest")
    return table


def packed_tables(path):
    """Reads the packed tables at a path. Returns one pair per table: its record in the manifest, or
    None without a manifest, and its packed bytes."""
    path = path / "manifest.json" if path.is_dir() else path
    data = path.read_bytes()
    if data.startswith(PACKED_MAGIC):
        return [(None, data)]
    require(len(data) <= MAX_MANIFEST, "not a manifest of packed tables")
    tables = read_manifest(data)["tables"]
    return [(listed, (path.parent / listed["packed"]["file"]).read_bytes()) for listed in tables]


def main():
    """The command."""
    parser = argparse.ArgumentParser(description="Unpacks packed tables.")
    parser.add_argument("path", type=pathlib.Path,
                        help="a packed table, or a directory with a manifest")
    parser.add_argument("directory", nargs="?", type=pathlib.Path,
                        help="directory for the table files")
    arguments = parser.parse_args()
    try:
        for listed, data in packed_tables(arguments.path):
            packed = Packed(data)
            if arguments.directory is None:
                print_facts(
                    packed, entries=packed.entries,
                    frames=f"{len(packed.frames)}, {packed.fixed} tiles fixed",
                    bytes=f"{len(packed.data)} for {HEADER.size + packed.payload_length}")
                continue
            table = unpack_listed(listed, data) if listed else packed.table()
            arguments.directory.mkdir(parents=True, exist_ok=True)
            file = arguments.directory / name_of(packed)
            # Renaming keeps an older file intact for processes that have mapped it.
            new = file.with_name(file.name + ".new")
            new.write_bytes(table)
            os.replace(new, file)
            print(file)
    except (OSError, ValueError, StopIteration, IndexError, struct.error) as error:
        sys.exit(f"{arguments.path}: {str(error) or 'damaged'}")


if __name__ == "__main__":
    main()
