"""Results: frozen objects whose fields are those of the JSON objects of docs/json.md.

They are like dataclasses, and the functions of `dataclasses` take them. The module itself is
imported only when one of these is used: that takes longer than the whole package, and an object of
the native module's is a dict already.
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


def _property(name, text, of):
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


def _is_of(value, kind):
    """Whether a value of JSON is of a type."""
    if kind is float:
        kind = (int, float)
    elif issubclass(kind, Result):
        kind = dict
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _shortened(value):
    """A field in a line of text: long lists by their length."""
    if isinstance(value, tuple) and len(value) > 2 and not isinstance(value[0], int):
        return f"<{len(value)} {type(value[0]).__name__} objects>"
    return repr(value)


class _DataclassFields:
    """The fields as the module `dataclasses` describes them, made when they are first asked for:
    importing that module takes longer than importing this package."""

    def __get__(self, _result, cls):
        from dataclasses import field, make_dataclass

        fields = ((name, object, field(default=None)) for name in cls.__match_args__)
        cls.__dataclass_fields__ = make_dataclass(cls.__name__, fields).__dataclass_fields__
        return cls.__dataclass_fields__


class Result:
    """Base class of all results: frozen objects, equal where all fields are, that can be pickled.

    Fields are those of the object in docs/json.md; those that do not apply are None. The functions
    of `dataclasses` and pandas take them as dataclasses.
    """

    __slots__ = ("_fields",)
    __match_args__ = ()
    __dataclass_fields__ = _DataclassFields()
    _types = {}

    def __init__(self, **fields):
        fields = {name: value for name, value in fields.items() if value is not None}
        object.__setattr__(self, "_fields", type(self)._read(fields))

    @classmethod
    def _of(cls, fields):
        """The result with this dict, which is not copied."""
        result = object.__new__(cls)
        object.__setattr__(result, "_fields", fields)
        return result

    @classmethod
    def _read(cls, fields):
        """A dict of fields, copied and checked."""
        unknown = [name for name in fields if name not in cls._types]
        if unknown:
            known = ", ".join(cls.__match_args__)
            raise TypeError(f"{cls.__name__} has no field {unknown[0]!r}: expected {known}")
        read = {name: _copied(value) for name, value in fields.items()}
        for name, value in read.items():
            if value is None:
                continue
            kind, is_list = cls._types[name]
            values = value if is_list and isinstance(value, list) else [value]
            if is_list != isinstance(value, list) or not all(_is_of(one, kind) for one in values):
                expected = f"a list of {kind.__name__}" if is_list else kind.__name__
                raise TypeError(f"{cls.__name__}.{name} is {value!r}: expected {expected}")
            if issubclass(kind, Result):
                values = [kind.from_dict(one)._fields for one in values]
                read[name] = values if is_list else values[0]
        return read

    @classmethod
    def from_dict(cls, fields):
        """The result with these fields, such as a line of `--json`. Fields that the class does not
        have, such as those of a later version, are left out.

        >>> from sliding_tile_pdb import Report
        >>> Report.from_dict({"status": "solved", "length": 31}).length
        31
        """
        known = {name: value for name, value in dict(fields).items() if name in cls._types}
        return cls._of(cls._read(known))

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
        return self._key() == other._key()

    def __hash__(self):
        return hash((type(self), _hashable(self._key())))

    def _key(self):
        """The fields that have a value."""
        return {name: value for name, value in self._fields.items() if value is not None}

    def __repr__(self):
        fields = (f"{name}={_shortened(getattr(self, name))}" for name in self._fields)
        return f"{type(self).__name__}({', '.join(fields)})"

    def __reduce__(self):
        return type(self)._of, (self._fields,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __replace__(self, /, **changes):
        return type(self)(**{**self._fields, **changes})


def _result(text):
    """Gives a class its fields, which stand in lines of a name, a type and a text. A type with `*`
    is that of the items of a list."""
    types = {"str": str, "int": int, "float": float, "bool": bool, "dict": dict}
    fields = []
    for line in text.strip().splitlines():
        head, _, words = line.strip().partition(": ")
        name, kind = head.split(", ")
        fields.append((name, types.get(kind.rstrip("*")) or globals()[kind.rstrip("*")],
                       kind.endswith("*"), words))

    def decorate(cls):
        for name, kind, _, words in fields:
            of = kind if issubclass(kind, Result) else None
            setattr(cls, name, _property(name, words, of))
        cls.__match_args__ = tuple(name for name, *_ in fields)
        cls._types = {name: (kind, is_list) for name, kind, is_list, _ in fields}
        cls.__dataclass_fields__ = _DataclassFields()
        cls.__module__ = "sliding_tile_pdb"
        return cls

    return decorate


Result.__module__ = "sliding_tile_pdb"


@_result("""
    bound, int: The longest paths that were looked at.
    nodes, int: Nodes generated in it.
    expanded, int: Nodes expanded in it.
    side, str: `goal` if it was searched from there, else None.
