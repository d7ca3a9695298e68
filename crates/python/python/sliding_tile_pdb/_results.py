"""Results: frozen objects with the fields of the JSON objects of docs/json.md.

The functions of `dataclasses` accept them. The module `dataclasses` is imported only when one of
these functions needs it, because its import takes longer than the import of this whole package.
"""

from __future__ import annotations


def _frozen(value):
    """A copy of a JSON value in which lists are tuples. Dicts stay dicts."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {name: _frozen(item) for name, item in value.items()}
    return value


def _copied(value):
    """A deep copy of a JSON value."""
    if isinstance(value, (list, tuple)):
        return [_copied(item) for item in value]
    if isinstance(value, dict):
        return {name: _copied(item) for name, item in value.items()}
    if isinstance(value, Result):
        return value.to_dict()
    return value


def _hashable(value):
    """A hashable object that is equal for equal JSON values."""
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return frozenset((name, _hashable(item)) for name, item in value.items())
    return value


def _property(name, text, of):
    """A property that reads a field. `of` is the class of the field's value, or of the items if the
    value is a list."""
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
    """Whether a JSON value has a type."""
    if kind is float:
        kind = (int, float)
    elif issubclass(kind, Result):
        kind = dict
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _shortened(value):
    """The text of a field; long lists are shown by their length."""
    if isinstance(value, tuple) and len(value) > 2 and not isinstance(value[0], int):
        return f"<{len(value)} {type(value[0]).__name__} objects>"
    return repr(value)


class _DataclassFields:
    """The fields as the module `dataclasses` describes them, created on first use: importing that
    module takes longer than importing this package."""

    def __get__(self, _result, cls):
        from dataclasses import field, make_dataclass

        fields = ((name, object, field(default=None)) for name in cls.__match_args__)
        cls.__dataclass_fields__ = make_dataclass(cls.__name__, fields).__dataclass_fields__
        return cls.__dataclass_fields__


class Result:
    """Base class of all results: frozen objects that can be compared and pickled.

    Fields are those of the object in docs/json.md; fields that do not apply are None. The functions
    of `dataclasses`, and pandas, accept results as dataclasses.
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
        """Creates a result from a dict of fields, without copying the dict."""
        result = object.__new__(cls)
        object.__setattr__(result, "_fields", fields)
        return result

    @classmethod
    def _read(cls, fields):
        """Copies and checks a dict of fields."""
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
        """Creates a result from fields, such as a line of `--json`. Unknown fields, such as those
        of a later version, are ignored.

        >>> from sliding_tile_pdb import Report
        >>> Report.from_dict({"status": "solved", "length": 31}).length
        31
        """
        known = {name: value for name, value in dict(fields).items() if name in cls._types}
        return cls._of(cls._read(known))

    def to_dict(self):
        """The `--json` object: plain values, without the fields that do not apply."""
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
        """The fields that are not None."""
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
    """Decorates a class with fields. `text` lists the fields, one per line, with name, type and
    docstring. `*` after a type means a list of that type."""
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
    bound, int: Maximum path length of the iteration.
    nodes, int: Generated nodes.
    expanded, int: Expanded nodes.
    side, str: `goal` if the search started from the goal, else None.
""")
class Iteration(Result):
    """One depth-first search of IDA*."""

    __slots__ = ()


@_result("""
    action, str: Action of the step: `place`, `corner`, `finish` or `slide`.
    tile, int: For `place`: the tile.
    row, int: For `place`: the row of the cell, from 1.
    column, int: For `place`: the column of the cell, from 1.
    tiles, int*: For `corner` and `finish`: the tiles.
    length, int: Number of moves.
    moves, str: The moves of the step. The moves of all steps together are the solution.
""")
class Step(Result):
    """A step of a strategic solution. Rows and columns count from 1."""

    __slots__ = ()


@_result("""
    board, str: The board, row by row; the input text if it is not a valid board.
    status, str: The outcome: `solved`, `improved`, `unsolvable`, `limit` or `error`.
    mode, str: The requested mode.
    length, int: Length of the solution in the solver's metric.
    optimal, bool: Whether the solution is proved to be shortest.
    proved, bool: Same as `optimal`.
    method, str: Method that found the solution: `search`, `strategic`, `beam` or `window`.
    moves, str: The moves of the solution, empty if the board is solved.
    steps, Step*: The steps of a strategic solution, with `explain=True`.
    count, int: Number of shortest solutions.
    counts, int*: Number of solutions with 0, 1, ... moves more than a shortest solution.
    solutions, str*: The first solutions, shorter ones first.
    nodes, int: Generated nodes of all iterations.
    expanded, int: Expanded nodes.
    ms, float: Time of the board's search alone, in milliseconds.
    h0, int: The heuristic's value for the board.
    bound, int: Proved lower bound of the length.
    iterations, Iteration*: The iterations of IDA*.
    threads, int: Number of available search threads.
    tables, str: Name of the partition.
    swap, int*: For an unsolvable board: two tiles whose swap makes it solvable, the smaller first.
    reachable_goals, str*: For an unsolvable board: the names of other goals that it can reach.
    notes, str*: In a list: guesses about the form of the board's text.
    line, int: The line of a list where the board starts, from 1.
    message, str: Why there is no solution, or why the search ended.
