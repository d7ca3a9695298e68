//! The classes `Board` and `Goal`, shared by arguments and results. Their methods are in `board`
//! and `goal`.

use puzzle::{Board, Goal};
use pyo3::prelude::*;

/// An arrangement of numbered tiles and a blank. Immutable and hashable.
///
/// `board` is a `Board`, a text, or the numbers with 0 for the blank. A text can have any form that
/// `solver` reads: rows separated by slashes or line breaks, lists, drawings. Numbers can be in
/// reading order or in rows, also as a numpy array. Rows determine the size. Without rows, `size`
/// determines it. Without rows and `size`, the board is a square.
///
#[doc = parameters!(board, board_size)]
///
/// >>> from sliding_tile_pdb import Board
/// >>> board = Board("1 2 3/4 0 6/7 5 8")
/// >>> board == Board([[1, 2, 3], [4, 0, 6], [7, 5, 8]]) == Board((1, 2, 3, 4, 0, 6, 7, 5, 8))
/// True
/// >>> board.size, board.numbers
/// ('3x3', (1, 2, 3, 4, 0, 6, 7, 5, 8))
/// >>> print(board.apply("UL"))
/// 1 2 3/4 5 6/7 8 0
/// >>> Board("1 2 3/4 5 6/8 7 0").solvability().swap
/// (7, 8)
/// >>> Board("1 2 3/4 5 5/7 8 0")
/// Traceback (most recent call last):
/// sliding_tile_pdb.InputError: tile 5 at row 2 column 2 is repeated at row 2 column 3; tile 6
/// is missing
#[pyclass(frozen, eq, hash, module = "sliding_tile_pdb", name = "Board")]
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyBoard(pub(crate) Board);

/// The goal arrangement: `blank-last`, `blank-first`, or any board.
///
#[doc = parameters!(goal, size)]
///
/// >>> from sliding_tile_pdb import Goal
/// >>> Goal("blank-first", "3x3")
/// Goal('0 1 2/3 4 5/6 7 8')
/// >>> Goal("1 2 3/8 0 4/7 6 5").size
/// '3x3'
#[pyclass(frozen, eq, hash, module = "sliding_tile_pdb", name = "Goal")]
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyGoal(pub(crate) Goal);

/// The `repr` of a board or goal.
pub(crate) fn repr(class: &str, board: &Board) -> String {
    let tray = board.tray();
    match tray.height() {
        // The text of a single row would be parsed as a square, so the size is added.
        1 => format!("{class}('{board}', '{tray}')"),
        _ => format!("{class}('{board}')"),
    }
}