""")
class Iteration(Result):
    """One depth-first search of IDA*."""

    __slots__ = ()


@_result("""
    action, str: What the step does: `place`, `corner`, `finish` or `slide`.
    tile, int: Of `place`: the tile.
    row, int: Of `place`: where it goes.
    column, int: Of `place`: where it goes.
    tiles, int*: Of `corner` and `finish`: the tiles.
    length, int: Moves of the step.
    moves, str: The moves; those of all steps are the solution's.
""")
class Step(Result):
    """A step of a strategic solution. Rows and columns count from 1."""

    __slots__ = ()


@_result("""
    board, str: The board, in rows; after a reading error the text.
    status, str: How it ended: `solved`, `improved`, `unsolvable`, `limit` or `error`.
    mode, str: What kind of answer was asked for.
    length, int: The length of the solution, in the solver's metric.
    optimal, bool: Whether it is proved that no solution is shorter.
    proved, bool: The same as `optimal`.
    method, str: How the solution was found: `search`, `strategic`, `beam` or `window`.
    moves, str: The moves of the solution, empty when already solved.
    steps, Step*: The steps of a strategic solution, with `explain=True`.
    count, int: How many shortest solutions there are.
    counts, int*: How many solutions there are of 0, 1, ... moves more than a shortest one.
    solutions, str*: The first of these, shorter ones first.
    nodes, int: Nodes generated, over all iterations.
    expanded, int: Nodes expanded.
    ms, float: Milliseconds of the board's search alone.
    h0, int: The heuristic's value of the board.
    bound, int: No solution is shorter than this.
    iterations, Iteration*: What each iteration of IDA* cost.
    threads, int: Threads that the search was allowed to use.
    tables, str: The name of the partition.
    swap, int*: Of an unsolvable board: two tiles whose swap makes it solvable, the smaller first.
    line, int: The line of a list where the board begins, from 1.
    message, str: Why there is no solution.
""")
class Report(Result):
    """The outcome of a board: the object that `solver --json` prints. Notebooks draw it.

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
        # Without a board to draw, notebooks show the text.
        return None if self.status == "error" or self.board is None else self.svg()

    def __reduce__(self):
        return _report_of, (self._fields, *self._context())

    def __replace__(self, /, **changes):
        return _report_of(super().__replace__(**changes)._fields, *self._context())


def _report_of(fields, goal, notation):
    report = Report._of(fields)
    object.__setattr__(report, "_goal", goal)
    object.__setattr__(report, "_notation", notation)
    return report


@_result("""
    tiles, int*: The numbers on them, the one next to the blank first.
    moves, str: The move, in letters for the way the tile goes.
""")
class TileMove(Result):
    """One or several tiles that slide at once."""

    __slots__ = ()


@_result("""
    board, str: The board.
    distance, int: How far the goal is: the length of the best solution known.
    bound, int: No solution is shorter.
    exact, bool: Whether no solution is shorter than `distance`; then `moves` are all good moves.
    moves, TileMove*: The good moves: each begins a solution of that length. None on the goal.
    solution, str: Moves of that length, in letters for the way the tile goes.
    nodes, int: Nodes generated in all searches.
    tables, str: The name of the partition.
""")
class Hint(Result):
    """Help with a board: the object that `solver hint --json` prints."""

    __slots__ = ()


@_result("""
    tiles, int*: The numbers on the tiles that slid.
    moves, str: The move, in letters for the way the tile goes.
    distance, int: How far the goal is after the move.
    bound, int: No solution from there is shorter.
    kept, bool: Whether it kept a shortest solution.
    lost, int: How much longer it made the way.
    better, TileMove: A move that would have kept one, where this one did not.
""")
class RatedMove(Result):
    """A move of a game."""

    __slots__ = ()


@_result("""
    first, int: The first, counted from 1.
    last, int: The last.
    lost, int: What they lost together.
""")
class LostStretch(Result):
    """Moves in a row, each of which lost some."""

    __slots__ = ()


