"""Waits for calls of the native module, and passes their progress on."""

from __future__ import annotations

import os
from time import monotonic

from ._contract import OPTIONS
from ._errors import CancelledError, PuzzleError
from ._native import Session
from ._results import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import Any, TypeVar

    from typing_extensions import Self

    from ._contract import Report
    from ._native import Cancel, Job
    from .types import BoardLike, ProgressLike

    F = TypeVar("F", bound=Callable[..., Any])

WAKE = 0.01
"""Maximum time for which a call sleeps, in seconds. Python runs signal handlers after it."""
INTERRUPT_GRACE = 0.015
"""Time that an interrupted call waits for its work to end."""
CANCEL_GRACE = 0.5
"""Time that a cancelled call waits for its best answer."""
PAUSE = 0.05
"""Minimum time between two reports of progress."""
MOST_AHEAD = 1024
"""Maximum number of boards that `solve_many` reads ahead of the reports."""
QUICK = 0.001
"""Time for reading one board. If the last board took less, another board is read before a finished
report is returned."""

UNITS = {"search": " nodes", "boards": " boards", "compare": " searches"}
"""Units of progress bars."""

_session = Session()


def shared() -> Session:
    """The session of the functions without a `Solver`."""
    return _session


def _renew() -> None:
    """Replaces the session in a forked process: threads of its parent may hold its locks."""
    global _session
    _session = Session()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


def forget_solvers() -> None:
    """Drops the solvers that `solve` and `solve_many` keep, and frees the memory of their tables.

    >>> from sliding_tile_pdb import forget_solvers, solve
    >>> solve("8 6 7/2 5 4/3 0 1").length
    31
    >>> forget_solvers()
    """
    _session.close()


CALL: dict[str, str] = {
    "progress": "A class of progress bars such as tqdm, a bar, or a function that takes `Progress`.",
    "improved": "Anytime: a function that is called with each better report.",
    "cancel": "A `Cancel`, which cancels the call from another thread.",
}


def documented(ask: str, *without: str) -> Callable[[F], F]:
    """Adds the options of a question, and those of all calls, to the docstring of a function."""

    def decorate(function: F) -> F:
        items = {**OPTIONS[ask], **CALL}
        head, mark, tail = (function.__doc__ or "").partition(">>>")
        indent = "\n" + head[len(head.rstrip(" ")) :]
        lines = [f"- `{name}`: {items[name]}" for name in items if name not in without]
        function.__doc__ = head + indent.join(lines) + "\n" + indent + mark + tail
        return function

    return decorate


class Progress(int):
    """The work done since the last report, as a number for `tqdm.update`.

    `stage` is the kind of work: `build`, `verify`, `pack`, `unpack`, `search`, `boards` or
    `compare`. `done` is the finished amount, and `total` is the total amount if it is known.
    `bound` is the lower bound that a search has proved. `ms` is the number of milliseconds since
    the call started.
    """

    stage: str
    done: int
    total: int | None
    bound: int | None
    ms: float

    def __new__(cls, step: int, **fields: Any) -> Self:
        progress = super().__new__(cls, step)
        unknown = {"stage": "search", "done": 0, "total": None, "bound": None, "ms": 0.0}
        vars(progress).update(unknown, **fields)
        return progress

    def __repr__(self) -> str:
        fields = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"Progress({int(self)}, {', '.join(fields)})"


Progress.__module__ = "sliding_tile_pdb"


