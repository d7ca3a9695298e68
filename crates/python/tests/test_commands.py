"""Answers of the package have the same fields as answers of the command."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import sliding_tile_pdb as st
from conftest import Command

# Fields that contain times or file names.
APART = {"ms", "seconds", "file"}


def timeless(value: Any) -> Any:
    """An object without times, including nested objects."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in APART}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    return value


def same(ours: st.Result, theirs: dict[str, Any], **changed: Any) -> None:
    fields = timeless(ours.to_dict())
    assert fields == timeless({**theirs, **changed})
    assert type(ours).from_dict(theirs).to_dict() == theirs


@pytest.fixture(scope="module")
def kept(tables: pathlib.Path) -> st.Solver:
    return st.Solver("4x4", "6-6-3", tables=tables)


@pytest.fixture(scope="module")
def kept3(tables: pathlib.Path) -> st.Solver:
    return st.Solver("3x3", "8", tables=tables)


def test_lists(kept3: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    boards = [*map(str, st.scramble("3x3", number=50, seed=11)), "1 2 3/4 5 6/8 7 0"]
    theirs = solver_command("--tables", str(tables), "--threads", "1", "--size", "3x3",
                            "--partition", "8", input="\n".join(boards))
    reports = list(kept3.solve_many(boards, threads=1))
    assert len(theirs) == len(reports) == 51
    for report, fields in zip(reports, theirs, strict=True):
        fields.pop("line", None)
        assert timeless(report.to_dict()) == timeless(fields)


def test_tables(kept: st.Solver, tables: pathlib.Path, generator_command: Command) -> None:
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
    generator_command("pack", "--size", "3x3", "--partition", "5-3", "--single", "--tables",
                      str(tmp_path / "theirs"), "--out", str(tmp_path / "theirs.pack"))
    st.pack(st.Solver("3x3", "5-3", tables=tmp_path / "ours"), tmp_path / "ours.pack", single=True)
    ours = (tmp_path / "ours.pack").read_bytes()
    assert ours == (tmp_path / "theirs.pack").read_bytes()
