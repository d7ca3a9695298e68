"""The laboratory: explanations and comparisons, checked against docs/lab.md."""

from __future__ import annotations

import pytest

import sliding_tile_pdb as st
from conftest import BOARD_55, BOARDS_31


def test_heuristics() -> None:
    names = st.heuristics()
    assert {"zero", "misplaced", "manhattan", "linear-conflict", "walking-distance"} <= set(names)
    assert "6-6-3" in names
    assert "5-3" in st.heuristics("3x3") or "8" in st.heuristics("3x3")
    assert "6-6-3" not in st.heuristics("3x3")


def test_explain() -> None:
    found = {each.heuristic: each.value for each in st.explain(BOARD_55)}
    assert found["zero"] == 0
    assert found["misplaced"] == 15
    assert found["manhattan"] == 39
    assert found["linear-conflict"] == 43
    assert found["inversion-distance"] == 37
    assert found["walking-distance"] == 45
    assert found["6-6-3"] == 47
    chosen = st.explain(BOARD_55, heuristics=["manhattan", "misplaced"])
    assert [each.heuristic for each in chosen] == ["manhattan", "misplaced"]
    assert chosen[0].is_largest and not chosen[1].is_largest
    assert sum(term.value for term in chosen[0].terms) == 39
    assert all(term.words for each in chosen for term in each.terms)
    with pytest.raises(st.InputError, match="manhattan"):
        st.explain(BOARD_55, heuristics=["manhatten"])


def test_compare_given_boards() -> None:
    """The node counts of the farthest 3x3 boards equal those in docs/lab.md on every machine."""
    records = st.compare(["misplaced", "manhattan"], ["astar", "ida-star"], boards=BOARDS_31,
                         max_nodes=10**9)
    found = {(r.number, r.search, r.heuristic): r.generated for r in records}
    assert found[2, "astar", "manhattan"] == 10_981
    assert found[1, "astar", "manhattan"] == 10_981
    assert found[2, "ida-star", "manhattan"] == 26_173
    assert found[1, "ida-star", "misplaced"] == 4_831_328
    assert all(r.length == r.optimal_length == 31 for r in records)
    assert all(r.set == "given" and r.size == "3x3" for r in records)


def test_compare_random() -> None:
    def run(threads: int) -> list[dict[str, object]]:
        records = st.compare(["zero", "manhattan"], ["astar"], sizes="3x3", number=5, seed=3,
                             threads=threads)
        return [{**record.to_dict(), "ms": 0} for record in records]

    assert len(run(1)) == 10
    assert run(1) == run(2)
    several = st.compare(["manhattan"], ["astar"], sizes=["3x3", (4, 3)], moves=[5, 10], number=2)
    assert {(r.size, r.set) for r in several} == {
        ("3x3", "walk-5"), ("3x3", "walk-10"), ("4x3", "walk-5"), ("4x3", "walk-10")}


def test_compare_limits() -> None:
    records = st.compare(["zero"], ["breadth-first"], sizes="4x4", number=1, max_nodes=1000)
    assert records[0].status == "limit" and records[0].limit == "nodes"
    assert records[0].length is None
    records = st.compare(["zero"], ["breadth-first"], sizes="4x4", number=1, max_memory=10**6)
    assert records[0].limit == "memory"


def test_compare_suite() -> None:
    records = st.compare(["6-6-3"], ["ida-star"], suite="korf100", number=2)
    assert [record.set for record in records] == ["korf100"] * 2
    assert [record.length for record in records] == list(st.suite("korf100").lengths[:2])


def test_bad_comparisons() -> None:
    for arguments in [
        {"heuristics": [], "searches": ["astar"]},
        {"heuristics": ["manhattan"], "searches": ["bstar"]},
        {"heuristics": ["mannhattan"], "searches": ["astar"]},
        {"heuristics": ["manhattan"], "searches": ["astar"], "suite": "nowhere"},
        {"heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2 2/0 3 4"]},
        {"heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2/0 3"],
         "suite": "korf100"},
    ]:
        with pytest.raises(st.InputError):
            st.compare(**arguments)  # type: ignore[arg-type]
