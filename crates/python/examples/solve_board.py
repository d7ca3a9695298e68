"""Solves one board. If no shortest solution is found, prints the known facts.

python solve_board.py "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"
"""

import sys

import sliding_tile_pdb as st


def main() -> int:
    text = sys.argv[1] if len(sys.argv) > 1 else "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"
    try:
        report = st.solve(text, max_time=60)
    except st.UnsolvableError as error:
        print(error)
        if error.report is not None and error.report.swap is not None:
            print("swap", *error.report.swap)
        return 1
    except st.LimitError as error:
        bound = error.report.bound if error.report is not None else 0
        print(f"no solution is shorter than {bound} moves; one that is longer:")
        report = st.solve(text, mode="anytime", max_time=5)
    except st.PuzzleError as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        return 2
    print(st.Board(text).text())
    print(f"{report.length} moves: {report.moves}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
