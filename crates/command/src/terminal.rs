//! Progress lines on a terminal. They leave room for the `^C` that the terminal echoes.

use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, Ordering};

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

use crate::output::print_error;

/// Columns left free at the right, enough for `^C` twice.
const MARGIN: u16 = 4;
/// Maximum number of redraws of a progress line per second.
const DRAWINGS: u8 = 20;

/// Whether the last line of standard error is a progress line.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Target of a progress line: standard error if it is a terminal and `is_wanted`, otherwise none.
#[must_use]
pub fn progress_target(is_wanted: bool) -> ProgressDrawTarget {
    if !is_wanted || !io::stderr().is_terminal() {
        return ProgressDrawTarget::hidden();
    }
    let term = WithMargin(Term::buffered_stderr());
    ProgressDrawTarget::term_like_with_hz(Box::new(term), DRAWINGS)
}

/// Maximum width of a progress line on standard error, in columns.
#[must_use]
pub(crate) fn progress_width() -> usize {
    WithMargin(Term::stderr()).width().into()
}

/// Ends the progress line, if there is one, so that further output begins on a new line. Called
/// immediately before the process ends.
pub(crate) fn leave_progress() {
    if IS_DRAWN.load(Ordering::SeqCst) {
        print_error("");
    }
}

/// A terminal that reports a smaller width than it has. A progress line is padded with spaces to
/// the reported width. If the terminal echoes `^C` after these spaces, `^C` is still in the same
/// line and is cleared with it. Without the margin `^C` would wrap to the next line, and the
/// progress line would remain.
#[derive(Debug)]
struct WithMargin<T>(T);

impl<T: TermLike> TermLike for WithMargin<T> {
    fn width(&self) -> u16 {
        self.0.width().saturating_sub(MARGIN).max(1)
    }

    fn height(&self) -> u16 {
        self.0.height()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        IS_DRAWN.store(false, Ordering::SeqCst);
        self.0.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if !text.is_empty() {
            IS_DRAWN.store(true, Ordering::SeqCst);
        }
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        IS_DRAWN.store(false, Ordering::SeqCst);
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use indicatif::{InMemoryTerm, ProgressBar, ProgressStyle};

    use super::*;

    /// The line that contains the echoed `^C` is cleared, whatever its length.
    #[test]
    fn interrupts_leave_no_progress_line() {
        for columns in [20, 60, 80, 100, 120] {
            for length in [
                1,
                columns - 5,
                columns - 4,
                columns - 3,
                columns,
                3 * columns,
            ] {
                let screen = InMemoryTerm::new(10, columns);
                let term = Box::new(WithMargin(screen.clone()));
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(term));
                bar.set_style(ProgressStyle::with_template("{wide_msg}").unwrap());
                bar.set_message("x".repeat(length.into()));
                bar.tick();
                assert_eq!(screen.contents().lines().count(), 1, "{columns} {length}");
                screen.write_str("^C^C").unwrap();
                bar.finish_and_clear();
                screen.write_line("interrupted").unwrap();
                assert_eq!(screen.contents(), "interrupted", "{columns} {length}");
            }
        }
    }
}
