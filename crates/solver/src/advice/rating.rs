//! Ratings of games, move by move.

use std::collections::HashMap;

use puzzle::{Board, Direction, Metric, invert_moves};

use super::TileMove;
use super::distance::{Distance, Finder};
use crate::calls::{SolveError, SolveOptions};
use crate::facade::Solver;

/// Rating of a game: see [`Solver::rate`].
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Rating {
    /// The board's distance from the goal, or the length of the best known
    /// solution.
    pub distance: u32,
    /// No solution of the board is shorter than this.
    #[cfg_attr(feature = "serde", serde(rename = "bound"))]
    pub lower_bound: u32,
    /// Whether all distances are proved. Otherwise moves are judged by the best known solutions.
    #[cfg_attr(feature = "serde", serde(rename = "exact"))]
    pub is_exact: bool,
    /// Number of moves of the game.
    pub length: u32,
    /// The distance from the game's last board to the goal; 0 if that board is the goal.
    pub left: u32,
    /// Number of moves that began a shortest solution.
    pub kept: u32,
    /// Number of lost moves: the game's length, plus the distance of its last board, minus the
    /// distance of its first board (`length + left - distance`).
    pub lost: u32,
    /// The share of the moves that began a shortest solution, in percent: `100 * kept / length`;
    /// 100 without moves.
    pub credit: f64,
    /// The distance of the first board, as a percentage of the game's length plus the distance of
    /// its last board: `100 * distance / (length + left)`. It is 100 if `length + left` is 0.
    pub efficiency: f64,
    /// The stretch of consecutive moves with the largest loss, the first if several are equal;
    /// absent if no move lengthened the solution.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub worst: Option<LostStretch>,
    /// The moves.
    pub steps: Vec<RatedMove>,
    /// Generated nodes of all searches.
    pub nodes: u64,
}

/// Consecutive moves, none of which began a shortest solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LostStretch {
    /// Number of the first move, from 1.
    pub first: u32,
    /// Number of the last move, from 1.
    pub last: u32,
    /// Number of moves that the stretch added to the solution.
    pub lost: u32,
}

/// One move of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RatedMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub step: TileMove,
    /// The distance after the move.
    pub distance: u32,
    /// Lower bound on the distance after the move.
    #[cfg_attr(feature = "serde", serde(rename = "bound"))]
    pub lower_bound: u32,
    /// Whether the move began a shortest solution.
    pub kept: bool,
    /// Number of moves that this move added to the solution: 0 if it began a shortest one; else 2
    /// in single moves, and 1 or 2 in the multi-tile metric.
    pub lost: u32,
    /// A move that would have begun a shortest solution. Absent if this move began one, or the
    /// board was the goal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub better: Option<TileMove>,
}

/// Share of a limit for the search of the game's first board. The rest of the limit is for the
/// boards after the moves.
const SHARE_OF_FIRST: f64 = 0.5;
/// Share of the remaining limit for each search of [`from_end`].
const SHARE_OF_END: f64 = 0.1;

impl Solver {
    /// Judges the moves of a game: whether each began a shortest solution, and by how many moves it
    /// lengthened the solution. The moves need not reach the goal.
    ///
    /// Without limits all distances are proved. Solving the board takes as long as [`Self::solve`].
    /// Each move that does not follow the known solution takes at most one more iteration of IDA*,
    /// or two in the multi-tile metric. If a limit of time or nodes is reached, moves are judged by
    /// the best solutions found, including the game itself, and [`Rating::is_exact`] is `false`.
    /// [`SolveOptions::mode`] is ignored.
    ///
    /// # Errors
    /// [`SolveError`]. It is [`SolveError::Moves`] if a move is impossible. It is
    /// [`SolveError::Limit`] if the first search is cancelled or, in the multi-tile metric, reaches
    /// a limit.
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec, Notation};
    /// use solver::{SolveOptions, Solver};
    ///
    /// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?; // UL solves it
    /// let goal = Goal::blank_last(board.tray());
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let moves = board.read_moves("LRUL", Notation::Tile)?;
    /// let rating = solver.rate(&board, &moves, &SolveOptions::default())?;
    /// let lost: Vec<u32> = rating.steps.iter().map(|step| step.lost).collect();
    /// assert_eq!(lost, [2, 0, 0, 0]);
    /// assert_eq!((rating.distance, rating.left, rating.lost), (2, 0, 2));
    /// assert_eq!((rating.credit, rating.efficiency), (75.0, 50.0));
    /// assert_eq!(rating.steps[0].better.as_ref().unwrap().to_string(), "5 U");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rate(
        &self,
        board: &Board,
        moves: &[Direction],
        options: &SolveOptions,
    ) -> Result<Rating, SolveError> {
        // All moves are checked before the first search.
        board.play(moves)?;
        let mut finder = Finder::begin(self, options);
        let metric = self.metric();
        let steps = steps_of(board, moves, metric)?;
        let mut known = vec![finder.first(board, SHARE_OF_FIRST)?];
        let mut from_end = match known[0].is_exact() {
            true => Vec::new(),
            false => from_end(&mut finder, board, &steps)?,
        };
        from_end.resize(steps.len() + 1, None);
        for (at, step) in steps.iter().enumerate() {
            let next = match from_end[at + 1].take() {
                Some(known) if known.is_exact() => known,
                other => {
                    let share = 1.0 / (steps.len() - at) as f64;
                    let next = finder.after(&known[at], step, share)?;
                    other.filter(|o| o.upper < next.upper).unwrap_or(next)
                }
            };
            known.push(next);
        }
        let bounds = tighten(&known, &steps, &finder);
        let steps = steps.into_iter().zip(bounds.windows(2));
        let steps: Vec<RatedMove> = steps
            .map(|(step, bounds)| {
                let lost = (bounds[1].upper + 1).saturating_sub(bounds[0].upper);
                RatedMove {
                    step,
                    distance: bounds[1].upper,
                    lower_bound: bounds[1].lower,
                    kept: lost == 0,
                    lost,
                    better: bounds[0].way.clone().filter(|_| lost > 0),
                }
            })
            .collect();
        let (distance, lower_bound) = bounds.first().map_or((0, 0), |b| (b.upper, b.lower));
        let left = bounds.last().map_or(0, |b| b.upper);
        let (length, kept) = (steps.len() as u32, steps.iter().filter(|s| s.kept).count());
        Ok(Rating {
            distance,
            lower_bound,
            is_exact: bounds.iter().all(|b| b.lower == b.upper),
            length,
            left,
            kept: kept as u32,
            lost: (length + left).saturating_sub(distance),
            credit: percent(kept as u32, length),
            efficiency: percent(distance, length + left),
            worst: worst(&steps),
            steps,
            nodes: finder.generated,
        })
    }
}

