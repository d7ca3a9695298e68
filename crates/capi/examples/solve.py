"""Solves a board through the C library with ctypes, as an example for other languages.

    python3 solve.py [LIBRARY [BOARD]]
"""

import ctypes as c
import json
import sys

ABI_VERSION = 1
BOARD = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"


class Error(c.Structure):
    _fields_ = [("code", c.c_int32), ("message", c.c_char * 1020)]


class SearchStatus(c.Structure):
    _fields_ = [
        ("bound", c.c_uint32),
        ("threads", c.c_uint32),
        ("nodes", c.c_uint64),
        ("ms", c.c_double),
    ]


OnProgress = c.CFUNCTYPE(c.c_int, c.POINTER(SearchStatus), c.c_void_p)


class OpenOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("size", c.c_char_p),
        ("goal", c.c_char_p),
        ("metric", c.c_char_p),
        ("partition", c.c_char_p),
        ("directory", c.c_char_p),
        ("tables", c.c_void_p),
        ("table_count", c.c_size_t),
        ("max_build_time", c.c_double),
        ("max_memory", c.c_uint64),
        ("threads", c.c_uint32),
        ("load", c.c_int32),
        ("cancel", c.c_void_p),
        ("on_build", c.c_void_p),
        ("user_data", c.c_void_p),
    ]


class SolveOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("mode", c.c_int32),
        ("notation", c.c_int32),
        ("threads", c.c_uint32),
        ("short_solution", c.c_int32),
        ("explain", c.c_int32),
        ("pruning", c.c_int32),
        ("max_time", c.c_double),
        ("max_nodes", c.c_uint64),
        ("max_memory", c.c_uint64),
        ("seed", c.c_uint64),
        ("within", c.c_double),
        ("cancel", c.c_void_p),
        ("on_progress", OnProgress),
        ("on_improved", c.c_void_p),
        ("user_data", c.c_void_p),
        ("side", c.c_int32),
    ]


def load(path):
    library = c.CDLL(path)
    if library.stp_abi_version() != ABI_VERSION:
        raise SystemExit(f"{path} has another binary interface than {ABI_VERSION}")
    # Without these declarations, ctypes reads results as 32-bit numbers and truncates pointers.
    library.stp_report_json.restype = c.c_char_p
    library.stp_report_json.argtypes = [c.c_void_p]
    library.stp_report_free.argtypes = [c.c_void_p]
    library.stp_solver_free.argtypes = [c.c_void_p]
    library.stp_solver_open.argtypes = [
        c.POINTER(OpenOptions), c.POINTER(c.c_void_p), c.POINTER(Error)
    ]
    library.stp_solver_solve.argtypes = [
        c.c_void_p,
        c.c_char_p,
        c.POINTER(SolveOptions),
        c.POINTER(c.c_void_p),
        c.POINTER(Error),
    ]
    return library


def main(path="libslidingtilepdb.so.1", board=BOARD):
    library = load(path)
    solver, report, error = c.c_void_p(), c.c_void_p(), Error()
    opening = OpenOptions(struct_size=c.sizeof(OpenOptions), size=b"4x4")
    if library.stp_solver_open(opening, solver, error) != 0:
        raise SystemExit(error.message.decode())

    def show(status, _user_data):
        print(f"bound {status[0].bound}, {status[0].nodes} nodes", file=sys.stderr)
        return 0

    listener = OnProgress(show)  # kept in a variable until the call returns
    options = SolveOptions(struct_size=c.sizeof(SolveOptions), max_time=60.0, on_progress=listener)
    code = library.stp_solver_solve(solver, board.encode(), options, report, error)
    answer = json.loads(library.stp_report_json(report)) if report else None
    library.stp_report_free(report)
    library.stp_solver_free(solver)
    if code != 0:
        raise SystemExit(error.message.decode())
    print(f"{answer['length']} moves: {answer['moves']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
