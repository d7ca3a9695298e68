//! Lines to standard output and standard error.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use crate::failure::{EXIT_TABLE, Failure};

/// Prints a line to standard output. If the reader has closed standard output, the process ends
/// with exit code 0, as usual in a pipe; after any other error it ends with [`EXIT_TABLE`].
pub fn print_line(line: impl fmt::Display) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.unwrap_or_else(|error| end(&error));
}

/// Ends the process after a write error on standard output: with exit code 0 if the reader has
/// closed standard output, otherwise with [`EXIT_TABLE`].
pub(crate) fn end(error: &io::Error) -> ! {
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

/// Standard output for binary data. Write errors end the process as in
/// [`print_line`](crate::print_line).
#[derive(Debug)]
pub struct StandardOutput(());

impl StandardOutput {
    /// Standard output, unless it is a terminal.
    ///
    /// # Errors
    /// Standard output is a terminal.
    pub fn for_bytes() -> Result<Self, Failure> {
        match io::stdout().is_terminal() {
            true => Err(Failure::input(
                "a terminal cannot show binary data: give --out FILE, or redirect it with | or >",
            )),
            false => Ok(StandardOutput(())),
        }
    }

    /// Standard output for text. It may be a terminal.
    #[must_use]
    pub fn for_text() -> Self {
        StandardOutput(())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stdout().write(bytes);
        written.or_else(|error| match error.kind() {
            // The caller retries.
            io::ErrorKind::Interrupted => Err(error),
            _ => end(&error),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().unwrap_or_else(|error| end(&error));
        Ok(())
    }
}