/// Groups the moves of a game into steps: single moves or, in the multi-tile metric, runs.
fn steps_of(
    board: &Board,
    moves: &[Direction],
    metric: Metric,
) -> Result<Vec<TileMove>, SolveError> {
    let (mut now, mut rest, mut steps) = (board.clone(), moves, Vec::new());
    while let Some(step) = TileMove::first(&now, rest, metric) {
        now = now.play(&step.moves)?;
        rest = &rest[step.moves.len()..];
        steps.push(step);
    }
    Ok(steps)
}

/// Finds the distances of a game's boards, beginning with the last board, because distances near
/// the end of a game are easier to prove. Stops at the first board whose proof takes too long.
fn from_end(
    finder: &mut Finder,
    board: &Board,
    steps: &[TileMove],
) -> Result<Vec<Option<Distance>>, SolveError> {
    let mut known = vec![None; steps.len() + 1];
    let moves = steps.iter().flat_map(|step| step.moves.iter().copied());
    let end = board.play(&moves.collect::<Vec<_>>())?;
    let mut here = finder.first(&end, SHARE_OF_END)?;
    for (at, step) in steps.iter().enumerate().rev() {
        known[at + 1] = Some(here.clone());
        if !here.is_exact() {
            break;
        }
        here = finder.before(&here, step, SHARE_OF_END)?;
    }
    Ok(known)
}

/// Bounds on a board's distance.
#[derive(Clone)]
struct Bounds {
    lower: u32,
    upper: u32,
    /// The first move of a solution of `upper` moves, if the board is not the goal.
    way: Option<TileMove>,
}

/// Tightens the bounds of each board: distances of consecutive boards differ by at most one move,
/// and a repeated board has the same distance each time.
fn tighten(known: &[Distance], steps: &[TileMove], finder: &Finder) -> Vec<Bounds> {
    let metric = finder.metric();
    let mut bounds: Vec<Bounds> = known
        .iter()
        .map(|known| Bounds {
            lower: known.lower,
            upper: known.upper,
            way: TileMove::first(&known.board, &known.path, metric),
        })
        .collect();
    let join = |bounds: &mut [Bounds], from: usize, to: usize| {
        let (lower, upper) = (bounds[from].lower, bounds[from].upper);
        let here = &mut bounds[to];
        if upper + 1 < here.upper {
            here.upper = upper + 1;
            here.way = match to < from {
                true => Some(steps[to].clone()),
                false => {
                    TileMove::first(&known[to].board, &invert_moves(&steps[from].moves), metric)
                }
            };
        }
        here.lower = finder.whole(here.lower.max(lower.saturating_sub(1)), here.upper);
    };
    let backwards = |bounds: &mut [Bounds]| {
        (1..known.len())
            .rev()
            .for_each(|at| join(bounds, at, at - 1));
    };
    // The first pass goes backwards, because the remaining moves of the game, with the solution of
    // its last board, can be shorter than the known solution of an earlier board.
    backwards(&mut bounds);
    let mut met: HashMap<&Board, Bounds> = HashMap::new();
    for (known, bounds) in known.iter().zip(&bounds) {
        let best = met.entry(&known.board).or_insert_with(|| bounds.clone());
        let lower = best.lower.max(bounds.lower);
        if bounds.upper < best.upper {
            *best = bounds.clone();
        }
        best.lower = finder.whole(lower, best.upper);
    }
    for (known, bounds) in known.iter().zip(&mut bounds) {
        if let Some(best) = met.get(&known.board) {
            bounds.clone_from(best);
        }
    }
    backwards(&mut bounds);
    (1..known.len()).for_each(|at| join(&mut bounds, at - 1, at));
    bounds
}

/// Percentage with one decimal; 100 if `whole` is 0.
fn percent(part: u32, whole: u32) -> f64 {
    match whole {
        0 => 100.0,
        _ => (1000.0 * f64::from(part) / f64::from(whole)).round() / 10.0,
    }
}

fn worst(steps: &[RatedMove]) -> Option<LostStretch> {
    let numbered: Vec<(u32, &RatedMove)> = (1..).zip(steps).collect();
    let stretches = numbered.chunk_by(|a, b| a.1.kept == b.1.kept);
    let stretches = stretches.filter_map(|stretch| {
        let lost = stretch.iter().map(|(_, step)| step.lost).sum();
        (lost > 0).then_some(LostStretch {
            first: stretch.first()?.0,
            last: stretch.last()?.0,
            lost,
        })
    });
    stretches.reduce(|best, next| if next.lost > best.lost { next } else { best })
}
