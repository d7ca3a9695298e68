//! Boards in any notation, goals and the states of boards relative to them, and moves: reading,
//! printing, drawing, solvability, playing and inverting.

use puzzle::{
    Board, Direction, Drawing, Goal, Metric, Notation, Symmetry, invert_moves, invert_text,
    read_letters, write_letters,
};

use crate::text::{assert_one_line, check_board, chosen_text, size};

/// Largest number of cells of boards that are drawn.
const DRAWN: usize = 36;

/// The first byte selects the size.
pub fn boards(bytes: &[u8]) {
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

/// The first byte selects the size.
pub fn goals(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    let goal = match Goal::parse(text, size(choice)) {
        Ok(goal) => goal,
        Err(error) => return assert_one_line(error),
    };
    let tray = goal.tray();
    check_board(goal.board());
    assert_eq!(
        Goal::parse(&goal.to_string(), Some(tray)).as_ref(),
        Ok(&goal)
    );
    let last = tray.cells() as u16 - 1;
    match text.trim() {
        "blank-first" => assert!(goal.board().numbers().iter().copied().eq(0..=last)),
        "blank-last" => assert!(
            goal.board()
                .numbers()
                .iter()
                .copied()
                .eq((1..=last).chain([0]))
        ),
        _ => (),
    }
    for cell in tray.iter() {
        assert_eq!(goal.cell_of(goal.number_at(cell)), Some(cell));
    }
    assert_eq!(goal.cell_of(tray.cells() as u16), None);
    let state = goal.state(goal.board()).expect("the sizes are the same");
    assert!(state.is_goal() && state.manhattan() == 0 && state.check_solvable().is_ok());
    for direction in Direction::ALL {
        let mut moved = state.clone();
        if moved.slide(direction) {
            assert!(!moved.is_goal() && moved.manhattan() == 1 && moved.check_solvable().is_ok());
            let board = goal.board_of(&moved).expect("it is of this goal");
            assert_eq!(goal.board().play(&[direction]), Ok(board));
        } else {
            assert_eq!(moved, state);
        }
    }
    for symmetry in Symmetry::of(tray) {
        assert!(state.map(symmetry).is_goal());
    }
}

const BOARDS: [&str; 5] = [
    "1 2 3/4 0 6/7 5 8",
    "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13",
    "1 0/3 2",
    "3 2 1 0 4/5 6 7 8 9",
    "2 3 1 5 4/6 7 8 9 10/11 12 0 13 14/16 17 18 19 15/20 21 22 23 24",
];

/// The first byte selects the board and the notation.
pub fn moves(bytes: &[u8]) {
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
