"""Ctrl-C ends every long call soon, with KeyboardInterrupt, and no thread continues."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import sliding_tile_pdb as st
from conftest import BOARD_5X5, BOARD_80, LIMIT

pytestmark = pytest.mark.slow

# Each of these programs would run much longer than its test. It calls `ready` when the signal may
# arrive.
HARD = f'HARD = "{BOARD_5X5}"\n'
CALLS = {
    "solve": 's = st.Solver("5x5", "manhattan"); ready(); s.solve(HARD)',
    "solve on one thread": 's = st.Solver("5x5", "manhattan"); ready(); s.solve(HARD, threads=1)',
    "solve 4x4": 's = st.Solver("4x4", "6-6-3"); b = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"; '
                 'ready(); [s.solve(b) for _ in range(99)]',
    "multi": 's = st.Solver("5x5", "lines", metric="multi"); ready(); s.solve(HARD)',
    "anytime": 's = st.Solver("5x5", "manhattan"); ready(); s.solve(HARD, mode="anytime", '
               'max_time=60)',
    "anytime iterator": 's = st.Solver("5x5", "manhattan"); ready(); '
                        'list(s.anytime(HARD, max_time=60))',
    "solve_many": 's = st.Solver("5x5", "manhattan"); ready(); list(s.solve_many([HARD] * 9))',
    "module": 'ready(); st.solve(HARD, partition="manhattan")',
    "all_solutions": 's = st.Solver("5x5", "manhattan"); ready(); s.all_solutions(HARD)',
    "count": 's = st.Solver("3x3", "8"); ready(); '
             's.all_solutions("8 6 7/2 5 4/3 0 1", within=60, count=True)',
    "hint": 's = st.Solver("5x5", "manhattan"); ready(); s.hint(HARD)',
    "rate": 's = st.Solver("5x5", "manhattan"); ready(); s.rate(HARD, "U")',
    "build": 'ready(); st.build("7-8", "4x4", force=True); st.build("best", "5x5")',
    "build full": 'ready(); [st.build("7-8", "4x4", kind="full", force=True) for _ in range(99)]',
    "Table.build": 'ready(); st.Table.build("1,2,3,5,6,7,9,10,11", "4x4", threads=1)',
    "Solver": 'ready(); st.Solver("4x4", "8-7", threads=1); st.Solver("5x5", "best")',
    "open": 'st.build("7-8", "4x4", tables="kept"); ready(); '
            '[st.Solver("4x4", "7-8", tables="kept") for _ in range(999)]',
    "verify": 't = st.Table.build("1,2,3,5,6,7,9", "4x4", kind="full"); ready(); '
              '[st.verify(t, threads=1) for _ in range(50)]',
    "pack": 't = st.Table.build("1,2,3,5,6,7,9", "4x4"); ready(); '
            '[t.pack(threads=1) for _ in range(50)]',
    "unpack": 't = st.Table.build("1,2,3,5,6,7,9", "4x4"); d = t.pack(); ready(); '
              '[st.Table.from_bytes(d) for _ in range(999)]',
    "decode": 't = st.Table.build("1,2,3,5,6,7,9", "4x4"); ready(); '
              '[t.decode() for _ in range(300)]',
    "lookup": 't = st.Table.build("1,2,3,5,6,7", "4x4"); import numpy as np; '
              'a = np.tile(np.arange(16, dtype=np.uint8), (4_000_000, 1)); ready(); '
              '[t.lookup(a) for _ in range(300)]',
    "estimates": 's = st.Solver("4x4", "6-6-3"); import numpy as np; '
                 'a = np.tile(np.arange(1, 17, dtype=np.uint8) % 16, (4_000_000, 1)); ready(); '
                 '[s.estimates(a) for _ in range(100)]',
    "compare": 'ready(); st.compare(["zero"], ["ida-star"], sizes="4x4", number=50, '
               'max_nodes=10**12)',
    "compare with memory": 'ready(); st.compare(["manhattan"], ["astar"], sizes="5x5", number=50, '
                           'max_nodes=10**12)',
    "explain": 'ready(); [st.explain(HARD) for _ in range(10_000)]',
    "scramble": 'ready(); [st.scramble("20x20", number=100_000) for _ in range(100)]',
}

PROGRAM = """
import sys, time
import sliding_tile_pdb as st
{hard}
def ready():
    print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
    # A search on another thread would use a core all the time.
    for _ in range(100):
        begun = time.process_time()
        time.sleep(0.3)
        if time.process_time() - begun < 0.1:
            print("idle", flush=True)
            break
