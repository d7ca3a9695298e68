"""Tables: building, storing, opening, verifying, packing, and numpy arrays. Tables and bundles are
those of the command."""

from __future__ import annotations

import gc
import hashlib
import os
import pathlib
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import sliding_tile_pdb as st
from conftest import BOARDS_31, BOARD_55, Command


@pytest.fixture(scope="module")
def row() -> st.Table:
    return st.Table.build("1,2,3", "3x3", encoding="u8")


@pytest.fixture(scope="module")
def six() -> st.Table:
    """One pattern of 6-6-3, with one byte per entry."""
    return st.Table.build([1, 2, 3, 5, 6, 7], "4x4", encoding="u8")


def test_properties(six: st.Table) -> None:
    assert six.kind == "zero-aware" and six.encoding == "u8"
    assert six.size == "4x4" and six.tiles == (1, 2, 3, 5, 6, 7)
    assert six.goal == st.Goal("blank-last", "4x4")
    assert six.path is None
    assert sum(six.histogram) == six.reached <= six.entries
    assert len(six.histogram) == six.max + 1
    assert six.nbytes == six.entries == len(six.values)
    assert six.name in repr(six)
    info = six.to_dict()
    assert info["entries"] == six.entries and info["histogram"] == list(six.histogram)
    assert info["sha256"] == six.sha256 == hashlib.sha256(six.payload.tobytes()).hexdigest()


def test_values_equal_the_table(six: st.Table) -> None:
    values = six.values
    assert values.dtype == np.uint8 and values.shape == (six.entries,)
    found = np.bincount(values, minlength=256)
    assert found[: six.max + 1].tolist() == list(six.histogram)
    assert found[255] == six.entries - six.reached
    assert np.shares_memory(values, six.values)
    assert np.shares_memory(values, six.payload)
    assert not values.flags.writeable and not values.flags.owndata
    with pytest.raises(ValueError):
        values[0] = 1
    with pytest.raises(ValueError):
        values.flags.writeable = True
    with pytest.raises(ValueError):
        six.payload[0] = 1


def test_values_keep_the_table_alive() -> None:
    table = st.Table.build("1,2,3", "3x3", encoding="u8")
    values, expected = table.values, table.values.copy()
    view = values[10:20]
    del table, values
    gc.collect()
    # If the memory of the table had been freed, these tables would reuse it.
    others = [st.Table.build("4,5,6", "3x3", encoding="u8") for _ in range(50)]
    assert view.tolist() == expected[10:20].tolist()
    assert others


def test_values_of_a_mapped_file(tmp_path: pathlib.Path, six: st.Table) -> None:
    path = pathlib.Path(six.save(tmp_path))
    opened = st.Table.open(path)
    assert opened.path == path
    values = opened.values
    assert np.array_equal(values, six.values)
    if pathlib.Path("/proc/self/maps").exists():
        assert path.name in pathlib.Path("/proc/self/maps").read_text()
    # A deleted file remains as long as it is mapped.
    del opened
    path.unlink()
    gc.collect()
    assert np.array_equal(values, six.values)
    del values
    gc.collect()
    if pathlib.Path("/proc/self/maps").exists():
        assert path.name not in pathlib.Path("/proc/self/maps").read_text()


def test_values_of_a_solver(solver3: st.Solver) -> None:
    table = solver3.tables[0]
    assert table.encoding == "one-bit"
    with pytest.raises((st.InputError, st.TableError), match="decode"):
        table.values
    decoded = table.decode()
    assert decoded.encoding == "u8"
    assert decoded.max == 31
    assert decoded.decode() is decoded or decoded.decode() == decoded
    assert np.bincount(decoded.values)[31] == 2
    payload = table.payload
    assert payload.nbytes == table.nbytes
    assert np.shares_memory(payload, solver3.tables[0].payload)


