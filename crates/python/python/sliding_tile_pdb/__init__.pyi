"""Sliding-tile puzzles: shortest solutions by pattern databases.

Names, fields and words are those of the command line and of its JSON objects (docs/json.md).
Options of time are in seconds; reports have `ms`.
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
    """What all errors of this package are."""

    code: ClassVar[Literal["error", "unsolvable", "limit", "cancelled", "table", "memory"]]
    """The kind of the error, as the other frontends name it."""
    report: Report | None
    """The report of a board that has no solution."""
    def __init__(self, message: str = ..., report: Report | None = None) -> None: ...

class InputError(PuzzleError, ValueError):
    """A board, goal, moves or options that make no sense."""

class UnsolvableError(PuzzleError):
    """The goal cannot be reached; `report.swap` names two tiles whose swap makes it solvable."""

    report: Report

class LimitError(PuzzleError):
    """A limit of time or nodes was reached; `report.bound` is proved."""

    report: Report

class CancelledError(PuzzleError):
    """The call's `Cancel` was cancelled; `report` has the best of an anytime search."""

class TableError(PuzzleError):
    """A table that is damaged, missing, or of another puzzle."""

class TooLargeError(PuzzleError, MemoryError):
    """More memory than there is."""

# --- Results ----------------------------------------------------------------------------------

class Result:
    """What all results are: frozen objects, equal where all fields are, that can be pickled.

    Fields are those of the object in docs/json.md; those that do not apply are None. The functions
    of `dataclasses` and pandas take them as dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    def __init__(self, **fields: Any) -> None: ...
    def __replace__(self, /, **changes: Any) -> Self: ...
    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`: plain values, without the fields that do not apply."""
    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """The result with these fields, such as a line of `--json`. Fields that the class does not
        have, such as those of a later version, are left out."""
    __match_args__: ClassVar[tuple[str, ...]]
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...

@final
class Report(Result):
    """What became of a board: the object that `solver --json` prints. Notebooks draw it."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def board(self) -> str | None:
        """The board, in rows; after a reading error the text."""
    @property
    def status(self) -> Literal["solved", "improved", "unsolvable", "limit", "error"]:
        """How it ended."""
    @property
    def mode(self) -> Mode | None:
        """What kind of answer was asked for."""
    @property
    def length(self) -> int | None:
        """The length of the solution, in the solver's metric."""
    @property
    def optimal(self) -> bool | None:
        """Whether it is proved that no solution is shorter."""
    @property
    def proved(self) -> bool | None:
        """The same as `optimal`."""
    @property
    def method(self) -> Literal["search", "strategic", "beam", "window"] | None:
        """How the solution was found."""
    @property
    def moves(self) -> str | None:
        """The moves of the solution, empty when already solved."""
    @property
    def steps(self) -> tuple[Step, ...] | None:
        """The steps of a strategic solution, with `explain=True`."""
    @property
    def count(self) -> int | None:
        """How many shortest solutions there are."""
    @property
    def counts(self) -> tuple[int, ...] | None:
        """How many solutions there are of 0, 1, ... moves more than a shortest one."""
    @property
    def solutions(self) -> tuple[str, ...] | None:
        """The first of these, shorter ones first."""
    @property
    def nodes(self) -> int | None:
        """Nodes generated, over all iterations."""
    @property
    def expanded(self) -> int | None:
        """Nodes expanded."""
    @property
    def ms(self) -> float | None:
        """Milliseconds of the board's search alone."""
    @property
    def h0(self) -> int | None:
        """The heuristic's value of the board."""
    @property
    def bound(self) -> int | None:
        """No solution is shorter than this."""
    @property
    def iterations(self) -> tuple[Iteration, ...] | None:
        """What each iteration of IDA* cost."""
    @property
    def threads(self) -> int | None:
        """Threads that the search was allowed to use."""
    @property
    def tables(self) -> str | None:
        """The name of the partition."""
    @property
    def swap(self) -> tuple[int, int] | None:
        """Of an unsolvable board: two tiles whose swap makes it solvable, the smaller first."""
    @property
    def line(self) -> int | None:
        """The line of a list where the board begins, from 1."""
    @property
    def message(self) -> str | None:
        """Why there is no solution."""
    def svg(self) -> str:
        """The board as SVG; with a solution the moves are played."""

