"""Results: frozen objects whose fields are those of the JSON objects of docs/json.md.

They are like dataclasses, but the module `dataclasses` takes a third of the time in which this
package may be imported, and an object of the native module's is a dict already.
"""

from __future__ import annotations


def _frozen(value):
    """A value of JSON that can be a field of something frozen; dicts are copied."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {name: _frozen(item) for name, item in value.items()}
    return value


def _copied(value):
    """A copy of a value of JSON, lists and dicts in it included."""
    if isinstance(value, (list, tuple)):
        return [_copied(item) for item in value]
    if isinstance(value, dict):
        return {name: _copied(item) for name, item in value.items()}
    if isinstance(value, Result):
        return value.to_dict()
    return value


def _hashable(value):
    """Something that is equal for equal values of JSON, and can be hashed."""
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return frozenset((name, _hashable(item)) for name, item in value.items())
    return value


def _field(name, text, of):
    """A field read from the object's dict; its value, or each in its list, is of a class."""
    if of is None:

        def read(self):
            return _frozen(self._fields.get(name))

    else:

        def read(self):
            value = self._fields.get(name)
            if isinstance(value, list):
                return tuple(map(of._of, value))
            return None if value is None else of._of(value)

    read.__name__ = name
    return property(read, doc=text)


class Result:
    """What all results are: frozen objects, equal where all fields are, that can be pickled.

    Fields are those of the object in docs/json.md; those that do not apply are None.
    """

    __slots__ = ("_fields",)
    __match_args__ = ()

    def __init__(self):
        raise TypeError(f"{type(self).__name__} objects are results: see from_dict")

    @classmethod
    def _of(cls, fields):
        """The result with this dict, which is not copied."""
        result = object.__new__(cls)
        object.__setattr__(result, "_fields", fields)
        return result

    @classmethod
    def from_dict(cls, fields):
        """The result with these fields, such as a line of `--json`.

        >>> from sliding_tile_pdb import Report
        >>> Report.from_dict({"status": "solved", "length": 31}).length
        31
        """
        unknown = [name for name in fields if name not in cls.__match_args__]
        if unknown:
            known = ", ".join(cls.__match_args__)
            raise TypeError(f"{cls.__name__} has no field {unknown[0]!r}: expected {known}")
        return cls._of(_copied(dict(fields)))

    def to_dict(self):
        """The object of `--json`: plain values, without the fields that do not apply."""
        return _copied(self._fields)

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} objects cannot be changed")

    def __delattr__(self, name):
        raise AttributeError(f"{type(self).__name__} objects cannot be changed")

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self._fields == other._fields

    def __hash__(self):
        return hash((type(self), _hashable(self._fields)))

    def __repr__(self):
        fields = (f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({', '.join(fields)})"

    def __reduce__(self):
        return type(self)._of, (self._fields,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _result(fields, **classes):
    """Gives a class its fields, which stand in lines of a name and a text; those that are results
    themselves have a class."""
    lines = [line.strip().partition(": ") for line in fields.strip().splitlines()]

    def decorate(cls):
        for name, _, text in lines:
            setattr(cls, name, _field(name, text, classes.get(name)))
        cls.__match_args__ = tuple(name for name, _, _ in lines)
        cls.__module__ = "sliding_tile_pdb"
        return cls

    return decorate


Result.__module__ = "sliding_tile_pdb"


@_result("""
    bound: The longest paths that were looked at.
    nodes: Nodes generated in it.
    expanded: Nodes expanded in it.
""")
class Iteration(Result):
    """One depth-first search of IDA*."""

    __slots__ = ()


@_result("""
    action: What the step does: `place`, `corner`, `finish` or `slide`.
    tile: Of `place`: the tile.
    row: Of `place`: where it goes.
    column: Of `place`: where it goes.
    tiles: Of `corner` and `finish`: the tiles.
    length: Moves of the step.
    moves: The moves; those of all steps are the solution's.
""")
class Step(Result):
    """A step of a strategic solution. Rows and columns count from 1."""

    __slots__ = ()


@_result(
    """
    board: The board, in rows; after a reading error the text.
    status: How it ended: `solved`, `improved`, `unsolvable`, `limit` or `error`.
    mode: What kind of answer was asked for.
    length: The length of the solution, in the solver's metric.
    optimal: Whether it is proved that no solution is shorter.
    proved: The same as `optimal`.
    method: How the solution was found: `search`, `strategic`, `beam` or `window`.
    moves: The moves of the solution, empty when already solved.
    steps: The steps of a strategic solution, with `explain=True`.
    count: How many shortest solutions there are.
    counts: How many solutions there are of 0, 1, ... moves more than a shortest one.
    solutions: The first of these, shorter ones first.
    nodes: Nodes generated, over all iterations.
    expanded: Nodes expanded.
    ms: Milliseconds of the board's search alone.
    h0: The heuristic's value of the board.
    bound: No solution is shorter than this.
    iterations: What each iteration of IDA* cost.
    threads: Threads that the search was allowed to use.
    tables: The name of the partition.
    swap: Of an unsolvable board: two tiles whose swap makes it solvable, the smaller first.
    line: The line of a list where the board begins, from 1.
    message: Why there is no solution.
""",
    steps=Step,
    iterations=Iteration,
)
class Report(Result):
    """What became of a board: the object that `solver --json` prints. Notebooks draw it.

    >>> from sliding_tile_pdb import solve
    >>> report = solve("1 2 3/4 0 6/7 5 8")
    >>> report.length, report.moves, report.optimal
    (2, 'UL', True)
    >>> report.to_dict()["status"]
    'solved'
    """

    __slots__ = ("_goal", "_notation")

    def _context(self):
        """The goal and the notation of the moves, if the report is not of a dict."""
        return getattr(self, "_goal", None), getattr(self, "_notation", None)

    def svg(self):
        """The board as SVG; with a solution the moves are played."""
        from . import Board

        goal, notation = self._context()
        board = Board(self.board, None if goal is None else goal.size)
        return board.svg(self.moves, notation=notation, goal=goal)

    def _repr_svg_(self):
        # Where there is no board to draw, notebooks show the text.
        return None if self.status == "error" or self.board is None else self.svg()

    def __reduce__(self):
        return _report_of, (self._fields, *self._context())


def _report_of(fields, goal, notation):
    report = Report._of(fields)
    object.__setattr__(report, "_goal", goal)
    object.__setattr__(report, "_notation", notation)
    return report


@_result("""
    tiles: The numbers on them, the one next to the blank first.
    moves: The move, in letters for the way the tile goes.
""")
class TileMove(Result):
    """One or several tiles that slide at once."""

    __slots__ = ()


@_result(
    """
    board: The board.
    distance: How far the goal is: the length of the best solution known.
    bound: No solution is shorter.
    exact: Whether no solution is shorter than `distance`; then `moves` are all good moves.
    moves: The good moves: each begins a solution of that length. None on the goal.
    solution: Moves of that length, in letters for the way the tile goes.
    nodes: Nodes generated in all searches.
    tables: The name of the partition.
""",
    moves=TileMove,
)
class Hint(Result):
    """Help with a board: the object that `solver hint --json` prints."""

    __slots__ = ()


@_result(
    """
    tiles: The numbers on the tiles that slid.
    moves: The move, in letters for the way the tile goes.
    distance: How far the goal is after the move.
    bound: No solution from there is shorter.
    kept: Whether it kept a shortest solution.
    lost: How much longer it made the way.
    better: A move that would have kept one, where this one did not.
""",
    better=TileMove,
)
class RatedMove(Result):
    """A move of a game."""

    __slots__ = ()


@_result("""
    first: The first, counted from 1.
    last: The last.
    lost: What they lost together.
""")
class LostStretch(Result):
    """Moves in a row, each of which lost some."""

    __slots__ = ()


@_result(
    """
    board: The board at the beginning.
    moves: The moves as given.
    distance: How far the goal was.
    bound: No solution is shorter.
    exact: Whether all distances are proved.
    length: The number of moves made.
    left: The distance where they end.
    kept: How many moves kept a shortest solution.
    lost: How much longer the game, and a shortest way on, is than a shortest solution.
    credit: The share of the moves that kept a shortest solution, in percent.
    efficiency: 100 x distance / (length + left).
    worst: Where most was lost; None if nothing was.
    steps: The moves, one by one.
    nodes: Nodes generated in all searches.
    tables: The name of the partition.
""",
    worst=LostStretch,
    steps=RatedMove,
)
class Rating(Result):
    """A game judged: the object that `solver rate --json` prints."""

    __slots__ = ()


@_result("""
    tiles: The numbers on its tiles.
    table: The name of its table.
    encoding: How its entries are represented.
    symmetry: Carries the board into the table's orientation.
    file: The table's file, if it is kept.
    entry: The number of the entry in the table, from 0.
    stored: What the file holds there.
    value: The value.
""")
class ProbedPart(Result):
    """A pattern of a view, and its entry."""

    __slots__ = ()


@_result(
    """
    partition: Which of the partitions asked for, from 0.
    symmetry: Brings the partition to this view.
    kind: Of the tables.
    sum: Of the parts' values.
    parts: The patterns.
""",
    parts=ProbedPart,
)
class ProbedView(Result):
    """A partition, or its image under a symmetry that keeps the goal's blank."""

    __slots__ = ()


@_result(
    """
    board: The board.
    tables: The name of the partition.
    estimate: The value of the heuristic: no solution is shorter.
    table_free: The heuristic without tables, where it takes part.
    views: The partitions and their images; the largest sum counts.
""",
    views=ProbedView,
)
class Probe(Result):
    """What the tables say of a board, without a search: the object of `solver probe --json`."""

    __slots__ = ()


@_result("""
    solvable: Whether the goal can be reached.
    message: Why it cannot.
    swap: Two tiles whose swap makes it solvable, where one swap does; the smaller first.
    is_odd: Whether the arrangement is an odd number of swaps from the goal.
    blank_distance: Moves that the blank is away from its place.
""")
class Solvability(Result):
    """Whether a board can be solved. True in conditions if it can."""

    __slots__ = ()

    def __bool__(self):
        return self.solvable


@_result("""
    words: What it is, such as `tile 5: 2 moves from home`.
    tiles: The numbers on the tiles that it is about.
    value: What it counts.
""")
class Term(Result):
    """Where a heuristic's value comes from."""

    __slots__ = ()


@_result(
    """
    heuristic: Its name.
    value: No solution is shorter.
    is_largest: Whether no other one has a larger value.
    is_consistent: Whether values of neighbouring boards differ by at most the move between them.
    source: Who described it, and where.
    terms: Where the value comes from.
""",
    terms=Term,
)
class Explanation(Result):
    """What a heuristic sees on a board."""

    __slots__ = ()


@_result("""
    set: The set of boards: a suite's name, `random`, `walk-K` or `given`.
    size: Columns x rows.
    goal: The goal.
    number: The board's number in its set, from 1.
    board: The board.
    search: The name of the search.
    heuristic: The name of the heuristic; `none` where the search asks none.
    status: Whether it found a solution: `solved` or `limit`.
    limit: The limit that ended it: `nodes`, `memory` or `time`.
    length: Moves of its solution.
    optimal_length: Moves of a shortest one, where that is known.
    moves: The solution, by letters for the way the tile goes.
    h0: The heuristic's value of the board.
    generated: Children of expanded nodes, without those by the move back.
    expanded: Nodes whose children were generated.
    reopened: Those of them that were reached by a shorter way later.
    peak: The most nodes kept at once.
    peak_bytes: The bytes that these took.
    branching_factor: The effective branching factor.
    ms: Milliseconds.
    iterations: Of `ida-star`: objects with `bound`, `generated` and `expanded`.
""")
class ComparisonRecord(Result):
    """A search of a comparison: docs/json.md, "A search of a comparison"."""

    __slots__ = ()


class Progress(int):
    """What was done since the last report, as a number that `tqdm.update` takes.

    `stage` is what is being done, `done` how much of it so far, `total` how much there is to do, if
    that is known, `bound` what a search has proved, and `ms` the time since the call began.
    """

    def __new__(cls, step, stage="search", done=0, total=None, bound=None, ms=0.0):
        progress = super().__new__(cls, step)
        progress.stage = stage
        progress.done = done
        progress.total = total
        progress.bound = bound
        progress.ms = ms
        return progress

    def __repr__(self):
        fields = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"Progress({int(self)}, {', '.join(fields)})"


Progress.__module__ = "sliding_tile_pdb"


class Suite:
    """Boards that come with the package, and how far from the goal they are where that is known."""

    __slots__ = ("_name", "_goal", "_boards", "_lengths")

    def __init__(self, name, goal, boards, lengths):
        for field, value in zip(self.__slots__, (name, goal, tuple(boards), tuple(lengths))):
            object.__setattr__(self, field, value)

    @property
    def name(self):
        """Its name."""
        return self._name

    @property
    def goal(self):
        """The goal of all its boards."""
        return self._goal

    @property
    def boards(self):
        """The boards."""
        return self._boards

    @property
    def lengths(self):
        """The moves of their shortest solutions, where they are known."""
        return self._lengths

    def __setattr__(self, name, value):
        raise AttributeError("Suite objects cannot be changed")

    def _key(self):
        return self._name, self._goal, self._boards, self._lengths

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, Suite) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"Suite({self.name!r}, {len(self.boards)} boards)"

    def __reduce__(self):
        return Suite, (self.name, self.goal, self.boards, self.lengths)


Suite.__module__ = "sliding_tile_pdb"


def _of_json(name, text):
    """A result of a class, or a list of them, from JSON; for the native module."""
    from json import loads

    cls, value = globals()[name], loads(text)
    return [cls._of(fields) for fields in value] if isinstance(value, list) else cls._of(value)


def _report(text, goal, notation):
    """A report from JSON; for the native module."""
    from json import loads

    return _report_of(loads(text), goal, notation)


def _probe(text, files):
    """A probe from JSON, with the files of the tables that are kept; for the native module."""
    from json import loads

    fields = loads(text)
    for view in fields["views"]:
        for number, part in enumerate(view["parts"]):
            file = files.get(part["table"])
            if file is not None:
                entry = {name: part.pop(name) for name in ("entry", "stored", "value")}
                view["parts"][number] = {**part, "file": file, **entry}
    return Probe._of(fields)