class Listener:
    """The caller's function or bar, or the bars of the caller's class, one for each stage."""

    def __init__(self, target: ProgressLike, stage: str) -> None:
        self._main, self._stage = stage, ""
        self._target: Any = target
        self._bar: Any = None
        self._begun, self._last = monotonic(), 0.0
        self._done = 0
        self._bound: int | None = None
        # A class can have preset options, such as `functools.partial(tqdm, leave=False)`.
        cls = getattr(target, "func", target)
        self._makes_bars = isinstance(cls, type) and hasattr(cls, "update")
        self._is_bar = not self._makes_bars and hasattr(target, "update")
        if not callable(target) and not self._is_bar:
            raise TypeError(
                "progress must be a function, such as bar.update, a bar, or a class of bars, such "
                f"as tqdm; not {type(target).__name__}"
            )

    def report(
        self,
        stage: str | None,
        done: int,
        total: int | None,
        bound: int | None,
        is_last: bool = False,
    ) -> None:
        """Reports progress, unless less than `PAUSE` has passed since the last report."""
        stage = stage or self._main
        if not stage:
            return
        now = monotonic()
        # A bar of the caller has the unit of the main work, if the call has several stages.
        if self._is_bar and self._main not in ("", stage):
            return
        if stage == self._stage and not is_last and now - self._last < PAUSE:
            return
        self._last = now
        if stage != self._stage:
            self._begin(stage, total)
        if total is not None and getattr(self._bar, "total", total) is None:
            self._bar.total = total
        if bound != self._bound and hasattr(self._bar, "set_postfix_str"):
            self._bar.set_postfix_str(f"bound {bound}", refresh=False)
        if done == self._done and bound == self._bound:
            return
        ms = (now - self._begun) * 1e3
        step = done - self._done
        progress = Progress(step, stage=stage, done=done, total=total, bound=bound, ms=ms)
        self._done, self._bound = done, bound
        update = self._target if self._bar is None else self._bar.update
        update(progress)

    def _begin(self, stage: str, total: int | None) -> None:
        self.close()
        self._stage, self._done, self._bound = stage, 0, None
        if self._makes_bars:
            own = getattr(self._target, "keywords", {})
            unit = UNITS.get(stage, "it")
            is_large = total is None or total > 99_999
            options = {"total": total, "desc": stage, "unit": unit, "unit_scale": is_large}
            self._bar = self._target(**{**options, **own})
        elif self._is_bar:
            self._bar = self._target

    def finish(self, stage: str | None, done: int, total: int | None, bound: int | None) -> None:
        """Reports the end of successful work."""
        self.report(stage, done if total is None else total, total, bound, is_last=True)
        self.close()

    def close(self) -> None:
        """Closes the bar of the last stage, if this object created it."""
        bar, self._bar = self._bar, None
        if bar is not None and self._makes_bars:
            bar.close()

    def __del__(self) -> None:
        if hasattr(self, "_makes_bars"):
            self.close()


def run(
    job: Job,
    progress: ProgressLike | None = None,
    stage: str | None = "",
    on_event: Callable[[dict[str, Any]], object] | None = None,
) -> Any:
    """Waits for a job, and returns its value."""
    listener = cancelled = None
    try:
        if progress is not None:
            listener = Listener(progress, "search" if stage is None else stage)
        while True:
            message = job.receive(WAKE)
            if message is not None:
                is_end, value = message
                if is_end:
                    if listener is not None:
                        listener.finish(*job.progress())
                    return value
                _hear(value, on_event)
            if listener is not None:
                listener.report(*job.progress())
            if job.is_cancelled:
                cancelled = monotonic() if cancelled is None else cancelled
                if monotonic() - cancelled > CANCEL_GRACE:
                    raise CancelledError("cancelled")
    except BaseException as error:
        job.cancel()
        if not isinstance(error, PuzzleError):
            _wait_for_end(job)
        if listener is not None:
            _end(listener, job)
        raise


def _wait_for_end(job: Job) -> None:
    until = monotonic() + INTERRUPT_GRACE
    try:
        while (left := until - monotonic()) > 0:
            message = job.receive(left)
            if message is not None and message[0]:
                return
    except PuzzleError:
        pass


def _end(listener: Listener, job: Job) -> None:
    """Ends the progress of a call without a value; errors of the listener are irrelevant now."""
    try:
        listener.report(*job.progress(), is_last=True)
    except Exception:
        pass
    listener.close()


def _hear(text: str, on_event: Callable[[dict[str, Any]], object] | None) -> None:
    event = loads(text)
    if event["type"] == "warning":
        from warnings import warn

        warn(event["message"], RuntimeWarning, stacklevel=4)
    elif on_event is not None:
        on_event(event)


class Reports:
    """Base class of the iterators of reports. Dropping the iterator ends the work."""

    __slots__ = ("_job", "_reports", "_is_stopped")
    _reports: Generator[Report, None, None]

    def __init__(self, job: Job) -> None:
        self._job, self._is_stopped = job, False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Report:
        return next(self._reports)

    def close(self) -> None:
        """Ends the work and discards the remaining reports. May be called from any thread."""
        self._is_stopped = True
        self._job.cancel()
        try:
            self._reports.close()
        except ValueError:
            # Another thread waits for a report; it sees that the job is cancelled.
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_job"):
            self._job.cancel()


