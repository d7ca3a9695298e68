"""Solvers, and the functions that solve without one."""

from __future__ import annotations

import os

from . import _calls, _native
from ._board import Board, Goal, array_of, moves_text, now, of_rows, present, warn_of
from ._calls import Anytime, SolvedBoards, documented, run
from ._contract import (
    ComparisonRecord, Explanation, Hint, ListEntry, Plot, Probe, Rating, Report, Solvability,
    TablesInfo,
)
from ._errors import InputError, PuzzleError, TableError
from ._native import Cancel, Opened, Session, Table
from ._results import Frozen, Result, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    from ._contract import (
        SolveOptions, SolverHintOptions, SolverRateOptions, SolverSolveOptions,
    )
    from .types import (
        BoardLike, Boards, Encoding, GoalLike, Kind, Metric, Moves, Path, ProgressLike, Size,
    )

_OWN = ("size", "goal", "partition", "parts", "metric", "kind")
"""Options that a solver has, and its calls have not."""

ANSWERS: dict[str, type[Result]] = {
    "compare": ComparisonRecord, "explain": Explanation, "hint": Hint, "list": ListEntry,
    "open": TablesInfo, "choose": TablesInfo, "verify": TablesInfo, "plots": Plot, "probe": Probe,
    "rate": Rating, "solvability": Solvability, "solve": Report,
}
"""Classes of the answers of questions; other answers are texts, lists or dicts."""


