//! The C library libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
//!
//! This crate gives C programs the contract of the crate `session`: `stp_call` answers every
//! question, as JSON. Further functions solve many boards of one goal without JSON. cbindgen
//! generates `include/slidingtilepdb.h` from the code and the comments of this crate. The comment of
//! each function states the obligations of its callers.
//!
//! - `error`: codes and errors of calls, and the boundary that stops panics.
//! - `input`: pointers, texts and options from the caller, and texts for the caller.
//! - `call`: tokens and callbacks.
//! - `session`: sessions, and their answers as JSON.
//! - `report`, `solver`, `list`: the boards of one goal.
//!
//! The library has no state that calls depend on or change. Work that a call starts on other
//! threads has ended when the call returns. Callbacks run on the thread that made the call.

// The names follow C.
#![allow(non_camel_case_types)]
// The header's comments state the obligations of callers.
#![allow(clippy::missing_safety_doc)]
#![allow(unsafe_code, reason = "pointers and exports of C")]

mod call;
mod error;
mod input;
mod list;
mod report;
mod session;
mod solver;
mod version;

pub use self::session::*;
pub use self::solver::*;
pub use call::*;
pub use error::*;
pub use input::stp_string_free;
pub use list::*;
pub use report::*;
pub use version::*;
