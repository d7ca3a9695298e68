"""Sliding-tile puzzles: shortest solutions with pattern databases.

Names and fields match the command line and its JSON objects (docs/json.md). Time options are in
seconds; times in reports are in milliseconds (`ms`).
"""

import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from .types import (
    BoardLike,
    Boards,
    Encoding,
    GoalLike,
    Kind,
    Metric,
    Mode,
    Moves,
    Notation,
    Path,
    ProgressLike,
    Side,
    Size,
)

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

__version__: str

# --- Errors -----------------------------------------------------------------------------------

class PuzzleError(Exception):
    """Base class of all errors of the package."""

    code: ClassVar[Literal["error", "unsolvable", "limit", "cancelled", "table", "memory"]]
    """The error code, the same as in the other frontends."""
    report: Report | None
    """The report of an unsolved board."""
    def __init__(self, message: str = ..., report: Report | None = None) -> None: ...

class InputError(PuzzleError, ValueError):
    """Invalid board, goal, moves or options."""

class UnsolvableError(PuzzleError):
    """The goal is not reachable; swapping the tiles `report.swap` makes it reachable."""

    report: Report

class LimitError(PuzzleError):
    """A limit of time or nodes was reached; `report.bound` is the bound proved until then."""

    report: Report

class CancelledError(PuzzleError):
    """The call was cancelled; after an anytime search, `report` contains the best solution."""

class TableError(PuzzleError):
    """A table is damaged, missing, or belongs to another puzzle."""

class TooLargeError(PuzzleError, MemoryError):
    """More memory is needed than is available."""

# --- Results ----------------------------------------------------------------------------------

class Result:
    """Base class of all results: frozen objects that can be compared and pickled.

    Fields are those of the object in docs/json.md; fields that do not apply are None. The functions
    of `dataclasses`, and pandas, accept results as dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    def __init__(self, **fields: Any) -> None: ...
    def __replace__(self, /, **changes: Any) -> Self: ...
    def to_dict(self) -> dict[str, Any]:
        """The `--json` object: plain values, without the fields that do not apply."""
    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Creates a result from fields, such as a line of `--json`. Unknown fields, such as those
        of a later version, are ignored."""
    __match_args__: ClassVar[tuple[str, ...]]
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...

@final
class Report(Result):
    """The outcome of a board: the object that `solver --json` prints. In a notebook, a report is
    shown as a drawing of the board."""

    @property
    def board(self) -> str | None:
        """The board, row by row; the input text if it is not a valid board."""
    @property
    def status(self) -> Literal["solved", "improved", "unsolvable", "limit", "error"]:
        """The outcome."""
    @property
    def mode(self) -> Mode | None:
        """The requested mode."""
    @property
    def length(self) -> int | None:
        """Length of the solution in the solver's metric."""
    @property
    def optimal(self) -> bool | None:
        """Whether the solution is proved to be shortest."""
    @property
    def proved(self) -> bool | None:
        """Same as `optimal`."""
    @property
    def method(self) -> Literal["search", "strategic", "beam", "window"] | None:
        """Method that found the solution."""
    @property
    def moves(self) -> str | None:
        """The moves of the solution, empty if the board is solved."""
    @property
    def steps(self) -> tuple[Step, ...] | None:
        """The steps of a strategic solution, with `explain=True`."""
    @property
    def count(self) -> int | None:
        """Number of shortest solutions."""
    @property
    def counts(self) -> tuple[int, ...] | None:
        """Number of solutions with 0, 1, ... moves more than a shortest solution."""
    @property
    def solutions(self) -> tuple[str, ...] | None:
        """The first solutions, shorter ones first."""
    @property
    def nodes(self) -> int | None:
        """Generated nodes of all iterations."""
    @property
    def expanded(self) -> int | None:
        """Expanded nodes."""
    @property
    def ms(self) -> float | None:
        """Time of the board's search alone, in milliseconds."""
    @property
    def h0(self) -> int | None:
        """The heuristic's value for the board."""
    @property
    def bound(self) -> int | None:
        """Proved lower bound of the length."""
    @property
    def iterations(self) -> tuple[Iteration, ...] | None:
        """The iterations of IDA*."""
    @property
    def threads(self) -> int | None:
        """Number of available search threads."""
    @property
    def tables(self) -> str | None:
        """Name of the partition."""
    @property
    def swap(self) -> tuple[int, int] | None:
        """For an unsolvable board: two tiles whose swap makes it solvable, the smaller first."""
    @property
    def reachable_goals(self) -> tuple[str, ...] | None:
        """For an unsolvable board: the names of other goals that it can reach."""
    @property
    def notes(self) -> tuple[str, ...] | None:
        """In a list: guesses about the form of the board's text."""
    @property
    def line(self) -> int | None:
        """The line of a list where the board starts, from 1."""
    @property
    def message(self) -> str | None:
        """Why there is no solution, or why the search ended."""
    def svg(self) -> str:
        """The board as SVG; a solution is animated."""