else:
    print("finished", flush=True)
"""


@pytest.mark.parametrize("name", CALLS)
def test_interrupt(name: str, tmp_path: pathlib.Path) -> None:
    program = PROGRAM.format(hard=HARD, call=CALLS[name])
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()
            time.sleep(0.4)
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    lines = out.splitlines()
    assert lines and lines[0].startswith("interrupted"), (out, errors)
    assert float(lines[0].split()[1]) - begun < LIMIT
    assert "panicked" not in errors
    assert lines[1:] == ["idle"]


def test_the_solver_can_be_used_again(tmp_path: pathlib.Path) -> None:
    program = textwrap.dedent(f"""
        import os, signal, threading
        import sliding_tile_pdb as st
        solver = st.Solver("5x5", "manhattan")
        board = solver.goal.board.apply("RDLU")
        for _ in range(5):
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                solver.solve("{BOARD_5X5}")
            except KeyboardInterrupt:
                assert solver.solve(board).length == 4
            else:
                raise AssertionError
        print("fine")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=LIMIT, cwd=tmp_path, check=False)
    assert done.stdout == "fine\n", done.stderr


def test_other_signal_handlers_run(tmp_path: pathlib.Path) -> None:
    """If a signal handler raises an exception, the call ends with this exception. If the handler
    returns, the call continues."""
    program = textwrap.dedent(f"""
        import os, signal, threading
        import sliding_tile_pdb as st
        solver = st.Solver("5x5", "manhattan")
        heard = []
        def handler(number, frame):
            heard.append(number)
            if len(heard) == 2:
                raise TimeoutError("enough")
        signal.signal(signal.SIGUSR1, handler)
        for seconds in (0.1, 0.3):
            threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        try:
            solver.solve("{BOARD_5X5}")
        except TimeoutError as error:
            print(error, len(heard))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=LIMIT, cwd=tmp_path, check=False)
    assert done.stdout == "enough 2\n", done.stderr


def test_interrupt_writes_no_partial_files(tmp_path: pathlib.Path) -> None:
    """An interrupted build leaves a complete table, or none."""
    place = tmp_path / "tables"
    program = f"import sliding_tile_pdb as st\nprint('ready', flush=True)\n" \
              f"st.build('7-8', '4x4', tables={str(place)!r}, threads=1)\n"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode != 0 and "KeyboardInterrupt" in errors
    for path in place.glob("*.pdb"):
        st.Table.open(path)


def test_cancel_from_another_thread(solver5: st.Solver, solver4: st.Solver) -> None:
    cancel = st.Cancel()
    assert not cancel.is_cancelled
    threading.Timer(0.1, cancel.cancel).start()
    begun = time.monotonic()
    with pytest.raises(st.CancelledError) as caught:
        solver5.solve(BOARD_5X5, cancel=cancel)
    assert time.monotonic() - begun < LIMIT
    assert caught.value.code == "cancelled"
    assert cancel.is_cancelled
    # Later calls end immediately.
    for call in [
        lambda: solver5.hint(BOARD_5X5, cancel=cancel),
        lambda: solver5.all_solutions(BOARD_5X5, cancel=cancel),
        lambda: list(solver5.solve_many([BOARD_5X5], cancel=cancel)),
        lambda: st.build("7-8", "4x4", cancel=cancel),
        lambda: st.compare(["zero"], ["ida-star"], sizes="4x4", cancel=cancel),
        lambda: solver4.verify(cancel=cancel),
    ]:
        with pytest.raises(st.CancelledError):
            call()
    assert solver4.solve("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15").length == 1


def test_cancelled_anytime_returns_the_best(solver5: st.Solver) -> None:
    cancel = st.Cancel()
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(st.CancelledError) as caught:
        solver5.solve(BOARD_5X5, mode="anytime", max_time=60, cancel=cancel)
    report = caught.value.report
    assert report is not None and report.moves is not None
    assert st.Board(BOARD_5X5).apply(report.moves) == solver5.goal.board


def test_other_threads_run_during_a_search(solver4: st.Solver) -> None:
    """The interpreter's lock is free while a search runs."""
    ticks = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        with pytest.raises(st.LimitError):
            solver4.solve(BOARD_80, max_time=0.5, threads=1)
    finally:
        stop.set()
        thread.join()
    assert ticks > 5
