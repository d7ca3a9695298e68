//! The C library libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
//!
//! This crate translates the facade of the crate `solver` to C. cbindgen generates
//! `include/slidingtilepdb.h` from the code and the comments of this crate. The comment of each
//! function states the obligations of its callers.
//!
//! - `code`: result codes and other constants.
//! - `error`: errors of calls, and the boundary that stops panics.
//! - `input`, `values`, `text`: pointers, numbers and names from the caller; texts for the caller.
//! - `cancel`, `callback`: cancellation and callbacks.
//! - `open`: opens solvers with tables from a directory or from memory, and builds missing tables;
//!   `solver`: the solver struct.
//! - `solve`, `list`, `advice`: answers of a solver; `report`: results of solving boards.
//! - `board`, `scramble`: the rules, without a solver.
//!
//! The library has no state that calls depend on or change. Work that a call starts on other
//! threads has ended when the call returns. Callbacks run on the thread that made the call. Other
//! threads report to that thread through a channel.

// The names follow C.
#![allow(non_camel_case_types)]
// The header's comments state the obligations of callers.
#![allow(clippy::missing_safety_doc)]

#[allow(unsafe_code, reason = "pointers and exports of C")]
mod advice;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod board;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod callback;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod cancel;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod code;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod error;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod input;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod list;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod open;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod report;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod scramble;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod solve;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod solver;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod text;
mod values;
#[allow(unsafe_code, reason = "pointers and exports of C")]
mod version;

pub use self::solver::*;
pub use advice::*;
pub use board::*;
pub use callback::*;
pub use cancel::*;
pub use code::*;
pub use error::*;
pub use input::stp_bytes;
pub use list::*;
pub use open::*;
pub use report::*;
pub use scramble::*;
pub use solve::*;
pub use text::*;
pub use version::*;
