//! Boards in any notation: reading, printing, drawing and solvability.

use puzzle::{Board, Drawing, Goal};

use crate::text::{assert_one_line, check_board, chosen_text, size};

/// Largest number of cells of boards that are drawn.
const DRAWN: usize = 36;

/// The first byte selects the size.
pub fn body(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    let size = size(choice);
    let board = match Board::parse(text, size) {
        Ok(board) => board,
        Err(error) => return assert_one_line(error),
    };
    assert!(size.is_none_or(|size| size == board.tray()));
    check_board(&board);
    for goal in [
        Goal::blank_last(board.tray()),
        Goal::blank_first(board.tray()),
    ] {
        check_solvability(&board, &goal);
    }
    if board.tray().cells() <= DRAWN {
        let drawing = Drawing::new(&Goal::blank_last(board.tray()));
        let drawn = drawing.text(&board, false);
        assert_eq!(
            Board::parse(&drawn, Some(board.tray())),
            Ok(board.clone()),
            "{drawn}"
        );
        assert!(drawing.svg(&board).ends_with("</svg>\n"));
    }
}

/// Checks that the error of an unsolvable board names two tiles whose swap makes it solvable.
fn check_solvability(board: &Board, goal: &Goal) {
    let state = goal.state(board).expect("the sizes are the same");
    assert_eq!(goal.board_of(&state).as_ref(), Some(board));
    let Err(unsolvable) = state.check_solvable() else {
        return;
    };
    assert_one_line(unsolvable.describe(goal, board));
    let Some([a, b]) = unsolvable.swap_numbers(goal) else {
        assert!(
            board.tray().height() == 1 || board.tray().width() == 1,
            "no swap for {board}"
        );
        return;
    };
    assert!(0 < a && a < b);
    let swapped = board.numbers().iter().map(|&number| match number {
        number if number == a => b,
        number if number == b => a,
        number => number,
    });
    let swapped: Vec<u32> = swapped.map(u32::from).collect();
    let swapped = Board::new(board.tray(), &swapped).expect("a swap keeps a board");
    let state = goal.state(&swapped).expect("the sizes are the same");
    assert_eq!(state.check_solvable(), Ok(()), "{board}: swap {a} and {b}");
}
