"""Answers of the package have the same fields as answers of the command."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import sliding_tile_pdb as st
from conftest import BOARD_55, BOARDS_31, UNSOLVABLE, Command

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


def test_solve(kept: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    common = ["--tables", str(tables), "--threads", "1"]
    for options, ours in [
        (["--side", "start"], {"side": "start"}),
        (["--notation", "blank", "--side", "start"], {"notation": "blank", "side": "start"}),
        (["--notation", "numbers", "--side", "start"], {"notation": "numbers", "side": "start"}),
        (["--max-nodes", "100"], {"max_nodes": 100}),
        (["--mode", "strategic", "--explain"], {"mode": "strategic", "explain": True}),
        (["--mode", "strategic", "--short"], {"mode": "strategic", "short": True}),
    ]:
        for board in [BOARD_55, UNSOLVABLE, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"]:
            # The command uses no tables for strategic solutions; it reports the Manhattan distance
            # as the proved bound. The package's solver must therefore use Manhattan distance.
            is_free = "strategic" in options
            partition = [] if is_free else ["--partition", "6-6-3"]
            [theirs] = solver_command(*common, *partition, *options, board)
            solver = st.Solver("4x4", "manhattan") if is_free else kept
            [report] = solver.solve_many([board], threads=1, **ours)  # type: ignore[arg-type]
            # Only the command's reports have a field `line`.
            same(report, {key: theirs[key] for key in theirs if key != "line"})


def test_lists(kept3: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    boards = [*map(str, st.scramble("3x3", number=50, seed=11)), "1 2 3/4 5 6/8 7 0"]
    theirs = solver_command("--tables", str(tables), "--threads", "1", "--size", "3x3",
                            "--partition", "8", input="\n".join(boards))
    reports = list(kept3.solve_many(boards, threads=1))
    assert len(theirs) == len(reports) == 51
    for report, fields in zip(reports, theirs, strict=True):
        fields.pop("line", None)
        assert timeless(report.to_dict()) == timeless(fields)


def test_all_solutions(kept3: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    common = ["--tables", str(tables), "--threads", "1", BOARDS_31[0]]
    [theirs] = solver_command("--all", *common)
    same(kept3.all_solutions(BOARDS_31[0], threads=1), theirs)
    [theirs] = solver_command("--within", "2", "--count", *common)
    same(kept3.all_solutions(BOARDS_31[0], within=2, count=True, threads=1), theirs)
    [theirs] = solver_command("--within", "2", "--most", "5", *common)
    same(kept3.all_solutions(BOARDS_31[0], within=2, most=5, threads=1), theirs)


def test_anytime(kept: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    theirs = solver_command("--mode", "anytime", "--max-nodes", "50000", "--threads", "1", "--seed",
                            "4", "--tables", str(tables), "--partition", "6-6-3", "--side", "start",
                            BOARD_55)
    ours = list(kept.anytime(BOARD_55, max_nodes=50_000, threads=1, seed=4, side="start"))
    assert [timeless(report.to_dict()) for report in ours] == timeless(theirs)


def test_multi(tables: pathlib.Path, solver_command: Command) -> None:
    [theirs] = solver_command("--metric", "multi", "--threads", "1", "--tables", str(tables),
                              BOARDS_31[0])
    report = st.Solver("3x3", metric="multi", tables=tables).solve(BOARDS_31[0], threads=1)
    same(report, theirs)


def test_advice(kept3: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    common = ["--tables", str(tables), "--threads", "1"]
    for board in [*BOARDS_31, "1 2 3/4 5 6/7 8 0"]:
        [theirs] = solver_command("hint", *common, board)
        same(kept3.hint(board, threads=1), theirs)
    [theirs] = solver_command("rate", *common, "1 2 3/4 0 6/7 5 8", "LRUL")
    same(kept3.rate("1 2 3/4 0 6/7 5 8", "LRUL", threads=1), theirs)
    [theirs] = solver_command("rate", *common, BOARDS_31[0], "LDR2UL2")
    same(kept3.rate(BOARDS_31[0], "LDR2UL2", threads=1), theirs)


def test_probe(kept: st.Solver, tables: pathlib.Path, solver_command: Command) -> None:
    [theirs] = solver_command("probe", "--tables", str(tables), "--partition", "6-6-3", BOARD_55)
    probe = kept.probe(BOARD_55)
    same(probe, theirs)
    # `same` ignores file names. This assertion compares them too.
    assert probe.to_dict() == theirs


def test_explain(tables: pathlib.Path, solver_command: Command) -> None:
    for options, names in [([], None), (["--heuristics", "manhattan,6-6-3"],
                                        ["manhattan", "6-6-3"])]:
        [theirs] = solver_command("explain", *options, "--tables", str(tables), BOARD_55)
        ours = st.explain(BOARD_55, heuristics=names)
        assert [each.to_dict() for each in ours] == theirs["heuristics"]


def test_compare(tables: pathlib.Path, solver_command: Command) -> None:
    theirs = solver_command(
        "compare", "--size", "3x3", "--number", "6", "--seed", "5", "--heuristics",
        "misplaced,manhattan", "--searches", "astar,ida-star,breadth-first", "--tables",
        str(tables), "--max-nodes", "30k",
    )
    ours = st.compare(["misplaced", "manhattan"], ["astar", "ida-star", "breadth-first"],
                      sizes="3x3", number=6, seed=5, max_nodes=30_000)
    assert len(theirs) == len(ours) > 0
    for record, fields in zip(ours, theirs, strict=True):
        same(record, fields)
    theirs = solver_command("compare", "--sizes", "3x3,4x4", "--moves", "5,9", "--number", "3",
                            "--heuristics", "manhattan", "--searches", "astar")
    ours = st.compare(["manhattan"], ["astar"], sizes=["3x3", "4x4"], moves=[5, 9], number=3,
                      seed=1)
    assert [timeless(record.to_dict()) for record in ours] == timeless(theirs)


def test_scramble(solver_command: Command) -> None:
    for options, ours in [
        (["--size", "4x4"], {"size": "4x4"}),
        (["--size", "3x3", "--moves", "20"], {"size": "3x3", "moves": 20}),
        (["--goal", "1 2 3/8 0 4/7 6 5"], {"goal": "1 2 3/8 0 4/7 6 5"}),
    ]:
        theirs = solver_command("scramble", "-n", "5", "--seed", "9", *options)
        boards = st.scramble(number=5, seed=9, **ours)  # type: ignore[arg-type]
        assert [str(board) for board in boards] == [each["board"] for each in theirs]


def test_moves(solver_command: Command) -> None:
    [theirs] = solver_command("apply", BOARD_55, "L2UR2DL2")
    assert str(st.Board(BOARD_55).apply("L2UR2DL2")) == theirs["result"]
    [theirs] = solver_command("invert", "L2UR2DL2")
    assert st.invert("L2UR2DL2") == theirs["inverse"]


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


def test_drawings(solver_command: Command, tmp_path: pathlib.Path) -> None:
    [theirs] = solver_command("show", BOARD_55)
    assert st.Board(BOARD_55).text() in theirs["drawings"][0] or (
        st.Board(theirs["drawings"][0]) == st.Board(BOARD_55))
    out = tmp_path / "board.svg"
    solver_command("show", BOARD_55, "--out", str(out))
    assert st.Board(BOARD_55).svg() == out.read_text().strip() or "<svg" in out.read_text()
