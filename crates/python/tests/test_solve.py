"""Solving a board in all modes, compared with known answers."""

from __future__ import annotations

import pickle
import time
from typing import Any

import numpy as np
import pytest

import sliding_tile_pdb as st
from conftest import BOARDS_31, BOARD_55, BOARD_5X5, BOARD_80, LIMIT, UNSOLVABLE


def solves(report: st.Report, board: st.Board | str, goal: st.Goal | None = None) -> bool:
    assert report.moves is not None
    start = st.Board(board)
    end = start.apply(report.moves)
    return end == (goal or st.Goal("blank-last", start.size)).board


def test_readme_example() -> None:
    report = st.solve(BOARD_55)
    assert report.length == 55
    assert report.proved
    assert report.status == "solved"
    assert report.mode == "optimal"
    assert report.method == "search"
    assert solves(report, BOARD_55)
    assert report.bound == 55
    assert report.h0 is not None and report.h0 <= 55
    assert report.nodes is not None and report.nodes > 0
    assert report.iterations is not None
    assert sum(iteration.nodes for iteration in report.iterations) == report.nodes
    assert report.ms is not None and report.ms >= 0
    assert report.swap is None and report.line is None and report.message is None


def test_example_of_the_documentation(solver3: st.Solver) -> None:
    report = solver3.solve(BOARDS_31[0], threads=1)
    assert report.to_dict() == {
        "board": "8 6 7/2 5 4/3 0 1", "status": "solved", "mode": "optimal", "length": 31,
        "proved": True, "method": "search",
        "moves": "LDR2UL2D2RURDLURUL2DRULD2R2U2L2", "nodes": 39, "expanded": 31,
        "ms": report.ms, "h0": 31, "bound": 31,
        "iterations": [{"bound": 31, "nodes": 39, "expanded": 31}], "threads": 1, "tables": "8",
    }
    assert list(report.to_dict())[:4] == ["board", "status", "mode", "length"]


def test_goals_and_boards_as_objects() -> None:
    goal = st.Goal("1 2 3/8 0 4/7 6 5")
    report = st.solve([[2, 8, 3], [1, 6, 4], [7, 0, 5]], goal=goal)
    assert report.length == 5
    assert solves(report, "2 8 3/1 6 4/7 0 5", goal)
    assert st.Solver(goal).solve(st.Board("2 8 3/1 6 4/7 0 5")).length == 5
    assert st.Solver("3x3", goal="1 2 3/8 0 4/7 6 5").solve(
        np.array([[2, 8, 3], [1, 6, 4], [7, 0, 5]])
    ).length == 5


def test_solved_board(solver3: st.Solver) -> None:
    report = solver3.solve("1 2 3/4 5 6/7 8 0")
    assert (report.length, report.moves, report.iterations) == (0, "", ())


def test_multi(solver4: st.Solver) -> None:
    report = st.solve(BOARD_55, metric="multi")
    assert report.length == 37
    assert solves(report, BOARD_55)


def test_notation(solver3: st.Solver) -> None:
    board = st.Board(BOARDS_31[0])
    by_tile = solver3.solve(board, threads=1)
    by_blank = solver3.solve(board, threads=1, notation="blank")
    by_number = solver3.solve(board, threads=1, notation="numbers")
    assert by_tile.moves and by_blank.moves and by_number.moves
    assert board.convert(by_tile.moves, "blank") == by_blank.moves
    assert board.convert(by_tile.moves, "numbers") == by_number.moves


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


def test_korf(solver_first: st.Solver) -> None:
    suite = st.suite("korf100")
    assert suite.goal == st.Goal("blank-first", "4x4")
    assert len(suite.boards) == 100
    # Solves the easier half of the boards: each of these takes a few milliseconds.
    chosen = sorted(zip(suite.lengths, suite.boards, strict=True), key=lambda pair: pair[0] or 0)
    chosen = chosen[:50]
    reports = list(solver_first.solve_many([board for _, board in chosen]))
    assert [report.length for report in reports] == [length for length, _ in chosen]
    assert all(solves(report, board, suite.goal)
               for report, (_, board) in zip(reports, chosen, strict=True))


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


