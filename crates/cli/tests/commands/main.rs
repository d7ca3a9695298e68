//! Runs the commands as users do: the tests pass arguments, and check the exit code, the output and
//! the files.
#![allow(clippy::unwrap_used)]

mod answers;
mod documents;
#[cfg(target_os = "linux")]
mod interrupt;
#[path = "../../../session/tests/shared/questions.rs"]
mod questions;
mod run;
mod structure;

/// `pdb-gen`: builds tables and other files.
mod pdb_gen_verbs {
    mod build;
    mod checkpoint;
    mod damage;
    mod export;
    mod input;
    mod list;
    mod pack;
    mod place;
    pub(crate) mod run;
    mod stats;
    mod tune;
}

/// `solver`: boards are read, and solutions are printed.
mod solver_verbs {
    pub(crate) mod board;
    mod check;
    mod compare;
    mod explain;
    mod hint;
    mod input;
    mod limit;
    mod list;
    mod mode;
    pub(crate) mod run;
    mod scramble;
    mod show;
    mod solution;
    mod table;
}

/// Whether the long set of tests runs: cargo test --features long-tests.
const IS_LONG: bool = cfg!(feature = "long-tests");
