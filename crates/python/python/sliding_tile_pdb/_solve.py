"""Functions that solve without a `Solver`, and their cache of solvers."""

from __future__ import annotations

import os
from itertools import chain
from threading import Lock

from ._errors import CancelledError
from ._native import Goal, Solver, read_board

_KEPT = 4
"""Maximum number of cached solvers."""

_solvers: dict[tuple[object, ...], Solver] = {}
"""Solvers by goal, partition and metric; the most recently used one is last."""
_making: dict[tuple[object, ...], Lock] = {}
"""One lock per solver that is being created, with the same key as in `_solvers`. Other calls that
need this solver wait for the lock."""
_lock = Lock()


def _renew():
    """Replaces locks in a forked process: threads of its parent may hold the old locks."""
    global _lock
    _lock = Lock()
    _making.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


def _kept(key):
    """The cached solver, if there is one."""
    with _lock:
        solver = _solvers.pop(key, None)
        if solver is not None:
            _solvers[key] = solver
        return solver


def _solver(size, goal, partition, metric, mode, threads, progress, cancel):
    """The solver of a goal. Strategic solutions need no tables."""
    goal = Goal("blank-last" if goal is None else goal, size)
    if mode == "strategic" and partition is None:
        partition = "lines" if metric == "multi" else "manhattan"
    key = (goal, partition, metric)
    solver = _kept(key)
    if solver is not None:
        return solver
    with _lock:
        making = _making.setdefault(key, Lock())
    while not making.acquire(timeout=0.05):
        if cancel is not None and cancel.is_cancelled:
            raise CancelledError("cancelled")
    try:
        solver = _kept(key)
        if solver is None:
            # An existing bar receives only the progress of the search, not of the build.
            progress = progress if callable(progress) else None
            solver = Solver(
                goal, partition, metric=metric, threads=threads, progress=progress, cancel=cancel
            )
            with _lock:
                _solvers[key] = solver
                while len(_solvers) > _KEPT:
                    del _solvers[next(iter(_solvers))]
        return solver
    finally:
        with _lock:
            _making.pop(key, None)
        making.release()


def forget_solvers():
    """Drops the solvers that `solve` and `solve_many` cache, and frees the memory of their tables.

    >>> from sliding_tile_pdb import forget_solvers, solve
    >>> solve("8 6 7/2 5 4/3 0 1").length
    31
    >>> forget_solvers()
    """
    with _lock:
        _solvers.clear()


class _Boards:
    """Adds a length to an iterator of boards; progress reports need the length."""

    def __init__(self, boards, number):
        self._boards = boards
        self._number = number

    def __iter__(self):
        return iter(self._boards)

    def __len__(self):
        return self._number


def _size(size, goal):
    """The requested size, or the size of a goal that is a board; else None."""
    if size is None and goal is not None:
        is_name = isinstance(goal, str) and not any(map(str.isdigit, goal))
        return None if is_name else Goal(goal).size
    return size


def solve(
    board,
    *,
    size=None,
    goal=None,
    partition=None,
    metric="single",
    mode="optimal",
    max_time=None,
    max_nodes=None,
    max_memory=None,
    threads=0,
    side="auto",
    notation="tile",
    short=False,
    explain=False,
    within=None,
    seed=0,
    improved=None,
    progress=None,
    cancel=None,
):
    """Solves a board with tables that are built in memory and reused by later calls.

    The last few solvers are cached by goal, partition and metric, until `forget_solvers` is called.
    Limits apply to the search, not to building tables in the first call. `Solver.solve` describes
    the exceptions, and the parameters that are not listed here.

    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default the size of the goal or board.
    - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    - `partition`: division of the tiles: `6-6-3`, a preset such as `best`, or lists of tiles; the
      default depends on the size.
    - `metric`: definition of a move: `single` (default), one tile, or `multi`, a run of tiles.

    >>> from sliding_tile_pdb import solve
    >>> report = solve("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13")
    >>> report.length
    55
    >>> solve("8 6 7/2 5 4/3 0 1", metric="multi").length
    20
    """
    board, goal = read_board(board, _size(size, goal), goal)
    solver = _solver(board.size, goal, partition, metric, mode, threads, progress, cancel)
    return solver.solve(
        board,
        mode=mode,
        max_time=max_time,
        max_nodes=max_nodes,
        max_memory=max_memory,
        threads=threads,
        side=side,
        notation=notation,
        short=short,
        explain=explain,
        within=within,
        seed=seed,
        improved=improved,
        progress=progress,
        cancel=cancel,
    )


def solve_many(
    boards,
    *,
    size=None,
    goal=None,
    partition=None,
    metric="single",
    mode="optimal",
    max_time=None,
    max_nodes=None,
    max_memory=None,
    threads=0,
    side="auto",
    notation="tile",
    short=False,
    explain=False,
    within=None,
    seed=0,
    progress=None,
    cancel=None,
):
    """Solves boards of one size on all cores, as `Solver.solve_many` does.

    The size is taken from `size` or `goal`, else from the first board. `Solver.solve_many`
    describes the parameters that are not listed here.

    - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default the size of the goal or board.
    - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    - `partition`: division of the tiles: `6-6-3`, a preset such as `best`, or lists of tiles; the
      default depends on the size.
    - `metric`: definition of a move: `single` (default), one tile, or `multi`, a run of tiles.

    >>> from sliding_tile_pdb import solve_many
    >>> boards = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/8 7 0", "8 6 7/2 5 4/3 0 1"]
    >>> [(report.status, report.length) for report in solve_many(boards)]
    [('solved', 1), ('unsolvable', None), ('solved', 31)]
    """
    size = _size(size, goal)
    if size is None:
        if isinstance(boards, str):
            raise TypeError("expected boards, a list of them, not one text: put it into a list")
        try:
            number = len(boards)
        except TypeError:
            number = None
        first = []
        boards = iter(boards)
        for board in boards:
            first.append(board)
            try:
                size = read_board(board, None, "blank-last" if goal is None else goal)[0].size
            except (TypeError, ValueError):
                # The board's report contains the error; the next board may determine the size.
                continue
            break
        boards = chain(first, boards)
        if number is not None:
            boards = _Boards(boards, number)
    solver = _solver(size, goal, partition, metric, mode, threads, progress, cancel)
    return solver.solve_many(
        boards,
        mode=mode,
        max_time=max_time,
        max_nodes=max_nodes,
        max_memory=max_memory,
        threads=threads,
        side=side,
        notation=notation,
        short=short,
        explain=explain,
        within=within,
        seed=seed,
        progress=progress,
        cancel=cancel,
    )
