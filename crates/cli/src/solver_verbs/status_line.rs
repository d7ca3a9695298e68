//! Status line on the terminal: shows the progress of the search that has run longest.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use command::words::percent_over;
use command::{print_error, progress_bar};
use indicatif::ProgressBar;
use pdb_table::lock;
use session::Event;

/// Duration of a search before the line appears.
const FIRST_AFTER: Duration = Duration::from_millis(500);
/// Interval between updates of the line.
const PERIOD: Duration = Duration::from_millis(250);

/// The status line, shared by all searches.
pub(crate) struct StatusLine {
    /// `None` if standard error is not a terminal, or if the line is switched off.
    bar: Option<ProgressBar>,
    /// Locked while the line changes and while other output is printed.
    searches: Mutex<Searches>,
}

/// Running searches in order of their start. The status line shows the first one.
#[derive(Default)]
struct Searches {
    begun: u64,
    running: BTreeSet<u64>,
}

impl StatusLine {
    /// The line is visible only if `is_wanted` is true and standard error is a terminal.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let bar = progress_bar("", "{wide_msg}", !is_wanted);
        StatusLine {
            bar: (!bar.is_hidden()).then_some(bar),
            searches: Mutex::default(),
        }
    }

    /// Prints above the status line. The next update redraws the line.
    pub(crate) fn print(&self, print: impl FnOnce()) {
        let _searches = lock(&self.searches);
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        print();
    }

    /// Prints an error above the line.
    pub(crate) fn print_error(&self, line: impl Display) {
        self.print(|| print_error(format_args!("solver: {line}")));
    }

    /// Registers a search. `name` identifies the search's board if there are several boards.
    pub(crate) fn watch(self: &Arc<Self>, name: Option<String>) -> Watch {
        let number = self.bar.as_ref().map(|_| {
            let mut searches = lock(&self.searches);
            searches.begun += 1;
            let number = searches.begun;
            searches.running.insert(number);
            number
        });
        let now = Instant::now();
        Watch {
            screen: Arc::clone(self),
            number,
            name,
            begun: now,
            view: Mutex::new(LineState::new(now)),
        }
    }
}

/// Observer of one call.
pub(crate) struct Watch {
    screen: Arc<StatusLine>,
    /// Number of this search in the status line's set of running searches.
    number: Option<u64>,
    name: Option<String>,
    begun: Instant,
    view: Mutex<LineState>,
}

/// State of the line when it was last drawn.
struct LineState {
    /// Tables that are better for long searches.
    better: Option<&'static str>,
    /// In an anytime search: length of the best solution so far, and the proved bound.
    best: Option<(u32, u32)>,
    /// Last progress of the search.
    now: SearchProgress,
    /// Time of the next update.
    next: Instant,
    /// Time of the last observation, and the number of nodes at that time.
    seen: (Instant, u64),
    /// Nodes per second, smoothed.
    rate: f64,
}

/// The fields of [`Event::Progress`].
#[derive(Clone, Copy, Default)]
struct SearchProgress {
    bound: u32,
    nodes: u64,
    longest: Option<u32>,
    left: Option<u64>,
}

impl Watch {
    /// Shows an event of the call, if the line is visible and an update is due.
    pub(crate) fn show(&self, event: &Event) {
        if self.number.is_none() {
            return;
        }
        let now = Instant::now();
        let mut view = lock(&self.view);
        match event {
            Event::Opened { partition, .. } => view.better = solver::better_tables(partition),
            Event::Improved { report } => {
                view.best = Some((report.length.unwrap_or(0), report.bound.unwrap_or(0)));
            }
            _ if now < view.next => return,
            Event::Progress {
                bound,
                nodes,
                longest,
                left,
                ..
            } => view.observe(
                SearchProgress {
                    bound: *bound,
                    nodes: *nodes,
                    longest: *longest,
                    left: *left,
                },
                now,
            ),
            Event::Tables { progress } => {
                view.next = now + PERIOD;
                let (number, tables) = (progress.table + 1, progress.tables);
                let percent = 100.0 * progress.done;
                self.draw(format!(
                    "building table {number} of {tables}, {percent:.0} %"
                ));
                return;
            }
            _ => return,
        }
        if now >= self.begun + FIRST_AFTER {
            view.next = now + PERIOD;
            self.draw(view.line(now - self.begun));
        }
    }

    /// Draws the status line if it shows this call.
    fn draw(&self, line: String) {
        let (Some(bar), Some(number)) = (&self.screen.bar, self.number) else {
            return;
        };
        let searches = lock(&self.screen.searches);
        if searches.running.first() == Some(&number) {
            let name = self.name.as_ref().map(|name| format!("{name}: "));
            bar.set_message(name.unwrap_or_default() + &line);
            // After the line was erased, the progress bar counts as finished and would not be
            // drawn.
            if bar.is_finished() {
                bar.reset();
            }
        }
    }
}

impl LineState {
    fn new(now: Instant) -> Self {
        LineState {
            better: None,
            best: None,
            now: SearchProgress::default(),
            next: now + FIRST_AFTER,
            seen: (now, 0),
            rate: 0.0,
        }
    }

