#!/usr/bin/env python3
"""Tests of unpack_table.py with tables that pdb-gen packs.

    python3 scripts/readers/test_unpack_table.py

PDB_GEN names the command that packs the tables; by default, cargo compiles and runs the pdb-gen of
this repository."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import unpack_table
from test_read_table import flipped, pdb_gen
from unpack_table import Packed, read_manifest, unpack_listed

# Options of pdb-gen pack: all kinds and encodings, one and several frames, and patterns that leave
# one or two cells free. In those, half of the entries are unreachable, and blank-compressed tables
# are packed with the plain method.
CHOICES = """
--size 3x3 --partition 5-3
--size 3x3 --partition 5-3 --encoding u8
--size 3x3 --partition 5-3 --kind full
--size 3x3 --partition 5-3 --kind blank-compressed
--size 3x3 --tiles 1,2,3,4,5 --fixed 1
--size 3x3 --tiles 1,2,3,4,5,6 --fixed 2
--size 3x2 --tiles 3,4,1,5
--size 3x2 --tiles 3,4,1,5 --encoding u8
--size 3x2 --tiles 3,4,1,5 --kind full
--size 3x2 --tiles 3,4,1,5 --kind blank-compressed
--size 2x2 --partition 3
--size 4x4 --tiles 1,2,5
--size 4x4 --tiles 1,2,5 --kind blank-compressed
--size 3x3 --metric multi --tiles 1,2,3,4
--size 3x3 --metric multi --tiles 1,2,3,4 --encoding u8
--size 8x8 --tiles 55,63
""".strip().splitlines()


def pack(choice, directory):
    """Packs into a directory. Returns the packed files, each with its original table."""
    out, tables = directory / "packed", directory / "tables"
    pdb_gen("pack", *choice.split(), "--out", out, tables=tables)
    return [(path, tables / path.name[:-1]) for path in sorted(out.glob("*.pdbz"))]


def damaged(sound, step):
    """Yields one copy of the data for every `step`th byte, with one bit of that byte changed."""
    return (flipped(sound, 8 * at + at % 8) for at in range(0, len(sound), step))


class Unpacking(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def rejected(self, read, *inputs):
        for number, data in enumerate(inputs):
            with self.assertRaises(ValueError, msg=f"input {number}"):
                read(data)

    def test_all_forms_are_unpacked_to_the_same_bytes(self):
        for number, choice in enumerate(CHOICES):
            with self.subTest(choice):
                pairs = pack(choice, self.scratch / str(number))
                self.assertTrue(pairs)
                manifest = read_manifest((pairs[0][0].parent / "manifest.json").read_bytes())
                listed = {listed["packed"]["file"]: listed for listed in manifest["tables"]}
                self.assertEqual(len(listed), len(pairs))
                for packed, table in pairs:
                    unpacked = unpack_listed(listed[packed.name], packed.read_bytes())
                    self.assertEqual(unpacked, table.read_bytes())

    def test_changed_bytes_are_rejected(self):
        [(packed, _)] = pack("--size 3x3 --tiles 1,2,5", self.scratch)
        sound = packed.read_bytes()
        cut = [sound[:length] for length in (0, 16, 111, len(sound) - 1)]
        self.rejected(lambda data: Packed(data).table(), *damaged(sound, 7), *cut)

    def test_the_manifest_is_checked(self):
        choice = "--size 2x3 --metric multi --partition 1,2,3/4,5"
        folder = pack(choice, self.scratch)[0][0].parent
        manifest = json.loads((folder / "manifest.json").read_bytes())
        packed = [(folder / listed["packed"]["file"]).read_bytes() for listed in manifest["tables"]]

        def changed(value):
            return value + [9] if isinstance(value, list) else value + type(value)("1")

        for listed, data in zip(manifest["tables"], packed):
            unpack_listed(listed, data)
            for part in listed, listed["packed"], listed["table"]:
                for name in part.keys() - {"packed", "table"}:
                    before = part[name]
                    part[name] = changed(before)
                    with self.assertRaises(ValueError, msg=name):
                        unpack_listed(listed, data)
                    part[name] = before
        read_manifest(json.dumps(manifest).encode())
        changes = ({"version": 1}, {"more": 1}, {"tray": "3x3"}, {"goal": [1, 2, 3, 4, 5, 5]},
                   {"parts": [{"partition": 0, "tiles": [2, 1, 3], "table": 0}]},
                   {"parts": [{"partition": 0, "tiles": [1, 2, 3], "table": 2}]},
                   {"tables": {}}, {"parts": [None]}, {"tables": [{}]})
        self.rejected(read_manifest, *(json.dumps({**manifest, **change}).encode()
                                       for change in changes))
        escape = json.dumps(manifest).replace("2x3-runs-0", "../2x3-runs-0")
        self.rejected(read_manifest, escape.encode(), b"{}", b"[" * 100_000, b"\xff", b"")

    def test_the_script(self):
        [(packed, table)] = pack("--size 3x3 --tiles 1,2,5", self.scratch)

        def run(*arguments):
            command = [sys.executable, unpack_table.__file__, *map(str, arguments)]
            return subprocess.run(command, capture_output=True, text=True)

        self.assertIn("kind      zero-aware\n", run(packed).stdout)
        for number, path in enumerate((packed, packed.parent, packed.parent / "manifest.json")):
            out = self.scratch / f"out{number}"
            self.assertEqual(run(path, out).returncode, 0)
            self.assertEqual([file.name for file in out.iterdir()], [table.name])
            self.assertEqual((out / table.name).read_bytes(), table.read_bytes())
        refused = run(unpack_table.__file__)
        lines = refused.stderr.count("\n")
        self.assertEqual((refused.returncode, refused.stdout, lines), (1, "", 1))


if __name__ == "__main__":
    unittest.main()