""")
class Report(Result):
    """The outcome of a board: the object that `solver --json` prints. In a notebook, a report is
    shown as a drawing of the board.

    >>> from sliding_tile_pdb import solve
    >>> report = solve("1 2 3/4 0 6/7 5 8")
    >>> report.length, report.moves, report.optimal
    (2, 'UL', True)
    >>> report.to_dict()["status"]
    'solved'
    """

    __slots__ = ("_goal", "_notation")

    def _context(self):
        """The goal and the notation of the moves. Both are None for a report from a dict."""
        return getattr(self, "_goal", None), getattr(self, "_notation", None)

    def svg(self):
        """The board as SVG; a solution is animated."""
        from . import Board

        goal, notation = self._context()
        board = Board(self.board, None if goal is None else goal.size)
        return board.svg(self.moves, notation=notation, goal=goal)

    def _repr_svg_(self):
        # If there is no board to draw, None makes the notebook show the `repr`.
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
    tiles, int*: The numbers on the tiles, the one next to the blank first.
    moves, str: The move, in letters for the direction of the tile.
""")
class TileMove(Result):
    """One or several tiles that slide together."""

    __slots__ = ()


@_result("""
    board, str: The board.
    distance, int: Length of the best known solution.
    bound, int: Proved lower bound of the distance.
    exact, bool: Whether `distance` is proved and `moves` contains all best moves.
    moves, TileMove*: The best moves: each starts a solution of length `distance`.
    solution, str: A solution of length `distance`, in letters for the direction of the tile.
    nodes, int: Generated nodes of all searches.
    tables, str: Name of the partition.
""")
class Hint(Result):
    """A hint for a board: the object that `solver hint --json` prints."""

    __slots__ = ()


@_result("""
    tiles, int*: The numbers on the tiles that slid.
    moves, str: The move, in letters for the direction of the tile.
    distance, int: Distance to the goal after the move.
    bound, int: Proved lower bound of that distance.
    kept, bool: Whether the move stayed on a shortest solution.
    lost, int: Excess moves that the move caused.
    better, TileMove: A move that stays on a shortest solution, if this move does not.
""")
class RatedMove(Result):
    """A move of a game."""

    __slots__ = ()


@_result("""
    first, int: Number of the first move, from 1.
    last, int: Number of the last move.
    lost, int: Total number of excess moves.
""")
class LostStretch(Result):
    """Consecutive moves, none of which stays on a shortest solution."""

    __slots__ = ()


@_result("""
    board, str: The initial board.
    moves, str: The moves, as in the call.
    distance, int: Distance of the initial board from the goal.
    bound, int: Proved lower bound of the distance.
    exact, bool: Whether all distances are proved.
    length, int: Number of moves of the game.
    left, int: Distance to the goal after the last move.
    kept, int: Number of moves that stayed on a shortest solution.
    lost, int: Excess moves: `length` + `left` - `distance`.
    credit, float: Percentage of moves that stayed on a shortest solution.
    efficiency, float: 100 x distance / (length + left).
    worst, LostStretch: The stretch of moves with the greatest loss; None if no move was lost.
    steps, RatedMove*: The moves, one by one.
    nodes, int: Generated nodes of all searches.
    tables, str: Name of the partition.
""")
class Rating(Result):
    """The rating of a game: the object that `solver rate --json` prints."""

    __slots__ = ()


@_result("""
    tiles, int*: The numbers on the tiles.
    table, str: Name of the table.
    encoding, str: Encoding of the table's entries.
    symmetry, str: The symmetry that maps the board to the table's orientation.
    file, str: The table's file, if there is one.
    entry, int: Index of the entry, from 0.
    stored, int: Stored value of the entry.
    value, int: The value that the stored entry stands for.
""")
class ProbedPart(Result):
    """A pattern of a view and its table entry."""

    __slots__ = ()


@_result("""
    partition, int: Index of the requested partition, from 0.
    symmetry, str: The symmetry that maps the partition to this view.
    kind, str: Kind of the tables.
    sum, int: Sum of the values of the parts.
    parts, ProbedPart*: The patterns.
""")
class ProbedView(Result):
    """A partition, or its image under a symmetry that keeps the goal's blank."""

    __slots__ = ()


