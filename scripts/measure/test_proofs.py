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
LENGTHS = {number: known for number, _, known, *_ in proofs.boards("korf50_24")}
NUMBERS = {board: number for number, board, *_ in proofs.boards("korf50_24")}
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
                  "iterations": [{"bound": known - 6, "nodes": 90},
                                 {"bound": known - 6, "nodes": 100, "side": "goal"},
                                 {"bound": known - 4, "nodes": 1000, "side": "goal"},
                                 {"bound": known - 4, "nodes": 5000},
                                 {"bound": known - 2, "nodes": 7000, "side": "goal"}]}
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

    def run_job(self, minutes, needed=(), name="korf50_24", board_minutes=9e9, side=None):
        """Returns the numbers of the boards in search order, and the last command."""
        solver = Solver(dict(needed))
        options = types.SimpleNamespace(minutes=minutes, board_minutes=board_minutes, side=side)
        with mock.patch.object(proofs.time, "monotonic", lambda: solver.now):
            proofs.JOBS[name](solver, options)
        return [number for number, _ in solver.commands], solver.commands[-1:]

    def records(self, side=None):
        return proofs.read(proofs.results_file(side))

    def table(self, name="korf50_24"):
        return "\n".join(proofs.JOB_TABLES[name]({}))

    def test_next_run_continues_with_the_missing_boards(self):
        self.assertEqual(self.run_job(1)[0], EASIEST[:2])
        self.assertEqual(self.run_job(1)[0], EASIEST[2:])
        self.assertEqual([NUMBERS[board] for board in self.records()], EASIEST)
        self.assertIn("Proved: 4 of 50 boards", self.table())
        self.assertIn("- 0.824 G generated with 6-6-6-6 (Korf & Felner 2002)", self.table())

    def test_both_lists_share_boards(self):
        self.run_job(60)
        self.assertEqual(self.run_job(60, name="korf_taylor_1996")[0], [])
        self.assertIn("Proved: 10 of 10 boards", self.table("korf_taylor_1996"))

    def test_estimate_continues_the_growth_of_the_last_side(self):
        self.run_job(0.9, board_minutes=0.2)
        record = next(iter(self.records().values()))
        # Nodes of the completed iterations: 90 + 100 + 1,000 + 5,000. Expected nodes of the other
        # iterations: 10,000, and then at most 100,000 more. Speed: 1,000 nodes/s.
        self.assertEqual(record["status"], "unfinished")
        self.assertEqual(record["estimate"], {"nodes": [16_190, 116_190], "seconds": [16, 116]})
        self.assertIn("| 38 | unfinished, 94 to 96 | goal |", self.table())

    def test_unfinished_boards_are_retried_last(self):
        self.run_job(0.2)
        self.assertEqual(self.run_job(1.15, QUICK)[0][-2:], [50, 38])
        self.assertNotIn("unfinished", self.table())

    def test_boards_are_retried_only_if_the_limit_exceeds_the_estimate(self):
        self.run_job(0.2)
        self.assertNotIn(38, self.run_job(1.05, QUICK)[0])
        self.assertEqual(self.run_job(1.05)[0], [])
        self.assertEqual(self.run_job(1.15)[0], [38])
        self.assertEqual(len(self.records()), 50)

    def test_wrong_length_fails_and_keeps_earlier_boards(self):
        with mock.patch.dict(LENGTHS, {40: 80}), self.assertRaises(Failed):
            self.run_job(60)
        self.assertEqual(list(map(NUMBERS.get, self.records())), EASIEST[:1])

    def test_searches_from_one_side_have_a_separate_file(self):
        self.assertNotIn("--side", self.run_job(0.5)[1][0][1])
        self.assertIn(" --side goal ", self.run_job(0.5, side="goal")[1][0][1])
        self.assertEqual(len(self.records("goal")), 1)


if __name__ == "__main__":
    unittest.main()
