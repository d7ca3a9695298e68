//! Sliding-tile puzzles: trays, boards, goals, moves, and the numbering of pattern databases.
//!
//! The main types build on each other. A [`Board`] is parsed from text and checked. A [`Goal`]
//! turns a board into a [`State`], whose pieces are named by their goal cells. A [`Pattern`] is a
//! set of tiles, a [`Partition`] is a list of disjoint patterns, and a [`HeuristicSpec`] is a list
//! of partitions. A [`Ranking`] numbers the entries of a table.
//!
//! ```
//! use puzzle::{Board, Goal};
//!
//! let board: Board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13".parse()?;
//! let goal = Goal::blank_last(board.tray());
//! let state = goal.state(&board).ok_or("another size")?;
//! state.check_solvable()?;
//! assert_eq!(state.manhattan(), 39);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate has no I/O, no threads, no `unsafe` and no global state. An error in a text is
//! reported with its position; no text causes a panic.
//!
//! With the feature `serde`, [`Metric`], [`TableKind`] and [`Symmetry`] are serialised as their names.

#![forbid(unsafe_code)]

mod board;
pub mod board_text;
mod cell_set;
mod drawing;
mod goal;
mod heuristic_spec;
mod move_order;
mod moves;
mod names;
mod partition;
mod partition_picture;
mod pattern;
mod ranking;
mod region_count;
mod reindex;
#[cfg(feature = "scramble")]
mod scramble;
mod solvability;
mod symmetry;
mod table_kind;
mod tray;

pub use board::{Board, BoardError};
pub use cell_set::CellSet;
pub use drawing::{Colours, Drawing};
pub use goal::{Goal, State};
pub use heuristic_spec::{HeuristicSpec, HeuristicSpecBuilder};
pub use move_order::{MoveOrder, MoveOrderError};
pub use moves::{
    MoveError, MoveFault, Notation, invert_moves, invert_text, read_letters, write_letters,
};
pub use names::UnknownName;
pub use partition::{Partition, PartitionError};
pub use partition_picture::PartitionPicture;
pub use pattern::{Pattern, PatternError, TableId};
pub use ranking::{
    MAX_TILES, Ranking, RowMove, binomial, factorial, rank_permutation, rank_placement,
    unrank_permutation,
};
pub use reindex::Reindex;
#[cfg(feature = "scramble")]
pub use scramble::Scrambler;
pub use solvability::Unsolvable;
pub use symmetry::Symmetry;
pub use table_kind::{BlankClasses, Metric, TableKind, ValueStep};
pub use tray::{Cell, Direction, Tray, TrayError};
