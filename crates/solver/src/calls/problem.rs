//! A board that can be solved, and the goal.

use puzzle::{Board, Direction, Goal, Metric, State};

use super::solution::{Method, SearchStats, Solution, SolveError};

pub(crate) struct Problem<'a> {
    pub(crate) goal: &'a Goal,
    pub(crate) metric: Metric,
    pub(crate) board: &'a Board,
    /// The board relative to the goal.
    pub(crate) state: State,
}

impl<'a> Problem<'a> {
    /// Checks that the board can be solved.
    pub(crate) fn new(
        goal: &'a Goal,
        metric: Metric,
        board: &'a Board,
    ) -> Result<Self, SolveError> {
        let state = check_board(goal, board)?;
        Ok(Problem {
            goal,
            metric,
            board,
            state,
        })
    }

    /// Whether the moves lead to the goal. Every answer is replayed, so the returned moves solve
    /// the board even if a table is wrong.
    pub(crate) fn is_solved_by(&self, moves: &[Direction]) -> bool {
        let end = self.board.play(moves);
        end.is_ok_and(|end| end == *self.goal.board())
    }

    /// A solution with these moves and this proved lower bound.
    pub(crate) fn solution(
        &self,
        moves: Vec<Direction>,
        method: Method,
        lower_bound: u32,
    ) -> Solution {
        Solution {
            length: self.metric.length(&moves) as u32,
            moves,
            lower_bound,
            is_optimal: false,
            method,
            stats: SearchStats::default(),
        }
    }
}

/// Checks that a board can be solved. Needs no tables. Returns the board relative to the goal.
///
/// # Errors
/// [`SolveError::Size`] and [`SolveError::Unsolvable`].
pub fn check_board(goal: &Goal, board: &Board) -> Result<State, SolveError> {
    let (found, expected) = (board.tray(), goal.tray());
    let state = goal.state(board);
    let state = state.ok_or(SolveError::Size { found, expected })?;
    state.check_solvable().map_err(SolveError::Unsolvable)?;
    Ok(state)
}
