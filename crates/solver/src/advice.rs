//! Advice for players: hints, and ratings of games.
//!
//! A good move is one that begins a shortest solution. A move from a board at distance d leads to
//! distance d - 1 or d + 1, in the multi-tile metric also to d. Once d is known, each move needs
//! one search with the bound d - 1, which finds a solution or proves that there is none.
//!
//! `distance.rs` finds the distance of one board, `hint.rs` the good moves of a board, and
//! `rating.rs` judges the moves of a game.

mod distance;
mod hint;
mod rating;
#[cfg(test)]
mod tests;

use puzzle::{Board, Direction, Metric, write_letters};

pub use hint::Hint;
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
