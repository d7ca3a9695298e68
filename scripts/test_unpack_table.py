#!/usr/bin/env python3
"""Compares unpack_table.py with what pdb-gen packs.

    python3 scripts/test_unpack_table.py

PDB_GEN is the command that packs the tables; without it, cargo runs the one of this repository."""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import unpack_table
from unpack_table import Packed

ROOT = pathlib.Path(__file__).resolve().parent.parent
PDB_GEN = shlex.split(os.environ.get("PDB_GEN", "cargo run --release --quiet --bin pdb-gen --"))

# Every kind and encoding, one and several frames, and patterns that leave one or two cells free: of
# those half of the entries have no position, and the blank-compressed ones are packed plainly.
CHOICES = [
    "--size 3x3 --partition 5-3",
    "--size 3x3 --partition 5-3 --encoding u8",
    "--size 3x3 --partition 5-3 --kind full",
    "--size 3x3 --partition 5-3 --kind blank-compressed",
    "--size 3x3 --tiles 1,2,3,4,5 --fixed 1",
    "--size 3x3 --tiles 1,2,3,4,5,6 --fixed 2",
    "--size 3x2 --tiles 3,4,1,5",
    "--size 3x2 --tiles 3,4,1,5 --encoding u8",
    "--size 3x2 --tiles 3,4,1,5 --kind full",
    "--size 3x2 --tiles 3,4,1,5 --kind blank-compressed",
    "--size 2x2 --partition 3",
    "--size 4x4 --tiles 1,2,5",
    "--size 4x4 --tiles 1,2,5 --kind blank-compressed",
]


def pack(choice, directory):
    """Packs into a directory; the packed files, each with the table that it was made of."""
    out, tables = directory / "packed", directory / "tables"
    arguments = ["pack", *choice.split(), "--out", str(out), "--tables", str(tables), "--quiet"]
    subprocess.run([*PDB_GEN, *arguments], cwd=ROOT, check=True)
    return [(path, tables / path.name[:-1]) for path in sorted(out.glob("*.pdbz"))]


class Unpacking(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def test_every_form_comes_back(self):
        for number, choice in enumerate(CHOICES):
            with self.subTest(choice):
                pairs = pack(choice, self.scratch / str(number))
                self.assertTrue(pairs)
                for packed, table in pairs:
                    self.assertEqual(Packed(packed.read_bytes()).table(), table.read_bytes())

    def test_changed_bytes_are_refused(self):
        [(packed, _)] = pack("--size 3x3 --tiles 1,2,5", self.scratch)
        sound = packed.read_bytes()
        for at in range(0, len(sound), 7):
            changed = bytearray(sound)
            changed[at] ^= 1 << at % 8
            with self.assertRaises(ValueError, msg=f"byte {at}"):
                Packed(bytes(changed)).table()
        for length in 0, 16, 111, len(sound) - 1:
            with self.assertRaises(ValueError, msg=f"cut to {length}"):
                Packed(sound[:length]).table()

    def test_the_script(self):
        [(packed, table)] = pack("--size 3x3 --tiles 1,2,5", self.scratch)
        written = self.scratch / "written.pdb"

        def run(*arguments):
            command = [sys.executable, unpack_table.__file__, *map(str, arguments)]
            return subprocess.run(command, capture_output=True, text=True)

        self.assertIn("kind      zero-aware\n", run(packed).stdout)
        self.assertEqual(run(packed, written).returncode, 0)
        self.assertEqual(written.read_bytes(), table.read_bytes())
        refused = run(unpack_table.__file__)
        self.assertEqual((refused.returncode, refused.stdout, refused.stderr.count("\n")), (1, "", 1))


if __name__ == "__main__":
    unittest.main()
