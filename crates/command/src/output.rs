//! Lines to standard output and standard error.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::{EXIT_TABLE, Failure};

/// Prints a line to standard output. When nobody reads it any more, the process ends with exit
/// code 0, as programs in a pipe do; after another error it ends with [`EXIT_TABLE`].
pub fn print_line(line: impl fmt::Display) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.unwrap_or_else(|error| end(&error));
}

/// Ends the process after standard output cannot be written.
fn end(error: &io::Error) -> ! {
    let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
    if !is_closed {
        let program = std::env::args_os().next().map(PathBuf::from);
        let name = program.as_deref().and_then(Path::file_stem);
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        print_error(format_args!("{name}: standard output: {error}"));
    }
    std::process::exit(if is_closed { 0 } else { EXIT_TABLE.into() });
}

/// Whether the name of a file to write means standard output.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Standard output for bytes that are no text. It ends the process as [`print_line`] does.
#[derive(Debug)]
pub struct StandardOutput(());

impl StandardOutput {
    /// Standard output, if it is no terminal.
    ///
    /// # Errors
    /// It is a terminal.
    pub fn for_bytes() -> Result<Self, Failure> {
        match io::stdout().is_terminal() {
            true => Err(Failure::input(
                "a terminal cannot show these bytes: give --out FILE, or send them on with | or >",
            )),
            false => Ok(StandardOutput(())),
        }
    }

    /// Standard output for text, which may be a terminal.
    #[must_use]
    pub fn for_text() -> Self {
        StandardOutput(())
    }
}

impl io::Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stdout().write(bytes);
        written.or_else(|error| match error.kind() {
            // Tried again by the caller.
            io::ErrorKind::Interrupted => Err(error),
            _ => end(&error),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().unwrap_or_else(|error| end(&error));
        Ok(())
    }
}

/// Prints a line to standard error. Errors of writing are ignored.
pub fn print_error(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