@final
class Iteration(Result):
    """One depth-first search of IDA*."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def bound(self) -> int:
        """The longest paths that were looked at."""
    @property
    def nodes(self) -> int:
        """Nodes generated in it."""
    @property
    def expanded(self) -> int:
        """Nodes expanded in it."""
    @property
    def side(self) -> Literal["goal"] | None:
        """`goal` if it was searched from there, else None."""

@final
class Step(Result):
    """A step of a strategic solution. Rows and columns count from 1."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def action(self) -> Literal["place", "corner", "finish", "slide"]:
        """What the step does."""
    @property
    def tile(self) -> int | None:
        """Of `place`: the tile."""
    @property
    def row(self) -> int | None:
        """Of `place`: where it goes."""
    @property
    def column(self) -> int | None:
        """Of `place`: where it goes."""
    @property
    def tiles(self) -> tuple[int, ...] | None:
        """Of `corner` and `finish`: the tiles."""
    @property
    def length(self) -> int:
        """Moves of the step."""
    @property
    def moves(self) -> str:
        """The moves; those of all steps are the solution's."""

@final
class TileMove(Result):
    """One or several tiles that slide at once."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on them, the one next to the blank first."""
    @property
    def moves(self) -> str:
        """The move, in letters for the way the tile goes."""

@final
class Hint(Result):
    """Help with a board: the object that `solver hint --json` prints."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def board(self) -> str:
        """The board."""
    @property
    def distance(self) -> int:
        """How far the goal is: the length of the best solution known."""
    @property
    def bound(self) -> int:
        """No solution is shorter."""
    @property
    def exact(self) -> bool:
        """Whether no solution is shorter than `distance`; then `moves` are all good moves."""
    @property
    def moves(self) -> tuple[TileMove, ...]:
        """The good moves: each begins a solution of that length. None on the goal."""
    @property
    def solution(self) -> str:
        """Moves of that length, in letters for the way the tile goes."""
    @property
    def nodes(self) -> int:
        """Nodes generated in all searches."""
    @property
    def tables(self) -> str:
        """The name of the partition."""

@final
class RatedMove(Result):
    """A move of a game."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles that slid."""
    @property
    def moves(self) -> str:
        """The move, in letters for the way the tile goes."""
    @property
    def distance(self) -> int:
        """How far the goal is after the move."""
    @property
    def bound(self) -> int:
        """No solution from there is shorter."""
    @property
    def kept(self) -> bool:
        """Whether it kept a shortest solution."""
    @property
    def lost(self) -> int:
        """How much longer it made the way."""
    @property
    def better(self) -> TileMove | None:
        """A move that would have kept one, where this one did not."""

@final
class LostStretch(Result):
    """Moves in a row, each of which lost some."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def first(self) -> int:
        """The first, counted from 1."""
    @property
    def last(self) -> int:
        """The last."""
    @property
    def lost(self) -> int:
        """What they lost together."""

@final
class Rating(Result):
    """A game judged: the object that `solver rate --json` prints."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def board(self) -> str:
        """The board at the beginning."""
    @property
    def moves(self) -> str:
        """The moves as given."""
    @property
    def distance(self) -> int:
        """How far the goal was."""
    @property
    def bound(self) -> int:
        """No solution is shorter."""
    @property
    def exact(self) -> bool:
        """Whether all distances are proved."""
    @property
    def length(self) -> int:
        """The number of moves made."""
    @property
    def left(self) -> int:
        """The distance where they end."""
    @property
    def kept(self) -> int:
        """How many moves kept a shortest solution."""
    @property
    def lost(self) -> int:
        """How much longer the game, and a shortest way on, is than a shortest solution."""
    @property
    def credit(self) -> float:
        """The share of the moves that kept a shortest solution, in percent."""
    @property
    def efficiency(self) -> float:
        """100 x distance / (length + left)."""
    @property
    def worst(self) -> LostStretch | None:
        """Where most was lost; None if nothing was."""
    @property
    def steps(self) -> tuple[RatedMove, ...]:
        """The moves, one by one."""
    @property
    def nodes(self) -> int:
        """Nodes generated in all searches."""
    @property
    def tables(self) -> str:
        """The name of the partition."""

