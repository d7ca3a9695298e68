#!/usr/bin/env python3
"""Tests of the jobs of scripts/bench.py, with a simulated clock and solver."""

import io
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measure import proofs
from measure.bench import Bench, Failed

# Numbers of the four boards with the fewest published nodes, fewest first.
EASIEST = [38, 40, 25, 32]
LENGTHS = {number: known for number, _, known, *_ in proofs.boards()}
NUMBERS = {board: number for number, board, *_ in proofs.boards()}
QUICK = dict.fromkeys(LENGTHS, 0)


class Solver(Bench):
    """Returns simulated reports; `needed` maps boards to seconds, 30 by default."""

    def __init__(self, needed):
        super().__init__(pathlib.Path("/none"), pathlib.Path("/none"), 1, io.StringIO())
        self.needed, self.commands, self.begun, self.now = needed, [], 0, 0

    def build(self, options):
        return 0

    def json(self, command, tables=None, codes=(0,)):
        board = command.split('"')[1]
        number, limit = NUMBERS[board], int(command.split("--max-time ")[1].split()[0])
        needed, known = self.needed.get(number, 30), LENGTHS[number]
        spent = min(needed, limit)
        self.now += spent
        self.commands.append((number, command))
        report = {"board": board, "status": "solved", "length": known, "bound": known,
                  "nodes": 1000 * spent, "expanded": 1, "ms": 1000 * spent,
                  "iterations": [{"bound": known - 6, "nodes": 105},
                                 {"bound": known - 4, "nodes": 1050},
                                 {"bound": known - 2, "nodes": 7000}]}
        if needed > limit:
            # The time limit ended the last iteration.
            report |= {"status": "limit", "bound": known - 2}
            del report["length"]
        return [report], {"seconds": spent, "cpu_seconds": spent, "peak_kib": 1, "floor_kib": 1}


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.enterContext(mock.patch.object(proofs, "DATA", pathlib.Path(folder.name)))

    def run_job(self, minutes, needed=(), board_minutes=9e9):
        """Returns the numbers of the boards in search order, and the last command."""
        solver = Solver(dict(needed))
        options = types.SimpleNamespace(minutes=minutes, board_minutes=board_minutes)
        with mock.patch.object(proofs.time, "monotonic", lambda: solver.now):
            proofs.prove(solver, options)
        return [number for number, _ in solver.commands], solver.commands[-1:]

    def table(self):
        return "\n".join(proofs.proofs({}))

    def test_next_run_continues_with_the_missing_boards(self):
        self.assertEqual(self.run_job(1)[0], EASIEST[:2])
        self.assertEqual(self.run_job(1)[0], EASIEST[2:])
        self.assertEqual([NUMBERS[board] for board in proofs.read()], EASIEST)
        self.assertIn("Proved: 4 of 50 boards", self.table())
        self.assertIn("- 0.824 G generated with 6-6-6-6 (Korf & Felner 2002)", self.table())

    def test_estimate_continues_the_growth_of_the_last_bounds(self):
        self.run_job(0.9, board_minutes=0.2)
        record = next(iter(proofs.read().values()))
        # Nodes of the completed iterations: 105 + 1,050, and of the ended one: at least 10,845.
        # Expected nodes of the last one: 105,000. Speed: 1,000 nodes/s.
        self.assertEqual(record["status"], "unfinished")
        self.assertEqual(record["estimate"], {"nodes": [12_000, 116_655], "seconds": [12, 117]})
        self.assertIn("38: 0.0 (unfinished, 94 to 96)", self.table())

    def test_unfinished_boards_are_retried_last(self):
        self.run_job(0.2)
        self.assertEqual(self.run_job(1.15, QUICK)[0][-2:], [50, 38])
        self.assertNotIn("(unfinished", self.table())

    def test_boards_are_retried_only_if_the_limit_exceeds_the_estimate(self):
        self.run_job(0.2)
        self.assertNotIn(38, self.run_job(1.05, QUICK)[0])
        self.assertEqual(self.run_job(1.05)[0], [])
        self.assertEqual(self.run_job(1.15)[0], [38])
        self.assertEqual(len(proofs.read()), 50)

    def test_wrong_length_fails_and_keeps_earlier_boards(self):
        with mock.patch.dict(LENGTHS, {40: 80}), self.assertRaises(Failed):
            self.run_job(60)
        self.assertEqual(list(map(NUMBERS.get, proofs.read())), EASIEST[:1])


if __name__ == "__main__":
    unittest.main()
