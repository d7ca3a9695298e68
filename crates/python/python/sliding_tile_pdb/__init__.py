"""Sliding-tile puzzles: shortest solutions with pattern databases.

>>> from sliding_tile_pdb import solve
>>> report = solve("8 6 7/2 5 4/3 0 1")
>>> report.length, report.proved
(31, True)

`Board` and `Goal` describe the puzzle. A `Solver` solves boards for one goal, with the tables of
this goal. A `Table` is one pattern database. Names and fields match the command line and its JSON
objects. Time options are in seconds; times in reports are in milliseconds (`ms`).
"""

from ._board import Board, Goal, invert, read_boards, scramble
from ._calls import Anytime, Progress, SolvedBoards, forget_solvers
from ._contract import (
    ComparisonRecord, Explanation, Hint, Iteration, LostStretch, Probe, ProbedPart, ProbedView,
    RatedMove, Rating, Report, Solvability, Step, Term, TileMove,
)
from ._errors import (
    CancelledError, InputError, LimitError, PuzzleError, TableError, TooLargeError, UnsolvableError,
)
from ._native import Cancel, Table, __version__, suites, unpack
from ._results import Result
from ._solver import (
    Solver, Suite, ask, build, compare, explain, heuristics, pack, solve, solve_many, verify,
)
from ._solver import load_suite as suite

__all__ = [
    "Anytime", "Board", "Cancel", "CancelledError", "ComparisonRecord", "Explanation", "Goal",
    "Hint", "InputError", "Iteration", "LimitError", "LostStretch", "Probe", "ProbedPart",
    "ProbedView", "Progress", "PuzzleError", "RatedMove", "Rating", "Report", "Result",
    "Solvability", "SolvedBoards", "Solver", "Step", "Suite", "Table", "TableError", "Term",
    "TileMove", "TooLargeError", "UnsolvableError", "__version__", "ask", "build", "compare",
    "explain", "forget_solvers", "heuristics", "invert", "pack", "read_boards", "scramble", "solve",
    "solve_many", "suite", "suites", "unpack", "verify",
]
