"""Sliding-tile puzzles: shortest solutions by pattern databases.

>>> from sliding_tile_pdb import solve
>>> report = solve("8 6 7/2 5 4/3 0 1")
>>> report.length, report.optimal
(31, True)

A `Solver` keeps a goal and its tables, `Table` is one pattern database, `Board` and `Goal` are the
puzzle. Names, fields and words are those of the command line and of its JSON objects. Options of
time are in seconds; reports have `ms`.
"""

from . import _native
from ._errors import (
    CancelledError,
    InputError,
    LimitError,
    PuzzleError,
    TableError,
    TooLargeError,
    UnsolvableError,
)
from ._native import (
    Anytime,
    Board,
    Cancel,
    Goal,
    SolvedBoards,
    Solver,
    Table,
    build,
    compare,
    explain,
    heuristics,
    invert,
    pack,
    read_boards,
    scramble,
    suite,
    suites,
    unpack,
    verify,
)
from ._results import (
    ComparisonRecord,
    Explanation,
    Hint,
    Iteration,
    LostStretch,
    Probe,
    ProbedPart,
    ProbedView,
    Progress,
    RatedMove,
    Rating,
    Report,
    Result,
    Solvability,
    Step,
    Suite,
    Term,
    TileMove,
)
from ._solve import forget_solvers, solve, solve_many

__version__ = _native.__version__

__all__ = [
    "Anytime",
    "Board",
    "Cancel",
    "CancelledError",
    "ComparisonRecord",
    "Explanation",
    "Goal",
    "Hint",
    "InputError",
    "Iteration",
    "LimitError",
    "LostStretch",
    "Probe",
    "ProbedPart",
    "ProbedView",
    "Progress",
    "PuzzleError",
    "RatedMove",
    "Rating",
    "Report",
    "Result",
    "Solvability",
    "SolvedBoards",
    "Solver",
    "Step",
    "Suite",
    "Table",
    "TableError",
    "Term",
    "TileMove",
    "TooLargeError",
    "UnsolvableError",
    "__version__",
    "build",
    "compare",
    "explain",
    "forget_solvers",
    "heuristics",
    "invert",
    "pack",
    "read_boards",
    "scramble",
    "solve",
    "solve_many",
    "suite",
    "suites",
    "unpack",
    "verify",
]
