//! Heuristics: lower bounds of the number of moves, each in its own file.
//!
//! All are admissible: never above the true distance. Tests check this on all states of the 3x3
//! puzzle and on all 4x4 states near the goal.

mod any_heuristic;
mod choice;
mod inversion_distance;
mod linear_conflict;
mod lower_bound;
mod manhattan;
mod maximum;
mod misplaced;
mod pattern_database;
mod walking_distance;
mod zero;

pub use any_heuristic::{AnyHeuristic, Carried};
pub use choice::{HeuristicChoice, HeuristicError, HeuristicFactory, TableOpener};
pub use inversion_distance::InversionDistance;
pub use linear_conflict::LinearConflict;
pub use lower_bound::{Heuristic, Term};
pub use manhattan::Manhattan;
pub use maximum::Maximum;
pub use misplaced::Misplaced;
pub use pattern_database::PatternDatabase;
pub use walking_distance::WalkingDistance;
pub use zero::Zero;
