//! Names of option values, for the OpenAPI description.

#![allow(dead_code, reason = "these types only describe; they have no values")]

use serde::Deserialize;
use utoipa::ToSchema;

/// Definition of a move: one tile by one cell, or one run of tiles.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum MetricName {
    Single,
    Multi,
}

/// Kind of solution.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModeName {
    /// A proved shortest solution.
    Optimal,
    /// A solution found immediately, by a method that people can follow.
    Strategic,
    /// A solution found immediately, then shorter ones.
    Anytime,
}

/// Starting point of a search.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SideName {
    /// The starting point that is expected to need fewer nodes.
    Auto,
    /// The board to solve.
    Start,
    /// The goal.
    Goal,
}

/// Notation of moves: directions of the tile, directions of the blank, or the numbers on the moved
/// tiles.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum NotationName {
    Tile,
    Blank,
    Numbers,
}
