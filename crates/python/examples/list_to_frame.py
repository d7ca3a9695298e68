"""Solves a suite of boards on all cores, and puts the reports into a pandas frame."""

from collections.abc import Iterable, Iterator

import pandas as pd  # type: ignore[import-untyped, unused-ignore]
from tqdm import tqdm  # type: ignore[import-untyped, unused-ignore]

import sliding_tile_pdb as st


def rows(reports: Iterable[st.Report]) -> Iterator[dict[str, object]]:
    """Yields a row of the frame for each report, with the useful columns."""
    for report in reports:
        yield {"length": report.length, "nodes": report.nodes, "ms": report.ms, "h0": report.h0}


def main() -> None:
    suite = st.suite("korf100")
    solver = st.Solver(suite.goal, "6-6-3")
    boards = suite.boards[:20]
    reports = solver.solve_many(boards)
    frame = pd.DataFrame(rows(tqdm(reports, total=len(boards))))
    print(frame.describe())
    assert tuple(frame["length"]) == suite.lengths[: len(boards)]


if __name__ == "__main__":
    main()
