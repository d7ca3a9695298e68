"""Progress: numbers for tqdm, and listeners that raise."""

from __future__ import annotations

import gc
import io
import time
from collections.abc import Callable
from typing import Any

import pytest

import sliding_tile_pdb as st
from conftest import BOARDS_31, BOARD_5X5, LIMIT


def test_progress_of_builds() -> None:
    heard: list[st.Progress] = []
    tables = st.build("6-6-3", "4x4", progress=heard.append)
    assert heard
    assert all(isinstance(each, int) and each >= 0 for each in heard)
    assert {each.stage for each in heard} == {"build"}
    last = heard[-1]
    assert last.done == last.total == sum(heard)
    assert last.total is not None and last.total > 0
    assert [each.done for each in heard] == sorted(each.done for each in heard)
    assert [each.ms for each in heard] == sorted(each.ms for each in heard)
    assert len(tables) == 3


def calls(solver4: st.Solver, solver5: st.Solver, tmp: Any) -> dict[str, Callable[[Any], object]]:
    six = st.Table.build("1,2,3,5,6,7", "4x4")
    boards = st.scramble("4x4", number=30, seed=2)

    def limited(progress: Any) -> None:
        with pytest.raises(st.LimitError):
            solver5.solve(BOARD_5X5, max_time=0.3, progress=progress)

    return {
        "build": lambda progress: st.build("6-6-3", "4x4", progress=progress),
        "verify": lambda progress: st.verify(six, progress=progress),
        "pack": lambda progress: st.pack(solver4, tmp / "bundle", progress=progress),
        "unpack": lambda progress: st.unpack(tmp / "bundle", progress=progress),
        "search": limited,
        "boards": lambda progress: list(solver4.solve_many(boards, progress=progress)),
        "compare": lambda progress: st.compare(["zero"], ["astar"], number=10, progress=progress),
    }


def test_progress_of_all_calls(solver4: st.Solver, solver5: st.Solver, tmp_path: Any) -> None:
    for stage, call in calls(solver4, solver5, tmp_path).items():
        heard: list[st.Progress] = []
        call(heard.append)
        assert heard, stage
        assert {each.stage for each in heard} == {stage}
        assert sum(heard) == heard[-1].done
        if stage == "search":
            assert heard[-1].total is None and heard[-1].bound is not None
        elif heard[-1].total is not None:
            assert heard[-1].done == heard[-1].total


def test_raising_listeners(solver4: st.Solver, solver5: st.Solver, tmp_path: Any) -> None:
    def raises(progress: st.Progress) -> None:
        raise LookupError("by the listener")

    for stage, call in calls(solver4, solver5, tmp_path).items():
        if stage == "unpack":
            st.pack(solver4, tmp_path / "bundle")
        if stage == "search":
            call = lambda progress: solver5.solve(BOARD_5X5, progress=progress)  # noqa: E731
        begun = time.monotonic()
        with pytest.raises(LookupError, match="by the listener"):
            call(raises)
        assert time.monotonic() - begun < LIMIT, stage


def test_raising_listener_of_solutions(solver5: st.Solver) -> None:
    def raises(report: st.Report) -> None:
        raise LookupError("by the listener")

    with pytest.raises(LookupError):
        solver5.solve(BOARD_5X5, mode="anytime", max_time=60, improved=raises)


@pytest.mark.slow
def test_tqdm(solver4: st.Solver, solver5: st.Solver, tmp_path: Any) -> None:
    tqdm = pytest.importorskip("tqdm").tqdm

    class Quiet(tqdm):  # type: ignore[misc,valid-type]
        """A progress bar that prints nothing and adds itself to `made`."""

        made: list[Any] = []

        def __init__(self, *arguments: Any, **options: Any) -> None:
            options["file"] = io.StringIO()
            super().__init__(*arguments, **options)
            self.made.append(self)

    for stage, call in calls(solver4, solver5, tmp_path).items():
        Quiet.made.clear()
        call(Quiet)
        assert len(Quiet.made) == 1, stage
        made = Quiet.made[0]
        assert made.n > 0
        assert made.disable  # closed
        if stage not in ("search", "boards"):
            assert made.n == made.total, stage
        with Quiet(total=100) as bar:
            call(bar.update)
            assert bar.n > 0, stage
        with Quiet() as bar:
            call(bar)
            assert bar.n > 0, stage


def test_tqdm_around_a_list(solver3: st.Solver) -> None:
    tqdm = pytest.importorskip("tqdm").tqdm
    boards = st.scramble("3x3", number=30, seed=1)
    reports = solver3.solve_many(tqdm(boards, file=io.StringIO()))
    assert len(list(tqdm(reports, total=30, file=io.StringIO()))) == 30


def test_listeners_are_released(solver3: st.Solver) -> None:
    """A listener is released when the call ends."""
    class Listener:
        def __call__(self, progress: st.Progress) -> None: ...

    import weakref
    listener = Listener()
    watched = weakref.ref(listener)
    solver3.solve(BOARDS_31[0], progress=listener)
    list(solver3.solve_many(BOARDS_31, progress=listener))
    del listener
    gc.collect()
    assert watched() is None


def test_listeners_can_solve(solver4: st.Solver, solver3: st.Solver) -> None:
    """A listener can call the package itself."""
    lengths = []
    st.build("6-6-3", "4x4", progress=lambda _: lengths.append(solver3.solve(BOARDS_31[0]).length))
    assert set(lengths) == {31}
