"""Several Python threads, forked processes, and the cost of the import."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import pathlib
import subprocess
import sys
import threading

import pytest

import sliding_tile_pdb as st
from conftest import BOARD_55, BOARDS_31


def test_one_solver_for_many_threads(solver3: st.Solver, solver4: st.Solver) -> None:
    boards = st.scramble("3x3", number=400, seed=3)
    expected = solver3.estimates(boards).tolist()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda board: solver3.solve(board).length, boards))
        assert found == expected
        hints = list(pool.map(lambda board: solver3.hint(board).distance, boards[:40]))
        assert hints == expected[:40]
        lengths = pool.map(lambda _: solver4.solve(BOARD_55).length, range(8))
        assert list(lengths) == [55] * 8


def test_module_functions_from_many_threads() -> None:
    """The threads create each cached solver once, and share it."""
    sizes = ["2x2", "3x3", "3x2", "4x3"] * 6

    def run(size: str) -> int | None:
        return st.solve(st.scramble(size, seed=1)[0]).length

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(run, sizes))
    assert found == found[:4] * 6


def test_more_solvers_than_cached() -> None:
    for columns in range(2, 8):
        for rows in (2, 3):
            board = st.Goal("blank-last", (columns, rows)).board.apply("RDLU")
            assert st.solve(board, partition="manhattan").length == 4


def test_one_iterator_for_two_threads(solver3: st.Solver) -> None:
    """Each report reaches one thread. A thread can get an error because the iterator is in use."""
    boards = st.scramble("3x3", number=500, seed=3)
    reports = solver3.solve_many(boards)
    found: list[st.Report] = []
    errors: list[BaseException] = []

    def take() -> None:
        try:
            for report in reports:
                found.append(report)
        except (ValueError, RuntimeError) as error:
            errors.append(error)

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if not errors:
        assert sorted(str(r.board) for r in found) == sorted(map(str, boards))


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes(method: str, tmp_path: pathlib.Path) -> None:
    """Boards and reports are sent to other processes and back. Spawned processes create their
    own solvers; forked processes use the existing solvers. The package has no threads after a call
    has returned, so a forked process never waits for a thread that exists only in the parent."""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    program = tmp_path / "program.py"
    program.write_text(f"""
import multiprocessing
import sliding_tile_pdb as st
def run(board):
    assert st.build("5-3", "3x3")
    return st.solve(board)
if __name__ == "__main__":
    assert st.solve({BOARDS_31[0]!r}).length == 31
    list(st.solve_many({BOARDS_31!r}))
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        boards = [st.Board(board) for board in {BOARDS_31!r}] * 3
        reports = pool.map(run, boards)
    assert [report.length for report in reports] == [31] * 6
    print("fine")
""")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.stdout == "fine\n", done.stderr


def test_import_is_lazy() -> None:
    """numpy and other modules are imported on demand."""
    program = ("import sys; before = set(sys.modules); import sliding_tile_pdb; "
               "print(*(set(sys.modules) - before))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True)
    modules = set(done.stdout.split())
    assert not modules & {"numpy", "pandas", "tqdm", "dataclasses", "inspect", "asyncio", "json",
                          "typing_extensions", "multiprocessing"}
    assert len(modules) < 40


def test_names() -> None:
    assert set(st.__all__) <= set(dir(st))
    public = {name for name in dir(st) if not name.startswith("_")}
    modules = {name for name in public if type(getattr(st, name)).__name__ == "module"}
    assert public - modules <= set(st.__all__)
    assert st.__version__.count(".") == 2


def test_interpreter_exit_ends_searches() -> None:
    """A program can exit while its searches run."""
    program = """
import sliding_tile_pdb as st
solver = st.Solver("5x5", "manhattan")
easy = solver.goal.board.apply("RDLU")
hard = "2 17 4 13 7/12 10 3 0 16/21 24 8 5 18/20 15 19 14 9/22 11 6 1 23"
reports = solver.solve_many([easy] + [hard] * 10)
assert next(reports).length == 4
search = solver.anytime(hard, max_time=60)
next(search)
print("end")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=30, check=False)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
