"""Lists of boards: order, laziness, errors between boards, dropped iterators."""

from __future__ import annotations

import gc
import itertools
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import sliding_tile_pdb as st
from conftest import BOARDS_31, BOARD_55, BOARD_5X5, LIMIT, UNSOLVABLE


def test_order_of_thousands(solver3: st.Solver) -> None:
    boards = st.scramble("3x3", number=5000, seed=4)
    expected = solver3.estimates(boards).tolist()
    reports = list(solver3.solve_many(boards))
    assert [report.board for report in reports] == [str(board) for board in boards]
    assert [report.length for report in reports] == expected


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_threads(solver4: st.Solver, threads: int) -> None:
    boards = st.scramble("4x4", number=40, seed=5)
    reports = list(solver4.solve_many(iter(boards), threads=threads))
    assert [report.board for report in reports] == [str(board) for board in boards]
    assert all(report.status == "solved" for report in reports)


def test_every_kind_of_board(solver3: st.Solver) -> None:
    text = BOARDS_31[0]
    board = st.Board(text)
    given: list[Any] = [text, board, board.numbers, board.to_numpy(), board.to_numpy().ravel(),
             [[8, 6, 7], [2, 5, 4], [3, 0, 1]]]
    assert [report.length for report in solver3.solve_many(given)] == [31] * len(given)
    # The rows of an array are boards.
    array = np.stack([board.to_numpy().ravel()] * 4)
    assert [report.length for report in solver3.solve_many(array)] == [31] * 4
    assert [report.length for report in solver3.solve_many(array.reshape(4, 3, 3))] == [31] * 4
    assert list(solver3.solve_many([])) == []
    assert list(st.solve_many(iter(()))) == []


def test_boards_without_solution_have_reports(solver4: st.Solver) -> None:
    given = [BOARD_55, "1 2 3", UNSOLVABLE, BOARDS_31[0], None, [1, 2, 3, 0], BOARD_55]
    reports = list(solver4.solve_many(given))  # type: ignore[arg-type]
    assert [report.status for report in reports] == [
        "solved", "error", "unsolvable", "error", "error", "error", "solved"]
    assert all(report.message for report in reports if report.status != "solved")
    assert reports[2].swap is not None
    assert reports[1].board == "1 2 3"


