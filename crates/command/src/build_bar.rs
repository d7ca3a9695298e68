//! The progress line of a build or a check.

use std::sync::Arc;
use std::time::Instant;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use pdb_gen::BuildEvent;
use pdb_table::Control;

use crate::interrupt::cancel;
use crate::output::print_error;
use crate::terminal::{progress_target, progress_width};

/// A progress bar with a title, on standard error. It is hidden if `quiet` is set or standard error
/// is not a terminal.
#[must_use]
pub fn progress_bar(title: &str, template: &str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(1), progress_target(!quiet));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(title.to_owned());
    bar
}

/// A progress line on standard error. It is hidden if standard error is not a terminal.
#[derive(Clone, Debug)]
pub struct BuildBar {
    bar: ProgressBar,
    quiet: bool,
    start: Instant,
}

impl BuildBar {
    /// A line with a title; hidden if `quiet`.
    #[must_use]
    pub fn new(title: &str, quiet: bool) -> Self {
        let (bar, start) = (progress_bar(title, "{wide_msg}", quiet), Instant::now());
        BuildBar { bar, quiet, start }
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
    pub fn show(&self, event: &BuildEvent) {
        let line = match event {
            BuildEvent::Level(_) if self.bar.is_hidden() => return,
            BuildEvent::Level(report) => {
                let (level, counts) = (report.level, [report.new, report.found, report.entries]);
                let seconds = self.start.elapsed().as_secs_f64();
                let line = line(&self.bar.prefix(), level, counts, seconds, progress_width());
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

/// Width of the bar, in columns.
const BAR: usize = 16;

/// The progress line of a build, at most `width` columns long: title, completed share and remaining
/// time, and other pieces if they fit. The choice of pieces depends only on the width, the title
/// and the number of entries, so it does not change during a build. `level`, `new`, `found` and
/// `entries` are the fields of [`LevelReport`](pdb_gen::LevelReport).
fn line(
    title: &str,
    level: u8,
    [new, found, entries]: [u64; 3],
    seconds: f64,
    width: usize,
) -> String {
    let share = found as f64 / entries.max(1) as f64;
    let digits = HumanCount(entries).to_string().len();

    let full = (share.clamp(0.0, 1.0) * BAR as f64) as usize;
    let bar = format!(" {}{}", "█".repeat(full), "░".repeat(BAR - full));
    let counts = format!(" {} of {} entries", HumanCount(found), HumanCount(entries));
    let rate = format!(", {:.1} M/s", found as f64 / 1e6 / seconds.max(1e-3));
    // The first levels have too few entries for an estimate of the remaining time.
    let left = match seconds * (1.0 - share) / share {
        _ if share < 0.02 => ", - s left".to_owned(),
        left if left >= 1e5 => format!(", {:.0} h left", left / 3600.0),
        left => format!(", {left:.0} s left"),
    };
    let (at, new) = match level {
        0 => (String::new(), format!(", {} checked", HumanCount(new))),
        level => (
            format!(", level {level}"),
            format!(": {} new", HumanCount(new)),
        ),
    };
    // Pieces in the order of the line. For each piece: its maximum width in columns, and its
    // priority (lowest number first).
    let pieces = [
        (bar, 1 + BAR, 1),
        (format!(" {:>3.0}%", 100.0 * share), 5, 0),
        (counts, 13 + 2 * digits, 4),
        (rate, 12, 2),
        (left, 14, 0),
        (at, 11, 3),
        (new, 10 + digits, 5),
    ];
    let room = |rank: u8| {
        let taken = pieces.iter().filter(|piece| piece.2 <= rank);
        width.checked_sub(taken.map(|piece| piece.1).sum())
    };
    let for_title = room(0).unwrap_or(0);
    let mut line = title.to_owned();
    if title.chars().count() > for_title {
        line = title.chars().take(for_title.saturating_sub(1)).collect();
        line.push('…');
    }
    let length = line.chars().count();
    for (text, _, rank) in &pieces {
        if *rank == 0 || room(*rank).is_some_and(|room| length <= room) {
            line += text;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: &str = "4x4-zero-aware-0.1.2.3.4.5.6.7-blank8";

    fn at(level: u8, new: u64, found: u64, width: usize) -> String {
        line(TITLE, level, [new, found, 1_425_191_040], 4.0, width)
    }

    #[test]
    fn a_line_shows_the_pieces_that_fit() {
        let at = |width| at(33, 119_000_000, 700_000_000, width);
        assert_eq!(at(56), format!("{TITLE}  49%, 4 s left"));
        let bar = "███████░░░░░░░░░";
        assert_eq!(at(76), format!("{TITLE} {bar}  49%, 4 s left"));
        assert_eq!(
            at(96),
            format!("{TITLE} {bar}  49%, 175.0 M/s, 4 s left, level 33")
        );
        assert_eq!(
            at(200),
            format!(
                "{TITLE} {bar}  49% 700,000,000 of 1,425,191,040 entries, 175.0 M/s, 4 s left, \
                 level 33: 119,000,000 new"
            )
        );
        assert_eq!(at(40), "4x4-zero-aware-0.1.2…  49%, 4 s left");
    }

    #[test]
    fn lines_fit_their_width_and_keep_their_pieces() {
        for width in 25..220 {
            let mut counts = Vec::new();
            for (level, found) in [(1, 5), (33, 700_000_000), (73, 1_425_191_040)] {
                let line = at(level, found, found, width);
                assert!(line.chars().count() <= width, "{width}: {line}");
                let words = ["entries", "M/s", "left", "level", "new", "%"];
                counts.push(words.map(|word| line.contains(word)));
            }
            assert!(counts.iter().all(|has| *has == counts[0]), "{width}");
        }
    }

    #[test]
    fn checks_have_no_levels() {
        let line = at(0, 700_000_000, 700_000_000, 200);
        assert!(line.ends_with(" left, 700,000,000 checked"), "{line}");
    }
}
