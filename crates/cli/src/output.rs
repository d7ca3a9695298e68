//! Lines to standard output and standard error.

use std::fmt;
use std::io::{self, Write as _};

/// Prints a line to standard output. When nobody reads it any more, the process ends with exit
/// code 0, as programs in a pipe do; after another error it ends with 2.
pub fn print_line(line: impl fmt::Display) {
    let mut out = io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
        let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
        if !is_closed {
            print_error(format_args!("standard output: {error}"));
        }
        std::process::exit(if is_closed { 0 } else { 2 });
    }
}

/// Prints a line to standard error. Errors of writing are ignored.
pub fn print_error(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
