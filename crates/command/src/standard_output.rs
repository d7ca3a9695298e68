//! Standard output as the destination of a file named `-`.

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

use crate::failure::Failure;
use crate::output::end;

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
