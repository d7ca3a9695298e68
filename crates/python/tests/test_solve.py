"""Solving a board in all modes, compared with known answers."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

import sliding_tile_pdb as st
from conftest import BOARDS_31, BOARD_55, BOARD_5X5, LIMIT


def solves(report: st.Report, board: st.Board | str, goal: st.Goal | None = None) -> bool:
    assert report.moves is not None
    start = st.Board(board)
    end = start.apply(report.moves)
    return end == (goal or st.Goal("blank-last", start.size)).board


def test_goals_and_boards_as_objects() -> None:
    goal = st.Goal("1 2 3/8 0 4/7 6 5")
    report = st.solve([[2, 8, 3], [1, 6, 4], [7, 0, 5]], goal=goal)
    assert report.length == 5
    assert solves(report, "2 8 3/1 6 4/7 0 5", goal)
    assert st.Solver(goal).solve(st.Board("2 8 3/1 6 4/7 0 5")).length == 5
    assert st.Solver("3x3", goal="1 2 3/8 0 4/7 6 5").solve(
        np.array([[2, 8, 3], [1, 6, 4], [7, 0, 5]])
    ).length == 5


def test_all_3x3_lengths(solver3: st.Solver) -> None:
    """The number of 3x3 boards at each distance equals the published number."""
    import itertools

    boards = np.fromiter(
        itertools.chain.from_iterable(itertools.permutations(range(9))), dtype=np.uint8,
    ).reshape(-1, 9)
    # On trays of odd width, a board is solvable if the number of inversions of its tiles is even.
    inversions = np.zeros(len(boards), dtype=np.int64)
    for i in range(9):
        for j in range(i + 1, 9):
            inversions += (boards[:, i] > boards[:, j]) & (boards[:, j] > 0)
    boards = boards[inversions % 2 == 0]
    assert len(boards) == 181_440
    found = np.bincount(solver3.estimates(boards))
    published = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638,
                 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221,
                 2]
    assert found.tolist() == published
    sample = boards[:: len(boards) // 500]
    lengths = [report.length for report in solver3.solve_many(sample)]
    assert lengths == solver3.estimates(sample).tolist()


def test_suites() -> None:
    names = st.suites()
    assert {"korf100", "felner1000", "hardest80", "korf50_24"} <= set(names)
    for name in names:
        suite = st.suite(name)
        assert suite.name == name
        assert len(suite.boards) == len(suite.lengths) > 0
        assert all(board.size == suite.goal.size for board in suite.boards)
    assert all(length == 80 for length in st.suite("hardest80").lengths)
    with pytest.raises(st.InputError, match="korf100"):
        st.suite("korf99")


def test_limits(solver5: st.Solver) -> None:
    with pytest.raises(st.LimitError) as caught:
        solver5.solve(BOARD_5X5, max_nodes=10_000)
    report = caught.value.report
    assert caught.value.code == "limit"
    assert report is not None and report.status == "limit"
    assert report.bound is not None and report.h0 is not None and report.bound >= report.h0
    begun = time.monotonic()
    with pytest.raises(st.LimitError):
        solver5.solve(BOARD_5X5, max_time=0.05)
    assert time.monotonic() - begun < LIMIT
    # A hint is still returned, from the best known solution.
    hint = solver5.hint(BOARD_5X5, max_time=0.2)
    assert not hint.exact and hint.bound <= hint.distance


def test_long_time_limits_are_accepted(solver3: st.Solver) -> None:
    for max_time in [float("inf"), 1e300, 1e9]:
        assert solver3.solve(BOARDS_31[0], max_time=max_time).length == 31


def test_anytime_iterator(solver4: st.Solver) -> None:
    reports = list(solver4.anytime(BOARD_55, max_time=20))
    assert [report.status for report in reports[:-1]] == ["improved"] * (len(reports) - 1)
    assert reports[-1].status == "solved" and reports[-1].length == 55 and reports[-1].proved
    lengths = [report.length or 0 for report in reports]
    assert lengths == sorted(lengths, reverse=True)
    assert all(solves(report, BOARD_55) for report in reports)


def test_anytime_stop_and_drop(solver5: st.Solver) -> None:
    begun = time.monotonic()
    search = solver5.anytime(BOARD_5X5, max_time=60)
    assert iter(search) is search
    first = next(search)
    assert first.status == "improved"
    search.stop()
    rest = list(search)
    assert rest[-1].status == "solved"
    assert list(search) == []
    search = solver5.anytime(BOARD_5X5, max_time=60)
    next(search)
    del search
    assert time.monotonic() - begun < LIMIT


def test_anytime_with_listener(solver4: st.Solver) -> None:
    heard: list[st.Report] = []
    report = solver4.solve(BOARD_55, mode="anytime", max_time=20, improved=heard.append)
    assert heard and all(each.status == "improved" for each in heard)
    assert report.length == 55
    # The search ends as soon as the length is at most 1.5 times the bound.
    soon = solver4.solve(BOARD_55, mode="anytime", max_time=20, within=0.5)
    assert soon.length is not None and soon.bound is not None
    assert soon.length <= soon.bound * 1.5


def test_solver_properties(solver4: st.Solver, solver3: st.Solver) -> None:
    assert solver4.size == "4x4"
    assert solver4.goal == st.Goal("blank-last", "4x4")
    assert solver4.metric == "single"
    assert solver4.partition == "6-6-3"
    assert len(solver4.tables) == 3
    assert solver3.estimate(BOARDS_31[0]) == 31
    assert isinstance(repr(solver4), str) and "6-6-3" in repr(solver4)
    with pytest.raises(st.InputError, match="6-6-4"):
        st.Solver("4x4", "6-6-4")


def test_pickling_a_solver_explains_the_alternative(solver3: st.Solver) -> None:
    with pytest.raises(TypeError, match="initializer"):
        pickle.dumps(solver3)
