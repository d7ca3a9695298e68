"""Lists of boards: order, laziness, errors in between, iterators that are dropped."""

from __future__ import annotations

import gc
import itertools
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sliding_tile_pdb as st
from conftest import BOARD_5X5, BOARD_55, BOARDS_31, UNSOLVABLE


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


def test_limits_are_of_each_board(solver4: st.Solver) -> None:
    boards = [BOARD_55, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"]
    reports = list(solver4.solve_many(boards, max_nodes=100))
    assert [report.status for report in reports] == ["limit", "solved"]
    assert reports[0].bound is not None


def test_modes(solver4: st.Solver) -> None:
    boards = st.scramble("4x4", number=5, seed=9)
    best = [report.length or 0 for report in solver4.solve_many(boards)]
    quick = list(solver4.solve_many(boards, mode="strategic", explain=True))
    assert all((report.length or 0) >= length
               for report, length in zip(quick, best, strict=True))
    assert all(report.steps for report in quick)
    anytime = list(solver4.solve_many(boards, mode="anytime", max_nodes=20_000))
    assert [report.status for report in anytime] == ["solved"] * 5


def test_lazy(solver3: st.Solver) -> None:
    """Boards of an endless iterator are taken about a thousand ahead at most, on the calling thread."""
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


def test_nothing_is_taken_before_it_is_needed(solver3: st.Solver) -> None:
    taken: list[int] = []

    def boards() -> Iterator[str]:
        for number in range(3):
            taken.append(number)
            yield BOARDS_31[0]

    reports = solver3.solve_many(boards())
    assert len(list(reports)) == 3
    assert taken == [0, 1, 2]


def test_iterator_that_raises(solver3: st.Solver) -> None:
    """The boards before the error have their reports; then comes the error, once."""

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


def test_one_text_is_no_list(solver3: st.Solver) -> None:
    """A text is iterable too: its characters would be read as boards."""
    with pytest.raises((TypeError, st.InputError)):
        list(solver3.solve_many(BOARDS_31[0]))


def test_dropped(solver5: st.Solver) -> None:
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
    assert time.monotonic() - begun < 10
    # Their threads are gone, so that others have the cores.
    before = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - before < 0.2


def test_cancel(solver5: st.Solver) -> None:
    cancel = st.Cancel()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(st.CancelledError):
        list(solver5.solve_many([BOARD_5X5] * 10, cancel=cancel))
    assert time.monotonic() - begun < 10


def test_module_function_takes_the_size_of_the_first() -> None:
    assert [report.length for report in st.solve_many(iter(BOARDS_31))] == [31, 31]
    assert [report.length for report in st.solve_many(["1 2/3 0"], size="2x2")] == [0]
    spiral = st.Goal("1 2 3/8 0 4/7 6 5")
    assert [report.length for report in st.solve_many(["2 8 3/1 6 4/7 0 5"], goal=spiral)] == [5]


def test_two_lists_at_once(solver3: st.Solver) -> None:
    boards = st.scramble("3x3", number=300, seed=6)
    pairs = zip(solver3.solve_many(boards), solver3.solve_many(boards), strict=True)
    assert all(one.board == two.board and one.length == two.length for one, two in pairs)


def test_list_made_of_a_list(solver3: st.Solver) -> None:
    """The iterator that goes in may be another solve_many."""
    again = (report.board or "" for report in solver3.solve_many(BOARDS_31))
    assert [report.length for report in solver3.solve_many(again)] == [31, 31]


def test_from_another_thread(solver3: st.Solver) -> None:
    found: list[st.Report] = []
    reports = solver3.solve_many(BOARDS_31)
    thread = threading.Thread(target=lambda: found.extend(reports))
    thread.start()
    thread.join(20)
    assert [report.length for report in found] == [31, 31]
