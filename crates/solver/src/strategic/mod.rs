//! Solutions at once, for any tray and any goal, without tables: a human method whose steps have
//! names, and a short method.

mod explanation;
mod grid;
mod human;
mod lines;
mod small_search;
mod tile_route;

pub use explanation::{Action, Explanation, Step};

use puzzle::{Goal, State};

/// Solves a state of a goal by a method that people can learn.
///
/// Rows and columns are solved from the outside of the tray towards the blank's goal cell, always
/// the shorter lines of what is left. In a line one tile after the other goes to its place by a
/// shortest way past the tiles that are solved; the last two turn into the corner together. The
/// last 2x2, 2x3 or 3x2 cells are solved by a shortest way.
///
/// `None` if the state cannot be solved ([`check_board`](crate::check_board) says why) or is of
/// another size. Takes some milliseconds for 20x20. Random 4x4 boards take 97 moves in the mean,
/// 10x10 boards 2,200 and 20x20 boards 19,300.
///
/// ```
/// use puzzle::{Board, Goal};
/// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?;
/// let goal = Goal::blank_last(board.tray());
/// let state = solver::check_board(&goal, &board)?;
/// let explanation = solver::strategic::explain(&goal, &state).ok_or("unsolvable")?;
/// assert_eq!(explanation.to_string(), "1. the last tiles 5, 6, 8 and 7 into place (2 moves)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain(goal: &Goal, state: &State) -> Option<Explanation> {
    let is_of_goal = goal.tray() == state.tray() && goal.blank() == state.goal_blank();
    is_of_goal.then(|| human::solve(goal, state)).flatten()
}