@final
class ProbedPart(Result):
    """A pattern of a view, and its entry."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on its tiles."""
    @property
    def table(self) -> str:
        """The name of its table."""
    @property
    def encoding(self) -> Encoding:
        """How its entries are represented."""
    @property
    def symmetry(self) -> str:
        """Carries the board into the table's orientation."""
    @property
    def file(self) -> str | None:
        """The table's file, if it is kept."""
    @property
    def entry(self) -> int:
        """The number of the entry in the table, from 0."""
    @property
    def stored(self) -> int:
        """What the file holds there."""
    @property
    def value(self) -> int:
        """The value."""

@final
class ProbedView(Result):
    """A partition, or its image under a symmetry that keeps the goal's blank."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def partition(self) -> int:
        """Which of the partitions asked for, from 0."""
    @property
    def symmetry(self) -> str:
        """Brings the partition to this view."""
    @property
    def kind(self) -> Kind:
        """Of the tables."""
    @property
    def sum(self) -> int:
        """Of the parts' values."""
    @property
    def parts(self) -> tuple[ProbedPart, ...]:
        """The patterns."""

@final
class Probe(Result):
    """What the tables say of a board, without a search: the object of `solver probe --json`."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def board(self) -> str:
        """The board."""
    @property
    def tables(self) -> str:
        """The name of the partition."""
    @property
    def estimate(self) -> int:
        """The value of the heuristic: no solution is shorter."""
    @property
    def table_free(self) -> int | None:
        """The heuristic without tables, where it takes part."""
    @property
    def views(self) -> tuple[ProbedView, ...]:
        """The partitions and their images; the largest sum counts."""

@final
class Solvability(Result):
    """Whether a board can be solved. True in conditions if it can."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def solvable(self) -> bool:
        """Whether the goal can be reached."""
    @property
    def message(self) -> str | None:
        """Why it cannot."""
    @property
    def swap(self) -> tuple[int, int] | None:
        """Two tiles whose swap makes it solvable, where one swap does; the smaller first."""
    @property
    def is_odd(self) -> bool | None:
        """Whether the arrangement is an odd number of swaps from the goal."""
    @property
    def blank_distance(self) -> int | None:
        """Moves that the blank is away from its place."""
    def __bool__(self) -> bool: ...

@final
class Term(Result):
    """Where a heuristic's value comes from."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def words(self) -> str:
        """What it is, such as `tile 5: 2 moves from home`."""
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on the tiles that it is about."""
    @property
    def value(self) -> int:
        """What it counts."""

@final
class Explanation(Result):
    """What a heuristic sees on a board."""

    __match_args__: ClassVar[tuple[str, ...]]
    @property
    def heuristic(self) -> str:
        """Its name."""
    @property
    def value(self) -> int:
        """No solution is shorter."""
    @property
    def is_largest(self) -> bool:
        """Whether no other one has a larger value."""
    @property
    def is_consistent(self) -> bool:
        """Whether values of neighbouring boards differ by no more than the move between them."""
    @property
    def source(self) -> str:
        """Who described it, and where."""
    @property
    def terms(self) -> tuple[Term, ...]:
        """Where the value comes from."""

