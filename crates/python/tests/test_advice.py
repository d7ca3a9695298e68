"""Hints, ratings, probes, explanations and comparisons, and the rules: scrambles, lists, inverted
moves."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
import sliding_tile_pdb as st
from conftest import BOARDS_31, UNSOLVABLE


def test_advice_for_boards_without_a_solution(solver4: st.Solver) -> None:
    calls: list[Any] = [
        lambda: solver4.hint(UNSOLVABLE), lambda: solver4.rate(UNSOLVABLE, "R"),
        lambda: solver4.probe(UNSOLVABLE), lambda: solver4.estimate(UNSOLVABLE),
        lambda: st.explain(UNSOLVABLE),
    ]
    for call in calls:
        with pytest.raises(st.UnsolvableError) as caught:
            call()
        report = caught.value.report
        assert report is not None and report.swap == (14, 15)
        names = {"board", "status", "swap", "reachable_goals", "message"}
        assert set(report.to_dict()) == names


def test_scramble(solver3: st.Solver) -> None:
    boards = st.scramble("4x4", number=20, seed=7)
    assert boards == st.scramble("4x4", number=20, seed=7)
    assert boards != st.scramble("4x4", number=20, seed=8)
    assert len(set(boards)) == 20 and all(board.is_solvable() for board in boards)
    assert st.scramble() != st.scramble()
    near = st.scramble("3x3", moves=5, number=50, seed=1)
    assert all((report.length or 0) <= 5 and (report.length or 0) % 2 == 1
               for report in solver3.solve_many(near))
    spiral = st.Goal("1 2 3/8 0 4/7 6 5")
    assert all(board.is_solvable(spiral) for board in st.scramble(goal=spiral, number=20))
    assert st.scramble("3x3", number=0) == []
    with pytest.raises((st.InputError, OverflowError)):
        st.scramble("3x3", number=-1)
    with pytest.raises((st.InputError, OverflowError)):
        st.scramble("3x3", moves=-1)


def test_lists(tmp_path: pathlib.Path, suites: pathlib.Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# comment\n8 6 7/2 5 4/3 0 1\n6 4 7 8 5 0 3 2 1 31\n1 2 3\n4 0 6\n7 5 8\n")
    assert [str(board) for board in st.read_boards(path)] == [*BOARDS_31, "1 2 3/4 0 6/7 5 8"]
    assert st.read_boards(str(path)) == st.read_boards(path, "3x3")
    felner = st.read_boards(suites / "felner1000.txt")
    assert tuple(felner) == st.suite("felner1000").boards
    path.write_text("8 6 7/2 5 4/3 0 1\n8 6 7/2 5 4/3 0 8\n")
    with pytest.raises(st.InputError, match="2"):
        st.read_boards(path)
    with pytest.raises((st.InputError, OSError), match="nowhere"):
        st.read_boards(tmp_path / "nowhere.txt")
    path.write_bytes(b"\xff\xfe\x00 1 2")
    with pytest.raises((st.InputError, ValueError)):
        st.read_boards(path)


def test_estimates(solver4: st.Solver, solver3: st.Solver) -> None:
    boards = st.scramble("4x4", number=500, seed=12)
    array = np.stack([board.to_numpy() for board in boards])
    expected = [solver4.estimate(board) for board in boards]
    forms: list[Any] = [boards, array, array.reshape(-1, 16), array.astype(np.int32)]
    for given in forms:
        found = solver4.estimates(given)
        assert found.dtype == np.uint16
        assert found.tolist() == expected
    assert solver4.estimates(array, threads=1).tolist() == expected
    assert solver4.estimates(np.empty((0, 16), dtype=np.uint8)).shape == (0,)
    with pytest.raises(st.InputError):
        solver3.estimates(array)
    # One board repeats the number 0, and one has the number 200, which a 4x4 board cannot have.
    for wrong in [0, 200]:
        bad = array.reshape(-1, 16).copy()
        bad[3, :] = wrong
        with pytest.raises(st.InputError, match="3|4"):
            solver4.estimates(bad)


def test_compare_random() -> None:
    def run(threads: int) -> list[dict[str, object]]:
        records = st.compare(["zero", "manhattan"], ["astar"], sizes="3x3", number=5, seed=3,
                             threads=threads)
        return [{**record.to_dict(), "ms": 0} for record in records]

    assert len(run(1)) == 10
    assert run(1) == run(2)
    several = st.compare(["manhattan"], ["astar"], sizes=["3x3", (4, 3)], moves=[5, 10], number=2)
    assert {(r.size, r.set) for r in several} == {
        ("3x3", "walk-5"), ("3x3", "walk-10"), ("4x3", "walk-5"), ("4x3", "walk-10")}


def test_compare_suite() -> None:
    records = st.compare(["6-6-3"], ["ida-star"], suite="korf100", number=2)
    assert [record.set for record in records] == ["korf100"] * 2
    assert [record.length for record in records] == list(st.suite("korf100").lengths[:2])


def test_bad_comparisons() -> None:
    for arguments in [
        {"heuristics": ["manhattan"], "searches": ["bstar"]},
        {"heuristics": ["mannhattan"], "searches": ["astar"]},
        {"heuristics": ["manhattan"], "searches": ["astar"], "suite": "nowhere"},
        {"heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2 2/0 3 4"]},
        {"heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2/0 3"],
         "suite": "korf100"},
    ]:
        with pytest.raises(st.InputError):
            st.compare(**arguments)  # type: ignore[arg-type]
