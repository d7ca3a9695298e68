//! How a process ends without success: an exit code and a line.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The exit code for bad input or usage.
pub const EXIT_INPUT: u8 = 2;
/// The exit code where a table cannot be built or written, or is wrong; also where a partner is
/// lost.
pub const EXIT_TABLE: u8 = 3;
/// The exit code after Ctrl-C, as shells have it: 128 and the signal's number.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The end of a process without success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The exit code.
    pub exit: u8,
    /// The line for the user.
    pub line: String,
}

impl Failure {
    /// Bad input or usage.
    pub fn input(line: impl fmt::Display) -> Self {
        let line = line.to_string();
        Failure {
            exit: EXIT_INPUT,
            line,
        }
    }

    /// A table cannot be built or written, or is wrong.
    pub fn table(line: impl fmt::Display) -> Self {
        let line = line.to_string();
        Failure {
            exit: EXIT_TABLE,
            line,
        }
    }

    /// Stopped by Ctrl-C.
    pub fn interrupted(line: impl fmt::Display) -> Self {
        let line = line.to_string();
        Failure {
            exit: EXIT_INTERRUPTED,
            line,
        }
    }
}
