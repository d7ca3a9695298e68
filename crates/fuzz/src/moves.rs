//! Moves in all notations: reading, playing, writing and inverting.

use puzzle::{Board, Metric, Notation, invert_moves, invert_text, read_letters, write_letters};

use crate::text::{assert_one_line, chosen_text};

const BOARDS: [&str; 5] = [
    "1 2 3/4 0 6/7 5 8",
    "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13",
    "1 0/3 2",
    "3 2 1 0 4/5 6 7 8 9",
    "2 3 1 5 4/6 7 8 9 10/11 12 0 13 14/16 17 18 19 15/20 21 22 23 24",
];

/// The first byte selects the board and the notation.
pub fn body(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    let board: Board = BOARDS[choice % BOARDS.len()].parse().expect("a board");
    let notation = Notation::ALL[choice / BOARDS.len() % Notation::ALL.len()];
    if let Err(error) = read_letters(text) {
        assert_one_line(error);
    }
    match invert_text(text, notation) {
        // The inverse of the inverse is the original in canonical form.
        Ok(inverse) => {
            let again = invert_text(&inverse, notation).expect("it was written");
            assert_eq!(invert_text(&again, notation), Ok(inverse));
        }
        Err(error) => assert_one_line(error),
    }
    let moves = match board.read_moves(text, notation) {
        Ok(moves) => moves,
        Err(error) => return assert_one_line(error),
    };
    let end = board.play(&moves).expect("read moves can be made");
    assert_eq!(end.play(&invert_moves(&moves)).as_ref(), Ok(&board));
    assert_eq!(read_letters(&write_letters(&moves)).as_ref(), Ok(&moves));
    for notation in Notation::ALL {
        let written = board
            .write_moves(&moves, notation)
            .expect("read moves can be made");
        assert_eq!(
            board.read_moves(&written, notation).as_ref(),
            Ok(&moves),
            "{written}"
        );
    }
    assert_eq!(Metric::Single.length(&moves), moves.len());
    assert!(Metric::Multi.length(&moves) <= moves.len());
}
