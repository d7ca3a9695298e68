//! The screen of a game: lines of text.

use puzzle::{Board, Drawing, Notation};
use solver::Rating;

use super::game::Game;
use crate::hint::{all_line, distance_line, move_line, tile_line};
use crate::rate::summary;
use command::words::counted;

/// Contents of the screen besides the game.
#[derive(Clone, Debug, Default)]
pub(super) struct ScreenState {
    /// Moves per second, while the solution is played.
    pub(super) playing: Option<u32>,
    /// Whether the solver is at work.
    pub(super) is_thinking: bool,
    /// Result of the last key.
    pub(super) message: String,
    /// Rating of the game.
    pub(super) rating: Option<Rating>,
}

/// The keys, in the order of their use.
const KEYS: [&str; 3] = [
    "q: quit   h: hint, again for more   n: next best move   u, y: undo, redo",
    "arrows, WASD: move   r: restart   m: new board",
    "p, space: play the solution, pause   + -: faster, slower",
];

/// Minimum number of lines below the board.
const FEWEST_LINES: usize = 2;

/// The largest drawing of the board that fits on the terminal. If none fits, returns `Err` with the
/// terminal size that the smallest drawing needs.
fn board_lines(
    drawing: &Drawing,
    board: &Board,
    is_coloured: bool,
    (columns, rows): (usize, usize),
) -> Result<Vec<String>, (usize, usize)> {
    let fits = |width: usize, height: usize| width <= columns && height + FEWEST_LINES <= rows;
    let plain = drawing.text(board, false);
    let width = plain.lines().next().map_or(0, |line| line.chars().count());
    if fits(width, plain.lines().count()) {
        let text = drawing.text(board, is_coloured);
        return Ok(text.lines().map(ToOwned::to_owned).collect());
    }
    let small = small_lines(board);
    let width = small.first().map_or(0, |line| line.chars().count());
    match fits(width, small.len()) {
        true => Ok(small),
        false => Err((width, small.len() + FEWEST_LINES)),
    }
}

/// A compact drawing with a dot for the blank. A 20x20 board fits a terminal of 80x24.
fn small_lines(board: &Board) -> Vec<String> {
    let tray = board.tray();
    let digits = tray.last().to_string().len();
    let number = |&number: &u16| match number {
        0 => format!("{:>digits$}", "."),
        _ => format!("{number:>digits$}"),
    };
    let rows = board.numbers().chunks(tray.width());
    rows.map(|row| row.iter().map(number).collect::<Vec<_>>().join(" "))
        .collect()
}

/// All lines, cut to the size of the terminal.
pub(super) fn lines(
    game: &Game,
    view: &ScreenState,
    (drawing, is_coloured): (&Drawing, bool),
    size: (usize, usize),
) -> Vec<String> {
    let (columns, rows) = size;
    let cut = |line: String| line.chars().take(columns).collect::<String>();
    let mut lines = match board_lines(drawing, game.board(), is_coloured, size) {
        Ok(lines) => lines,
        Err((width, height)) => vec![
            cut(format!("too small: {columns}x{rows}")),
            cut(format!("needed: {width}x{height}")),
            cut("q: quit".to_owned()),
        ],
    };
    let state = match (game.is_solved(), view.playing) {
        (true, _) => " - solved".to_owned(),
        (false, None) => String::new(),
        (false, Some(speed)) => match game.path() {
            Some(path) => format!(" - playing, {} to go, {speed} per second", path.len()),
            None => format!(" - playing, {speed} per second"),
        },
    };
    let thinking = match view.is_thinking {
        true => " - thinking ...",
        false => "",
    };
    let made = counted(game.length(), "move");
    let mut below = vec![format!("{made}{state}{thinking}")];
    below.extend(Some(view.message.clone()).filter(|message| !message.is_empty()));
    if let Some((hint, step)) = game.hint() {
        below.extend(hint_lines(hint, step));
    }
    if let Some(rating) = &view.rating {
        if !game.is_all_helped() {
            below.extend(summary(rating));
        }
        below.extend(game.help_line());
    }
    below.extend(KEYS.map(ToOwned::to_owned));
    let room = rows.saturating_sub(lines.len());
    let wrapped = below.iter().flat_map(|line| wrap(line, columns));
    lines.extend(wrapped.take(room));
    lines.truncate(rows);
    lines
}

/// Wraps a line to at most `columns` characters, at spaces if there are any.
fn wrap(line: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in line.split_inclusive(' ') {
        let width = word.trim_end().chars().count();
        if length + width > columns && length > 0 {
            lines.push(String::new());
            length = 0;
        }
        let room = columns.saturating_sub(length);
        let last = lines.len() - 1;
        lines[last].extend(word.chars().take(room));
        length += word.chars().count();
    }
    lines
}

fn hint_lines(hint: &solver::Hint, step: u8) -> Vec<String> {
    let mut lines = vec![distance_line(hint)];
    if let Some(best) = hint.moves.first() {
        let others = [
            tile_line(best),
            move_line(best, Notation::Tile),
            all_line(hint, Notation::Tile),
        ];
        lines.extend(others.into_iter().take(usize::from(step.saturating_sub(1))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Goal, Metric, Tray};

    #[test]
    fn boards_of_all_sizes_fit_a_common_terminal() {
        for side in 2..=Tray::MAX_SIDE {
            let goal = Goal::blank_last(Tray::new(side, side).unwrap());
            let game = Game::new(&goal, Metric::Single, goal.board());
            let lines = lines(
                &game,
                &ScreenState::default(),
                (&Drawing::new(&goal), false),
                (80, 24),
            );
            assert!(!lines[0].starts_with("too small"), "{side}");
            assert!(lines.len() <= 24);
            assert!(lines.iter().all(|line| line.chars().count() <= 80));
            let state = lines
                .iter()
                .any(|line| line.starts_with("0 moves - solved"));
            assert!(state, "{side}");
        }
    }

    #[test]
    fn narrow_terminals_show_every_word() {
        let line = KEYS[0];
        let lines = wrap(line, 30);
        assert!(lines.len() > 2 && lines.iter().all(|line| line.trim_end().len() <= 30));
        assert_eq!(lines.concat(), line);
        assert_eq!(wrap("abcdef", 4), ["abcd"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn small_terminals_show_the_required_size() {
        let goal = Goal::blank_last(Tray::new(20, 20).unwrap());
        let game = Game::new(&goal, Metric::Single, goal.board());
        let lines = lines(
            &game,
            &ScreenState::default(),
            (&Drawing::new(&goal), false),
            (60, 24),
        );
        assert_eq!(lines[0], "too small: 60x24");
        assert_eq!(lines[1], "needed: 79x22");
    }
}