def test_unsolvable(solver4: st.Solver) -> None:
    with pytest.raises(st.UnsolvableError) as caught:
        solver4.solve(UNSOLVABLE)
    report = caught.value.report
    assert caught.value.code == "unsolvable"
    assert report is not None and report.status == "unsolvable"
    assert report.swap is not None and report.message and report.length is None
    assert str(caught.value)
    with pytest.raises(st.UnsolvableError):
        st.solve(UNSOLVABLE)
    calls: list[Any] = [solver4.hint, solver4.all_solutions, solver4.anytime]
    for call in calls:
        with pytest.raises(st.UnsolvableError):
            result = call(UNSOLVABLE)
            if isinstance(result, st.Anytime):
                list(result)
    with pytest.raises(st.UnsolvableError):
        solver4.rate(UNSOLVABLE, "R")


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


@pytest.mark.parametrize(
    "options",
    [
        {"max_time": -1.0}, {"max_time": float("nan")}, {"max_time": "soon"},
        {"max_nodes": -1}, {"max_nodes": 1.5}, {"max_nodes": 2**200},
        {"threads": -1}, {"threads": 2**70}, {"mode": "best"}, {"notation": "words"},
        {"within": -0.5, "mode": "anytime"}, {"seed": -1, "mode": "anytime"},
        {"max_memory": -5, "mode": "anytime"}, {"progress": 3}, {"cancel": 3}, {"nothing": 1},
    ],
    ids=repr,
)
def test_bad_options(solver3: st.Solver, options: dict[str, object]) -> None:
    with pytest.raises((st.InputError, TypeError, OverflowError)):
        solver3.solve(BOARDS_31[0], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 1}, "seed is for the mode anytime, not for optimal"),
        ({"seed": 1, "mode": "strategic"}, "seed is for the mode anytime, not for strategic"),
        ({"max_memory": 1 << 20}, "max_memory is for the mode anytime, not for optimal"),
        ({"within": 0.1}, "within is 0.1: expected a number of moves"),
        ({"within": 0.1, "mode": "strategic"}, "within is for the mode"),
        ({"within": 1e4, "mode": "anytime"}, "within is 10000: expected a share"),
        ({"short": True}, "short is for the mode strategic, not for optimal"),
        ({"explain": True, "mode": "anytime"}, "explain is for the mode strategic, not for anytime"),
        ({"explain": True, "short": True, "mode": "strategic"}, "short and explain exclude each"),
    ],
    ids=repr,
)
def test_options_belong_to_modes(
    solver3: st.Solver, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(st.InputError, match=message):
        solver3.solve(BOARDS_31[0], **options)
    with pytest.raises(st.InputError, match=message):
        solver3.solve_many([BOARDS_31[0]], **options)


def test_fields_of_a_search(solver3: st.Solver, solver4: st.Solver, solver5: st.Solver) -> None:
    """Reports with `nodes` have `tables`, `threads` and `ms`; all reports have `mode`."""
    def fields(report: st.Report | None) -> tuple[object, ...]:
        assert report is not None and report.ms is not None and report.nodes is not None
        return report.status, report.mode, report.tables, report.threads

    assert fields(solver3.solve(BOARDS_31[0], threads=1)) == ("solved", "optimal", "8", 1)
    counted = solver3.all_solutions(BOARDS_31[0], count=True, threads=1)
    assert fields(counted) == ("solved", "optimal", "8", 1)
    heard: list[st.Report] = []
    solver4.solve(BOARD_55, mode="anytime", max_nodes=20_000, threads=1, improved=heard.append)
    assert {fields(report) for report in heard} == {("improved", "anytime", "6-6-3", 1)}
    with pytest.raises(st.LimitError) as limit:
        solver5.solve(BOARD_5X5, max_nodes=1000, threads=1)
    assert fields(limit.value.report) == ("limit", "optimal", "manhattan", 1)
    with pytest.raises(st.UnsolvableError) as unsolvable:
        solver4.solve(UNSOLVABLE, mode="strategic", explain=True)
    report = unsolvable.value.report
    assert report is not None and report.mode == "strategic"
    names = {"board", "status", "mode", "swap", "reachable_goals", "message"}
    assert set(report.to_dict()) == names


def test_board_of_another_size(solver3: st.Solver) -> None:
    with pytest.raises(st.InputError, match="3x3"):
        solver3.solve(BOARD_55)


def test_long_time_limits_are_accepted(solver3: st.Solver) -> None:
    for max_time in [float("inf"), 1e300, 1e9]:
        assert solver3.solve(BOARDS_31[0], max_time=max_time).length == 31


def test_all_solutions(solver3: st.Solver) -> None:
    report = solver3.all_solutions(BOARDS_31[0])
    assert (report.length, report.count) == (31, 40)
    assert report.solutions is not None and len(set(report.solutions)) == 40
    for moves in report.solutions:
        assert st.Board(BOARDS_31[0]).apply(moves) == st.Goal("blank-last", "3x3").board
    assert report.moves == report.solutions[0]
    few = solver3.all_solutions(BOARDS_31[0], most=3)
    assert few.count == 40 and few.solutions is not None and len(few.solutions) == 3
    counted = solver3.all_solutions(BOARDS_31[0], within=2, count=True)
    assert counted.solutions is None
    assert counted.counts is not None and counted.counts[0] == 40 and len(counted.counts) == 3
    counted = solver3.all_solutions(BOARDS_31[0], count=True, threads=1)
    assert (counted.count, counted.counts, counted.solutions) == (40, None, None)
    assert counted.moves in report.solutions
    with pytest.raises(st.LimitError) as caught:
        solver3.all_solutions(BOARDS_31[0], within=12, max_nodes=1000)
    assert caught.value.report is not None
    with pytest.raises(st.InputError, match="count and most exclude each other"):
        solver3.all_solutions(BOARDS_31[0], count=True, most=3)
    with pytest.raises(st.InputError, match="within is for the metric single"):
        st.Solver("3x3", "lines", metric="multi").all_solutions(BOARDS_31[0], within=2)


def test_strategic() -> None:
    report = st.solve(BOARD_55, mode="strategic", explain=True)
    assert report.method == "strategic" and report.mode == "strategic"
    assert solves(report, BOARD_55)
    assert report.steps is not None
    assert sum(step.length for step in report.steps) == report.length
    board = st.Board(BOARD_55)
    for step in report.steps:
        board = board.apply(step.moves)
        if step.action == "place":
            assert step.row is not None and step.column is not None
            at = (step.row - 1) * board.columns + step.column - 1
            assert board.numbers[at] == step.tile
    assert board == st.Goal().board
    short = st.solve(BOARD_55, mode="strategic", short=True)
    assert short.length is not None and report.length is not None
    assert 55 <= short.length < report.length
    assert st.solve(BOARD_55, mode="strategic").steps is None


def test_large_boards_need_no_tables() -> None:
    for size in ["10x10", "20x20", "2x7", "7x1"]:
        board = st.scramble(size, seed=1)[0]
        report = st.solve(board, mode="strategic")
        assert solves(report, board)


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


def test_anytime_repeats(solver4: st.Solver) -> None:
    def run(seed: int) -> list[tuple[int | None, str | None]]:
        return [(report.length, report.moves)
                for report in solver4.anytime(BOARD_80, max_nodes=300_000, threads=1, seed=seed)]

    assert run(3) == run(3)


def test_within_of_anytime_is_checked(solver4: st.Solver) -> None:
    with pytest.raises((st.InputError, ValueError)):
        solver4.anytime(BOARD_55, max_time=-1)


def test_largest_trays_have_no_tables() -> None:
    board = st.Board("1 2 3 0", "4x1")
    assert st.solve(board).length == 0
    near = st.Goal("blank-last", "10x10").board.apply("RDLU", "tile")
    assert st.solve(near).length == 4


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


def test_one_thread_is_deterministic(solver4: st.Solver) -> None:
    reports = [solver4.solve(BOARD_55, threads=1) for _ in range(3)]
    assert len({(report.nodes, report.moves) for report in reports}) == 1
    assert reports[0].threads == 1
    assert solver4.solve(BOARD_55, threads=2).threads == 2


@pytest.mark.parametrize("name", ["max_nodes", "max_memory", "seed", "threads", "max_time"])
def test_errors_name_the_parameter(name: str, solver3: st.Solver) -> None:
    with pytest.raises(st.InputError, match=name):
        solver3.solve(BOARDS_31[0], **{name: -1})  # type: ignore[arg-type]
    with pytest.raises(st.InputError, match=name):
        solver3.solve(BOARDS_31[0], **{name: "1"})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="tables is a path.*not int"):
        st.Solver("3x3", tables=5)
    with pytest.raises(st.InputError, match="1 boards of 1000000000000 moves are too many"):
        st.scramble("3x3", moves=10**12)


def test_error_reports_of_lists_have_the_mode(solver3: st.Solver) -> None:
    (report,) = solver3.solve_many(["no board"], mode="strategic")
    assert (report.status, report.mode) == ("error", "strategic")


def test_pickling_a_solver_explains_the_alternative(solver3: st.Solver) -> None:
    with pytest.raises(TypeError, match="initializer"):
        pickle.dumps(solver3)
