//! The C library libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
//!
//! This crate translates the facade of the crate `solver` for C. `include/slidingtilepdb.h` is made
//! of it by cbindgen, and the comments here are those of the header: what a caller must keep to
//! stands there, at each function.
//!
//! - `code`: what calls return, and other constants.
//! - `error`: why a call failed, and the border that no panic crosses.
//! - `input`, `values`, `text`: what comes in by pointers, and by numbers and names; texts that go
//!   out.
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
