"""Exceptions of this package."""

from __future__ import annotations


class PuzzleError(Exception):
    """Base class of all errors of this package.

    `code` is the kind, by the name that all frontends have for it; `report` is the report of a
    board that has no solution, or None.
    """

    code = "error"

    def __init__(self, message="", report=None):
        super().__init__(message)
        self.report = report

    def __reduce__(self):
        return type(self), (str(self), self.report)


class InputError(PuzzleError, ValueError):
    """A board, goal, moves or options that make no sense."""


class UnsolvableError(PuzzleError):
    """The goal cannot be reached; `report.swap` names two tiles whose swap makes it solvable.

    >>> from sliding_tile_pdb import UnsolvableError, solve
    >>> try:
    ...     solve("1 2 3/4 5 6/8 7 0")
    ... except UnsolvableError as error:
    ...     print(error.report.swap)
    (7, 8)
    """

    code = "unsolvable"


class LimitError(PuzzleError):
    """A limit of time or nodes was reached; `report.bound` is proved."""

    code = "limit"


class CancelledError(PuzzleError):
    """The call's `Cancel` was cancelled; `report` has the best of an anytime search."""

    code = "cancelled"


class TableError(PuzzleError):
    """A table that is damaged, missing, or of another puzzle."""

    code = "table"


class TooLargeError(PuzzleError, MemoryError):
    """More memory than there is."""

    code = "memory"


for _class in (
    PuzzleError,
    InputError,
    UnsolvableError,
    LimitError,
    CancelledError,
    TableError,
    TooLargeError,
):
    _class.__module__ = "sliding_tile_pdb"