class Anytime(Reports):
    """The reports of an anytime search. Dropping this iterator ends the search.

    Each report contains a complete solution; all but the last have the status `improved`.
    """

    __slots__ = ()

    def __init__(self, job: Job, made: Callable[[dict[str, Any]], Report]) -> None:
        super().__init__(job)
        self._reports = self._improved(job, made)

    def _improved(
        self, job: Job, made: Callable[[dict[str, Any]], Report]
    ) -> Generator[Report, None, None]:
        try:
            while True:
                message = job.receive(WAKE)
                if message is not None:
                    is_end, text = message
                    value = loads(text)
                    if is_end:
                        yield made(value)
                        return
                    if value["type"] == "improved":
                        yield made(value["report"])
        except CancelledError as error:
            # After `stop`, the best solution is the last report.
            if not self._is_stopped or error.report is None:
                raise
            yield error.report
        finally:
            job.cancel()

    def stop(self) -> None:
        """Ends the search. The remaining reports can still be read; the last one has the status
        `solved`. May be called from any thread."""
        self._is_stopped = True
        self._job.cancel()


class SolvedBoards(Reports):
    """The reports of `solve_many`, in the order of the boards. Dropping this iterator ends the
    searches.

    The thread that reads the reports also reads boards from Python's iterator. It reads enough
    boards ahead to keep all threads busy; while no report is ready, it reads up to 1024 boards
    ahead. The iterator of boards must not wait for a report: no other thread can return the report,
    so the wait might never end.
    """

    __slots__ = ()

    def __init__(
        self,
        job: Job,
        boards: Iterator[BoardLike],
        total: int | None,
        threads: int,
        made: Callable[[dict[str, Any]], Report],
        progress: ProgressLike | None,
        cancel: Cancel | None,
    ) -> None:
        super().__init__(job)
        listener = None if progress is None else Listener(progress, "boards")
        if listener is not None:
            listener.report("boards", 0, total, None)
        self._reports = _solved(job, boards, total, threads, made, listener, cancel)


def iter_boards(boards: Iterable[BoardLike]) -> Iterator[BoardLike]:
    """An iterator over a list of boards, an array or a frame."""
    if isinstance(boards, str):
        raise TypeError("expected boards, a list of them, not one text: put it into a list")
    if hasattr(boards, "to_numpy"):
        boards = boards.to_numpy()
    return iter(boards)


def _solved(
    job: Job,
    boards: Iterator[BoardLike],
    total: int | None,
    threads: int,
    made: Callable[[dict[str, Any]], Report],
    listener: Listener | None,
    cancel: Cancel | None,
) -> Generator[Report, None, None]:
    least_ahead = min(2 * (threads or os.cpu_count() or 1) + 2, MOST_AHEAD)
    read = done = 0
    has_more, is_quick, raised = True, False, None

    def pull() -> bool:
        """Reads a board; returns False if there are no more boards. Exceptions other than
        `Exception`, such as KeyboardInterrupt, are not delayed."""
        nonlocal read, has_more, is_quick, raised
        begun = monotonic()
        try:
            board = next(boards)
            _send(job, board)
        except StopIteration:
            has_more = False
        except Exception as error:
            has_more, raised = False, error
        if not has_more:
            job.send(None)
            return False
        read += 1
        is_quick = monotonic() - begun < QUICK
        return True

    try:
        while True:
            if cancel is not None and cancel.is_cancelled:
                raise CancelledError("cancelled")
            if job.is_cancelled:
                return
            message = job.receive(0.0)
            if message is None:
                if has_more and read - done < MOST_AHEAD and pull():
                    continue
                message = job.receive(WAKE)
            if listener is not None:
                listener.report("boards", done, total, None)
            # The report of a cancelled search is discarded.
            if message is None or job.is_cancelled:
                continue
            is_end, text = message
            if is_end:
                break
            done += 1
            # Another board keeps the threads busy while the caller processes the report.
            if has_more and is_quick and read - done < least_ahead:
                pull()
            yield made(loads(text))
        if raised is not None:
            raise raised
        if listener is not None:
            listener.finish("boards", done, total, None)
    finally:
        job.cancel()
        if listener is not None:
            listener.close()


def _send(job: Job, board: Any) -> None:
    """Sends a board. Only TypeError and ValueError mean that it is not a board."""
    try:
        if board is None:
            raise TypeError("expected a board, not None")
        job.send(board)
    except (TypeError, ValueError) as error:
        try:
            text = board if isinstance(board, str) else repr(board)
        except Exception:
            text = f"<{type(board).__name__}>"
        job.refuse(text, str(error))
