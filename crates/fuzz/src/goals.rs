//! Goals, by name or as boards, and the states of boards relative to these goals.

use puzzle::{Direction, Goal, Symmetry};

use crate::text::{assert_one_line, check_board, chosen_text, size};

/// The first byte selects the size.
pub fn body(bytes: &[u8]) {
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
