"""Results are frozen, comparable, hashable and picklable; they convert to dicts and frames."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

import sliding_tile_pdb as st
from conftest import BOARD_55, BOARDS_31, UNSOLVABLE


@pytest.fixture(scope="module")
def results(solver3: st.Solver, solver4: st.Solver) -> list[st.Result]:
    """Results of every class."""
    board = BOARDS_31[1]
    reports = [
        solver3.solve(board),
        *solver4.solve_many([UNSOLVABLE, "no board"]),
        *solver4.solve_many([BOARD_55], max_nodes=10),
        solver3.all_solutions(board, within=2),
        solver3.solve(board, mode="strategic", explain=True),
        *solver3.anytime(board),
    ]
    rating = solver3.rate("1 2 3/4 0 6/7 5 8", "LRUL")
    hint = solver3.hint(board)
    probe = solver4.probe(BOARD_55)
    records = st.compare(["manhattan"], ["astar", "ida-star", "breadth-first"], number=2)
    records += st.compare(["manhattan"], ["astar"], number=2, max_nodes=10)
    explanations = st.explain(board)
    first = reports[0].iterations
    steps = reports[5].steps
    assert first and steps and rating.worst and rating.steps[0].better is not None
    return [
        *reports, *first, *steps, hint, *hint.moves, rating, *rating.steps, rating.worst, probe,
        *probe.views, *probe.views[0].parts, *records, *explanations, *explanations[-1].terms,
        st.Board(BOARD_55).solvability(), st.Board(UNSOLVABLE).solvability(),
    ]


def test_dicts_and_back(results: list[st.Result]) -> None:
    for result in results:
        fields = result.to_dict()
        assert json.loads(json.dumps(fields)) == fields
        assert None not in fields.values() or isinstance(result, st.Solvability)
        again = type(result).from_dict(fields)
        assert again == result and again.to_dict() == fields
        assert hash(again) == hash(result)
        assert type(result).from_dict(json.loads(json.dumps(fields))) == result


def test_fields_match_the_dict(results: list[st.Result]) -> None:
    def plain(value: object) -> object:
        if isinstance(value, st.Result):
            return value.to_dict()
        if isinstance(value, tuple):
            return [plain(item) for item in value]
        return value

    for result in results:
        names = type(result).__match_args__
        fields = result.to_dict()
        assert set(fields) <= set(names)
        for name in names:
            assert plain(getattr(result, name)) == plain(fields.get(name))


def test_pickles_and_copies(results: list[st.Result]) -> None:
    for result in results:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(result, protocol)) == result
        assert copy.copy(result) == result
        assert copy.deepcopy(result) == result


def test_frozen(results: list[st.Result]) -> None:
    for result in results:
        name = type(result).__match_args__[0]
        with pytest.raises(AttributeError):
            setattr(result, name, 1)
        with pytest.raises(AttributeError):
            result.other = 1


def test_reprs(results: list[st.Result]) -> None:
    for result in results:
        text = repr(result)
        assert text.startswith(type(result).__name__ + "(") and "\n" not in text
        assert "None" not in text or isinstance(result, st.Solvability)
        assert len(text) < 600 or not isinstance(result, st.Report)


def test_equality(results: list[st.Result], solver3: st.Solver) -> None:
    for result in results:
        assert result == result
        assert result != result.to_dict()
        assert not result == 1
    one = solver3.solve(BOARDS_31[0], threads=1)
    fields = one.to_dict()
    assert st.Report.from_dict({**fields, "length": 30}) != one
    assert len({one, st.Report.from_dict(fields)}) == 1


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(TypeError, match="no field 'size'"):
        st.Report(status="solved", size="4x4")
    for fields in [3, None]:
        with pytest.raises(TypeError):
            st.Report.from_dict(fields)  # type: ignore[arg-type]


def test_from_dict_accepts_later_versions(solver3: st.Solver) -> None:
    report = solver3.solve(BOARDS_31[0], threads=1)
    fields = report.to_dict()
    iterations = [{**iteration, "later": 1} for iteration in fields["iterations"]]
    assert st.Report.from_dict({**fields, "later": [1], "iterations": iterations}) == report


def test_dataclasses(results: list[st.Result], solver3: st.Solver) -> None:
    def kept(value: Any) -> Any:
        """The fields that are not None."""
        if isinstance(value, dict):
            return {name: kept(item) for name, item in value.items() if item is not None}
        return [kept(item) for item in value] if isinstance(value, (list, tuple)) else value

    for result in results:
        names = tuple(field.name for field in dataclasses.fields(result))
        assert dataclasses.is_dataclass(result) and names == type(result).__match_args__
        assert kept(dataclasses.asdict(result)) == kept(result.to_dict())
        assert dataclasses.replace(result) == result
    report = solver3.solve(BOARDS_31[0])
    changed = dataclasses.replace(report, length=3)
    assert changed.length == 3 and changed.moves == report.moves and report.length == 31


def test_import_does_not_import_dataclasses() -> None:
    code = "import sys, sliding_tile_pdb; sys.exit('dataclasses' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-S", "-c", code], check=True, env=environment)


def test_match(solver3: st.Solver) -> None:
    match solver3.solve(BOARDS_31[0]):
        case st.Report(status="solved", length=length):
            assert length == 31
        case _:
            raise AssertionError


def test_pandas(solver3: st.Solver) -> None:
    pandas = pytest.importorskip("pandas")
    boards = st.scramble("3x3", number=50, seed=2)
    table = pandas.DataFrame(report.to_dict() for report in solver3.solve_many(boards))
    assert len(table) == 50
    assert table["length"].tolist() == solver3.estimates(boards).tolist()
    assert pandas.DataFrame(list(solver3.solve_many(boards)))["length"].equals(table["length"])
    records = st.compare(["manhattan", "misplaced"], ["astar"], number=20)
    frame = pandas.DataFrame(record.to_dict() for record in records)
    means = frame.groupby("heuristic")["generated"].mean()
    assert means["manhattan"] < means["misplaced"]
