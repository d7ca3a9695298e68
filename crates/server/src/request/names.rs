//! The names that options have, for the OpenAPI text.

#![allow(
    dead_code,
    reason = "these types are descriptions: nothing is made of them"
)]

use serde::Deserialize;
use utoipa::ToSchema;

/// Definition of a move: one tile by one cell, or one run of tiles.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum MetricName {
    Single,
    Multi,
}

/// Kind of answer.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModeName {
    /// A proved shortest solution.
    Optimal,
    /// One at once, by a method that people can follow.
    Strategic,
    /// One at once, then shorter ones.
    Anytime,
}

/// Which end of a board is searched from.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SideName {
    /// The one that is expected to need fewer nodes.
    Auto,
    /// The board.
    Start,
    /// The board seen from its goal.
    Goal,
}

/// Notation of moves: letters for the direction of the tile, or of the blank, or numbers of tiles.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum NotationName {
    Tile,
    Blank,
    Numbers,
}