@final
class Iteration(Result):
    """One depth-first search of IDA*."""

    @property
    def bound(self) -> int:
        """Maximum path length of the iteration."""
    @property
    def nodes(self) -> int:
        """Generated nodes."""
    @property
    def expanded(self) -> int:
        """Expanded nodes."""
    @property
    def side(self) -> Literal["goal"] | None:
        """`goal` if the search started from the goal, else None."""

@final
class Step(Result):
    """A step of a strategic solution. Rows and columns count from 1."""

    @property
    def action(self) -> Literal["place", "corner", "finish", "slide"]:
        """Action of the step."""
    @property
    def tile(self) -> int | None:
        """For `place`: the tile."""
    @property
    def row(self) -> int | None:
        """For `place`: the row of the cell, from 1."""
    @property
    def column(self) -> int | None:
        """For `place`: the column of the cell, from 1."""
    @property
    def tiles(self) -> tuple[int, ...] | None:
        """For `corner` and `finish`: the tiles."""
    @property
    def length(self) -> int:
        """Number of moves."""
    @property
    def moves(self) -> str:
        """The moves of the step. The moves of all steps together are the solution."""

@final
class TileMove(Result):
    """One or several tiles that slide together."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles, the one next to the blank first."""
    @property
    def moves(self) -> str:
        """The move, in letters for the direction of the tile."""

@final
class Hint(Result):
    """A hint for a board: the object that `solver hint --json` prints."""

    @property
    def board(self) -> str:
        """The board."""
    @property
    def distance(self) -> int:
        """Length of the best known solution."""
    @property
    def bound(self) -> int:
        """Proved lower bound of the distance."""
    @property
    def exact(self) -> bool:
        """Whether `distance` is proved and `moves` contains all best moves."""
    @property
    def moves(self) -> tuple[TileMove, ...]:
        """The best moves: each starts a solution of length `distance`. Empty if the board is the
        goal."""
    @property
    def solution(self) -> str:
        """A solution of length `distance`, in letters for the direction of the tile."""
    @property
    def nodes(self) -> int:
        """Generated nodes of all searches."""
    @property
    def tables(self) -> str:
        """Name of the partition."""

@final
class RatedMove(Result):
    """A move of a game."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles that slid."""
    @property
    def moves(self) -> str:
        """The move, in letters for the direction of the tile."""
    @property
    def distance(self) -> int:
        """Distance to the goal after the move."""
    @property
    def bound(self) -> int:
        """Proved lower bound of that distance."""
    @property
    def kept(self) -> bool:
        """Whether the move stayed on a shortest solution."""
    @property
    def lost(self) -> int:
        """Excess moves that the move caused."""
    @property
    def better(self) -> TileMove | None:
        """A move that stays on a shortest solution, if this move does not."""

@final
class LostStretch(Result):
    """Consecutive moves, none of which stays on a shortest solution."""

    @property
    def first(self) -> int:
        """Number of the first move, from 1."""
    @property
    def last(self) -> int:
        """Number of the last move."""
    @property
    def lost(self) -> int:
        """Total number of excess moves."""

