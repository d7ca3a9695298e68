//! Code shared by all commands: options, the verbs that accept them, exit codes, Ctrl-C and the
//! terminal.

#![forbid(unsafe_code)]

pub mod options;
pub mod quantity;
#[cfg(feature = "shell")]
pub mod shell;
pub mod table;
pub mod verbs;
pub mod words;

mod arguments;
mod interrupt;
mod output;
mod progress;

pub use arguments::{BuildCommand, HEURISTIC, PatternArgs, SURROUNDINGS, SharedArgs};
pub use interrupt::{
    ActiveGuard, cancel, catch_interrupts, interrupted, until_interrupted, waiting_for_input,
};
pub use output::{EXIT_INTERRUPTED, EXIT_TABLE, Failure};
pub use output::{end_of_output, is_standard_output, print_error, print_line};
pub use progress::{BuildBar, duration, progress_bar};
pub use words::{explain, explain_partition};
