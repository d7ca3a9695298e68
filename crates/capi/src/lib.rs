//! The C library libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
//!
//! This crate translates the facade of the crate `solver` for C. `include/slidingtilepdb.h` is made
//! of it by cbindgen, and the comments here are those of the header: what a caller must keep to
//! stands there, at each function.
//!
//! - `code`: what calls return, and other constants.
//! - `error`: why a call failed, and the border that no panic crosses.
//! - `input`, `text`: texts and options that come in, texts that go out.
//! - `cancel`, `callback`: how calls are stopped and listened to.
//! - `open`: solvers from a directory of tables, from tables in memory, or built; `solver`: what
//!   they are made of.
//! - `solve`, `list`, `advice`: what a solver answers; `report` is most of it.
//! - `board`, `scramble`: the rules, which need no solver.
//!
//! The library has no state that calls depend on or change, and what a call began on other threads
//! has ended when it returns. Callbacks run on the thread that made the call: work that is shared
//! out to other threads reports to it by a channel.

// The names are those of C.
#![allow(non_camel_case_types)]
// The sentences of the header say what callers must keep to.
#![allow(clippy::missing_safety_doc)]

mod advice;
mod board;
mod callback;
mod cancel;
mod code;
mod error;
mod input;
mod list;
mod open;
mod report;
mod scramble;
mod solve;
mod solver;
mod text;
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
