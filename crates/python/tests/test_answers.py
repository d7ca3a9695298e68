"""The questions of data/answers. All frontends give the same answers to them."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest

import sliding_tile_pdb as st
from conftest import CLONE

FILE = CLONE / "data/answers/questions.jsonl"
if not FILE.exists():
    pytest.skip("the questions are in a clone only", allow_module_level=True)
QUESTIONS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
ASKED = [question for question in QUESTIONS if "python" not in question.get("not", {})]

solver_of = functools.cache(st.Solver)


def wants_all(request: dict[str, Any]) -> bool:
    """Whether the question asks for several solutions."""
    return "mode" not in request and bool({"all", "count", "within", "most"} & request.keys())


def prepared(request: dict[str, Any]) -> tuple[st.Solver, st.Board, dict[str, Any]]:
    """The solver and the board of a question, and the keywords of the call."""
    options = {**request, "threads": 1}
    board = st.Board(options.pop("board"), options.pop("size", None))
    names = ("partition", "goal", "metric")
    of_solver = {name: options.pop(name) for name in names if name in options}
    if options.get("mode") == "strategic":
        # The command and the function `solve` use no tables for this mode.
        is_multi = of_solver.get("metric") == "multi"
        of_solver.setdefault("partition", "lines" if is_multi else "manhattan")
    return solver_of(board.size, **of_solver), board, options


def ask(what: str, request: dict[str, Any]) -> Any:
    """The answer of a solver; unknown fields of the request raise TypeError."""
    if what == "scramble":
        return {"boards": [str(board) for board in st.scramble(**request)]}
    solver, board, options = prepared(request)
    if what == "probe":
        del options["threads"]
    if what == "solve" and wants_all(request):
        options.pop("all", None)
        what = "all_solutions"
    return getattr(solver, what)(board, **options).to_dict()


def without(value: Any) -> Any:
    """A JSON value without fields that differ between machines."""
    if isinstance(value, list):
        return [without(item) for item in value]
    if isinstance(value, dict):
        own = ("ms", "threads", "file")
        return {name: without(item) for name, item in value.items() if name not in own}
    return value


def found(question: dict[str, Any]) -> dict[str, Any]:
    """The result in the form of `FILE`: an object `answer`, or an error code `error`."""
    try:
        answer = ask(question["ask"], question["request"])
        # A result without a solution raises an error.
        assert answer.get("status", "solved") == "solved"
    except st.PuzzleError as error:
        if error.report is None or error.code == "error":
            return {"error": error.code}
        answer = error.report.to_dict()
        assert (error.code, str(error)) == (answer["status"], answer["message"])
    return {"answer": answer}


def same(found: Any, expected: Any) -> None:
    """Compares JSON values and their types: in Python true, 1 and 1.0 are equal."""
    found = without(found)
    assert found == expected
    assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize("question", ASKED, ids=[question["name"] for question in ASKED])
def test_answers(question: dict[str, Any]) -> None:
    expected = {name: question[name] for name in ("answer", "error") if name in question}
    same(found(question), expected)


def test_other_calls_that_solve() -> None:
    """`solve`, `solve_many` and `anytime` answer as `Solver.solve` does."""
    asked = 0
    for question in ASKED:
        request, expected = question["request"], question.get("answer")
        if question["ask"] != "solve" or expected is None or wants_all(request):
            continue
        solver, board, options = prepared(request)
        [report] = solver.solve_many([board], **options)
        same(report.to_dict(), expected)
        if options.pop("mode", None) == "anytime" and expected["status"] != "unsolvable":
            *_, report = solver.anytime(board, **options)
            same(report.to_dict(), expected)
        if expected["status"] == "solved":
            same(st.solve(**request, threads=1).to_dict(), expected)
        asked += 1
    st.forget_solvers()
    assert asked > 40


def test_questions_are_asked() -> None:
    assert len(ASKED) > 100
