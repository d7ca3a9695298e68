"""Boards and goals: parsing, properties, moves and drawings."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
import warnings
import xml.etree.ElementTree
from typing import Any

import numpy as np
import pytest

import sliding_tile_pdb as st
from conftest import BOARD_55, BOARDS_31, UNSOLVABLE

NUMBERS = (8, 6, 7, 2, 5, 4, 3, 0, 1)


@pytest.mark.parametrize(
    "given",
    [
        "8 6 7/2 5 4/3 0 1",
        NUMBERS,
        list(NUMBERS),
        [[8, 6, 7], [2, 5, 4], [3, 0, 1]],
        ((8, 6, 7), (2, 5, 4), (3, 0, 1)),
        np.array(NUMBERS),
        np.array(NUMBERS, dtype=np.uint8).reshape(3, 3),
        np.array(NUMBERS, dtype=np.int16).reshape(3, 3),
        np.array(NUMBERS, dtype=float),
        list(np.array(NUMBERS)),
        [8, 6, 7, 2, 5, 4, 3, None, 1],
        [8, 6, 7, 2, 5, 4, 3, float("nan"), 1.0],
        ["8", "6", "7", "2", "5", "4", "3", "", "1"],
        [["8", "6", "7"], [2, 5, 4.0], [3, "x", "1"]],
        (number for number in list(NUMBERS)),
        st.Board(NUMBERS),
    ],
    ids=repr,
)
def test_all_forms_are_the_same_board(given: object) -> None:
    board = st.Board(given)  # type: ignore[arg-type]
    assert board.numbers == NUMBERS
    assert (board.size, board.columns, board.rows) == ("3x3", 3, 3)
    assert board == st.Board(NUMBERS)
    assert hash(board) == hash(st.Board(NUMBERS))
    assert str(board) == "8 6 7/2 5 4/3 0 1"


def test_size() -> None:
    assert st.Board("1 2 3 4 5 0", "3x2").size == "3x2"
    assert st.Board("1 2 3 4 5 0", (2, 3)).size == "2x3"
    assert st.Board([[1, 2, 3], [4, 5, 0]]).size == "3x2"
    assert st.Board([1, 2, 3, 4, 5, 0], "2x3").rows == 3
    assert st.Board("1 2/3 0") != st.Board("1 2 3 0", "4x1")


def test_largest() -> None:
    numbers = [*range(1, 400), 0]
    board = st.Board(numbers)
    assert board.size == "20x20" and board.to_numpy().dtype == np.uint16
    assert board.to_numpy().max() == 399 and st.Board(board.to_numpy()) == board


def test_repr_can_be_evaluated() -> None:
    board = st.Board(BOARD_55)
    assert eval(repr(board), {"Board": st.Board}) == board
    wide = st.Board("1 2 3 0", "4x1")
    assert eval(repr(wide), {"Board": st.Board}) == wide
    goal = st.Goal("1 2 3/8 0 4/7 6 5")
    assert eval(repr(goal), {"Goal": st.Goal}) == goal


def test_immutable() -> None:
    board = st.Board(BOARD_55)
    with pytest.raises(AttributeError):
        board.numbers = (1, 0)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        board.other = 1


def test_copies() -> None:
    for thing in [st.Board(BOARD_55), st.Goal("blank-first", "5x3"), st.Board([1, 0], "1x2")]:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(thing, protocol)) == thing
        assert copy.copy(thing) == thing
        assert copy.deepcopy(thing) == thing


def test_equality_with_others() -> None:
    board = st.Board(BOARD_55)
    assert board != BOARD_55
    assert board != st.Goal(BOARD_55)
    assert board is not None and board != 3
    assert len({board, st.Board(BOARD_55), st.Board(BOARDS_31[0])}) == 2


def test_numpy() -> None:
    board = st.Board("1 2 3/4 5 0")
    array = board.to_numpy()
    assert array.tolist() == [[1, 2, 3], [4, 5, 0]]
    assert array.dtype == np.uint8
    array[0, 0] = 5
    assert board.numbers[0] == 1
    assert np.asarray(board).tolist() == [[1, 2, 3], [4, 5, 0]]
    assert np.asarray(board, dtype=np.int64).dtype == np.int64
    assert np.array([board, board]).shape == (2, 2, 3)


@pytest.mark.parametrize(
    "moves",
    ["left, left", ["L", "L"], "['L', 'L']", "←←", "Left Left", ("left", "l"), [6, 5], ["6", "5"]],
    ids=repr,
)
def test_moves_as_written(moves: Any) -> None:
    board = st.Board("1 2 3/0 6 5/7 8 4")
    after = st.Board("1 2 3/6 5 0/7 8 4")
    assert board.apply(moves) == after
    assert board.convert(moves, "tile") == "L2"
    assert board.svg(moves) == board.svg("L2")
    assert after.apply(st.invert(moves)) == board
    assert st.Solver("3x3", goal=after).rate(board, moves).lost == 0


def well_formed(svg: str) -> None:
    root = xml.etree.ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")


def test_impossible_moves() -> None:
    board = st.Board("1 2 3/4 5 6/7 8 0")
    for moves, notation in [("L", None), ("Q", None), ("1", "numbers"), ("R", "words")]:
        with pytest.raises(st.InputError):
            board.apply(moves, notation)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        board.apply({"L"})  # type: ignore[arg-type]


def test_pictures() -> None:
    board = st.Board(BOARDS_31[0])
    report = st.solve(board)
    for svg in [
        board.svg(), board.svg(report.moves), board.svg(cell_size=20), board._repr_svg_(),
        st.Goal("1 2 3/8 0 4/7 6 5")._repr_svg_(), report.svg(),
        board.svg(goal="1 2 3/8 0 4/7 6 5"),
    ]:
        well_formed(svg)
    assert board.svg(report.moves) != board.svg()
    assert "animat" in board.svg(report.moves) or "@keyframes" in board.svg(report.moves)
    with pytest.raises(st.InputError):
        board.svg("UUUUUU")
    with pytest.raises((st.InputError, OverflowError)):
        board.svg(cell_size=0)
    with pytest.raises((st.InputError, OverflowError)):
        board.svg(cell_size=-3)


def test_reports_draw_themselves() -> None:
    for report in [st.solve("6 4 7/8 5 0/3 2 1"),
                   next(iter(st.solve_many([UNSOLVABLE])))]:
        well_formed(report.svg())
    # An invalid board cannot be drawn. Notebooks then show the report as text.
    broken = next(iter(st.Solver("3x3").solve_many(["no board"])))
    svg = broken._repr_svg_()
    if svg is not None:
        well_formed(svg)


BAD_BOARDS: list[tuple[object, str]] = [
    ([], ""),
    ([1, 2, 3, -2], ""),
    ([1, 2, 3, 10**30], ""),
    ([[1], [2, 3]], ""),
    (["1", "2", None, None], ""),
    ([1.5, 2, 0, 3], ""),
    (None, ""),
    (3, ""),
    (b"1 2/3 0", ""),
    ({1: 2}, ""),
    (object(), ""),
    (np.zeros((2, 2, 2), dtype=np.uint8), ""),
    (np.array([1.5, 2.0, 3.0, 0.0]), ""),
    (np.zeros(0, dtype=np.uint8), ""),
    (np.array(["a", "b"]), ""),
    ("\0", ""),
    ("1 2/3 0" * 100_000, ""),
    ("(" * 100_000, ""),
    ([0] * 401, ""),
    (list(range(441)), ""),
]


@pytest.mark.parametrize(("given", "word"), BAD_BOARDS, ids=lambda value: repr(value)[:30])
def test_bad_boards(given: object, word: str) -> None:
    with pytest.raises((st.InputError, TypeError)) as caught:
        st.Board(given)  # type: ignore[arg-type]
    said = str(caught.value)
    assert said and word in said and "\n" not in said
    assert len(said) < 1000


@pytest.mark.parametrize(
    "given",
    [set(NUMBERS), frozenset(NUMBERS), dict.fromkeys(NUMBERS), [{8, 6, 7}, {2, 5, 4}, {3, 0, 1}]],
    ids=repr,
)
def test_sets_and_dicts_have_no_order(given: object, solver3: st.Solver) -> None:
    with pytest.raises(TypeError, match="reading order or in rows, not (set|frozenset|dict)"):
        st.Board(given)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        solver3.solve(given)  # type: ignore[arg-type]


def test_frames_are_not_boards() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[8, 6, 7], [2, 5, 4], [3, 0, 1]])
    with pytest.raises(TypeError, match=r"frame\.to_numpy\(\) has them.*not DataFrame"):
        st.Board(frame)
    assert st.Board(frame.to_numpy()).numbers == NUMBERS


def test_guesses_are_warnings(tmp_path: pathlib.Path) -> None:
    note = "each character is read as a cell"
    for call in [st.Board, st.Solver("3x3").solve, st.solve]:
        with pytest.warns(UserWarning, match=note):
            call("87_654321")
    with pytest.raises(st.InputError, match="write the goal as 8 7 0/6 5 4/3 2 1"):
        st.Goal("87_654321")
    with pytest.warns(UserWarning, match="the tiles are numbered from 0"):
        st.Board([0, 1, 2, 3, 4, 5, 6, 7, -1])
    with pytest.warns(UserWarning, match=note):
        reports = list(st.solve_many(["87_654321", "8 7 0/6 5 4/3 2 1"]))
    assert [report.notes for report in reports] == [(note,), None]
    path = tmp_path / "boards.txt"
    path.write_text("1 2 3/4 5 6/7 0 8\n87_654321\n8765_4321\n")
    with pytest.warns(UserWarning, match=f"boards.txt: line 2: {note}") as found:
        assert len(st.read_boards(path)) == 3
    assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            st.Board("87_654321")
        st.Board([[8, 7, None], [6, 5, 4], ["3", "2", 1.0]])


def test_texts_with_their_own_goal(tmp_path: pathlib.Path) -> None:
    text = json.dumps({"board": [[1, 2, 3], [8, 4, 0], [7, 6, 5]], "size": "3x3", "goal": "snail"})
    for goal in [None, "snail"]:
        assert st.solve(text, goal=goal).length == 1
    assert st.Solver("3x3", goal="snail").solve(text).length == 1
    path = tmp_path / "boards.jsonl"
    path.write_text(f'{{"board": "1 2/0 3"}}\n{text}\n')
    for call in [lambda: st.solve(text, goal="columns"), lambda: st.Solver("3x3").solve(text),
                 lambda: st.Board(text), lambda: st.read_boards(path)]:
        with pytest.raises(st.InputError, match="states its own goal, 1 2 3/8 0 4/7 6 5"):
            call()
    with pytest.raises(st.InputError, match="boards.jsonl: line 2: "):
        st.read_boards(path)
    path.write_text(text.replace("snail", "blank-last"))
    assert st.read_boards(path) == [st.Board("1 2 3/8 4 0/7 6 5")]