STAGES = {"compare": "compare", "open": "build", "verify": "verify"}
"""The main work of questions other than searches."""


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None, in the forms of the contract."""
    options = present(fields)
    if "board" in options and "moves" in options:
        options["moves"] = moves_text(options["moves"])
    return options


def _made(given: dict[str, Any]) -> Callable[[dict[str, Any]], Report]:
    """A function that makes reports which can draw themselves."""
    context = (given.get("goal"), given.get("size"), given.get("notation"))

    def made(fields: dict[str, Any]) -> Report:
        report = Report._of(fields)
        object.__setattr__(report, "_context", context)
        return report

    return made


def _ask(session: Session, ask: str, fields: Mapping[str, Any]) -> Any:
    """The answer of a question. The fields also contain the options of all calls."""
    given = _given(fields)
    progress, cancel = given.pop("progress", None), given.pop("cancel", None)
    improved = given.pop("improved", None)
    made = _made(given)

    def hear(event: dict[str, Any]) -> None:
        if improved is not None and event["type"] == "improved":
            improved(made(event["report"]))

    try:
        answer = loads(run(session.start(ask, given, cancel), progress, STAGES.get(ask), hear))
    except PuzzleError as error:
        if error.report is not None:
            error.report = made(error.report._fields)
        raise
    if isinstance(answer, dict):
        warn_of(answer.get("notes", ()))
    of = made if ask == "solve" else ANSWERS[ask]._of if ask in ANSWERS else None
    if of is None:
        return answer
    return [of(one) for one in answer] if isinstance(answer, list) else of(answer)


def ask(question: str, /, **fields: Any) -> Any:
    """Answers any question of docs/json.md by its name, such as `solve`, `open` or `plots`. Options
    are keywords. The answer is a result, a list of results, a text, a list or a dict.

    - `question`: the name.
    - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes `Progress`.
    - `improved`: for an anytime search: a function that is called with each better report.
    - `cancel`: a `Cancel`, which cancels the call from another thread.

    >>> from sliding_tile_pdb import ask
    >>> ask("partitions", size="4x4")
    ['6-6-3', '5-5-5', '4-4-4-3', '3-3-3-3-3']
    """
    return _ask(_calls.shared(), question, fields)


@documented("solve")
def solve(board: BoardLike, **options: Unpack[SolveOptions]) -> Report:
    """Solves a board with tables that are built in memory and reused by later calls.

    The last few solvers are kept, until `forget_solvers` is called. Limits apply to the search, not
    to building tables in the first call. Raises UnsolvableError, LimitError or CancelledError with
    the board's report, InputError for an invalid board or invalid options, and TableError for a
    damaged table.

    >>> from sliding_tile_pdb import solve
    >>> report = solve("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13")
    >>> report.length
    55
    >>> solve("8 6 7/2 5 4/3 0 1", metric="multi").length
    20
    """
    report: Report = _ask(_calls.shared(), "solve", {**options, "board": board})
    return report


@documented("solve", "board", "improved")
def solve_many(boards: Iterable[BoardLike], **options: Unpack[SolveOptions]) -> SolvedBoards:
    """Solves boards on all cores, as `Solver.solve_many` does. Boards of several sizes are solved
    with the tables of each size.

    - `boards`: any iterable of boards, or an array of shape (n, cells) or (n, rows, columns).

    >>> from sliding_tile_pdb import solve_many
    >>> boards = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/8 7 0", "8 6 7/2 5 4/3 0 1"]
    >>> [(report.status, report.length) for report in solve_many(boards)]
    [('solved', 1), ('unsolvable', None), ('solved', 31)]
    """
    return _solve_many(_calls.shared(), boards, options)


def _solve_many(
    session: Session, boards: Iterable[BoardLike], options: Mapping[str, Any]
) -> SolvedBoards:
    given = _given(options)
    progress, cancel = given.pop("progress", None), given.pop("cancel", None)
    made, iterator = _made(given), _calls.iter_boards(boards)
    total = len(boards) if hasattr(boards, "__len__") else None  # type: ignore[arg-type]

    def noted(fields: dict[str, Any]) -> Report:
        warn_of(fields.get("notes", ()))
        return made(fields)

    job = session.solve_many({**given}, cancel)
    return SolvedBoards(job, iterator, total, given.get("threads", 0), noted, progress, cancel)


@documented("heuristics", *_calls.CALL)
def heuristics(size: Size | None = None) -> list[str]:
    """Names of the heuristics that are quick to build for boards of a size.

    >>> from sliding_tile_pdb import heuristics
    >>> heuristics("3x3")[2:4]
    ['manhattan', 'linear-conflict']
    """
    names: list[str] = now("heuristics", {"size": size})
    return names


@documented("explain", "progress", "improved")
def explain(
    board: BoardLike,
    *,
    goal: GoalLike | None = None,
    heuristics: Sequence[str] | str = (),
    cancel: Cancel | None = None,
) -> list[Explanation]:
    """Explains the values of heuristics on a board; by default, of all heuristics that are quick to
    build.

    >>> from sliding_tile_pdb import explain
    >>> seen = explain("2 3 1/4 5 6/7 8 0", heuristics=["manhattan", "linear-conflict"])
    >>> [(own.heuristic, own.value) for own in seen]
    [('manhattan', 4), ('linear-conflict', 6)]
    >>> seen[1].terms[1].words
    'row 1: tiles 2, 3 and 1 are in the wrong order, so one of them must leave the row'
    """
    fields = {"board": board, "goal": goal, "heuristics": _listed(heuristics), "cancel": cancel}
    found: list[Explanation] = _ask(_calls.shared(), "explain", fields)
    return found


def _listed(value: Any) -> Any:
    """A list of one value that is no list; a size can be a pair of numbers."""
    is_size = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int)
    return [value] if isinstance(value, (str, int)) or is_size else value


@documented("compare", "improved")
def compare(
    heuristics: Sequence[str] | str,
    searches: Sequence[str] | str,
    *,
    sizes: Size | Sequence[Size] | None = None,
    goal: GoalLike | None = None,
    boards: Iterable[BoardLike] | None = None,
    suite: str | None = None,
    number: int | None = None,
    moves: int | Sequence[int] | None = None,
    **options: Any,
) -> list[ComparisonRecord]:
    """Runs searches with heuristics on the same boards. With `suite` or `boards`, only the first
    `number` boards are used; by default all boards are used.

    - `suite`: name of a suite of boards; see `suites()`.

    >>> from sliding_tile_pdb import compare
    >>> records = compare(["manhattan", "5-3"], ["astar"], boards=["8 6 7/2 5 4/3 0 1"])
    >>> [(record.heuristic, record.length, record.expanded) for record in records]
    [('manhattan', 31, 6728), ('5-3', 31, 55)]
    """
    if [boards, suite, moves].count(None) < 2:
        raise InputError("give only one of boards, suite and moves")
    if suite is not None:
        known = load_suite(suite)
        boards, goal = known.boards, known.goal
    if boards is not None:
        boards, number = list(boards)[:number], None
    if sizes is None and isinstance(goal, Goal):
        sizes = goal.size
    fields = {
        **options, "heuristics": _listed(heuristics), "searches": _listed(searches),
        "sizes": _listed(sizes), "boards": boards, "number": number,
        "moves": _listed(moves), "goal": goal,
    }
    records: list[ComparisonRecord] = _ask(_calls.shared(), "compare", fields)
    if suite is not None:
        records = [ComparisonRecord._of({**one._fields, "set": suite}) for one in records]
    return records


class Suite(Frozen):
    """Boards that come with the package, with their optimal lengths if known."""

    __slots__ = {
        "name": "Name.",
        "goal": "The goal of all boards of the suite.",
        "boards": "The boards.",
        "lengths": "Lengths of shortest solutions, None if unknown.",
    }
    name: str
    goal: Goal
    boards: tuple[Board, ...]
    lengths: tuple[int | None, ...]

    def __repr__(self) -> str:
        return f"Suite({self.name!r}, {len(self.boards)} boards)"


def load_suite(name: str) -> Suite:
    """Loads a suite of boards, such as `korf100`.

    >>> from sliding_tile_pdb import suite
    >>> korf = suite("korf100")
    >>> len(korf.boards), korf.lengths[0], korf.goal
    (100, 57, Goal('0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15'))
    """
    goal, known = _native.suite(name)
    boards = tuple(of_rows(text) for text, _ in known)
    lengths = tuple(length for _, length in known)
    return Suite._made(name=name, goal=Goal(goal), boards=boards, lengths=lengths)


load_suite.__name__ = load_suite.__qualname__ = "suite"


class Solver(Frozen):
    """Solves boards for one goal with one set of tables. Several threads can use it at once.

    The first argument is the size, 4x4 by default, or a `Goal`. `partition` divides the tiles, as
    `--partition` does: `6-6-3`, a preset such as `best`, or lists of tiles. The default partition
    depends on the size. If building the tables of the default partition would take too much time or
    memory, a partition of smaller parts is used, and `reason` explains why. `metric` is `single` or
    `multi`.

    `tables` is the source of the tables. By default the tables are built in memory. If `tables` is
    a directory, existing tables are opened there, and missing tables are built and stored there.
    `max_build_time` limits the estimated time to build missing tables. If `tables` is a bundle, a
    table file, bytes or `Table` objects, no tables are built. A bundle made by `pack` also
    determines goal and partition.

    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default that of the goal, else 4x4.
    - `partition`: division of the tiles: `6-6-3`, a preset such as `best`, or lists of tiles; the
      default depends on the size.
    - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    - `metric`: definition of a move: `single` (default), one tile, or `multi`, a run of tiles.
    - `kind`: kind of the tables: `zero-aware` (default), `blank-compressed`, `full` or `runs`.
    - `tables`: a directory, a bundle or table file, bytes, or a list of `Table` objects; by
      default tables are built in memory.
    - `max_build_time`: maximum estimated time to build missing tables, in seconds. By default
      none if `partition` is given; otherwise the library chooses a partition that takes at most
      4 s.
    - `threads`: number of threads that build, at most 4096; 0 (default) is one per core.
    - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes `Progress`.
    - `cancel`: a `Cancel`, which cancels the call from another thread.

    >>> from sliding_tile_pdb import Solver
    >>> solver = Solver("4x4", "4-4-4-3")
    >>> report = solver.solve("5 2 8 4/1 10 3 11/13 6 0 7/9 14 15 12", max_time=10)
    >>> report.status, report.length, report.tables
    ('solved', 32, '4-4-4-3')
    >>> solver.estimate("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15")
    1
    """

    __slots__ = {
        "goal": "The goal.",
        "size": "Columns x rows, such as `4x4`.",
        "metric": "The definition of one move: `single` or `multi`.",
        "partition": "The name of the partition in use.",
        "reason": "The reason for not using the default tables for the solver's size: building "
        "them costs too much time or memory. None if the default tables are used, or if the caller "
        "requested tables.",
        "_session": None,
        "_given": None,
        "_opened": None,
    }
    goal: Goal
    size: str
    metric: Metric
    partition: str
    reason: str | None
    _session: Session
    _given: dict[str, Any]
    _opened: Opened

    def __init__(
        self,
        size: Size | Goal | None = None,
        partition: str | None = None,
        *,
        goal: GoalLike | None = None,
        metric: Metric | None = None,
        kind: Kind | None = None,
        tables: Any = None,
        max_build_time: float | None = None,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        if isinstance(size, Goal):
            if goal is not None:
                raise TypeError("a goal is given twice")
            size, goal = None, size
        directory, inputs = _source(tables)
        session = Session(directory, threads)
        given = {"size": size, "goal": goal, "partition": partition, "metric": metric, "kind": kind}
        given = _given(given)
        if inputs is not None:
            bundle = loads(run(session.give(inputs, cancel), progress))
            if bundle is not None:
                given = _of_bundle(given, bundle)
            max_build_time = 0.0
        limit = {} if max_build_time is None else {"max_build_time": max_build_time}
        info = loads(run(session.start("open", {**given, **limit}, cancel), progress))
        goal = Goal(info["goal"]["board"], info["goal"]["size"])
        # These options name the opened tables in each question.
        given = {**given, "size": goal.size, "goal": goal}
        self._set(
            goal=goal, size=goal.size, metric=info["metric"], partition=info["partition"],
            reason=info.get("reason"), _session=session, _given=given,
            _opened=session.opened(given),
        )

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables, in the orientation of the solver's goal. They share the solver's memory."""
        return self._opened.tables()

    def _fields(self, options: Mapping[str, Any], **own: Any) -> dict[str, Any]:
        """The fields of a question about this solver's goal and tables."""
        for name in _OWN:
            if name in options:
                raise TypeError(f"{name} is an option of the solver, not of its calls")
        return {**options, **own, **self._given}

    def _ask(self, ask: str, options: Mapping[str, Any], **own: Any) -> Any:
        return _ask(self._session, ask, self._fields(options, **own))

    @documented("solve", *_OWN)
    def solve(self, board: BoardLike, **options: Unpack[SolverSolveOptions]) -> Report:
        """Solves a board; by default finds a proved shortest solution.

        `improved` receives each better report of an anytime search. Raises UnsolvableError,
        LimitError or CancelledError with the board's report, InputError for an invalid board or
        invalid options, and TableError for a damaged table.

        >>> from sliding_tile_pdb import Solver
        >>> solver = Solver("3x3")
        >>> solver.solve("8 6 7/2 5 4/3 0 1").length
        31
        >>> solver.solve("1 2 3/4 0 6/7 5 8", notation="numbers").moves
        '5 8'
        >>> solver.solve("8 6 7/2 5 4/3 0 1", mode="strategic", explain=True).steps[0].action
        'place'
        """
        report: Report = self._ask("solve", options, board=board)
        return report

    @documented("solve", *_OWN, "mode", "all", "improved")
    def all_solutions(self, board: BoardLike, **options: Unpack[SolverSolveOptions]) -> Report:
        """Finds all shortest solutions, and solutions with up to `within` moves more. At most
        `most` solutions are listed; with `count`, the solutions are only counted.

        >>> from sliding_tile_pdb import Solver
        >>> report = Solver("3x3").all_solutions("8 6 7/2 5 4/3 0 1", within=2, most=3)
        >>> report.count, report.counts, len(report.solutions)
        (40, (40, 0, 207), 3)
        """
        report: Report = self._ask("solve", options, board=board, all=True)
        return report

    @documented("solve", *_OWN, "mode", "progress", "improved")
    def anytime(self, board: BoardLike, **options: Unpack[SolverSolveOptions]) -> Anytime:
        """Finds a solution immediately, then shorter ones. Returns an iterator of reports; the last
        report has the status `solved`. Without a limit the search ends after ten seconds.

        >>> from sliding_tile_pdb import Solver
        >>> reports = list(Solver("3x3").anytime("8 6 7/2 5 4/3 0 1", max_time=5))
        >>> reports[0].status, reports[-1].status, reports[-1].length, reports[-1].proved
        ('improved', 'solved', 31, True)
        """
        given = _given(self._fields(options, board=board, mode="anytime"))
        cancel = given.pop("cancel", None)
        return Anytime(self._session.start("solve", given, cancel), _made(given))

    @documented("solve", *_OWN, "board", "improved")
    def solve_many(
        self, boards: Iterable[BoardLike], **options: Unpack[SolverSolveOptions]
    ) -> SolvedBoards:
        """Solves boards on all cores. Returns an iterator of reports, in the order of the boards.

        The solver reads up to 1024 boards before it returns their reports, so a generator of boards
        must not wait for a report. Limits apply to each board. If a board is invalid or has no
        solution, its report contains the reason. `progress` counts boards.

        - `boards`: any iterable of boards, or an array of shape (n, cells) or (n, rows, columns).

        >>> from sliding_tile_pdb import Solver, scramble
        >>> reports = Solver("3x3").solve_many(scramble("3x3", number=100, seed=1))
        >>> sum(report.length for report in reports) / 100
        21.74
        """
        return _solve_many(self._session, boards, self._fields(options))

    @documented("hint", *_OWN, "improved")
    def hint(self, board: BoardLike, **options: Unpack[SolverHintOptions]) -> Hint:
        """The distance to the goal, and the best moves. If a limit is reached, the distance and the
        moves are the best that the search found.

        >>> from sliding_tile_pdb import Solver
        >>> hint = Solver("3x3").hint("8 6 7/2 5 4/3 0 1")
        >>> hint.distance, [move.moves for move in hint.moves]
        (31, ['L', 'D', 'R'])
        """
        hint: Hint = self._ask("hint", options, board=board)
        return hint

    @documented("rate", *_OWN, "improved")
    def rate(
        self, board: BoardLike, moves: Moves, **options: Unpack[SolverRateOptions]
    ) -> Rating:
        """Rates the moves of a game.

        >>> from sliding_tile_pdb import Solver
        >>> rating = Solver("3x3").rate("1 2 3/4 0 6/7 5 8", "LRUL")
        >>> rating.credit, [step.lost for step in rating.steps], rating.steps[0].better.moves
        (75.0, [2, 0, 0, 0], 'U')
        """
        rating: Rating = self._ask("rate", options, board=board, moves=moves)
        return rating

    def probe(self, board: BoardLike) -> Probe:
        """The table entries and values for a board, without a search.

        >>> from sliding_tile_pdb import Solver
        >>> probe = Solver("3x3", "1,2,3,4/5,6,7,8").probe("2 8 3/0 6 4/7 1 5")
        >>> probe.estimate, [[part.value for part in view.parts] for view in probe.views]
        (17, [[6, 9], [10, 7]])
        """
        probe: Probe = self._ask("probe", {}, board=board)
        return probe

    def estimate(self, board: BoardLike) -> int:
        """The heuristic's value for a board, a lower bound of the solution length."""
        return self._opened.estimate(board)

    def estimates(
        self, boards: Boards, *, threads: int = 0, cancel: Cancel | None = None
    ) -> npt.NDArray[np.uint16]:
        """The heuristic's values for many boards, which must all be solvable.

        With 6-6-3 in the metric `single`, and at least 4,000 boards, the time per board is about 1
        microsecond with one-bit tables, and about 0.25 microseconds with byte tables. Raises an
        error at the first invalid or unsolvable board.

        - `boards`: any iterable of boards, or an array of shape (n, cells) or (n, rows, columns),
          best of uint8.
        - `threads`: number of threads, at most 4096; 0 (default) is one per core.
        - `cancel`: a `Cancel`, which cancels the call from another thread.

        >>> from sliding_tile_pdb import Solver
        >>> Solver("3x3", "manhattan").estimates(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"])
        array([21,  1], dtype=uint16)
        """
        goal = self.goal
        array = array_of(boards, goal.columns, goal.rows, "uint16")
        values: npt.NDArray[np.uint16] = run(self._opened.estimates(array, threads, cancel))
        return values

    def verify(
        self,
        *,
        threads: int = 0,
        progress: ProgressLike | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Proves every entry of every table by the moves of the puzzle, or raises TableError.

        - `threads`: number of threads, at most 4096; 0 (default) is one per core.
        - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes
          `Progress`.
        - `cancel`: a `Cancel`, which cancels the call from another thread.
        """
        verify(self, threads=threads, progress=progress, cancel=cancel)

    def _key(self) -> Any:
        return id(self)

    def __reduce__(self) -> Any:
        raise TypeError(
            "a Solver cannot be pickled: create one per process, for example in the initializer of "
            "multiprocessing.Pool; solvers with tables in one directory share memory"
        )

    def __repr__(self) -> str:
        metric = "" if self.metric == "single" else f", metric={self.metric!r}"
        return f"<Solver of {self.size} with {self.partition}, goal {self.goal}{metric}>"


def _source(tables: Any) -> tuple[str | None, list[Any] | None]:
    """The argument `tables` of a solver: a directory in which tables are built, or tables that the
    caller supplies."""
    if tables is None:
        return None, None
    if isinstance(tables, (Table, bytes, bytearray, memoryview)):
        return None, [tables]
    if isinstance(tables, (str, os.PathLike)):
        path = os.fspath(tables)
        # A missing file with one of these endings is an error; other paths can be new directories.
        is_file = path.endswith((".pdb", ".pdbz", ".pack", ".json", ".zst"))
        has_bundle = os.path.exists(os.path.join(path, "manifest.json"))
        if os.path.isfile(path) or has_bundle or (is_file and not os.path.exists(path)):
            return None, [path]
        return path, None
    if not hasattr(tables, "__iter__"):
        kind = type(tables).__name__
        raise TypeError(f"tables is a path, bytes, or a list of Table objects and bytes, not {kind}")
    return None, list(tables)


def _of_bundle(given: dict[str, Any], bundle: dict[str, Any]) -> dict[str, Any]:
    """The options of a solver with the tables of a bundle."""
    goal = Goal(bundle["goal"], bundle["size"])
    if "goal" in given or "size" in given:
        own = Goal(given.get("goal", goal if given["size"] == goal.size else None),
                   given.get("size"))
        if own != goal:
            raise TableError(f"the tables are for the goal {goal}, not for {own}")
    parts = {} if "partition" in given else {"parts": bundle["parts"]}
    kind = {} if bundle["kind"] is None else {"kind": bundle["kind"]}
    return {**kind, **given, **parts, "goal": goal, "size": goal.size}


def build(
    partition: str | None = None,
    size: Size | None = None,
    *,
    goal: GoalLike | None = None,
    metric: Metric | None = None,
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
    exist there are only opened.

    `partition` is as in `Solver`. The default `encoding` of zero-aware tables is one bit per entry.
    With the encoding `u8`, `Table.values` provides the values as an array. `compress` and `force`
    apply only to a directory.

    - `partition`: division of the tiles: `6-6-3`, a preset such as `best`, or lists of tiles; the
      default depends on the size.
    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default that of the goal, else 4x4.
    - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    - `metric`: definition of a move: `single` (default), one tile, or `multi`, a run of tiles.
    - `kind`: kind of the tables: `zero-aware` (default), `blank-compressed`, `full` or `runs`.
    - `encoding`: `one-bit`, `mod-3` or `u8`; the default depends on the kind.
    - `tables`: a directory that stores the tables; by default they are in memory.
    - `compress`: whether files are compressed with zstd (default: no).
    - `force`: whether existing tables are rebuilt (default: no).
    - `threads`: number of threads, at most 4096; 0 (default) is one per core.
    - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes `Progress`.
    - `cancel`: a `Cancel`, which cancels the call from another thread.

    >>> from sliding_tile_pdb import build
    >>> tables = build("5-3", "3x3", encoding="u8")
    >>> [(table.tiles, table.values.size, table.max) for table in tables]
    [((4, 5, 6, 7, 8), 30720, 20), ((1, 2, 3), 744, 11)]
    """
    fields = {"partition": partition, "size": size, "goal": goal, "metric": metric, "kind": kind}
    given, plain = _given(fields), Session()
    job = _native.build(plain, given, encoding, tables, compress, force, threads, cancel)
    built: list[Table] = run(job, progress)
    return built


def pack(
    solver: Solver,
    out: Path,
    *,
    fixed: int | None = None,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> pathlib.Path:
    """Packs the tables of a solver into a directory with a manifest. Returns the path of the
    manifest.

    Packed tables are 3 to 20 times smaller than tables with one bit per entry. Any web server can
    host the directory, and `Solver(tables=...)`, `unpack`, pdb-gen and the npm package read it.

    - `solver`: the `Solver` whose tables are packed.
    - `out`: the directory to write.
    - `fixed`: number of tiles that keep their cells within a frame: a larger number means more
      and smaller frames. The default depends on the size.
    - `threads`: number of threads, at most 4096; 0 (default) is one per core.
    - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes `Progress`.
    - `cancel`: a `Cancel`, which cancels the call from another thread.

    >>> import tempfile
    >>> from sliding_tile_pdb import Solver, pack
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pack(Solver("3x3", "5-3"), directory)
    ...     Solver(tables=path).solve("8 6 7/2 5 4/3 0 1").length
    31
    """
    from shlex import quote

    goal, first = solver.goal, next(iter(solver.tables), None)
    is_first = goal == Goal("blank-first", goal.size)
    kind, encoding = (first.kind, first.encoding) if first else (None, None)
    # Each option, and its default.
    options: list[tuple[str, Any, Any]] = [
        ("size", goal.size, "4x4"),
        ("goal", "blank-first" if is_first else str(goal), str(Goal(None, goal.size))),
        ("metric", solver.metric, "single"),
        ("partition", solver.partition, None),
        ("kind", kind, "zero-aware" if solver.metric == "single" else kind),
        ("encoding", encoding, {"zero-aware": "one-bit", "runs": "mod-3"}.get(str(kind), "u8")),
        ("fixed", fixed, None),
    ]
    given = [f" --{name} {quote(str(value))}" for name, value, usual in options
             if value not in (None, usual)]
    rebuild = f"pdb-gen pack{''.join(given)} --out DIR"
    job = _native.pack(solver._opened, out, fixed, rebuild, threads, cancel)
    path: pathlib.Path = run(job, progress)
    return path


def verify(
    tables: Solver | Table | Path | Iterable[Table | Path],
    *,
    threads: int = 0,
    progress: ProgressLike | None = None,
    cancel: Cancel | None = None,
) -> list[Table]:
    """Proves every entry of tables by the moves of the puzzle. The tables are given as objects, as
    files, or as a directory of files. Returns the tables; raises TableError at the first wrong one.

    - `tables`: a `Table`, a `Solver`, the path of a file or directory, or a list of them.
    - `threads`: number of threads, at most one per core; 0 (default) is one per core.
    - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes `Progress`.
    - `cancel`: a `Cancel`, which cancels the call from another thread.

    >>> from sliding_tile_pdb import build, verify
    >>> len(verify(build("5-3", "3x3")))
    2
    """
    is_one = isinstance(tables, (Solver, Table, str, os.PathLike))
    given: Any = [tables] if is_one else tables
    found = [table for item in given for table in _tables_of(item)]
    run(_native.verify(found, threads, cancel), progress)
    return found


def _tables_of(item: Solver | Table | Path) -> Iterable[Table]:
    """A table, the tables of a solver, a file, or the files of a directory."""
    if isinstance(item, Table):
        return [item]
    if isinstance(item, Solver):
        return item.tables
    path = os.fspath(item)
    if not os.path.isdir(path):
        return [Table.open(path, check=False)]
    names = sorted(name for name in os.listdir(path) if name.endswith((".pdb", ".pdb.zst")))
    if not names:
        raise TableError(f"no tables found in {path}")
    # The checksums are not checked here, since the proof checks them.
    return [Table.open(os.path.join(path, name), check=False) for name in names]