    /// Updates the state and the rate from the search's progress.
    fn observe(&mut self, progress: SearchProgress, now: Instant) {
        let before = std::mem::replace(&mut self.now, progress);
        let (seen, nodes) = std::mem::replace(&mut self.seen, (now, progress.nodes));
        if self.best.is_some() {
            // An anytime search alternates between searches, each of which may count its nodes from
            // zero.
            self.now.nodes = progress.nodes.max(before.nodes);
        }
        // A new phase of the search counts its nodes from zero.
        if before.longest != progress.longest {
            return;
        }
        let seconds = now.duration_since(seen).as_secs_f64().max(1e-3);
        let rate = progress.nodes.saturating_sub(nodes) as f64 / seconds;
        // Moving average. It mainly reflects the last second, because the rate changes with the
        // number of threads.
        self.rate = match self.rate > 0.0 {
            true => 0.7 * self.rate + 0.3 * rate,
            false => rate,
        };
    }

    fn line(&self, elapsed: Duration) -> String {
        let now = &self.now;
        let aim = match (now.longest, self.best) {
            (Some(longest), _) => format!("all solutions of up to {longest} moves"),
            (None, Some((length, proved))) => best(length, proved.max(now.bound), elapsed),
            (None, None) => format!("bound {}", now.bound),
        };
        if self.best.is_some() && now.nodes == 0 {
            return aim;
        }
        let (nodes, rate) = (large(now.nodes as f64), large(self.rate));
        let mut line = format!("{aim}, {nodes} nodes, {rate}/s");
        if self.best.is_some() {
            return line;
        }
        let left = now.left.filter(|_| self.rate > 0.0);
        let seconds = left.map(|nodes| nodes as f64 / self.rate);
        // A forecast below a second is not informative.
        if let Some(seconds) = seconds.filter(|&seconds| seconds >= 1.0) {
            let left = time(seconds);
            line.push_str(&format!(", next bound in about {left}"));
        }
        if let Some(better) = self.better.filter(|_| elapsed.as_secs() > 0) {
            line.push_str(&format!("; {better}"));
        }
        line
    }
}

/// Length, bound and age of the best solution.
fn best(length: u32, bound: u32, elapsed: Duration) -> String {
    let share = percent_over(length, bound).filter(|_| length > bound);
    let share = share.map(|share| format!("{share} over "));
    let (share, elapsed) = (share.unwrap_or_default(), time(elapsed.as_secs_f64()));
    format!("{length} moves, {share}bound {bound}, {elapsed}")
}

/// Formats a number of nodes with about three digits.
fn large(number: f64) -> String {
    match number {
        0.0..1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.2} G", number / 1e9),
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        0.0..120.0 => format!("{seconds:.0} s"),
        0.0..7200.0 => format!("{:.0} min", seconds / 60.0),
        0.0..172_800.0 => format!("{:.0} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let (Some(bar), Some(number)) = (&self.screen.bar, self.number) else {
            return;
        };
        let mut searches = lock(&self.screen.searches);
        if searches.running.first() == Some(&number) {
            bar.finish_and_clear();
        }
        searches.running.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(view: &mut LineState, now: SearchProgress) -> String {
        view.now = now;
        view.line(Duration::from_secs(12))
    }

    fn progress(bound: u32, nodes: u64, left: Option<u64>) -> SearchProgress {
        SearchProgress {
            bound,
            nodes,
            longest: None,
            left,
        }
    }

    #[test]
    fn the_line_shows_bound_nodes_rate_and_time_left() {
        let view = &mut LineState::new(Instant::now());
        let (start, _) = view.seen;
        let first = progress(78, 20_000_000, None);
        view.observe(first, start + Duration::from_millis(500));
        assert_eq!(view.rate, 40e6);
        assert_eq!(
            line_of(view, progress(78, 140_000_000, Some(480_000_000))),
            "bound 78, 140.0 M nodes, 40.0 M/s, next bound in about 12 s"
        );
        let soon = progress(54, 300_000, Some(1_000_000));
        assert_eq!(line_of(view, soon), "bound 54, 0.3 M nodes, 40.0 M/s");
        let all = SearchProgress {
            longest: Some(57),
            ..progress(55, 3_000_000_000, None)
        };
        let line = line_of(view, all);
        assert_eq!(
            line,
            "all solutions of up to 57 moves, 3.00 G nodes, 40.0 M/s"
        );
    }

    #[test]
    fn the_line_of_an_anytime_search_shows_the_best_solution() {
        let view = &mut LineState::new(Instant::now());
        view.rate = 40e6;
        view.best = Some((103, 95));
        assert_eq!(
            line_of(view, progress(97, 140_000_000, None)),
            "103 moves, 6.2 % over bound 97, 12 s, 140.0 M nodes, 40.0 M/s"
        );
        // If the search has not reported a bound, the line shows the bound that was proved when the
        // solution was found.
        assert_eq!(
            line_of(view, progress(0, 0, None)),
            "103 moves, 8.4 % over bound 95, 12 s"
        );
    }

    #[test]
    fn the_rate_follows_the_last_second() {
        let mut view = LineState::new(Instant::now());
        let (start, mut nodes) = view.seen;
        for quarter in 1..=40 {
            nodes += 250_000 * if quarter <= 20 { 10 } else { 20 };
            let now = start + Duration::from_millis(250) * quarter;
            view.observe(progress(50, nodes, None), now);
        }
        assert!((19.9e6..20.1e6).contains(&view.rate), "{}", view.rate);
    }

    #[test]
    fn durations_have_readable_units() {
        let words = [0.4, 119.0, 600.0, 36_000.0, 1e9].map(time);
        assert_eq!(words, ["0 s", "119 s", "10 min", "10 h", "11574 days"]);
    }
}
