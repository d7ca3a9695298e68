//! Properties of texts.

use std::fmt::Display;

use puzzle::{Board, Tray};

/// Splits an input into the first byte, which selects options, and the rest as text.
#[must_use]
pub fn chosen_text(bytes: &[u8]) -> Option<(usize, &str)> {
    let (&choice, text) = bytes.split_first()?;
    Some((usize::from(choice), std::str::from_utf8(text).ok()?))
}

/// Checks that an error is one non-empty line without control characters.
#[track_caller]
pub fn assert_one_line(error: impl Display) {
    let line = error.to_string();
    assert!(!line.trim().is_empty(), "an error without words");
    assert!(!line.contains(char::is_control), "not one line: {line:?}");
}

/// Size with which a text is read; `None` if the text is read without a size. `choice` is an index
/// into the list of sizes. An ASCII digit stands for its value, so that seeds stay readable.
#[must_use]
pub fn size(choice: usize) -> Option<Tray> {
    let sizes = [
        None,
        Some((3, 3)),
        Some((4, 4)),
        Some((2, 2)),
        Some((5, 1)),
        Some((3, 2)),
    ];
    let place = choice.checked_sub(usize::from(b'0')).unwrap_or(choice) % sizes.len();
    sizes[place].and_then(|(width, height)| Tray::new(width, height).ok())
}

/// Checks the invariants of a board: it contains each number once, and it is unchanged when it is
/// printed and read again.
pub fn check_board(board: &Board) {
    let tray = board.tray();
    let mut numbers: Vec<u16> = board.numbers().to_vec();
    numbers.sort_unstable();
    let all = (0..tray.cells()).map(|number| number as u16);
    assert!(numbers.into_iter().eq(all), "{board}");
    let printed = board.to_string();
    assert_eq!(Board::parse(&printed, Some(tray)).as_ref(), Ok(board));
    if tray.height().min(tray.width()) > 1 {
        assert_eq!(printed.parse().as_ref(), Ok(board), "without its size");
    }
}