@pytest.mark.parametrize("kind", ["zero-aware", "blank-compressed", "full", "runs"])
def test_kinds_and_encodings(kind: Any, tmp_path: pathlib.Path) -> None:
    boards = st.scramble("3x3", number=300, seed=1)
    by_byte = st.Table.build("1,2,3,4", "3x3", kind=kind, encoding="u8")
    by_byte.verify()
    expected = by_byte.lookup(boards).tolist()
    for encoding in ["one-bit", "mod-3"]:
        try:
            table = st.Table.build("1,2,3,4", "3x3", kind=kind, encoding=encoding)  # type: ignore[arg-type]
        except st.InputError as error:
            assert encoding in str(error) or kind in str(error)
            continue
        assert (table.kind, table.encoding) == (kind, encoding)
        if encoding != "mod-3":
            assert table.lookup(boards).tolist() == expected
        assert np.array_equal(table.decode().values, by_byte.values)
        table.verify()
        again = st.Table.open(table.save(tmp_path / f"{encoding}.pdb"))
        # A file does not record the goal for which it was built.
        own = again.for_goal(table.goal, table.tiles)
        assert own == table and hash(own) == hash(table)
        assert st.Table.from_bytes(table.to_bytes()) == again
        assert st.Table.from_bytes(table.pack()) == again
        assert st.Table.from_bytes(table.pack(fixed=0)) == again


def test_save(tmp_path: pathlib.Path, row: st.Table) -> None:
    path = row.save(tmp_path)
    assert os.path.basename(path) == f"{row.name}.u8.pdb"
    assert pathlib.Path(path).read_bytes() == row.to_bytes()
    small = row.save(tmp_path / "small.pdb.zst", compress=True)
    assert st.Table.open(small).for_goal(row.goal, row.tiles) == row
    assert os.path.getsize(small) < os.path.getsize(path)
    with pytest.raises((st.TableError, OSError), match="nowhere"):
        row.save(tmp_path / "nowhere" / "table.pdb")
    with pytest.raises((st.TableError, OSError), match="nothing.pdb"):
        st.Table.open(tmp_path / "nothing.pdb")
    with pytest.raises((st.TableError, OSError)):
        st.Table.open(tmp_path)


def test_pickles(row: st.Table, six: st.Table, tmp_path: pathlib.Path) -> None:
    """Pickling a table raises TypeError, or the unpickled table equals the original."""
    try:
        data = pickle.dumps(row)
    except TypeError as error:
        assert "Table" in str(error)
    else:
        assert pickle.loads(data) == row


def test_not_equal(row: st.Table, six: st.Table) -> None:
    assert row != six
    assert row != st.Table.build("1,2,4", "3x3", encoding="u8")
    assert row != "row"


