//! Lines to standard output and standard error, and how a command ends.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use session::Code;

use crate::interrupt::interrupted;

/// Prints a line to standard output. If the reader has closed standard output, the process ends
/// with exit code 0, as usual in a pipe; after any other error it ends with [`EXIT_TABLE`].
pub fn print_line(line: impl fmt::Display) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.unwrap_or_else(|error| end_of_output(&error));
}

/// Ends the process after a write error on standard output: with exit code 0 if the reader has
/// closed standard output, otherwise with [`EXIT_TABLE`].
pub fn end_of_output(error: &io::Error) -> ! {
    let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
    if !is_closed {
        let program = std::env::args_os().next().map(PathBuf::from);
        let name = program.as_deref().and_then(Path::file_stem);
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        print_error(format_args!("{name}: standard output: {error}"));
    }
    std::process::exit(if is_closed { 0 } else { EXIT_TABLE.into() });
}

/// Prints a line to standard error. Write errors are ignored.
pub fn print_error(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether the name of an output file means standard output.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

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