@_result("""
    board, str: The board.
    tables, str: Name of the partition.
    estimate, int: Value of the heuristic, a lower bound of the length.
    table_free, int: Value of the table-free heuristic, if it is used.
    views, ProbedView*: The partitions and their images. The estimate uses the largest `sum`.
""")
class Probe(Result):
    """The table values for a board: the object that `solver probe --json` prints."""

    __slots__ = ()


@_result("""
    solvable, bool: Whether the goal is reachable.
    message, str: Why the goal is not reachable.
    swap, int*: Two tiles whose swap makes the goal reachable, if one swap suffices; smaller first.
    is_odd, bool: Whether the arrangement is an odd number of swaps from the goal.
    blank_distance, int: Distance of the blank from its goal cell, in moves.
    reachable_goals, str*: Names of other goals that the board can reach, if it is not solvable.
""")
class Solvability(Result):
    """Whether a board is solvable. Its truth value is `solvable`."""

    __slots__ = ()

    def __bool__(self):
        return self.solvable


@_result("""
    words, str: Description, such as `tile 5: 2 moves from home`.
    tiles, int*: The numbers on the tiles of this term.
    value, int: Value of the term.
""")
class Term(Result):
    """A term of a heuristic's value."""

    __slots__ = ()


@_result("""
    heuristic, str: Name.
    value, int: Value for the board, a lower bound of the distance.
    is_largest, bool: Whether no other heuristic has a larger value.
    is_consistent, bool: Whether values of neighbouring boards differ by at most the cost of a move.
    source, str: Authors and publication.
    terms, Term*: The terms of the value.
""")
class Explanation(Result):
    """The explained value of a heuristic on a board."""

    __slots__ = ()


@_result("""
    set, str: The set of boards: a suite's name, `random`, `walk-K` or `given`.
    size, str: Columns x rows.
    goal, str: The goal.
    number, int: Number of the board in its set, from 1.
    board, str: The board.
    search, str: Name of the search.
    heuristic, str: Name of the heuristic; `none` for searches without one.
    status, str: Whether the search found a solution: `solved` or `limit`.
    limit, str: The limit that ended the search: `nodes`, `memory` or `time`.
    length, int: Length of the solution.
    optimal_length, int: Length of a shortest solution, if known.
    moves, str: The solution, in letters for the direction of the tile.
    h0, int: The heuristic's value for the board.
    generated, int: Children of expanded nodes, except those that undo the last move.
    expanded, int: Nodes whose children were generated.
    reopened, int: Expanded nodes that were later reached by a shorter path.
    peak, int: Maximum number of stored nodes.
    peak_bytes, int: Memory of these `peak` nodes in bytes.
    branching_factor, float: The effective branching factor.
    ms, float: Time in milliseconds.
    iterations, dict*: For `ida-star`: objects with `bound`, `generated` and `expanded`.
""")
class ComparisonRecord(Result):
    """A search of a comparison: docs/json.md, "A search of a comparison"."""

    __slots__ = ()


class Progress(int):
    """The work done since the last report, as a number for `tqdm.update`.

    `stage` is the kind of work. `done` is the finished amount, and `total` is the total amount if
    it is known. `bound` is the lower bound that a search has proved. `ms` is the number of
    milliseconds since the call started.
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
    """Boards that come with the package, with their optimal lengths if known."""

    __slots__ = ("_name", "_goal", "_boards", "_lengths")

    def __init__(self, name, goal, boards, lengths):
        for field, value in zip(self.__slots__, (name, goal, tuple(boards), tuple(lengths))):
            object.__setattr__(self, field, value)

    @property
    def name(self):
        """Name."""
        return self._name

    @property
    def goal(self):
        """The goal of all boards of the suite."""
        return self._goal

    @property
    def boards(self):
        """The boards."""
        return self._boards

    @property
    def lengths(self):
        """Lengths of shortest solutions, None if unknown."""
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
    """Creates a result of a class, or a list of such results, from JSON. Called by the native
    module."""
    from json import loads

    cls, value = globals()[name], loads(text)
    return [cls._of(fields) for fields in value] if isinstance(value, list) else cls._of(value)


def _report(text, goal, notation):
    """Creates a report from JSON. Called by the native module."""
    from json import loads

    return _report_of(loads(text), goal, notation)


def _probe(text, files):
    """Creates a probe from JSON and the files of the tables. Called by the native module."""
    from json import loads

    fields = {"board": None, **loads(text)}
    for view in fields["views"]:
        for number, part in enumerate(view["parts"]):
            file = files.get(part["table"])
            if file is not None:
                entry = {name: part.pop(name) for name in ("entry", "stored", "value")}
                view["parts"][number] = {**part, "file": file, **entry}
    return Probe._of(fields)
