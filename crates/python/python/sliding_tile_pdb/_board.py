"""Boards and goals, and the questions that need only the rules of the puzzle."""

from __future__ import annotations

import os

from . import _calls, _native
from ._calls import documented
from ._contract import Solvability
from ._errors import InputError
from ._results import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    import numpy as np
    import numpy.typing as npt
    from .types import Boards, GoalLike, Moves, Notation, Path, Size


def now(ask: str, fields: dict[str, Any]) -> Any:
    """The answer of a question that takes no time; options that are None are left out."""
    return loads(_calls.shared().now(ask, present(fields)))


def present(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def warn_of(notes: Iterable[str]) -> None:
    """Warns of guesses about the form of a board's text."""
    for note in notes:
        from warnings import warn

        warn(note, UserWarning, stacklevel=3)


def moves_text(moves: Moves | None) -> Any:
    """Moves as a text; a list can contain texts and numbers of tiles."""
    return " ".join(map(str, moves)) if isinstance(moves, (list, tuple)) else moves


class Arrangement(_native.Arrangement):
    """Numbered tiles and a blank on a tray."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.__module__ = "sliding_tile_pdb"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.size)

    def __repr__(self) -> str:
        size = f", '{self.size}'" if self.rows == 1 else ""
        return f"{type(self).__name__}('{self}'{size})"

    def _repr_svg_(self) -> str:
        goal = self if isinstance(self, Goal) else None
        return str(now("draw", {"board": self, "style": "svg", "goal": goal}))


class Board(Arrangement):
    """An arrangement of numbered tiles and a blank. Immutable and hashable.

    `board` is a `Board`, a text, or the numbers with 0 for the blank. A text can have any form that
    `solver` reads: rows separated by slashes or line breaks, lists, drawings. Numbers can be in
    reading order or in rows, also as a numpy array. Rows determine the size. Without rows, `size`
    determines it. Without rows and `size`, the board is a square.

    - `board`: a `Board`, a text, or numbers in reading order or in rows; None is the blank.
    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default that of the rows, else a square.

    >>> from sliding_tile_pdb import Board
    >>> board = Board("1 2 3/4 0 6/7 5 8")
    >>> board == Board([[1, 2, 3], [4, 0, 6], [7, 5, 8]]) == Board((1, 2, 3, 4, 0, 6, 7, 5, 8))
    True
    >>> board.size, board.numbers
    ('3x3', (1, 2, 3, 4, 0, 6, 7, 5, 8))
    >>> print(board.apply("UL"))
    1 2 3/4 5 6/7 8 0
    >>> Board("1 2 3/4 5 6/8 7 0").solvability().swap
    (7, 8)
    >>> Board("1 2 3/4 5 5/7 8 0")
    Traceback (most recent call last):
    sliding_tile_pdb.InputError: tile 5 at row 2 column 2 is repeated at row 2 column 3; tile 6
    is missing
    """

    __slots__ = ()

    def apply(self, moves: Moves, notation: Notation | None = None) -> Board:
        """The board after these moves. Moves are letters for the direction of the tile (`U2RD`),
        numbers of tiles, or, with the notation `blank`, letters for the direction of the blank.

        - `moves`: a text or a list: letters such as `U2RD`, words, arrows, or numbers of tiles.
        - `notation`: `tile`, `blank` or `numbers`; by default the notation is guessed.

        >>> from sliding_tile_pdb import Board
        >>> Board("1 2 3/4 0 6/7 5 8").apply("5 8")
        Board('1 2 3/4 5 6/7 8 0')
        """
        text = moves if isinstance(moves, str) else moves_text(moves)
        return self._after(text, notation)

    def neighbours(self) -> dict[str, Board]:
        """The boards that are one move away, keyed by the letter of the move.

        >>> from sliding_tile_pdb import Board
        >>> Board("1 2 3/4 5 6/7 8 0").neighbours()
        {'D': Board('1 2 3/4 5 0/7 8 6'), 'R': Board('1 2 3/4 5 6/7 0 8')}
        """
        row, column = divmod(self.numbers.index(0), self.columns)
        is_possible = {
            "D": row > 0, "U": row < self.rows - 1, "R": column > 0, "L": column < self.columns - 1
        }
        return {letter: self.apply(letter, "tile") for letter in is_possible if is_possible[letter]}

    def convert(self, moves: Moves, to: Notation, notation: Notation | None = None) -> str:
        """Converts moves of this board to another notation.

        - `moves`: a text or a list: letters such as `U2RD`, words, arrows, or numbers of tiles.
        - `to`: the target notation: `tile`, `blank` or `numbers`.
        - `notation`: the notation of `moves`; by default it is guessed.

        >>> from sliding_tile_pdb import Board
        >>> Board("1 2 3/4 0 6/7 5 8").convert("UL", "numbers")
        '5 8'
        """
        fields = {"board": self, "moves": moves_text(moves), "from": notation, "to": to}
        return str(now("convert", fields))

    def solvability(self, goal: GoalLike | None = None) -> Solvability:
        """Whether the goal is reachable; if not, the reason, and a swap that makes it reachable."""
        return Solvability._of(now("solvability", {"board": self, "goal": goal}))

    def is_solvable(self, goal: GoalLike | None = None) -> bool:
        """Whether the goal is reachable."""
        return bool(self.solvability(goal))

    def to_numpy(self) -> npt.NDArray[np.integer[Any]]:
        """A new array of shape (rows, columns): uint8 for trays of up to 256 cells, else uint16."""
        import numpy as np

        kind = np.uint8 if len(self.numbers) <= 256 else np.uint16
        array: npt.NDArray[np.integer[Any]] = np.array(self.numbers, kind)
        return array.reshape(self.rows, self.columns)

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        if copy is False:
            raise InputError("a board has no array to share without a copy")
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def text(self, ansi: bool = False, *, goal: GoalLike | None = None) -> str:
        """The board drawn with characters; `ansi` adds colours for terminals.

        - `ansi`: whether the drawing has colours for terminals (default: no).
        - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.

        >>> from sliding_tile_pdb import Board
        >>> print(Board("1 2/0 3").text())
        ┌───┬───┐
        │ 1 │ 2 │
        ├───┼───┤
        │   │ 3 │
        └───┴───┘
        <BLANKLINE>
        """
        return str(now("draw", {"board": self, "goal": goal, "ansi": ansi}))

    def svg(
        self,
        moves: Moves | None = None,
        *,
        notation: Notation | None = None,
        goal: GoalLike | None = None,
        cell_size: int = 64,
    ) -> str:
        """The board as an SVG picture; with moves, an animation.

        - `moves`: a text or a list: letters such as `U2RD`, words, arrows, or numbers of tiles.
        - `notation`: `tile`, `blank` or `numbers`; by default the notation is guessed.
        - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
        - `cell_size`: side of a tile, in pixels (default 64).
        """
        fields = {"board": self, "goal": goal, "moves": moves_text(moves), "notation": notation}
        return str(now("draw", {**fields, "style": "svg", "cell_size": cell_size}))


class Goal(Arrangement):
    """The goal arrangement: `blank-last`, `blank-first`, `snail`, `columns`, or any board.

    - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default that of the goal, else 4x4.

    >>> from sliding_tile_pdb import Goal
    >>> Goal("blank-first", "3x3")
    Goal('0 1 2/3 4 5/6 7 8')
    >>> Goal("1 2 3/8 0 4/7 6 5").size
    '3x3'
    """

    __slots__ = ()

    def __new__(cls, goal: GoalLike | None = None, size: Size | None = None) -> Goal:
        return super().__new__(cls, _native.goal_board(goal, size))

    @property
    def board(self) -> Board:
        """The goal as a board."""
        return Board(self)


def of_rows(text: str) -> Board:
    """The board of a text with its rows; a single row would be read as a square."""
    return Board(text, None if "/" in text else f"{text.count(' ') + 1}x1")


def array_of(boards: Boards, columns: int, rows: int, kind: str = "uint8") -> npt.NDArray[Any]:
    """The numbers of many boards, one board after the other, as a contiguous array. The numbers of
    an array of that kind are not checked here."""
    import numpy as np

    cells, size = columns * rows, f"{columns}x{rows}"
    dtype = np.dtype(kind)
    array: Any = boards
    if isinstance(boards, memoryview):
        array = np.asarray(boards)
    elif isinstance(boards, str):
        raise TypeError("expected boards, a list of them, not one text: put it into a list")
    elif hasattr(boards, "to_numpy") and not isinstance(boards, Board):
        array = boards.to_numpy()
    if not hasattr(array, "dtype") or array.dtype.kind in "OUT" or array.shape == (0,):
        numbers: list[int] = []
        for board in array:
            is_ready = isinstance(board, Arrangement) and board.size == size
            numbers.extend((board if is_ready else Board(board, size)).numbers)
        return np.array(numbers, dtype)
    if array.dtype.kind not in "ui":
        raise TypeError(f"an array of boards needs whole numbers, best uint8, not {array.dtype}")
    if array.shape[1:] not in ((cells,), (rows, columns)):
        raise InputError(
            f"an array of {size} boards has the shape (n, {cells}) or (n, {rows}, {columns}), not "
            f"{array.shape}"
        )
    if array.dtype != dtype and array.size and not 0 <= array.min() <= array.max() < cells:
        raise InputError(f"an array of {size} boards has the numbers 0 to {cells - 1}")
    return np.ascontiguousarray(array, dtype).reshape(-1)


@documented("scramble", *_calls.CALL)
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
    same seed produces the same boards; by default the seed is random.

    >>> from sliding_tile_pdb import scramble
    >>> scramble("3x3", number=2, seed=7)
    [Board('7 6 2/8 1 0/5 3 4'), Board('0 5 3/4 1 2/7 8 6')]
    >>> scramble("3x3", moves=1, seed=1)[0].is_solvable()
    True
    """
    if seed is None:
        seed = int.from_bytes(os.urandom(8), "little")
    fields = {"size": size, "goal": goal, "number": number, "moves": moves, "seed": seed}
    answer = loads(_calls.run(_calls.shared().start("scramble", present(fields), None)))
    return [of_rows(random["board"]) for random in answer]


@documented("invert", *_calls.CALL)
def invert(moves: Moves, notation: Notation | None = None) -> str:
    """The moves that undo these moves: a solution becomes a scramble.

    >>> from sliding_tile_pdb import invert
    >>> invert("U2RD"), invert("12 8 7")
    ('ULD2', '7 8 12')
    """
    return str(now("invert", {"moves": moves_text(moves), "notation": notation}))


def read_boards(path: Path, size: Size | None = None) -> list[Board]:
    """Reads a list of boards from a file, in the formats of `solver --file`. A board is on one
    line, or each of its rows is on a line, or it is a JSON object `{"board": ...}`. If a board is
    on one line, an identifier before it and known figures after it are ignored. Lines that start
    with # are comments.

    - `path`: the path of the file.
    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default that of the boards.

    >>> import os, tempfile
    >>> from sliding_tile_pdb import read_boards
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = os.path.join(directory, "boards.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("# two boards\\n1 2 3/4 0 6/7 5 8\\n8 6 7 2 5 4 3 0 1\\n")
    ...     read_boards(path)
    [Board('1 2 3/4 0 6/7 5 8'), Board('8 6 7/2 5 4/3 0 1')]
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise InputError(f"{os.fspath(path)}: not a text") from error
    boards: list[Board] = []
    notes: dict[str, str] = {}
    fields = present({"text": text, "size": size})
    for entry in loads(_calls.run(_calls.shared().start("list", fields, None))):
        place = f"{os.fspath(path)}: line {entry['line']}: "
        if "error" in entry:
            raise InputError(place + entry["error"])
        board = of_rows(entry["board"])
        if "goal" in entry and Goal(None, board.size) != Goal(entry["goal"], board.size):
            raise InputError(f"{place}the text states its own goal, {entry['goal']}")
        for note in entry.get("notes", ()):
            notes.setdefault(note, place + note)
        boards.append(board)
    warn_of(notes.values())
    return boards
