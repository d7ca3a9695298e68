//! Progress lines on a terminal. They leave room for the `^C` that the terminal echoes.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use console::Term;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use pdb_gen::BuildEvent;
use pdb_table::Control;

use crate::interrupt::cancel;
use crate::output::print_error;

/// Columns left free at the right, enough for `^C` twice.
const MARGIN: u16 = 4;
/// Maximum number of redraws of a progress line per second.
const DRAWINGS: u8 = 20;

/// Whether the last line of standard error is a progress line.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// A progress bar with a title, on standard error. It is hidden if `quiet` is set or standard error
/// is not a terminal.
#[must_use]
pub fn progress_bar(title: &str, template: &str, quiet: bool) -> ProgressBar {
    let target = match quiet || !io::stderr().is_terminal() {
        true => ProgressDrawTarget::hidden(),
        false => {
            let term = WithMargin(Term::buffered_stderr());
            ProgressDrawTarget::term_like_with_hz(Box::new(term), DRAWINGS)
        }
    };
    let bar = ProgressBar::with_draw_target(Some(1), target).with_prefix(title.to_owned());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The progress line of a build or a check on standard error. It is hidden if standard error is not
/// a terminal.
#[derive(Clone, Debug)]
pub struct BuildBar {
    bar: ProgressBar,
    quiet: bool,
}

impl BuildBar {
    /// A line with a title; hidden if `quiet`.
    #[must_use]
    pub fn new(title: &str, quiet: bool) -> Self {
        let bar = progress_bar(title, "{bar:16} {wide_msg}", quiet);
        BuildBar { bar, quiet }
    }

    /// A [`Control`] for a build or a check: its events update this line, and Ctrl-C cancels the
    /// build or check.
    #[must_use]
    pub fn control(&self) -> Control<BuildEvent> {
        let bar = self.clone();
        let listener = move |event: &BuildEvent| bar.show(event);
        Control::new(cancel(), Some(Arc::new(listener)))
    }

    /// Updates the line, or prints a message.
    fn show(&self, event: &BuildEvent) {
        let line = match event {
            BuildEvent::Level(_) if self.bar.is_hidden() => return,
            BuildEvent::Level(own) => {
                let counts = [own.new, own.found, own.entries];
                let (title, seconds) = (self.bar.prefix(), self.bar.elapsed().as_secs_f64());
                let line = build_line(&title, own.level, counts, seconds);
                self.bar.set_length(own.entries);
                self.bar.set_position(own.found);
                return self.bar.set_message(line);
            }
            BuildEvent::Note(line) => line.clone(),
            BuildEvent::CheckpointIgnored(path) => format!(
                "starting again without --resume: {} will be replaced",
                path.display()
            ),
            _ => return,
        };
        if !self.quiet {
            let print = || print_error(format_args!("pdb-gen: {line}"));
            self.bar.suspend(print);
        }
    }

    /// Removes the line.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The text beside the bar of a build. The terminal cuts off its end, so the most important figures
/// are first. `level`, `new`, `found` and `entries` are the fields of
/// [`LevelReport`](pdb_gen::LevelReport).
fn build_line(title: &str, level: u8, [new, found, entries]: [u64; 3], seconds: f64) -> String {
    let share = found as f64 / entries.max(1) as f64;
    // The first levels have too few entries for an estimate of the remaining time.
    let left = match share < 0.02 {
        true => "- s".to_owned(),
        false => duration(seconds * (1.0 - share) / share),
    };
    let (percent, rate) = (100.0 * share, found as f64 / 1e6 / seconds.max(1e-3));
    let new = HumanCount(new);
    let level = match level {
        0 => format!("{new} checked"),
        level => format!("level {level}: {new} new"),
    };
    let (found, entries) = (HumanCount(found), HumanCount(entries));
    format!(
        "{percent:3.0}%, {left} left: {title}, {rate:.1} M/s, {level}, {found} of {entries} entries"
    )
}

/// Formats a duration with two to four digits.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        0.0..120.0 => format!("{seconds:.0} s"),
        0.0..7200.0 => format!("{:.0} min", seconds / 60.0),
        0.0..172_800.0 => format!("{:.0} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
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
    use indicatif::InMemoryTerm;

    use super::*;

    #[test]
    fn build_lines_begin_with_share_and_time_left() {
        let at = |level, found| build_line("4x4", level, [119, found, 1_425_191_040], 400.0);
        let end = "1.8 M/s, level 33: 119 new, 700,000,000 of 1,425,191,040 entries";
        assert_eq!(at(33, 700_000_000), format!(" 49%, 7 min left: 4x4, {end}"));
        assert!(at(1, 5).starts_with("  0%, - s left: 4x4, 0.0 M/s, level 1: 119 new, 5 of"));
        let checked = ", 119 checked, 1,425,191,040 of 1,425,191,040 entries";
        assert!(at(0, 1_425_191_040).ends_with(checked));
    }

    #[test]
    fn durations_have_readable_units() {
        let words = [0.4, 119.0, 600.0, 36_000.0, 1e9].map(duration);
        assert_eq!(words, ["0 s", "119 s", "10 min", "10 h", "11574 days"]);
    }

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
