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


def given(question: dict[str, Any]) -> dict[str, Any]:
    """The options of a question; searches use one thread, so that their counts are equal."""
    is_search = question["ask"] in ("solve", "hint", "rate", "compare")
    return {**({"threads": 1} if is_search else {}), **question["request"]}


def plain(answer: Any) -> Any:
    """An answer as JSON."""
    if isinstance(answer, list):
        return [plain(item) for item in answer]
    return answer.to_dict() if isinstance(answer, st.Result) else answer


def by_name(question: dict[str, Any]) -> Any:
    answer = plain(st.ask(question["ask"], **given(question)))
    if question["ask"] == "scramble":
        answer = {"boards": [each["board"] for each in answer]}
    return answer


def by_solver(question: dict[str, Any]) -> Any:
    """The answer of a solver's method."""
    options = given(question)
    board = st.Board(options.pop("board"), options.pop("size", None))
    names = ("partition", "goal", "metric", "kind")
    of_solver = {name: options.pop(name) for name in names if name in options}
    solver = solver_of(board.size, **of_solver)
    return getattr(solver, question["ask"])(board, **options).to_dict()


def without(value: Any) -> Any:
    """A JSON value without fields that differ between machines."""
    if isinstance(value, list):
        return [without(item) for item in value]
    if isinstance(value, dict):
        own = ("ms", "threads", "file")
        return {name: without(item) for name, item in value.items() if name not in own}
    return value


def found(ask: Any, question: dict[str, Any]) -> dict[str, Any]:
    """The result in the form of `FILE`: an object `answer`, or an error code `error`."""
    try:
        return {"answer": ask(question)}
    except st.PuzzleError as error:
        if error.report is None:
            return {"error": error.code}
        answer = error.report.to_dict()
        assert (error.code, str(error)) == (answer["status"], answer["message"])
        return {"answer": answer}


def same(found: Any, question: dict[str, Any]) -> None:
    """Compares JSON values and their types: in Python true, 1 and 1.0 are equal."""
    expected = {name: question[name] for name in ("answer", "error") if name in question}
    assert json.dumps(without(found), sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize(
    "question", ASKED, ids=[f"{question['ask']} {question['name']}" for question in ASKED]
)
def test_answers(question: dict[str, Any]) -> None:
    same(found(by_name, question), question)


OF_BOARDS = [
    question for question in ASKED
    if question["ask"] in ("solve", "hint", "rate", "probe") and "answer" in question
    # A board that states its own goal, and lists of parts, are for the functions.
    and not {"parts", "max_build_time"} & question["request"].keys()
    and "{" not in str(question["request"]["board"])
    and "notes" not in question["answer"]
]


@pytest.mark.parametrize(
    "question", OF_BOARDS, ids=[f"{question['ask']} {question['name']}" for question in OF_BOARDS]
)
def test_solvers_answer_as_functions_do(question: dict[str, Any]) -> None:
    same(found(by_solver, question), question)


def test_lists_and_iterators_answer_as_solve_does() -> None:
    """`solve_many` and `anytime` answer as `solve` does."""
    asked = 0
    for question in OF_BOARDS:
        if question["ask"] != "solve":
            continue
        options = given(question)
        board = st.Board(options.pop("board"), options.get("size"))
        [report] = st.solve_many([board], **options)
        same({"answer": report.to_dict()}, question)
        if options.pop("mode", None) == "anytime" and report.status != "unsolvable":
            names = ("size", "partition", "goal", "metric", "kind")
            of_solver = {name: options.pop(name) for name in names if name in options}
            *_, report = solver_of(**{"size": board.size, **of_solver}).anytime(board, **options)
            same({"answer": report.to_dict()}, question)
        asked += 1
    st.forget_solvers()
    assert asked > 40


def test_questions_are_asked() -> None:
    assert len(ASKED) > 200
