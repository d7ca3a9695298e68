"""Solves a board through the C library with ctypes, as an example for other languages.

    python3 solve.py [LIBRARY [BOARD]]
"""

import ctypes as c
import json
import sys

ABI_VERSION = 2
BOARD = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"

OnEvent = c.CFUNCTYPE(c.c_int, c.c_char_p, c.c_void_p)


class Error(c.Structure):
    _fields_ = [("code", c.c_int32), ("message", c.c_char * 1020)]


def load(path):
    library = c.CDLL(path)
    if library.stp_abi_version() != ABI_VERSION:
        raise SystemExit(f"{path} has another binary interface than {ABI_VERSION}")
    # Without these declarations, ctypes truncates pointers.
    pointer, place = c.c_void_p, c.POINTER(c.c_void_p)
    library.stp_session_open.argtypes = [c.c_char_p, c.c_char_p, place, c.POINTER(Error)]
    library.stp_call.argtypes = [
        pointer, c.c_char_p, OnEvent, pointer, pointer, place, c.POINTER(Error)
    ]
    library.stp_string_free.argtypes = library.stp_session_free.argtypes = [pointer]
    return library


def main(path="libslidingtilepdb.so.2", board=BOARD):
    library = load(path)
    session, answer, error = c.c_void_p(), c.c_void_p(), Error()
    if library.stp_session_open(None, b'{"threads": 2}', session, error) != 0:
        raise SystemExit(error.message.decode())

    def show(event, _user_data):
        print(event.decode(), file=sys.stderr)
        return 0

    listener = OnEvent(show)  # kept in a variable until the call returns
    request = json.dumps({"ask": "solve", "board": board, "max_time": 60}).encode()
    code = library.stp_call(session, request, listener, None, None, answer, error)
    found = json.loads(c.string_at(answer.value))
    library.stp_string_free(answer)
    library.stp_session_free(session)
    if code != 0:
        raise SystemExit(found["message"])
    print(f"{found['length']} moves: {found['moves']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
