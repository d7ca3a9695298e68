"""Damaged tables are rejected with an error. They are never used and never cause a panic."""

from __future__ import annotations

import pathlib
import random
from collections.abc import Callable

import pytest

import sliding_tile_pdb as st

FLIPS = 60


def refused(action: Callable[[], object]) -> None:
    with pytest.raises((st.TableError, st.TooLargeError)) as caught:
        action()
    said = str(caught.value)
    assert said and "panicked" not in said
    assert caught.value.code in ("table", "memory")


@pytest.fixture(scope="module")
def table() -> st.Table:
    return st.Table.build("1,2,3,4", "3x3")


def damaged(data: bytes) -> list[bytes]:
    """Copies of `data`: some with flipped bytes at the start or elsewhere, some with other lengths.
    """
    chance = random.Random(5)
    places = [*range(0, 64, 3), *(chance.randrange(len(data)) for _ in range(FLIPS))]
    flipped = []
    for place in places:
        other = bytearray(data)
        other[place] ^= 1 << chance.randrange(8)
        flipped.append(bytes(other))
    lengths = [0, 1, 7, 63, 64, 100, len(data) // 2, len(data) - 1]
    return [*flipped, *(data[:length] for length in lengths), data + b"\0", data + data]


def test_files(table: st.Table, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "table.pdb"
    for data in damaged(table.to_bytes()):
        path.write_bytes(data)
        refused(lambda: st.Table.open(path))
        refused(lambda: st.Table.from_bytes(data))
        refused(lambda: st.verify(path))


def test_packed(table: st.Table) -> None:
    for data in damaged(table.pack()):
        refused(lambda: st.Table.from_bytes(data))


def test_compressed(table: st.Table, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "table.pdb.zst"
    table.save(path, compress=True)
    whole = path.read_bytes()
    for data in damaged(whole):
        path.write_bytes(data)
        # A flipped bit in the zstd header can leave the decompressed table unchanged. The file is
        # then accepted.
        if data not in (whole * 2, whole + b"\0") and data[8:] == whole[8:]:
            try:
                assert st.Table.open(path) == st.Table.from_bytes(table.to_bytes())
            except (st.TableError, st.TooLargeError):
                pass
        else:
            refused(lambda: st.Table.open(path))


def test_bundles(tmp_path: pathlib.Path) -> None:
    solver = st.Solver("3x3", "5-3")
    manifest = pathlib.Path(st.pack(solver, tmp_path / "bundle"))
    text = manifest.read_text()
    for wrong in ["", "{", "[]", "null", text[: len(text) // 2], text.replace('"3x3"', '"4x4"'),
                  text.replace('"sha256": "', '"sha256": "0')]:
        assert wrong != text
        manifest.write_text(wrong)
        with pytest.raises(st.PuzzleError):
            st.unpack(manifest)
    manifest.write_text(text)
    packed = next(path for path in manifest.parent.iterdir() if path != manifest)
    for data in damaged(packed.read_bytes())[::4]:
        packed.write_bytes(data)
        for read in [lambda: st.Solver(tables=manifest), lambda: st.unpack(manifest)]:
            with pytest.raises(st.PuzzleError):
                read()


def test_table_of_another_pattern() -> None:
    """An intact table of another pattern is not used."""
    other = st.Table.build("1,2,3,4", "3x3")
    with pytest.raises((st.TableError, st.InputError)):
        st.Solver("3x3", "5-3", tables=[other])


def test_not_bytes() -> None:
    for data in [None, 3, "text", [1, 2]]:
        with pytest.raises((TypeError, st.InputError, st.TableError, OSError)):
            st.Table.from_bytes(data)  # type: ignore[arg-type]


def test_solver_ignores_damaged_tables(tmp_path: pathlib.Path) -> None:
    """The solver rebuilds the table, or reports that it is damaged."""
    st.build("5-3", "3x3", tables=tmp_path)
    path = max(tmp_path.glob("*.pdb"), key=lambda path: path.stat().st_size)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3] + b"abc")
    try:
        solver = st.Solver("3x3", "5-3", tables=tmp_path)
    except st.TableError as error:
        assert path.name in str(error)
        st.build("5-3", "3x3", tables=tmp_path)
        solver = st.Solver("3x3", "5-3", tables=tmp_path)
    solver.verify()
    assert path.read_bytes() == whole


def test_cancelled_call_uses_no_file(tmp_path: pathlib.Path) -> None:
    """If the check of a file is cancelled, the next call checks the file again."""
    [path] = [table.path for table in st.Solver("3x3", "8", tables=tmp_path).tables]
    assert path is not None
    data = bytearray(pathlib.Path(path).read_bytes())
    data[-1] ^= 1
    damaged = tmp_path / "damaged.pdb"
    damaged.write_bytes(data)
    cancel = st.Cancel()
    cancel.cancel()
    with pytest.raises(st.CancelledError):
        st.Solver("3x3", "8", tables=damaged, cancel=cancel)
    with pytest.raises(st.TableError):
        st.Solver("3x3", "8", tables=damaged)
