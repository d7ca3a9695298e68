"""Shared fixtures: solvers, known boards, and the command to compare with.

Tests that compare with `pdb-gen` are skipped if it is not built. PDB_GEN_BIN is its path, by
default in target/release of the clone.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import sliding_tile_pdb as st

CRATE = pathlib.Path(__file__).resolve().parent.parent
CLONE = CRATE.parent.parent

# A limit for events that take milliseconds, in seconds; other work can keep the machine busy.
LIMIT = 180

# The 4x4 board of the project's README, and the two 3x3 boards that are 31 moves from the goal.
BOARD_55 = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"
BOARDS_31 = ("8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1")
# A 4x4 board that needs 80 moves, a 5x5 board, and an unsolvable 4x4 board.
BOARD_80 = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"
BOARD_5X5 = "2 17 4 13 7/12 10 3 0 16/21 24 8 5 18/20 15 19 14 9/22 11 6 1 23"
UNSOLVABLE = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"


@pytest.fixture(scope="session", autouse=True)
def own_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """Prevents tests from using the tables of the user."""
    place = tmp_path_factory.mktemp("default-tables")
    before = os.environ.get("PDB_TABLES")
    os.environ["PDB_TABLES"] = str(place)
    yield place
    if before is None:
        del os.environ["PDB_TABLES"]
    else:
        os.environ["PDB_TABLES"] = before


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory with the tables of 6-6-3 and of 3x3, for the commands' option `--tables`."""
    place = tmp_path_factory.mktemp("tables")
    st.build("6-6-3", "4x4", tables=place)
    st.build("8", "3x3", tables=place)
    return place


@pytest.fixture(scope="session")
def solver3() -> st.Solver:
    """A 3x3 solver with the table of all eight tiles: its estimates are the solution lengths."""
    return st.Solver("3x3", "8")


@pytest.fixture(scope="session")
def solver4() -> st.Solver:
    """A 4x4 solver with 6-6-3, whose tables are built in memory."""
    return st.Solver("4x4", "6-6-3")


@pytest.fixture(scope="session")
def solver5() -> st.Solver:
    """A 5x5 solver with Manhattan distance, too slow to solve `BOARD_5X5` during a test."""
    return st.Solver("5x5", "manhattan")


Command = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def generator_command() -> Command:
    """A function that runs pdb-gen with --json, and returns the objects it prints."""
    path = pathlib.Path(os.environ.get("PDB_GEN_BIN") or CLONE / "target/release/pdb-gen")
    if not path.exists():
        pytest.skip("there is no pdb-gen: build it, or name it by PDB_GEN_BIN")

    def run(*arguments: str | os.PathLike[str]) -> list[dict[str, Any]]:
        done = subprocess.run(
            [path, *arguments, "--json"], text=True, capture_output=True, timeout=120, check=True
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def suites() -> pathlib.Path:
    """The directory with the lists of known boards."""
    place = CLONE / "data/suites"
    if not place.exists():
        pytest.skip("the lists of known boards are in a clone only")
    return place
