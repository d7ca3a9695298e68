"""Examples for lessons: a hint, a rated game, explained heuristics, and an anytime search."""

import pathlib

import sliding_tile_pdb as st

BOARD = st.Board("6 4 7/8 5 0/3 2 1")


def main() -> None:
    solver = st.Solver(BOARD.size)
    hint = solver.hint(BOARD)
    print(f"{hint.distance} moves from the goal; good ones:", *(move.tiles for move in hint.moves))

    game = solver.rate(BOARD, "DRURDLUL")
    for number, step in enumerate(game.steps, 1):
        better = "" if step.better is None else f", better was {step.better.tiles}"
        print(f"move {number}, tiles {step.tiles}: lost {step.lost}{better}")

    for seen in st.explain(BOARD, heuristics=["misplaced", "manhattan", "linear-conflict"]):
        print(f"{seen.heuristic}: {seen.value}; {seen.terms[0].words if seen.terms else ''}")

    for report in solver.anytime(BOARD, max_time=5):
        print(f"{report.status}: {report.length} moves by {report.method}")

    answer = solver.solve(BOARD)
    pathlib.Path("solution.svg").write_text(BOARD.svg(answer.moves), encoding="utf-8")


if __name__ == "__main__":
    main()
