"""Tables and bundles of the package are those of the command."""

from __future__ import annotations

import pathlib

import pytest

import sliding_tile_pdb as st
from conftest import Command


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
    generator_command("pack", "--size", "3x3", "--partition", "5-3", "--single", "--tables",
                      str(tmp_path / "theirs"), "--out", str(tmp_path / "theirs.pack"))
    st.pack(st.Solver("3x3", "5-3", tables=tmp_path / "ours"), tmp_path / "ours.pack", single=True)
    ours = (tmp_path / "ours.pack").read_bytes()
    assert ours == (tmp_path / "theirs.pack").read_bytes()