def test_build_in_memory_and_on_disk(tmp_path: pathlib.Path) -> None:
    tables = st.build("5-3", "3x3")
    assert [len(table.tiles) for table in tables] == [5, 3] or len(tables) == 2
    assert all(table.path is None for table in tables)
    kept = st.build("5-3", "3x3", tables=tmp_path)
    assert kept == tables
    assert {table.path for table in kept} == set(tmp_path.glob("*.pdb"))
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.pdb")}
    assert st.build("5-3", "3x3", tables=tmp_path) == tables
    assert times == {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.pdb")}
    st.build("5-3", "3x3", tables=tmp_path, force=True)
    assert times != {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.pdb")}
    solver = st.Solver("3x3", "5-3", tables=tmp_path)
    assert solver.solve(BOARDS_31[0]).length == 31
    assert {table.path for table in solver.tables} == set(times)


def test_solvers_from_all_sources(tmp_path: pathlib.Path, tables: pathlib.Path) -> None:
    kept = st.Solver("4x4", "5-5-5", tables=tables)
    expected = kept.solve(BOARD_55, threads=1, side="start")
    bundle = tmp_path / "bundle"
    manifest = st.pack(kept, bundle)
    assert os.path.exists(manifest)
    for source in [
        str(tables), bundle, manifest, list(kept.tables),
        [table.pack() for table in kept.tables], [table.to_bytes() for table in kept.tables],
    ]:
        solver = st.Solver("4x4", "5-5-5", tables=source)
        report = solver.solve(BOARD_55, threads=1, side="start")
        assert (report.length, report.nodes) == (55, expected.nodes)
    # Size, goal and partition come from the bundle.
    assert st.Solver(tables=bundle).partition == "5-5-5"
    assert st.Solver(tables=bundle).size == "4x4"
    with pytest.raises((st.TableError, st.InputError)):
        st.Solver("3x3", tables=bundle)
    with pytest.raises((st.TableError, st.InputError)):
        st.Solver("4x4", "7-8", tables=bundle)


def test_unpack(tmp_path: pathlib.Path, tables: pathlib.Path) -> None:
    solver = st.Solver("4x4", "5-5-5", tables=tables)
    place = st.pack(solver, tmp_path / "bundle", fixed=1)
    in_memory = st.unpack(place)
    assert sorted(table.name for table in in_memory) == sorted(t.name for t in solver.tables)
    st.unpack(tmp_path / "bundle", tables=tmp_path / "again")
    for table in solver.tables:
        path = tables / f"{table.name}.pdb"
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    with pytest.raises((st.TableError, OSError), match="nowhere"):
        st.unpack(tmp_path / "nowhere")


def test_verify(tmp_path: pathlib.Path, solver3: st.Solver, row: st.Table) -> None:
    assert [table.name for table in st.verify(solver3)] == [solver3.tables[0].name]
    assert st.verify(row) == [row]
    path = row.save(tmp_path)
    opened = st.Table.open(path)
    assert st.verify(path) == st.verify(tmp_path) == st.verify([path]) == [opened]
    assert st.verify([row, opened]) == [row, opened]
    solver3.verify()
    row.verify(threads=1)
    assert st.verify([]) == []


def test_missing_tables(tmp_path: pathlib.Path) -> None:
    """If missing tables may not be built, the error names a remedy."""
    with pytest.raises(st.TableError, match="pdb|build"):
        st.Solver("4x4", "6-6-3", tables=tmp_path / "none", max_build_time=0.0)


def test_for_goal(row: st.Table) -> None:
    mirror = row.for_goal("blank-last", "1,4,7")
    boards = st.scramble("3x3", number=200, seed=4)
    turned = [st.Board(board.to_numpy()) for board in boards]
    own = st.Table.build("1,4,7", "3x3", encoding="u8")
    assert mirror.lookup(turned).tolist() == own.lookup(turned).tolist()
    assert mirror.tiles == (1, 4, 7)
    with pytest.raises((st.InputError, st.TableError)):
        row.for_goal("blank-last", "1,5,9")
    with pytest.raises((st.InputError, st.TableError)):
        row.for_goal(st.Goal("blank-last", "4x4"))


def test_bad_patterns() -> None:
    wrong: list[Any] = ["", "0", "1,1", "9", "a", [], [0], [1, 1], [-1], [99], "1,2;3x"]
    for tiles in wrong:
        with pytest.raises((st.InputError, OverflowError)):
            st.Table.build(tiles, "3x3")
    with pytest.raises((st.InputError, TypeError)):
        st.Table.build(None, "3x3")  # type: ignore[arg-type]
    with pytest.raises(st.InputError):
        st.Table.build("1,2", "9x9")
    with pytest.raises((st.InputError, TypeError)):
        st.Table.build("1,2", "3x3", kind="best")  # type: ignore[arg-type]
    with pytest.raises((st.InputError, TypeError)):
        st.Table.build("1,2", "3x3", encoding="u16")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        st.Table()


def test_too_large() -> None:
    with pytest.raises((st.TooLargeError, st.InputError)) as caught:
        st.Table.build(range(1, 13), "6x6")
    assert str(caught.value)
    with pytest.raises((st.TooLargeError, st.InputError)):
        st.build("1,2,3,4,5,6,7,8,9,10,11,12/13,14,15,16,17,18,19,20,21,22,23,24", "5x5")


def test_bytes_of_other_types() -> None:
    table = st.Table.build({1, 2, 3}, "3x3")
    data = table.to_bytes()
    others: list[Any] = [bytearray(data), memoryview(data)]
    for same in others:
        assert st.Table.from_bytes(same) == table
    with pytest.raises(TypeError):
        st.Table.from_bytes(str(data))  # type: ignore[arg-type]
    with pytest.raises(st.TableError, match="given twice"):
        st.Solver("3x3", "1,2,3/4,5,6,7,8", tables=[
            table, table, st.Table.build("4,5,6,7,8", "3x3")])


def test_ready_tables_are_used_within_max_build_time(tmp_path: pathlib.Path) -> None:
    default = st.Solver("4x4", "6-6-3", tables=tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    # Builds are not allowed, and no build is needed.
    ready = st.Solver("4x4", tables=tmp_path, max_build_time=0)
    assert ready.partition == default.partition == "6-6-3"
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    tables = default.tables
    for given in (list(tables), [table.to_bytes() for table in tables],
                  [table.pack() for table in tables]):
        assert st.Solver("4x4", tables=given, max_build_time=0).partition == "6-6-3"
    # Missing tables are not built, because the limit leaves no time.
    assert st.Solver("4x4", max_build_time=0).partition == "manhattan"
    with pytest.raises(st.TableError, match="max_build_time"):
        st.Solver("4x4", "7-8", max_build_time=0.01)
    for wrong in (-1.0, float("nan")):
        with pytest.raises(st.InputError, match="max_build_time"):
            st.Solver("4x4", max_build_time=wrong)


def test_default_build_limit_is_4_s() -> None:
    default, limited = st.Solver("6x6"), st.Solver("6x6", max_build_time=4)
    assert (default.partition, default.reason) == (limited.partition, limited.reason)


def test_given_tables_must_match_exactly() -> None:
    small, large, other = (
        st.Table.build(tiles, "3x3") for tiles in ("1,2,3", "4,5,6,7,8", "1,2,3,4")
    )
    partition = "1,2,3/4,5,6,7,8"
    assert [table.tiles for table in st.Solver("3x3", partition, tables=[large, small]).tables] == [
        table.tiles for table in st.Solver("3x3", partition).tables]
    with pytest.raises(st.TableError, match=f"{large.name} is missing: {partition} needs it"):
        st.Solver("3x3", partition, tables=[small])
    with pytest.raises(st.TableError, match=f"{other.name} is not a table of {partition}"):
        st.Solver("3x3", partition, tables=[small, large, other])


def test_bytes_of_compressed_files(tmp_path: pathlib.Path, row: st.Table) -> None:
    data = row.save(tmp_path / "row.pdb.zst", compress=True).read_bytes()
    assert len(data) < len(row.to_bytes())
    assert st.Table.from_bytes(data) == row


def test_unstored_tables_cause_warnings(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning, match="could not be kept"):
        solver = st.Solver("3x3", "4-4", tables=tmp_path / "file" / "tables")
    assert solver.solve("8 6 7/2 5 4/3 0 1").length == 31
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        st.Solver("3x3", "4-4", tables=tmp_path / "tables")


@pytest.fixture(scope="module")
def kept(tables: pathlib.Path) -> st.Solver:
    return st.Solver("4x4", "6-6-3", tables=tables)


def test_tables(kept: st.Solver, generator_command: Command) -> None:
    for table in kept.tables:
        assert table.path is not None
        [theirs] = generator_command("info", table.path)
        assert table.to_dict() == theirs
        assert st.Table.open(table.path).to_dict() == theirs


def test_files_are_the_same(tmp_path: pathlib.Path, generator_command: Command) -> None:
    """The package and `pdb-gen` write identical files."""
    generator_command("--size", "3x3", "--partition", "5-3", "--tables", str(tmp_path / "theirs"))
    st.build("5-3", "3x3", tables=tmp_path / "ours")
    names = sorted(path.name for path in (tmp_path / "ours").glob("*.pdb"))
    assert len(names) == 2
    for name in names:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    generator_command("pack", "--size", "3x3", "--partition", "5-3", "--tables",
                      str(tmp_path / "theirs"), "--out", str(tmp_path / "theirs packed"))
    st.pack(st.Solver("3x3", "5-3", tables=tmp_path / "ours"), tmp_path / "ours packed")
    for path in (tmp_path / "ours packed").iterdir():
        assert path.read_bytes() == (tmp_path / "theirs packed" / path.name).read_bytes()