@final
class Rating(Result):
    """The rating of a game: the object that `solver rate --json` prints."""

    @property
    def board(self) -> str:
        """The initial board."""
    @property
    def moves(self) -> str:
        """The moves, as in the call."""
    @property
    def distance(self) -> int:
        """Distance of the initial board from the goal."""
    @property
    def bound(self) -> int:
        """Proved lower bound of the distance."""
    @property
    def exact(self) -> bool:
        """Whether all distances are proved."""
    @property
    def length(self) -> int:
        """Number of moves of the game."""
    @property
    def left(self) -> int:
        """Distance to the goal after the last move."""
    @property
    def kept(self) -> int:
        """Number of moves that stayed on a shortest solution."""
    @property
    def lost(self) -> int:
        """Excess moves: `length` + `left` - `distance`."""
    @property
    def credit(self) -> float:
        """Percentage of moves that stayed on a shortest solution."""
    @property
    def efficiency(self) -> float:
        """100 x distance / (length + left)."""
    @property
    def worst(self) -> LostStretch | None:
        """The stretch of moves with the greatest loss; None if no move was lost."""
    @property
    def steps(self) -> tuple[RatedMove, ...]:
        """The moves, one by one."""
    @property
    def nodes(self) -> int:
        """Generated nodes of all searches."""
    @property
    def tables(self) -> str:
        """Name of the partition."""

@final
class ProbedPart(Result):
    """A pattern of a view and its table entry."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles."""
    @property
    def table(self) -> str:
        """Name of the table."""
    @property
    def encoding(self) -> Encoding:
        """Encoding of the table's entries."""
    @property
    def symmetry(self) -> str:
        """The symmetry that maps the board to the table's orientation."""
    @property
    def file(self) -> str | None:
        """The table's file, if there is one."""
    @property
    def entry(self) -> int:
        """Index of the entry, from 0."""
    @property
    def stored(self) -> int:
        """Stored value of the entry."""
    @property
    def value(self) -> int:
        """The value that the stored entry stands for."""

@final
class ProbedView(Result):
    """A partition, or its image under a symmetry that keeps the goal's blank."""

    @property
    def partition(self) -> int:
        """Index of the requested partition, from 0."""
    @property
    def symmetry(self) -> str:
        """The symmetry that maps the partition to this view."""
    @property
    def kind(self) -> Kind:
        """Kind of the tables."""
    @property
    def sum(self) -> int:
        """Sum of the values of the parts."""
    @property
    def parts(self) -> tuple[ProbedPart, ...]:
        """The patterns."""

@final
class Probe(Result):
    """The table values for a board: the object that `solver probe --json` prints."""

    @property
    def board(self) -> str:
        """The board."""
    @property
    def tables(self) -> str:
        """Name of the partition."""
    @property
    def estimate(self) -> int:
        """Value of the heuristic, a lower bound of the length."""
    @property
    def table_free(self) -> int | None:
        """Value of the table-free heuristic, if it is used."""
    @property
    def views(self) -> tuple[ProbedView, ...]:
        """The partitions and their images. The estimate is the largest of their sums and
        `table_free`."""

@final
class Solvability(Result):
    """Whether a board is solvable. Its truth value is `solvable`."""

    @property
    def solvable(self) -> bool:
        """Whether the goal is reachable."""
    @property
    def message(self) -> str | None:
        """Why the goal is not reachable."""
    @property
    def swap(self) -> tuple[int, int] | None:
        """Two tiles whose swap makes the goal reachable, if one swap suffices; the smaller first.
        """
    @property
    def is_odd(self) -> bool | None:
        """Whether the arrangement is an odd number of swaps from the goal."""
    @property
    def blank_distance(self) -> int | None:
        """Distance of the blank from its goal cell, in moves."""
    @property
    def reachable_goals(self) -> tuple[str, ...] | None:
        """Names of other goals that the board can reach, if it is not solvable."""
    def __bool__(self) -> bool: ...

