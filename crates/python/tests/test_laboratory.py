"""The laboratory: explanations and comparisons, checked against docs/lab.md."""

from __future__ import annotations

import pytest

import sliding_tile_pdb as st


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


def test_compare_suite() -> None:
    records = st.compare(["6-6-3"], ["ida-star"], suite="korf100", number=2)
    assert [record.set for record in records] == ["korf100"] * 2
    assert [record.length for record in records] == list(st.suite("korf100").lengths[:2])


def test_bad_comparisons() -> None:
    for arguments in [
        {"heuristics": ["manhattan"], "searches": ["bstar"]},
        {"heuristics": ["mannhattan"], "searches": ["astar"]},
        {"heuristics": ["manhattan"], "searches": ["astar"], "suite": "nowhere"},
        {"heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2 2/0 3 4"]},
        {"heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2/0 3"],
         "suite": "korf100"},
    ]:
        with pytest.raises(st.InputError):
            st.compare(**arguments)  # type: ignore[arg-type]