@final
class ComparisonRecord(Result):
    """A search of a comparison: docs/json.md, "A search of a comparison"."""

    __match_args__: ClassVar[tuple[str, ...]]
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
        """The board's number in its set, from 1."""
    @property
    def board(self) -> str:
        """The board."""
    @property
    def search(self) -> str:
        """The name of the search."""
    @property
    def heuristic(self) -> str:
        """The name of the heuristic; `none` where the search asks none."""
    @property
    def status(self) -> Literal["solved", "limit"]:
        """Whether it found a solution."""
    @property
    def limit(self) -> Literal["nodes", "memory", "time"] | None:
        """The limit that ended it."""
    @property
    def length(self) -> int | None:
        """Moves of its solution."""
    @property
    def optimal_length(self) -> int | None:
        """Moves of a shortest one, where that is known."""
    @property
    def moves(self) -> str | None:
        """The solution, by letters for the way the tile goes."""
    @property
    def h0(self) -> int:
        """The heuristic's value of the board."""
    @property
    def generated(self) -> int:
        """Children of expanded nodes, without those by the move back."""
    @property
    def expanded(self) -> int:
        """Nodes whose children were generated."""
    @property
    def reopened(self) -> int:
        """Those of them that were reached by a shorter way later."""
    @property
    def peak(self) -> int:
        """The most nodes kept at once."""
    @property
    def peak_bytes(self) -> int:
        """The bytes that these took."""
    @property
    def branching_factor(self) -> float | None:
        """The effective branching factor."""
    @property
    def ms(self) -> float:
        """Milliseconds."""
    @property
    def iterations(self) -> tuple[dict[str, int], ...] | None:
        """Of `ida-star`: objects with `bound`, `generated` and `expanded`."""

