"""Exceptions of the package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._contract import Report


class PuzzleError(Exception):
    """Base class of all errors of the package.

    `code` is the error code, the same as in the other frontends; `report` is the report of an
    unsolved board, or None; `fault` describes the first wrong move of a text, or is None.
    """

    code = "error"
    report: Report | None
    fault: dict[str, Any] | None

    def __init__(
        self,
        message: str = "",
        report: Report | None = None,
        fault: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.report = report
        self.fault = fault

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.report, self.fault)


class InputError(PuzzleError, ValueError):
    """Invalid board, goal, moves or options."""


class UnsolvableError(PuzzleError):
    """The goal is not reachable; swapping the tiles `report.swap` makes it reachable.

    >>> from sliding_tile_pdb import UnsolvableError, solve
    >>> try:
    ...     solve("1 2 3/4 5 6/8 7 0")
    ... except UnsolvableError as error:
    ...     print(error.report.swap)
    (7, 8)
    """

    code = "unsolvable"
    report: Report


class LimitError(PuzzleError):
    """A limit of time or nodes was reached; `report.bound` is the bound proved until then."""

    code = "limit"
    report: Report


class CancelledError(PuzzleError):
    """The call was cancelled; after an anytime search, `report` contains the best solution."""

    code = "cancelled"


class TableError(PuzzleError):
    """A table is damaged, missing, or belongs to another puzzle."""

    code = "table"


class TooLargeError(PuzzleError, MemoryError):
    """More memory is needed than is available."""

    code = "memory"


BY_CODE: dict[str, type[PuzzleError]] = {
    cls.code: cls
    for cls in (
        InputError, UnsolvableError, LimitError, CancelledError, TableError, TooLargeError
    )
}
for _class in (PuzzleError, *BY_CODE.values()):
    _class.__module__ = "sliding_tile_pdb"
