"""A pattern database as a numpy array: its values, and look-ups of many boards at once."""

import numpy as np
import numpy.typing as npt

import sliding_tile_pdb as st


def random_boards(number: int) -> npt.NDArray[np.uint8]:
    """An array of shape (number, 16). Half of the positions are unsolvable, which does not matter for
    tables."""
    return np.random.default_rng(1).permuted(
        np.tile(np.arange(16, dtype=np.uint8), (number, 1)), axis=1
    )


def main() -> None:
    table = st.Table.build("1,2,3,5,6,7", "4x4", encoding="u8", progress=print_progress)
    values: npt.NDArray[np.uint8] = table.values
    print(f"{table.name}: {len(values):,} values, the largest {table.max}")
    assert not values.flags.writeable

    boards = random_boards(100_000)
    found = table.lookup(boards)
    assert np.array_equal(found, values[table.entries_of(boards)])
    print(f"mean over random boards: {found.mean():.2f}")


def print_progress(step: st.Progress) -> None:
    """Receives the number of entries built since the last call."""
    print(f"{step.stage}: {step.done:,} of {step.total or 0:,}")


if __name__ == "__main__":
    main()