def test_limits_apply_to_each_board(solver4: st.Solver) -> None:
    boards = [BOARD_55, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"]
    reports = list(solver4.solve_many(boards, max_nodes=100))
    assert [report.status for report in reports] == ["limit", "solved"]
    assert reports[0].bound is not None


def test_lazy(solver3: st.Solver) -> None:
    """Boards are read in the calling thread, about 1000 ahead of the reports."""
    taken = 0
    threads = set()

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            threads.add(threading.get_ident())
            yield BOARDS_31[0]

    reports = solver3.solve_many(endless())
    assert iter(reports) is reports
    assert all(report.length == 31 for report in itertools.islice(reports, 2000))
    assert 2000 <= taken <= 3100
    assert threads == {threading.get_ident()}
    reports.close()
    assert list(reports) == []


def test_boards_are_read_on_demand(solver3: st.Solver) -> None:
    taken: list[int] = []

    def boards() -> Iterator[str]:
        for number in range(3):
            taken.append(number)
            yield BOARDS_31[0]

    reports = solver3.solve_many(boards())
    assert len(list(reports)) == 3
    assert taken == [0, 1, 2]


def test_raising_iterator(solver3: st.Solver) -> None:
    """The boards before the error have reports; then the error is raised once."""

    def boards() -> Iterator[str]:
        for _ in range(20):
            yield BOARDS_31[0]
        raise KeyError("end of input")

    reports = solver3.solve_many(boards())
    heard = []
    with pytest.raises(KeyError, match="end of input"):
        for report in reports:
            heard.append(report)
    assert len(heard) == 20 and all(report.length == 31 for report in heard)
    assert list(reports) == []


def test_not_iterable(solver3: st.Solver) -> None:
    with pytest.raises(TypeError):
        solver3.solve_many(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        st.solve_many(None)  # type: ignore[arg-type]


def test_one_text_is_not_a_list(solver3: st.Solver) -> None:
    """A text is iterable, too, so its characters would be parsed as boards."""
    with pytest.raises((TypeError, st.InputError)):
        list(solver3.solve_many(BOARDS_31[0]))


def test_dropped_iterators_end_searches(solver5: st.Solver) -> None:
    """Searches that would take days end with their iterator."""
    begun = time.monotonic()
    easy = solver5.goal.board.apply("RDLU")
    for ends in ["del", "close", "with board"]:
        reports = solver5.solve_many([easy, *[BOARD_5X5] * 50])
        assert next(reports).length == 4
        if ends == "close":
            reports.close()
            reports.close()
        del reports
        gc.collect()
    assert time.monotonic() - begun < LIMIT
    # The threads of the searches have ended, so the cores are free.
    while True:
        before = time.process_time()
        time.sleep(0.3)
        if time.process_time() - before < 0.1:
            break
        assert time.monotonic() - begun < LIMIT


def test_cancel(solver5: st.Solver) -> None:
    cancel = st.Cancel()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(st.CancelledError):
        list(solver5.solve_many([BOARD_5X5] * 10, cancel=cancel))
    assert time.monotonic() - begun < LIMIT


def test_module_function_uses_the_size_of_the_first_board() -> None:
    assert [report.length for report in st.solve_many(iter(BOARDS_31))] == [31, 31]
    assert [report.length for report in st.solve_many(["1 2/3 0"], size="2x2")] == [0]
    spiral = st.Goal("1 2 3/8 0 4/7 6 5")
    assert [report.length for report in st.solve_many(["2 8 3/1 6 4/7 0 5"], goal=spiral)] == [5]


def test_two_lists_at_once(solver3: st.Solver) -> None:
    boards = st.scramble("3x3", number=300, seed=6)
    pairs = zip(solver3.solve_many(boards), solver3.solve_many(boards), strict=True)
    assert all(one.board == two.board and one.length == two.length for one, two in pairs)


def test_iterators_can_be_chained(solver3: st.Solver) -> None:
    """The input iterator can be another solve_many."""
    again = (report.board or "" for report in solver3.solve_many(BOARDS_31))
    assert [report.length for report in solver3.solve_many(again)] == [31, 31]


def test_from_another_thread(solver3: st.Solver) -> None:
    found: list[st.Report] = []
    reports = solver3.solve_many(BOARDS_31)
    thread = threading.Thread(target=lambda: found.extend(reports))
    thread.start()
    thread.join(20)
    assert [report.length for report in found] == [31, 31]


def test_iterator_is_closed_by_another_thread(solver5: st.Solver) -> None:
    """After the iterator is closed, a thread that waits for a report gets no more reports."""
    reports = solver5.solve_many([BOARD_5X5] * 4)
    timer = threading.Timer(0.2, reports.close)
    timer.start()
    begun = time.monotonic()
    assert list(reports) == []
    assert time.monotonic() - begun < LIMIT
    timer.join()


def test_anytime_is_ended_by_another_thread(solver5: st.Solver) -> None:
    reports = solver5.anytime(BOARD_5X5, max_time=60)
    timer = threading.Timer(0.3, reports.stop)
    timer.start()
    begun = time.monotonic()
    assert list(reports)[-1].status == "solved"
    assert time.monotonic() - begun < LIMIT
    with solver5.anytime(BOARD_5X5, max_time=60) as reports:
        next(reports)
    assert list(reports) == []


def test_boards_cannot_use_their_own_iterator(solver3: st.Solver) -> None:
    """Python itself raises the error, since the generator is already executing."""

    def boards() -> Iterator[str]:
        yield BOARDS_31[0]
        next(reports)

    reports = solver3.solve_many(boards())
    with pytest.raises(ValueError, match="already executing"):
        list(reports)


@pytest.mark.parametrize("place", ["generator", "board"])
def test_interrupt_in_the_callers_code(solver5: st.Solver, place: str) -> None:
    """KeyboardInterrupt is raised without waiting for earlier reports, and never becomes a report.
    """

    class Interrupting:
        def __iter__(self) -> Iterator[int]:
            raise KeyboardInterrupt

    def boards() -> Iterator[Any]:
        yield BOARD_5X5
        if place == "generator":
            raise KeyboardInterrupt
        yield Interrupting()

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(solver5.solve_many(boards(), max_time=60))
    assert time.monotonic() - begun < LIMIT


def test_unreadable_boards_do_not_end_the_list(solver3: st.Solver) -> None:
    class Silent:
        def __repr__(self) -> str:
            raise ValueError("no text")

    given: list[Any] = [BOARDS_31[0], "1\ud800", Silent(), itertools.count(), BOARDS_31[0]]
    reports = list(solver3.solve_many(given))
    assert [report.status for report in reports] == ["solved", "error", "error", "error", "solved"]


def test_reference_cycles_are_collected(solver3: st.Solver) -> None:
    """A generator and the iterator that reads it can refer to each other; both are freed."""

    class Holder:
        reports: st.SolvedBoards

    def held() -> weakref.ref[Holder]:
        holder = Holder()

        def boards() -> Iterator[str]:
            for _ in range(10_000):
                yield BOARDS_31[0]
            assert holder

        holder.reports = solver3.solve_many(boards())
        next(holder.reports)
        return weakref.ref(holder)

    reference = held()
    gc.collect()
    assert reference() is None


def test_slow_boards_do_not_delay_reports(solver3: st.Solver) -> None:
    taken = 0

    def boards() -> Iterator[str]:
        nonlocal taken
        for _ in range(LIMIT):
            taken += 1
            yield BOARDS_31[0]
            time.sleep(0.3)

    assert next(solver3.solve_many(boards())).length == 31
    assert taken < LIMIT


def test_bars_are_closed(solver3: st.Solver) -> None:
    opened: list[int] = []

    class Bar:
        def __init__(self, **options: Any) -> None:
            opened.append(1)

        def update(self, n: Any, /) -> None:
            pass

        def close(self) -> None:
            opened.pop()

    calls: list[Callable[[], object]] = [
        lambda: solver3.solve_many(5, progress=Bar),  # type: ignore[arg-type]
        lambda: solver3.solve_many([], mode="x", progress=Bar),  # type: ignore[arg-type]
    ]
    for wrong in calls:
        with pytest.raises((TypeError, ValueError)):
            wrong()
        assert not opened
    reports = solver3.solve_many([BOARDS_31[0]] * 9, progress=Bar)
    next(reports)
    assert opened
    del reports
    gc.collect()
    assert not opened


def test_one_build_for_many_threads() -> None:
    """Cached solvers are created once, until they are forgotten."""
    st.forget_solvers()
    done: list[int] = []

    def tell(step: st.Progress) -> None:
        if step.stage == "build":
            done.append(step)

    def work() -> None:
        st.solve(BOARD_55, threads=1, progress=tell)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The progress reports of a build add up to its number of entries.
    once = sum(done)
    st.forget_solvers()
    done.clear()
    work()
    assert once == sum(done) > 0
    st.forget_solvers()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_process_has_no_searches(solver5: st.Solver) -> None:
    """The forked process gets an error. It does not wait for threads that exist only in the parent.
    """
    reports = solver5.solve_many([BOARD_5X5] * 4)
    child = os.fork()
    if child == 0:
        try:
            next(reports)
        except RuntimeError:
            os._exit(7)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    reports.close()


def test_progress_has_the_number_of_boards() -> None:
    """The total is the length of the list; for a generator it is None."""
    boards = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 0 6/7 5 8"]
    for given, total in ((boards, 2), (iter(boards), None)):
        heard: list[st.Progress] = []
        reports = list(st.solve_many(given, partition="manhattan", progress=heard.append))
        assert [report.length for report in reports] == [1, 2]
        assert {progress.total for progress in heard if progress.stage == "boards"} == {total}