@final
class Term(Result):
    """A term of a heuristic's value."""

    @property
    def words(self) -> str:
        """Description, such as `tile 5: 2 moves from home`."""
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles of this term."""
    @property
    def value(self) -> int:
        """Value of the term."""

@final
class Explanation(Result):
    """The explained value of a heuristic on a board."""

    @property
    def heuristic(self) -> str:
        """Name."""
    @property
    def value(self) -> int:
        """Value for the board, a lower bound of the distance."""
    @property
    def is_largest(self) -> bool:
        """Whether no other heuristic has a larger value."""
    @property
    def is_consistent(self) -> bool:
        """Whether the values of neighbouring boards differ by at most the cost of a move."""
    @property
    def source(self) -> str:
        """Authors and publication."""
    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the value."""

@final
class ComparisonRecord(Result):
    """A search of a comparison: docs/json.md, "A search of a comparison"."""

    @property
    def set(self) -> str:
        """The set of boards: a suite's name, `random`, `walk-K` or `given`."""
    @property
    def size(self) -> str:
        """Columns x rows."""
    @property
    def goal(self) -> str:
        """The goal."""
    @property
    def number(self) -> int:
        """Number of the board in its set, from 1."""
    @property
    def board(self) -> str:
        """The board."""
    @property
    def search(self) -> str:
        """Name of the search."""
    @property
    def heuristic(self) -> str:
        """Name of the heuristic; `none` for searches without one."""
    @property
    def status(self) -> Literal["solved", "limit"]:
        """Whether the search found a solution."""
    @property
    def limit(self) -> Literal["nodes", "memory", "time"] | None:
        """The limit that ended the search."""
    @property
    def length(self) -> int | None:
        """Length of the solution."""
    @property
    def optimal_length(self) -> int | None:
        """Length of a shortest solution, if known."""
    @property
    def moves(self) -> str | None:
        """The solution, in letters for the direction of the tile."""
    @property
    def h0(self) -> int:
        """The heuristic's value for the board."""
    @property
    def generated(self) -> int:
        """Children of expanded nodes, except those that undo the last move."""
    @property
    def expanded(self) -> int:
        """Nodes whose children were generated."""
    @property
    def reopened(self) -> int:
        """Expanded nodes that were later reached by a shorter path."""
    @property
    def peak(self) -> int:
        """Maximum number of stored nodes."""
    @property
    def peak_bytes(self) -> int:
        """Memory of these `peak` nodes in bytes."""
    @property
    def branching_factor(self) -> float | None:
        """The effective branching factor."""
    @property
    def ms(self) -> float:
        """Time in milliseconds."""
    @property
    def iterations(self) -> tuple[dict[str, int], ...] | None:
        """For `ida-star`: objects with `bound`, `generated` and `expanded`."""

class Progress(int):
    """The work done since the last report, as a number for `tqdm.update`.

    It counts entries of tables that are built, verified or packed, nodes of a search, boards of a
    list, or searches of a comparison.
    """

    stage: str
    """The work: `build`, `verify`, `pack`, `unpack`, `search`, `boards`, `compare`."""
    done: int
    """Finished amount."""
    total: int | None
    """Total amount, if known; None in a search."""
    bound: int | None
    """For a search: the lower bound proved so far."""
    ms: float
    """Milliseconds since the call started."""
    def __new__(
        cls,
        step: int,
        stage: str = "search",
        done: int = 0,
        total: int | None = None,
        bound: int | None = None,
        ms: float = 0.0,
    ) -> Self: ...

# --- Boards -----------------------------------------------------------------------------------