@_result("""
    board, str: The board at the beginning.
    moves, str: The moves as given.
    distance, int: How far the goal was.
    bound, int: No solution is shorter.
    exact, bool: Whether all distances are proved.
    length, int: The number of moves made.
    left, int: The distance where they end.
    kept, int: How many moves kept a shortest solution.
    lost, int: How much longer the game, and a shortest way on, is than a shortest solution.
    credit, float: The share of the moves that kept a shortest solution, in percent.
    efficiency, float: 100 x distance / (length + left).
    worst, LostStretch: Where most was lost; None if nothing was.
    steps, RatedMove*: The moves, one by one.
    nodes, int: Nodes generated in all searches.
    tables, str: The name of the partition.
""")
class Rating(Result):
    """A game judged: the object that `solver rate --json` prints."""

    __slots__ = ()


@_result("""
    tiles, int*: The numbers on its tiles.
    table, str: The name of its table.
    encoding, str: How its entries are represented.
    symmetry, str: Carries the board into the table's orientation.
    file, str: The table's file, if it is kept.
    entry, int: The number of the entry in the table, from 0.
    stored, int: What the file holds there.
    value, int: The value.
""")
class ProbedPart(Result):
    """A pattern of a view, and its entry."""

    __slots__ = ()


@_result("""
    partition, int: Which of the partitions asked for, from 0.
    symmetry, str: Brings the partition to this view.
    kind, str: Of the tables.
    sum, int: Of the parts' values.
    parts, ProbedPart*: The patterns.
""")
class ProbedView(Result):
    """A partition, or its image under a symmetry that keeps the goal's blank."""

    __slots__ = ()


@_result("""
    board, str: The board.
    tables, str: The name of the partition.
    estimate, int: The value of the heuristic: no solution is shorter.
    table_free, int: The heuristic without tables, where it takes part.
    views, ProbedView*: The partitions and their images; the largest sum counts.
""")
class Probe(Result):
    """The values in the tables for a board: the object of `solver probe --json`."""

    __slots__ = ()


@_result("""
    solvable, bool: Whether the goal can be reached.
    message, str: Why it cannot.
    swap, int*: Two tiles whose swap makes it solvable, where one swap does; the smaller first.
    is_odd, bool: Whether the arrangement is an odd number of swaps from the goal.
    blank_distance, int: Moves that the blank is away from its place.
""")
class Solvability(Result):
    """Whether a board can be solved. True in conditions if it can."""

    __slots__ = ()

    def __bool__(self):
        return self.solvable


@_result("""
    words, str: What it is, such as `tile 5: 2 moves from home`.
    tiles, int*: The numbers on the tiles that it is about.
    value, int: What it counts.
""")
class Term(Result):
    """A term of a heuristic's value."""

    __slots__ = ()


@_result("""
    heuristic, str: Its name.
    value, int: No solution is shorter.
    is_largest, bool: Whether no other one has a larger value.
    is_consistent, bool: Whether values of neighbours differ by at most the move between them.
    source, str: Who described it, and where.
    terms, Term*: Where the value comes from.
""")
class Explanation(Result):
    """The value of a heuristic on a board, explained."""

    __slots__ = ()


@_result("""
    set, str: The set of boards: a suite's name, `random`, `walk-K` or `given`.
    size, str: Columns x rows.
    goal, str: The goal.
    number, int: The board's number in its set, from 1.
    board, str: The board.
    search, str: The name of the search.
    heuristic, str: The name of the heuristic; `none` where the search asks none.
    status, str: Whether it found a solution: `solved` or `limit`.
    limit, str: The limit that ended it: `nodes`, `memory` or `time`.
    length, int: Moves of its solution.
    optimal_length, int: Moves of a shortest one, where that is known.
    moves, str: The solution, by letters for the way the tile goes.
    h0, int: The heuristic's value of the board.
    generated, int: Children of expanded nodes, without those by the move back.
    expanded, int: Nodes whose children were generated.
    reopened, int: Those of them that were reached by a shorter way later.
    peak, int: The most nodes kept at once.
    peak_bytes, int: The bytes that these took.
    branching_factor, float: The effective branching factor.
    ms, float: Milliseconds.
    iterations, dict*: Of `ida-star`: objects with `bound`, `generated` and `expanded`.
""")
class ComparisonRecord(Result):
    """A search of a comparison: docs/json.md, "A search of a comparison"."""

    __slots__ = ()


class Progress(int):
    """Entries made since the last report, as a number for `tqdm.update`.

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

    fields = {"board": None, **loads(text)}
    for view in fields["views"]:
        for number, part in enumerate(view["parts"]):
            file = files.get(part["table"])
            if file is not None:
                entry = {name: part.pop(name) for name in ("entry", "stored", "value")}
                view["parts"][number] = {**part, "file": file, **entry}
    return Probe._of(fields)
