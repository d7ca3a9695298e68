//! Code shared by all commands: options, the verbs that accept them, exit codes, Ctrl-C and the
//! terminal.

#![forbid(unsafe_code)]

pub mod options;
pub mod quantity;
#[cfg(feature = "shell")]
pub mod shell;
pub mod verbs;
pub mod words;

mod arguments;
mod build_bar;
mod build_command;
mod explain;
mod failure;
mod interrupt;
mod output;
mod pattern;
mod terminal;

pub use arguments::{HEURISTIC, SURROUNDINGS, SharedArgs};
pub use build_bar::{BuildBar, progress_bar};
pub use build_command::BuildCommand;
pub use explain::{explain, explain_partition};
pub use failure::Failure;
pub use failure::{EXIT_INTERRUPTED, EXIT_TABLE};
pub use interrupt::{
    ActiveGuard, cancel, catch_interrupts, interrupted, until_interrupted, waiting_for_input,
};
pub use output::{StandardOutput, is_standard_output};
pub use output::{print_error, print_line};
pub use pattern::PatternArgs;
pub use terminal::progress_target;
