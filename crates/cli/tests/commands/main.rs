//! Runs the commands as users do: the tests pass arguments, and check the exit code, the output and
//! the files.
#![allow(clippy::unwrap_used)]

mod answers;
mod file;
mod help;
#[cfg(target_os = "linux")]
mod interrupt;
mod pdb_gen_verbs;
mod python_reader;
#[path = "../../../session/tests/shared/questions.rs"]
mod questions;
mod readme;
mod run;
mod solver_verbs;
mod structure;

/// Whether the long set of tests runs: cargo test --features long-tests.
const IS_LONG: bool = cfg!(feature = "long-tests");
