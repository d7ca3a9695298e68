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

/// The end from which the search starts.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SideName {
    /// The end that is expected to need fewer nodes.
    Auto,
    /// The board to solve.
    Start,
    /// The goal.
    Goal,
}

/// Notation of moves: letters for the direction of the tile or of the blank, or numbers of tiles.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum NotationName {
    Tile,
    Blank,
    Numbers,
}
