//! Immediate solutions for any tray and any goal, without tables: a human method with named steps,
//! and a method for short solutions.

mod beam;
mod explanation;
mod guide;
mod human;
mod lines;
mod play;
mod score;
mod tile_route;

pub use beam::Effort;
pub use explanation::{Action, Explanation, Step, WrittenStep};

use puzzle::{Direction, Goal, State};

pub(crate) use beam::StrategicBeamEnd;
use guide::StepGuide;
use score::Score;

/// Solves a state with a method that people can learn.
///
/// Rows and columns are solved from the outside towards the blank's goal cell. The next line is
/// always one of the shorter lines of the remaining rectangle. In a line, one tile after another
/// moves around the solved tiles to its goal cell; the last two tiles move into the corner
/// together. The last 2x2, 2x3 or 3x2 cells are solved optimally.
///
/// Returns `None` if the state cannot be solved ([`check_board`](crate::check_board) returns the
/// reason) or does not have the goal's size. Solving a 20x20 board takes a few milliseconds.
/// Solutions of random boards have on average 97 moves on 4x4 trays, 2,200 on 10x10 trays and
/// 19,300 on 20x20 trays.
///
/// ```
/// use puzzle::{Board, Goal};
/// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?;
/// let goal = Goal::blank_last(board.tray());
/// let state = solver::check_board(&goal, &board)?;
/// let explanation = solver::strategic::explain(&goal, &state).ok_or("unsolvable")?;
/// assert_eq!(explanation.to_string(), "1. the last tiles 4, 5, 6, 7 and 8 into place (2 moves)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain(goal: &Goal, state: &State) -> Option<Explanation> {
    let is_of_goal = goal.tray() == state.tray() && goal.blank() == state.goal_blank();
    is_of_goal.then(|| human::solve(goal, state)).flatten()
}

/// Solves a state in about half as many moves as [`explain`], and never in more moves. A beam
/// search moves all tiles towards their goal cells while it completes the steps of the human
/// method.
///
/// Returns `None` if [`explain`] does. The result is deterministic. The function takes up to 100 ms
/// for trays of up to 10x10 and up to 2 s for 20x20, and longer if the first beams fail. Beams then
/// become up to eight times as wide. If they fail, too, the result is the solution of
/// [`explain`].
#[must_use]
pub fn short(goal: &Goal, state: &State) -> Option<Vec<Direction>> {
    short_until(goal, state, &|| false)
}

/// Like [`short`], but returns the solution of [`explain`] if `stop` returns true before a shorter
/// solution is found. `stop` is called once per layer of a beam: every few milliseconds.
pub(crate) fn short_until(
    goal: &Goal,
    state: &State,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Direction>> {
    let plain = explain(goal, state)?.moves;
    let found = first_beam(state, &Effort::short(state.tray()), plain.len(), stop);
    Some(found.unwrap_or(plain))
}

/// Number of beams of the first width. If a beam gets stuck, the next one uses a score with other
/// weights.
const ATTEMPTS: u32 = 3;
/// Largest width of later beams, as a multiple of the first width. Each is twice as wide as the
/// previous one.
const WIDEST: usize = 8;

/// The solution of the first beam that finds one of at most `max_moves` moves.
fn first_beam(
    state: &State,
    effort: &Effort,
    max_moves: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Direction>> {
    let widest = (1..=WIDEST.ilog2()).map(|doublings| 1 << doublings);
    let times = (0..ATTEMPTS).map(|_| 1).chain(widest);
    let mut attempts = (0..).zip(times).take_while(|_| !stop());
    attempts.find_map(|(attempt, times)| {
        let effort = effort
            .clone()
            .width(effort.width * times)
            .max_nodes(effort.max_nodes * times as u64);
        run_beam(state, &effort, attempt, max_moves, stop).moves
    })
}

/// Shortens a solution of a state by beams, each twice as wide as the previous one, until the
/// effort is spent or `stop` returns true. Calls `on_better` with each shorter solution. Returns
/// the number of nodes generated.
///
/// The result is deterministic if `stop` never returns true. A beam of width w takes about w times
/// the solution's length times 0.2 microseconds. The function needs a few tens of megabytes,
/// including its tables.
pub fn improve(
    state: &State,
    length: usize,
    effort: &Effort,
    stop: &dyn Fn() -> bool,
    mut on_better: impl FnMut(&[Direction]),
) -> u64 {
    let tray = state.tray();
    let (mut nodes, mut best) = (0, length);
    // The optimal search handles trays of one line.
    if tray.width().min(tray.height()) == 1 || state.check_solvable().is_err() {
        return 0;
    }
    let mut effort = effort.clone();
    let budget = effort.max_nodes;
    for attempt in 0.. {
        effort.max_nodes = budget.saturating_sub(nodes);
        if best == 0 || effort.max_nodes == 0 || stop() {
            break;
        }
        let end = run_beam(state, &effort, attempt, best - 1, stop);
        // At least one node is counted, so that the loop ends.
        nodes += end.nodes.max(1);
        if let Some(moves) = end.moves {
            best = moves.len();
            on_better(&moves);
        }
        effort.width = effort.width.saturating_mul(2).min(MAX_WIDTH);
    }
    nodes
}

/// Maximum width of a beam. Layers of this width need a few gigabytes on the largest tray.
const MAX_WIDTH: usize = 1 << 20;

/// One beam search for a solution of at most `max_moves` moves.
pub(crate) fn run_beam(
    state: &State,
    effort: &Effort,
    attempt: u32,
    max_moves: usize,
    stop: &dyn Fn() -> bool,
) -> StrategicBeamEnd {
    let tray = state.tray();
    if tray.width().min(tray.height()) == 1 {
        return StrategicBeamEnd::default();
    }
    let mut guide = StepGuide::new(tray, state.goal_blank());
    let score = Score::new(&guide, attempt);
    let seed = effort.seed.wrapping_add(attempt.into());
    let effort = effort.clone().seed(seed);
    beam::search(&mut guide, state, &score, &effort, max_moves, stop)
}

#[cfg(test)]
mod tests {
    use puzzle::{Scrambler, Tray};

    use super::*;

    #[test]
    fn beams_that_fail_are_widened() {
        let tray = Tray::new(5, 5).unwrap();
        let state = Scrambler::new(3).draw(tray, tray.last());
        let effort = Effort::short(tray).width(1);
        let length = |attempt| {
            let end = run_beam(&state, &effort, attempt, 500, &|| false);
            end.moves.map(|moves| moves.len())
        };
        let shortest = (0..ATTEMPTS).filter_map(length).min().unwrap();
        assert!(first_beam(&state, &effort, shortest - 1, &|| false).is_some());
        assert_eq!(first_beam(&state, &effort, 500, &|| true), None);
    }
}
