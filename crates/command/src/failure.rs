//! Failure of a command: an exit code and a message line.

use crate::interrupt::interrupted;
use crate::output::{print_error, print_line};
use serde_json::json;
use session::Code;
use std::fmt;
use std::process::ExitCode;

/// Failure of a command: one message line and an exit code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    exit: u8,
    message: String,
}

impl From<session::Failure> for Failure {
    fn from(failure: session::Failure) -> Failure {
        let exit = match failure.code {
            Code::Input => 2,
            Code::Unsolvable | Code::Limit => 1,
            Code::Cancelled => EXIT_INTERRUPTED,
            _ => EXIT_TABLE,
        };
        Failure::new(exit, failure.message)
    }
}

impl Failure {
    /// A failure with any message and exit code, for example those of another process.
    pub fn new(exit: u8, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Failure { exit, message }
    }

    /// Bad input or usage: exit code 2.
    pub fn input(error: impl fmt::Display) -> Self {
        Failure::new(2, error)
    }

    /// Failure because of a bad or missing table, or a file that cannot be written. The exit code
    /// is [`EXIT_TABLE`].
    pub fn table(error: impl fmt::Display) -> Self {
        Failure::new(EXIT_TABLE, error)
    }

    /// Failure of a command that was stopped by Ctrl-C; exit code 130.
    pub fn interrupted(message: impl fmt::Display) -> Self {
        Failure::new(EXIT_INTERRUPTED, message)
    }

    /// Bad input; or an interrupt, if Ctrl-C was pressed.
    pub fn input_unless_interrupted(error: impl fmt::Display) -> Self {
        match interrupted() {
            true => Failure::interrupted("interrupted"),
            false => Failure::input(error),
        }
    }

    /// Prints the line to standard error, after the command's name. With `--json` an interrupt is
    /// printed as an object on standard output instead.
    pub fn report(&self, command: &str, json: bool) {
        match json && self.exit == EXIT_INTERRUPTED {
            true => print_line(json!({ "status": "interrupted", "message": self.message })),
            false => print_error(format_args!("{command}: {}", self.message)),
        }
    }

    /// Ends a command: reports a failure and returns the exit code. The caller must print all
    /// results before this call, also after Ctrl-C.
    #[must_use]
    pub fn end(command: &str, json: bool, result: Result<u8, Failure>) -> ExitCode {
        ExitCode::from(match result {
            Ok(_) if interrupted() => EXIT_INTERRUPTED,
            Ok(exit) => exit,
            Err(failure) => {
                failure.report(command, json);
                failure.exit
            }
        })
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> u8 {
        self.exit
    }

    /// The message line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Exit code after Ctrl-C: 128 plus the signal number, as in shells.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Exit code for a bad or missing table, and for a failed write to a file or standard output.
pub const EXIT_TABLE: u8 = 3;