class Progress(int):
    """What was done since the last report, as a number that `tqdm.update` takes.

    Entries of tables that are built, proved or packed, nodes of a search, boards of a list,
    searches of a comparison.
    """

    stage: str
    """What is being done: `build`, `verify`, `pack`, `unpack`, `search`, `boards`, `compare`."""
    done: int
    """What is done so far."""
    total: int | None
    """How much there is to do, where that is known: not in a search."""
    bound: int | None
    """Of a search: no solution is shorter, so far."""
    ms: float
    """Milliseconds since the call began."""
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
    """An arrangement of numbered tiles and a blank. Cannot be changed; can be a key of a dict."""

    def __new__(cls, board: BoardLike, size: Size | None = None) -> Self: ...
    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers in reading order, 0 for the blank."""
    @property
    def size(self) -> str:
        """Columns x rows, such as `4x4`."""
    @property
    def columns(self) -> int:
        """The number of columns."""
    @property
    def rows(self) -> int:
        """The number of rows."""
    def apply(self, moves: str, notation: Notation | None = None) -> Board:
        """The board after these moves; the notation is guessed where none is given."""
    def neighbours(self) -> dict[str, Board]:
        """The boards that are one move away, by the letter of the move."""
    def convert(self, moves: str, to: Notation, notation: Notation | None = None) -> str:
        """Moves of this board in another notation."""
    def solvability(self, goal: GoalLike | None = None) -> Solvability:
        """Whether the goal can be reached; if not why, and which swap would repair it."""
    def is_solvable(self, goal: GoalLike | None = None) -> bool:
        """Whether the goal can be reached."""
    def to_numpy(self) -> npt.NDArray[np.integer[Any]]:
        """A new array of shape (rows, columns), of uint8 up to 256 cells and else uint16."""
    def text(self, ansi: bool = False, *, goal: GoalLike | None = None) -> str:
        """The board drawn with characters; with `ansi` in colours for terminals."""
    def svg(
        self,
        moves: str | None = None,
        *,
        notation: Notation | None = None,
        goal: GoalLike | None = None,
        cell_size: int = 64,
    ) -> str:
        """The board as an SVG picture; with moves one that plays them."""
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
    """The arrangement to reach: `blank-last`, `blank-first`, or any board."""

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
        """The number of columns."""
    @property
    def rows(self) -> int:
        """The number of rows."""
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Cancel:
    """Ends calls from another thread: each call that has it as `cancel` raises CancelledError."""

    def __new__(cls) -> Self: ...
    def cancel(self) -> None:
        """Ends all calls that have this object, now and later. May be called from any thread."""
    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""

# --- Tables -----------------------------------------------------------------------------------

@final
class Table:
    """A pattern database: for some tiles, how many moves they at least take from everywhere."""

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
        """Maps a table file (`.pdb`, `.pdb.zst`), and checks every sum unless `check` is False."""
    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Table:
        """The table in these bytes, those of a table file (`.pdb`, `.pdb.zst`) or of a packed
        table."""
    def save(self, path: Path, *, compress: bool = False) -> pathlib.Path:
        """Writes the table's file, whole or not at all; into a directory under its own name.
        Returns the path."""
    def to_bytes(self) -> bytes:
        """The bytes of the table's file."""
    def pack(
        self,
        *,
        fixed: int | None = None,
        threads: int = 0,
        cancel: Cancel | None = None,
    ) -> bytes:
        """The table packed: 3 to 20 times smaller than one bit per entry."""
    def verify(
        self,
        *,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Proves every entry by the puzzle's moves, or raises TableError."""
    def decode(self, *, cancel: Cancel | None = None) -> Table:
        """The same table with a byte per entry, whose `values` can be read; itself if it has."""
    def for_goal(self, goal: GoalLike, tiles: Sequence[int] | str | None = None) -> Table:
        """The same table as seen from another goal whose pattern it serves."""
    @property
    def name(self) -> str:
        """What it is called, such as `4x4-zero-aware-1.2.3.4.5.6-blank0`."""
    @property
    def path(self) -> pathlib.Path | None:
        """Its file, if it was opened from one."""
    @property
    def goal(self) -> Goal:
        """The goal that it is seen from."""
    @property
    def tiles(self) -> tuple[int, ...]:
        """The numbers on its tiles in that goal, ascending."""
    @property
    def size(self) -> str:
        """Columns x rows of the tray that it is stored for."""
    @property
    def kind(self) -> Kind:
        """What its values count."""
    @property
    def encoding(self) -> Encoding:
        """How its entries are represented."""
    @property
    def entries(self) -> int:
        """Number of entries."""
    @property
    def reached(self) -> int:
        """Entries that some position has."""
    @property
    def max(self) -> int:
        """The largest value."""
    @property
    def histogram(self) -> tuple[int, ...]:
        """Reached entries by value, from 0 to `max`."""
    @property
    def nbytes(self) -> int:
        """Bytes of the payload."""
    @property
    def sha256(self) -> str:
        """Checksum of the payload, hexadecimal."""
    @property
    def values(self) -> npt.NDArray[np.uint8]:
        """All values, by number of entry (docs/ranking.md), 255 for unreachable ones: a read-only
        array over the table's own bytes. Of tables with the encoding `u8` alone; others `decode()`.
        """
    @property
    def payload(self) -> npt.NDArray[np.uint8]:
        """The bytes of the payload, in any encoding: a read-only array over the table's own."""
    def lookup(
        self, boards: Boards, *, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint8]:
        """The value for each of many boards, 255 for unreachable entries."""
    def entries_of(
        self, boards: Boards, *, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint64]:
        """The number of the entry for each of many boards: `values[entries_of(boards)]`."""
    def value(self, board: BoardLike) -> int | None:
        """The value for one board; None for an unreachable entry."""
    def to_dict(self) -> dict[str, Any]:
        """The object of `pdb-gen info --json`."""
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
    """Builds the tables of a partition: in memory, or in the directory `tables`, where those that
    are there are only opened."""

def verify(
    tables: Solver | Table | Path | Iterable[Table | Path],
    *,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> list[Table]:
    """Proves every entry of tables, files, or all files of a directory by the puzzle's moves.
    Returns the tables; raises TableError at the first that is wrong."""

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
    """Packs the tables of a solver: into a directory with a manifest, or into a single file.
    Returns the path of the manifest or file."""

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
    """Solves boards for one goal with one set of tables. Can be used by several threads at once."""

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
        """Makes the solver's tables ready.

        size: `"4x4"` by default, or the goal. partition: as `--partition`; by default the size's
        own, or one of smaller parts, of which `reason` says why. tables: by default they are built
        in memory; a directory keeps them (missing ones are built, if `max_build_time` is None or
        their estimate in seconds is below it); a bundle made by `pack`, its bytes, those of table
        files or packed tables, and tables are used as they are.
        """
    @property
    def goal(self) -> Goal:
        """The goal."""
    @property
    def size(self) -> str:
        """Columns x rows."""
    @property
    def metric(self) -> Metric:
        """What one move is."""
    @property
    def partition(self) -> str:
        """The name of the partition in use."""
    @property
    def reason(self) -> str | None:
        """Why these tables are used and not the size's usual ones; None where they are the usual
        ones, or asked for."""
    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables, as seen from the goal. They share the solver's memory."""
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
        """Solves a board: a proved shortest solution, unless `mode` says otherwise.

        Raises UnsolvableError, LimitError, CancelledError, with the board's report.
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
        """A solution at once, then shorter ones: an iterator of reports, the last of which has the
        status `solved`. Ends after ten seconds where no limit is given."""
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
        """Solves boards on all cores: an iterator of reports in the order of the boards.

        Boards are taken as they are needed, at most 1024 ahead; a generator must not wait for
        reports. Limits are those of each board. A board without a solution, or that cannot be read,
        has a report that says so.
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
        """All shortest solutions, and those of up to `within` moves more; with `count` only their
        number."""
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
        """How far the goal is, and which moves are good ones."""
    def rate(
        self,
        board: BoardLike,
        moves: str,
        *,
        notation: Notation | None = None,
        max_time: float | None = None,
        max_nodes: int | None = None,
        threads: int = 0,
        side: Side = "auto",
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> Rating:
        """Judges the moves of a game."""
    def probe(self, board: BoardLike) -> Probe:
        """What the tables say of a board, without a search."""
    def estimate(self, board: BoardLike) -> int:
        """The heuristic's value of a board: no solution is shorter."""
    def estimates(
        self, boards: Boards, *, threads: int = 0, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint16]:
        """The heuristic's value for each of many boards."""
    def verify(
        self,
        *,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Proves every entry of every table by the puzzle's moves, or raises TableError."""

@final
class SolvedBoards(Iterator[Report]):
    """The reports of `solve_many`, in the order of the boards. Dropping it ends the searches."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Report: ...
    def close(self) -> None:
        """Ends the searches; there are no more reports."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Anytime(Iterator[Report]):
    """The reports of an anytime search. Dropping it ends the search."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Report: ...
    def stop(self) -> None:
        """Ends the search: the next reports are those that are there, the last one `solved`."""
    def close(self) -> None:
        """Ends the search; there are no more reports."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

def forget_solvers() -> None:
    """Forgets the solvers that `solve` and `solve_many` keep, whose tables take memory."""

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
    """Solves a board with tables that are built in memory and used again by later calls.

    The last few solvers are kept, by goal, partition and metric. `Solver.solve` has the options.
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
    """Solves boards of one size on all cores: `Solver.solve_many`. The size is that of `size` or
    `goal`, else of the first board."""

# --- Rules ------------------------------------------------------------------------------------

def scramble(
    size: Size | None = None,
    *,
    goal: GoalLike | None = None,
    number: int = 1,
    moves: int | None = None,
    seed: int | None = None,
) -> list[Board]:
    """Random boards: all that can be solved equally likely, or with `moves` after so many random
    moves from the goal. The same seed gives the same boards."""

def invert(moves: str, notation: Notation | None = None) -> str:
    """The moves back: a solution becomes a scramble."""

def read_boards(path: Path, size: Size | None = None) -> list[Board]:
    """The boards of a list, in all forms that `solver --file` reads."""

@final
class Suite:
    """Boards that come with the package, and how far from the goal they are where that is known."""

    def __init__(
        self,
        name: str,
        goal: Goal,
        boards: Iterable[Board],
        lengths: Iterable[int | None],
    ) -> None: ...

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def goal(self) -> Goal:
        """The goal of all its boards."""
    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards."""
    @property
    def lengths(self) -> tuple[int | None, ...]:
        """The moves of their shortest solutions, where they are known."""

def suite(name: str) -> Suite:
    """The boards of a suite, such as `korf100`."""

def suites() -> list[str]:
    """The names of all suites."""

# --- The laboratory ---------------------------------------------------------------------------

def heuristics(size: Size | None = None) -> list[str]:
    """The names of the heuristics that are made within a moment for boards of a size."""

def explain(
    board: BoardLike,
    *,
    goal: GoalLike | None = None,
    heuristics: Sequence[str] | None = None,
    cancel: Cancel | None = None,
) -> list[Explanation]:
    """What heuristics see on a board; by default all that are made within a moment."""

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
    """Runs searches with heuristics on the same boards: random ones (100 of 3x3 by default), boards
    after some moves, the first `number` of a suite, or of given ones."""
