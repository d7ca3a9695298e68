"""Look-ups of many boards at once, compared with look-ups of single boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import sliding_tile_pdb as st


def boards(size: str, number: int, seed: int = 0) -> npt.NDArray[np.uint8]:
    columns, rows = map(int, size.split("x"))
    found = st.scramble(size, number=number, seed=seed)
    return np.array([board.numbers for board in found], dtype=np.uint8).reshape(-1, rows * columns)


@pytest.fixture(scope="module")
def six() -> st.Table:
    return st.Table.build([1, 2, 5, 6, 9, 13], "4x4", encoding="u8")


@pytest.mark.parametrize(
    ("size", "tiles"),
    [("2x2", "1,2"), ("3x3", "1,2,3,4,7"), ("3x3", "8"), ("4x2", "1,2,3"), ("2x4", "5,6,7"),
     ("4x4", "1,2,5,6"), ("5x3", "1,2,3"), ("5x5", "1,2,6"), ("6x6", "1,2"), ("8x8", "1,2"),
     ("3x8", "22,23")],
)
@pytest.mark.parametrize("kind", ["zero-aware", "blank-compressed", "full"])
def test_lookup_equals_single_values(size: str, tiles: str, kind: Any) -> None:
    table = st.Table.build(tiles, size, kind=kind)
    array = boards(size, 100, 3)
    expected = [table.value(st.Board(list(map(int, numbers)), size)) for numbers in array]
    assert None not in expected
    assert table.lookup(array).tolist() == expected
    assert table.decode().lookup(array).tolist() == expected
    assert table.decode().values[table.entries_of(array)].tolist() == expected


@pytest.mark.parametrize("goal", ["blank-first", "1 2 3/8 0 4/7 6 5", "8 0 6/5 4 7/2 3 1"])
def test_other_goals(goal: str) -> None:
    goal_board = st.Goal(goal, "3x3")
    table = st.Table.build("1,3,5", goal=goal_board)
    array = np.array([board.numbers for board in st.scramble(goal=goal_board, number=200, seed=2)])
    expected = [table.value(numbers.tolist()) for numbers in array]
    assert table.lookup(array).tolist() == expected
    assert table.value(goal_board.board) == 0


def test_lookup_sums_equal_probe() -> None:
    """The sums of look-ups equal the sums that a probe returns for the views."""
    solver = st.Solver("4x4", "6-6-3")
    array = boards("4x4", 300, 8)
    sums = np.sum([table.lookup(array) for table in solver.tables], axis=0)
    for numbers, found in zip(array, sums, strict=True):
        views = solver.probe(numbers).views
        assert next(view.sum for view in views if view.symmetry == "identity") == found
    assert (solver.estimates(array) >= sums).all()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64",
                                   "int64", ">i4", ">u2"])
def test_dtypes(six: st.Table, dtype: str) -> None:
    array = boards("4x4", 50)
    expected = six.lookup(array).tolist()
    assert six.lookup(array.astype(dtype)).tolist() == expected
    assert six.entries_of(array.astype(dtype)).dtype == np.uint64


def test_shapes_and_strides(six: st.Table) -> None:
    array = boards("4x4", 60)
    expected = six.lookup(array)
    assert expected.dtype == np.uint8 and expected.shape == (60,)
    forms: list[Any] = [
        array.reshape(60, 4, 4),
        np.asfortranarray(array),
        np.repeat(array, 2, axis=0)[::2],
        np.concatenate([array, array], axis=1)[:, :16],
        array[::-1][::-1],
        np.ascontiguousarray(array.T).T,
        [st.Board(list(map(int, numbers))) for numbers in array],
        [numbers.tolist() for numbers in array],
    ]
    for given in forms:
        assert np.array_equal(six.lookup(given), expected)
    assert np.array_equal(six.lookup(array[::-3]), expected[::-3])
    readonly = array.copy()
    readonly.flags.writeable = False
    assert np.array_equal(six.lookup(readonly), expected)
    assert six.lookup(array[:0]).shape == (0,)
    assert six.lookup([]).shape == (0,)
    # Some of these numbers differ by 1 from a multiple of the block size.
    many = np.tile(array, (200, 1))
    for number in [1, 2, 7, 63, 64, 65, 1023, 1025, 4097, 12_000]:
        assert np.array_equal(six.lookup(many[:number]), np.tile(expected, 200)[:number])


@pytest.mark.parametrize(
    "given",
    [
        np.zeros((3, 15), dtype=np.uint8), np.zeros((3, 2, 8), dtype=np.uint8),
        np.zeros(16, dtype=np.uint8), np.zeros((2, 2, 2, 2), dtype=np.uint8),
        np.zeros((3, 16)), np.array([["a"] * 16]), 3, None, "text",
        ["1 2 3/4 5 6/7 8 0"],
    ],
    ids=lambda value: repr(value)[:25],
)
def test_invalid_arrays_of_boards(six: st.Table, given: Any) -> None:
    with pytest.raises((st.InputError, TypeError)):
        six.lookup(given)
    with pytest.raises((st.InputError, TypeError)):
        six.entries_of(given)


@pytest.mark.parametrize("wrong", [0, 1, 16, 17, 255])
def test_errors_name_the_bad_board(six: st.Table, wrong: int) -> None:
    array = boards("4x4", 5000)
    array[4321, array[4321].tolist().index(3)] = wrong
    with pytest.raises(st.InputError, match="4321"):
        six.lookup(array)
    with pytest.raises(st.InputError, match="4321"):
        six.entries_of(array)


def test_numbers_above_one_byte(six: st.Table) -> None:
    array = boards("4x4", 10).astype(np.int64)
    for wrong in [-1, 256, 259, 2**40]:
        bad = array.copy()
        bad[7][bad[7] == 3] = wrong
        with pytest.raises(st.InputError):
            six.lookup(bad)


def test_random_bytes_are_rejected(six: st.Table) -> None:
    """Random bytes are rejected, so no look-up reads memory outside the table."""
    random = np.random.default_rng(1)
    for _ in range(20):
        array = random.integers(0, 256, (1000, 16), dtype=np.uint8)
        with pytest.raises(st.InputError):
            six.lookup(array)
        with pytest.raises(st.InputError):
            six.entries_of(array & 15)


def test_input_is_unchanged(six: st.Table) -> None:
    array = boards("4x4", 100)
    before = array.copy()
    six.lookup(array)
    assert np.array_equal(array, before)


def test_frames_and_series(solver3: st.Solver) -> None:
    pandas = pytest.importorskip("pandas")
    board = st.Board("8 6 7/2 5 4/3 0 1")
    assert solver3.estimates(pandas.Series([str(board)] * 2)).tolist() == [31, 31]
    assert solver3.estimates(pandas.DataFrame([board.numbers])).tolist() == [31]
    assert solver3.estimates(np.array([])).tolist() == []
    array: Any = np.array([board.numbers])
    view: Any = memoryview(array)
    assert solver3.estimates(view).tolist() == [31]