@final
class Board:
    """An arrangement of numbered tiles and a blank. Immutable and hashable."""

    def __new__(cls, board: BoardLike, size: Size | None = None) -> Self: ...
    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers in reading order, 0 for the blank."""
    @property
    def size(self) -> str:
        """Columns x rows, such as `4x4`."""
    @property
    def columns(self) -> int:
        """Number of columns."""
    @property
    def rows(self) -> int:
        """Number of rows."""
    def apply(self, moves: Moves, notation: Notation | None = None) -> Board:
        """The board after these moves. By default their notation is detected."""
    def neighbours(self) -> dict[str, Board]:
        """The boards that are one move away, keyed by the letter of the move."""
    def convert(self, moves: Moves, to: Notation, notation: Notation | None = None) -> str:
        """Converts moves of this board to another notation."""
    def solvability(self, goal: GoalLike | None = None) -> Solvability:
        """Whether the goal is reachable; if not, the reason and a swap that makes it
        reachable."""
    def is_solvable(self, goal: GoalLike | None = None) -> bool:
        """Whether the goal is reachable."""
    def to_numpy(self) -> npt.NDArray[np.integer[Any]]:
        """A new array of shape (rows, columns): uint8 for trays of up to 256 cells, else uint16."""
    def text(self, ansi: bool = False, *, goal: GoalLike | None = None) -> str:
        """The board drawn with characters; `ansi` adds colours for terminals."""
    def svg(
        self,
        moves: Moves | None = None,
        *,
        notation: Notation | None = None,
        goal: GoalLike | None = None,
        cell_size: int = 64,
    ) -> str:
        """The board as an SVG picture; with moves, an animation."""
    def _repr_svg_(self) -> str: ...
    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Goal:
    """The goal arrangement: `blank-last`, `blank-first`, `snail`, `columns`, or any board."""

    def __new__(cls, goal: GoalLike | None = None, size: Size | None = None) -> Self: ...
    @property
    def board(self) -> Board:
        """The goal as a board."""
    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers in reading order, 0 for the blank."""
    @property
    def size(self) -> str:
        """Columns x rows."""
    @property
    def columns(self) -> int:
        """Number of columns."""
    @property
    def rows(self) -> int:
        """Number of rows."""
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Cancel:
    """Cancels calls from another thread: each call with this object as `cancel` raises
    CancelledError."""

    def __new__(cls) -> Self: ...
    def cancel(self) -> None:
        """Cancels all calls with this object, present and future. May be called from any thread."""
    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` has been called."""

# --- Tables -----------------------------------------------------------------------------------

@final
class Table:
    """A pattern database: a lower bound of the number of moves for every position of a pattern's
    tiles."""

    @classmethod
    def build(
        cls,
        tiles: Iterable[int] | str,
        size: Size | None = None,
        *,
        goal: GoalLike | None = None,
        kind: Kind = "zero-aware",
        encoding: Encoding | None = None,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Table:
        """Builds the table of these tiles in memory."""
    @classmethod
    def open(cls, path: Path, *, check: bool = True) -> Table:
        """Maps a table file (`.pdb`, `.pdb.zst`), and checks it unless `check` is False."""
    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Table:
        """Reads the table from the bytes of a table file (`.pdb`, `.pdb.zst`) or of a packed
        table."""
    def save(self, path: Path, *, compress: bool = False) -> pathlib.Path:
        """Writes the table's file atomically. If `path` is a directory, the file is created there
        with the table's name. Returns the path of the file."""
    def to_bytes(self) -> bytes:
        """The bytes of the table's file."""
    def pack(
        self,
        *,
        fixed: int | None = None,
        threads: int = 0,
        cancel: Cancel | None = None,
    ) -> bytes:
        """Packs the table. The result is 3 to 20 times smaller than with one bit per entry."""
    def verify(
        self,
        *,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Proves every entry by the moves of the puzzle, or raises TableError."""
    def decode(self, *, cancel: Cancel | None = None) -> Table:
        """The same table with one byte per entry, so that `values` can be read."""
    def for_goal(self, goal: GoalLike, tiles: Sequence[int] | str | None = None) -> Table:
        """The same table for a pattern of another goal."""
    @property
    def name(self) -> str:
        """Name, such as `4x4-zero-aware-1.2.3.4.5.6-blank0`."""
    @property
    def path(self) -> pathlib.Path | None:
        """The file from which the table was opened, if any."""
    @property
    def goal(self) -> Goal:
        """The goal whose boards can be looked up in the table."""
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles of the table's pattern for `goal`, ascending."""
    @property
    def size(self) -> str:
        """Columns x rows."""
    @property
    def kind(self) -> Kind:
        """Kind of the table, which determines the moves that the values count."""
    @property
    def encoding(self) -> Encoding:
        """Encoding of the table's entries."""
    @property
    def entries(self) -> int:
        """Number of entries."""
    @property
    def reached(self) -> int:
        """Number of reachable entries."""
    @property
    def max(self) -> int:
        """The largest value."""
    @property
    def histogram(self) -> tuple[int, ...]:
        """Number of reachable entries by value, from 0 to `max`."""
    @property
    def nbytes(self) -> int:
        """Size of the payload in bytes."""
    @property
    def sha256(self) -> str:
        """SHA-256 of the payload, hexadecimal."""
    @property
    def values(self) -> npt.NDArray[np.uint8]:
        """A read-only array of all values by entry number (docs/ranking.md), 255 for unreachable
        entries. The array uses the table's own bytes. Only for the encoding `u8`; for other tables,
        call `decode()` first.
        """
    @property
    def payload(self) -> npt.NDArray[np.uint8]:
        """The payload in any encoding, as a read-only array over the table's own bytes."""
    def lookup(
        self, boards: Boards, *, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint8]:
        """The values of many boards, 255 for unreachable entries."""
    def entries_of(
        self, boards: Boards, *, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint64]:
        """The entry numbers of many boards; `values[entries_of(boards)]` contains the boards'
        values."""
    def value(self, board: BoardLike) -> int | None:
        """The value of one board; None for an unreachable entry."""
    def to_dict(self) -> dict[str, Any]:
        """The object that `pdb-gen info --json` prints."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def build(
    partition: str | None = None,
    size: Size | None = None,
    *,
    goal: GoalLike | None = None,
    metric: Metric = "single",
    kind: Kind | None = None,
    encoding: Encoding | None = None,
    tables: Path | None = None,
    compress: bool = False,
    force: bool = False,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> list[Table]:
    """Builds the tables of a partition in memory, or in the directory `tables`. Tables that already
    exist there are only opened."""

def verify(
    tables: Solver | Table | Path | Iterable[Table | Path],
    *,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> list[Table]:
    """Proves every entry of tables by the moves of the puzzle. The tables are given as objects, as
    files, or as a directory of files. Returns the tables; raises TableError at the first wrong
    one."""

def pack(
    solver: Solver,
    out: Path,
    *,
    single: bool = False,
    fixed: int | None = None,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> pathlib.Path:
    """Packs the tables of a solver into a directory with a manifest, or into a single file. Returns
    the path of the manifest or file."""

def unpack(
    path: Path,
    *,
    tables: Path | None = None,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> list[Table]:
    """Unpacks a bundle (a directory, its manifest or a single file) or a packed table, into memory
    or into the directory `tables`."""

# --- Solving ----------------------------------------------------------------------------------

@final
class Solver:
    """Solves boards for one goal with one set of tables. Several threads can use it at once."""

    def __new__(
        cls,
        size: Size | Goal | None = None,
        partition: str | None = None,
        *,
        goal: GoalLike | None = None,
        metric: Metric = "single",
        kind: Kind | None = None,
        tables: Path
        | bytes
        | bytearray
        | memoryview
        | Table
        | Sequence[bytes | bytearray | memoryview | Table]
        | None = None,
        max_build_time: float | None = None,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Self:
        """Opens or builds the solver's tables.

        - `size`: columns x rows, by default `"4x4"`, or a `Goal`.
        - `partition`: as for `--partition`; the default depends on the size. If building the tables
          of the default partition would take too much time or memory, a partition of smaller parts
          is used, and `reason` explains why.
        - `tables`: the source of the tables; by default they are built in memory. If `tables` is a
          directory, the tables are stored there. Missing tables are built, if `max_build_time` is
          None or their estimated build time in seconds is at most `max_build_time`. All other
          sources are used unchanged: a bundle made by `pack`, the bytes of a bundle, of a table
          file or of a packed table, and `Table` objects.
        """
    @property
    def goal(self) -> Goal:
        """The goal."""
    @property
    def size(self) -> str:
        """Columns x rows."""
    @property
    def metric(self) -> Metric:
        """Definition of a move."""
    @property
    def partition(self) -> str:
        """Name of the partition in use."""
    @property
    def reason(self) -> str | None:
        """Why the default tables of the size are not used. None if the default tables are used, or
        if the caller requested tables."""
    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables, in the orientation of the solver's goal. They share the solver's memory."""
    def solve(
        self,
        board: BoardLike,
        *,
        mode: Mode = "optimal",
        max_time: float | None = None,
        max_nodes: int | None = None,
        max_memory: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        notation: Notation = "tile",
        short: bool = False,
        explain: bool = False,
        within: float | None = None,
        seed: int = 0,
        improved: Callable[[Report], object] | None = None,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Report:
        """Solves a board; by default finds a proved shortest solution.

        Raises UnsolvableError, LimitError or CancelledError with the board's report.
        """
    def anytime(
        self,
        board: BoardLike,
        *,
        max_time: float | None = None,
        max_nodes: int | None = None,
        max_memory: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        notation: Notation = "tile",
        within: float | None = None,
        seed: int = 0,
        cancel: Cancel | None = None,
    ) -> Anytime:
        """Finds a solution immediately, then shorter ones. Returns an iterator of reports; the last
        report has the status `solved`. Without a limit the search ends after ten seconds."""
    def solve_many(
        self,
        boards: Iterable[BoardLike],
        *,
        mode: Mode = "optimal",
        max_time: float | None = None,
        max_nodes: int | None = None,
        max_memory: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        notation: Notation = "tile",
        short: bool = False,
        explain: bool = False,
        within: float | None = None,
        seed: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> SolvedBoards:
        """Solves boards on all cores. Returns an iterator of reports, in the order of the boards.

        The solver reads up to 1024 boards before it returns their reports, so a generator of boards
        must not wait for a report. Limits apply to each board. If a board is invalid or has no
        solution, its report contains the reason.
        """
    def all_solutions(
        self,
        board: BoardLike,
        *,
        within: int = 0,
        most: int = 1000,
        count: bool = False,
        max_time: float | None = None,
        max_nodes: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        notation: Notation = "tile",
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Report:
        """Finds all shortest solutions, and solutions with up to `within` moves more. With `count`,
        the solutions are only counted."""
    def hint(
        self,
        board: BoardLike,
        *,
        max_time: float | None = None,
        max_nodes: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Hint:
        """The distance to the goal, and the best moves."""
    def rate(
        self,
        board: BoardLike,
        moves: Moves,
        *,
        notation: Notation | None = None,
        max_time: float | None = None,
        max_nodes: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Rating:
        """Rates the moves of a game."""
    def probe(self, board: BoardLike) -> Probe:
        """The table entries and values for a board, without a search."""
    def estimate(self, board: BoardLike) -> int:
        """The heuristic's value for a board, a lower bound of the solution length."""
    def estimates(
        self, boards: Boards, *, threads: int = 0, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint16]:
        """The heuristic's values for many boards."""
    def verify(
        self,
        *,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Proves every entry of every table by the moves of the puzzle, or raises TableError."""

@final
class SolvedBoards(Iterator[Report]):
    """The reports of `solve_many`, in the order of the boards. Dropping this iterator ends the
    searches."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Report: ...
    def close(self) -> None:
        """Ends the searches and discards the remaining reports."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Anytime(Iterator[Report]):
    """The reports of an anytime search. Dropping this iterator ends the search."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Report: ...
    def stop(self) -> None:
        """Ends the search. The remaining reports can still be read; the last one has the status
        `solved`."""
    def close(self) -> None:
        """Ends the search and discards the remaining reports."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

def forget_solvers() -> None:
    """Drops the solvers that `solve` and `solve_many` cache, and frees the memory of their tables.
    """

def solve(
    board: BoardLike,
    *,
    size: Size | None = None,
    goal: GoalLike | None = None,
    partition: str | None = None,
    metric: Metric = "single",
    mode: Mode = "optimal",
    max_time: float | None = None,
    max_nodes: int | None = None,
    max_memory: int | None = None,
    threads: int = 0,
    side: Side = "auto",
    notation: Notation = "tile",
    short: bool = False,
    explain: bool = False,
    within: float | None = None,
    seed: int = 0,
    improved: Callable[[Report], object] | None = None,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> Report:
    """Solves a board with tables that are built in memory and reused by later calls.

    The last few solvers are cached by goal, partition and metric. The options are those of
    `Solver.solve`.
    """

def solve_many(
    boards: Iterable[BoardLike],
    *,
    size: Size | None = None,
    goal: GoalLike | None = None,
    partition: str | None = None,
    metric: Metric = "single",
    mode: Mode = "optimal",
    max_time: float | None = None,
    max_nodes: int | None = None,
    max_memory: int | None = None,
    threads: int = 0,
    side: Side = "auto",
    notation: Notation = "tile",
    short: bool = False,
    explain: bool = False,
    within: float | None = None,
    seed: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> SolvedBoards:
    """Solves boards of one size on all cores, as `Solver.solve_many` does. The size is taken from
    `size` or `goal`, else from the first board."""

# --- Rules ------------------------------------------------------------------------------------

def scramble(
    size: Size | None = None,
    *,
    goal: GoalLike | None = None,
    number: int = 1,
    moves: int | None = None,
    seed: int | None = None,
) -> list[Board]:
    """Random boards. By default all solvable boards are equally likely. With `moves`, each board
    is reached from the goal by this number of random moves; no move undoes the previous one. The
    same seed produces the same boards."""

def invert(moves: Moves, notation: Notation | None = None) -> str:
    """The moves that undo these moves: a solution becomes a scramble."""

def read_boards(path: Path, size: Size | None = None) -> list[Board]:
    """Reads a list of boards in all forms that `solver --file` reads."""

@final
class Suite:
    """Boards that come with the package, with their optimal lengths if known."""

    def __init__(
        self,
        name: str,
        goal: Goal,
        boards: Iterable[Board],
        lengths: Iterable[int | None],
    ) -> None: ...

    @property
    def name(self) -> str:
        """Name."""
    @property
    def goal(self) -> Goal:
        """The goal of all boards of the suite."""
    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards."""
    @property
    def lengths(self) -> tuple[int | None, ...]:
        """Lengths of shortest solutions, None if unknown."""

def suite(name: str) -> Suite:
    """Loads a suite of boards, such as `korf100`."""

def suites() -> list[str]:
    """Names of all suites."""

# --- The laboratory ---------------------------------------------------------------------------

def heuristics(size: Size | None = None) -> list[str]:
    """Names of the heuristics that are quick to build for boards of a size."""

def explain(
    board: BoardLike,
    *,
    goal: GoalLike | None = None,
    heuristics: Sequence[str] | None = None,
    cancel: Cancel | None = None,
) -> list[Explanation]:
    """Explains the values of heuristics on a board; by default, of all heuristics that are quick to
    build."""

def compare(
    heuristics: Sequence[str],
    searches: Sequence[str],
    *,
    sizes: Size | Sequence[Size] | None = None,
    goal: GoalLike | None = None,
    boards: Iterable[BoardLike] | None = None,
    suite: str | None = None,
    number: int | None = None,
    moves: int | Sequence[int] | None = None,
    seed: int = 0,
    max_nodes: int | None = None,
    max_memory: int | None = None,
    max_time: float | None = None,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> list[ComparisonRecord]:
    """Runs searches with each heuristic on the same boards. The boards are random (by default 100
    of 3x3), the ends of random walks of `moves` moves, or the first `number` boards of `suite` or
    `boards`."""
