"""Types of arguments, for annotations: `from sliding_tile_pdb.types import BoardLike`.

This module imports numpy. The package therefore does not import this module.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from . import Board, Goal, Progress

Size: TypeAlias = str | tuple[int, int]
"""Columns x rows: `"4x4"`, `"5x3"`, or `(5, 3)`. From 1x2 to 20x20."""

Cell: TypeAlias = int | float | str | None
"""A cell of a board: its number; the blank is 0, None, or a text such as `"_"`."""

BoardLike: TypeAlias = Board | str | Sequence[Cell] | Sequence[Sequence[Cell]] | npt.NDArray[Any]
"""A board: a `Board`, any text that `solver` reads, or its numbers in reading order or in rows."""

MovesLike: TypeAlias = str | list[Any] | tuple[Any, ...]
"""Moves in any notation: one text, or a list."""

Moves: TypeAlias = MovesLike

GoalLike: TypeAlias = Goal | BoardLike
"""A goal: a `Goal`, `"blank-last"`, `"blank-first"`, `"snail"`, `"columns"`, or any board."""

Boards: TypeAlias = npt.NDArray[np.integer[Any]] | Sequence[BoardLike]
"""Many boards for look-ups: an array of shape (n, cells) or (n, rows, columns), preferably of the
type uint8; or a list of boards."""

Mode: TypeAlias = Literal["optimal", "strategic", "anytime"]
"""Kind of solution."""

Side: TypeAlias = Literal["auto", "start", "goal"]
"""End from which the search starts; `auto`: the end that is expected to need fewer nodes."""

Metric: TypeAlias = Literal["single", "multi"]
"""Definition of a move: one tile by one cell, or a run of tiles."""

Kind: TypeAlias = Literal["zero-aware", "blank-compressed", "full", "runs"]
"""Kind of a table, which determines the moves that the table's values count."""

Encoding: TypeAlias = Literal["one-bit", "mod-3", "u8"]
"""Representation of the entries of a table."""

Notation: TypeAlias = Literal["tile", "blank", "numbers"]
"""Notation of moves."""

Path: TypeAlias = str | os.PathLike[str]
"""The path of a file or a directory."""


class Bar(Protocol):
    """A progress bar, such as `tqdm(...)`."""

    def update(self, n: Any = 1, /) -> Any:
        """Adds to the finished amount."""

    def close(self) -> Any:
        """Closes the bar."""


ProgressLike: TypeAlias = Callable[[Progress], object] | type[Bar] | Bar
"""Receiver of progress: a function, such as `bar.update`; a bar; or a class of bars, such as
`tqdm`. For a class, one bar is created, and closed at the end. About 20 times per second, the work
done since the last report is reported on the calling thread. An exception that the receiver raises
ends the call."""
