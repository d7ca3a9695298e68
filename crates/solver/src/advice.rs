//! Advice for players: hints, and ratings of games.
//!
//! A good move is one that begins a shortest solution. A move from a board at distance d leads to
//! distance d - 1 or d + 1, in the multi-tile metric also to d. Once d is known, each move needs
//! one search with the bound d - 1, which finds a solution or proves that there is none.
//!
//! `distance.rs` finds the distance of one board, and `rating.rs` judges the moves of a game.

mod distance;
mod rating;
#[cfg(test)]
mod tests;

use puzzle::{Board, Direction, Metric, write_letters};

use crate::calls::{SolveError, SolveOptions};
use crate::facade::Solver;
use distance::Finder;
pub use rating::{LostStretch, RatedMove, Rating};

/// One move on a board, in the solver's metric.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TileMove {
    /// The numbers of the sliding tiles, the one next to the blank first. A single move slides one
    /// tile.
    pub tiles: Vec<u16>,
    /// The direction of each tile, as letters: `U2` for two tiles that slide up.
    #[cfg_attr(feature = "serde", serde(with = "letters"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub moves: Vec<Direction>,
}

impl TileMove {
    /// The first step of `moves` on a board: a single move or a run. `None` if `moves` is empty or
    /// the step is impossible.
    fn first(board: &Board, moves: &[Direction], metric: Metric) -> Option<TileMove> {
        let moves = &moves[..step_length(moves, metric)];
        let tray = board.tray();
        let (mut tiles, mut cell) = (Vec::with_capacity(moves.len()), board.find(0)?);
        for direction in moves {
            cell = tray.step(cell, direction.opposite())?;
            tiles.push(board.numbers()[cell.index()]);
        }
        (!moves.is_empty()).then(|| TileMove {
            tiles,
            moves: moves.to_vec(),
        })
    }
}

impl std::fmt::Display for TileMove {
    /// For example `12 U` or, in the multi-tile metric, `12 8 U2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for tile in &self.tiles {
            write!(f, "{tile} ")?;
        }
        f.write_str(&write_letters(&self.moves))
    }
}

/// Number of single moves in the first step of `moves`.
fn step_length(moves: &[Direction], metric: Metric) -> usize {
    match metric {
        Metric::Single => moves.len().min(1),
        Metric::Multi => moves.chunk_by(|a, b| a == b).next().map_or(0, <[_]>::len),
    }
}

/// All moves of a metric that are possible on a board.
fn all_steps(board: &Board, metric: Metric) -> Vec<TileMove> {
    let tray = board.tray();
    let most = match metric {
        Metric::Single => 1,
        Metric::Multi => tray.width().max(tray.height()),
    };
    let steps = Direction::ALL.into_iter().flat_map(|direction| {
        let lengths = 1..=most;
        lengths.map_while(move |length| TileMove::first(board, &vec![direction; length], metric))
    });
    steps.collect()
}

/// Serialises moves as the letters of the tiles' directions.
#[cfg(feature = "serde")]
mod letters {
    use puzzle::{Direction, read_letters, write_letters};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(
        moves: &[Direction],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write_letters(moves))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Direction>, D::Error> {
        let text = String::deserialize(deserializer)?;
        read_letters(&text).map_err(D::Error::custom)
    }
}

/// Advice for a player: see [`Solver::hint`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Hint {
    /// Length of the best known solution. It is shortest if it equals `bound`.
    pub distance: u32,
    /// No solution is shorter than this.
    #[cfg_attr(feature = "serde", serde(rename = "bound"))]
    pub lower_bound: u32,
    /// Whether the distance is proved, and `moves` contains all moves that begin a shortest
    /// solution. It is `false` for a proved distance if a limit was reached before all moves were
    /// judged.
    #[cfg_attr(feature = "serde", serde(rename = "exact"))]
    pub is_exact: bool,
    /// The good moves: each begins a solution of [`Self::distance`] moves. The first one begins
    /// [`Self::solution`]. Empty if the board is the goal.
    pub moves: Vec<TileMove>,
    /// A solution of [`Self::distance`] moves, as letters such as `U2RD`.
    #[cfg_attr(feature = "serde", serde(with = "letters"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub solution: Vec<Direction>,
    /// Generated nodes of all searches.
    pub nodes: u64,
}

/// Share of the call's limits for the search of the board itself. The rest is for the boards that
/// are one move away.
const SHARE_OF_BOARD: f64 = 0.7;

impl Solver {
    /// The distance to the goal, and the good moves.
    ///
    /// Without limits the distance is proved. This takes as long as [`Self::solve`]. Each possible
    /// move that does not begin the solution found takes at most one more iteration of IDA*, or two
    /// in the multi-tile metric. If a limit of time or nodes is reached, the distance and the moves
    /// are those of the best solutions found. [`Hint::is_exact`] states whether they are proved.
    /// [`SolveOptions::mode`] is ignored.
    ///
    /// # Errors
    /// [`SolveError`]. It is [`SolveError::Limit`] if the search is cancelled or, in the multi-tile
    /// metric, reaches a limit.
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec};
    /// use solver::{SolveOptions, Solver};
    ///
    /// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let hint = solver.hint(&board, &SolveOptions::default())?;
    /// assert_eq!((hint.distance, hint.is_exact), (31, true));
    /// let moves: Vec<String> = hint.moves.iter().map(ToString::to_string).collect();
    /// assert_eq!(moves, ["1 L", "5 D", "3 R"]); // all moves: 31 is the maximum distance
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hint(&self, board: &Board, options: &SolveOptions) -> Result<Hint, SolveError> {
        let mut finder = Finder::begin(self, options);
        let here = finder.first(board, SHARE_OF_BOARD)?;
        let best = TileMove::first(board, &here.path, self.metric());
        // Each move with the bounds of the distance after it.
        let mut moves: Vec<(u32, u32, TileMove)> = Vec::new();
        let mut hint = Hint {
            distance: here.upper,
            lower_bound: here.lower,
            is_exact: false,
            moves: Vec::new(),
            solution: here.path.clone(),
            nodes: 0,
        };
        if let Some(best) = best {
            let others = all_steps(board, self.metric()).into_iter();
            let others: Vec<TileMove> = others.filter(|step| *step != best).collect();
            moves.push((hint.distance - 1, hint.distance - 1, best));
            let mut left = others.len();
            for step in others {
                let next = finder.after(&here, &step, 1.0 / left as f64)?;
                left -= 1;
                if next.upper + 1 < hint.distance {
                    hint.distance = next.upper + 1;
                    hint.solution = step.moves.iter().chain(&next.path).copied().collect();
                    moves.insert(0, (next.lower, next.upper, step));
                } else {
                    moves.push((next.lower, next.upper, step));
                }
            }
        }
        let (good, others): (Vec<_>, Vec<_>) = moves
            .into_iter()
            .partition(|&(_, upper, _)| upper + 1 == hint.distance);
        hint.is_exact = hint.distance == hint.lower_bound
            && others
                .iter()
                .all(|&(lower, _, _)| lower + 1 > hint.distance);
        hint.moves = good.into_iter().map(|(_, _, step)| step).collect();
        hint.nodes = finder.generated;
        Ok(hint)
    }
}
