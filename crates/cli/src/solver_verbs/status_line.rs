//! Status line on the terminal: shows the progress of the search that has run longest.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use command::words::percent_over;
use command::{duration, print_error, progress_bar};
use indicatif::ProgressBar;
use pdb_table::lock;
use session::Event;

/// Duration of a search before the line appears.
const FIRST_AFTER: Duration = Duration::from_millis(500);
/// Interval between updates of the line.
const PERIOD: Duration = Duration::from_millis(250);

/// The status line, shared by all searches. It is hidden unless standard error is a terminal.
pub(crate) struct StatusLine {
    bar: ProgressBar,
    /// Numbers of the running searches, in order of their start. The line shows the first one.
    /// Locked while the line changes and while other output is printed.
    running: Mutex<BTreeSet<u64>>,
}

impl StatusLine {
    /// The line is visible only if `is_wanted` is true and standard error is a terminal.
    pub(crate) fn new(is_wanted: bool) -> Self {
        StatusLine {
            bar: progress_bar("", "{wide_msg}", !is_wanted),
            running: Mutex::default(),
        }
    }

    /// Prints above the status line. The next update redraws the line.
    pub(crate) fn print(&self, print: impl FnOnce()) {
        let _running = lock(&self.running);
        self.bar.finish_and_clear();
        print();
    }

    /// Prints an error above the line.
    pub(crate) fn print_error(&self, line: impl Display) {
        self.print(|| print_error(format_args!("solver: {line}")));
    }

    /// Registers a search. `name` identifies the search's board if there are several boards.
    pub(crate) fn watch(self: &Arc<Self>, name: Option<String>) -> Watch {
        let mut running = lock(&self.running);
        let number = running.last().map_or(0, |last| last + 1);
        running.insert(number);
        let begun = Instant::now();
        Watch {
            screen: Arc::clone(self),
            number,
            name,
            begun,
            view: Mutex::new(LineState::new(begun)),
        }
    }
}

/// Observer of one call.
pub(crate) struct Watch {
    screen: Arc<StatusLine>,
    /// Number of this search in the status line's set of running searches.
    number: u64,
    name: Option<String>,
    begun: Instant,
    view: Mutex<LineState>,
}

impl Watch {
    /// Shows an event of the call, if the line is visible and an update is due.
    pub(crate) fn show(&self, event: &Event) {
        if self.screen.bar.is_hidden() {
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
            Event::Tables { progress } => {
                view.next = now + PERIOD;
                let (number, tables) = (progress.table + 1, progress.tables);
                let percent = 100.0 * progress.done;
                return self.draw(&format!(
                    "building table {number} of {tables}, {percent:.0} %"
                ));
            }
            event => view.observe(event, now),
        }
        if now >= self.begun + FIRST_AFTER {
            view.next = now + PERIOD;
            self.draw(&view.line(now - self.begun));
        }
    }

    /// Draws the status line if it shows this call.
    fn draw(&self, line: &str) {
        let bar = &self.screen.bar;
        if lock(&self.screen.running).first() == Some(&self.number) {
            let name = self.name.as_ref().map(|name| format!("{name}: "));
            bar.set_message(name.unwrap_or_default() + line);
            // After the line was erased, the progress bar counts as finished and would not be
            // drawn.
            if bar.is_finished() {
                bar.reset();
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut running = lock(&self.screen.running);
        if running.first() == Some(&self.number) {
            self.screen.bar.finish_and_clear();
        }
        running.remove(&self.number);
    }
}

/// State of the line when it was last drawn.
struct LineState {
    /// Tables that are better for long searches.
    better: Option<&'static str>,
    /// In an anytime search: length of the best solution so far, and the proved bound.
    best: Option<(u32, u32)>,
    /// The fields of the last [`Event::Progress`].
    bound: u32,
    nodes: u64,
    longest: Option<u32>,
    left: Option<u64>,
    /// Time of the next update.
    next: Instant,
    /// Time of the last progress, and its number of nodes.
    seen: (Instant, u64),
    /// Nodes per second, smoothed.
    rate: f64,
}

impl LineState {
    fn new(now: Instant) -> Self {
        LineState {
            better: None,
            best: None,
            bound: 0,
            nodes: 0,
            longest: None,
            left: None,
            next: now + FIRST_AFTER,
            seen: (now, 0),
            rate: 0.0,
        }
    }

    /// Updates the state and the rate from the search's progress.
    fn observe(&mut self, event: &Event, now: Instant) {
        let Event::Progress {
            bound,
            nodes,
            longest,
            left,
            ..
        } = *event
        else {
            return;
        };
        let (seen, before) = std::mem::replace(&mut self.seen, (now, nodes));
        // An anytime search alternates between searches, each of which may count its nodes from
        // zero.
        let least = self.best.map_or(0, |_| self.nodes);
        self.nodes = nodes.max(least);
        (self.bound, self.left) = (bound, left);
        // A new phase of the search counts its nodes from zero.
        if std::mem::replace(&mut self.longest, longest) != longest {
            return;
        }
        let seconds = now.duration_since(seen).as_secs_f64().max(1e-3);
        let rate = nodes.saturating_sub(before) as f64 / seconds;
        // Moving average. It mainly reflects the last second, because the rate changes with the
        // number of threads.
        self.rate = match self.rate > 0.0 {
            true => 0.7 * self.rate + 0.3 * rate,
            false => rate,
        };
    }

    fn line(&self, elapsed: Duration) -> String {
        let aim = match (self.longest, self.best) {
            (Some(longest), _) => format!("all solutions of up to {longest} moves"),
            (None, Some((length, proved))) => best(length, proved.max(self.bound), elapsed),
            (None, None) => format!("bound {}", self.bound),
        };
        if self.best.is_some() && self.nodes == 0 {
            return aim;
        }
        let (nodes, rate) = (large(self.nodes as f64), large(self.rate));
        let mut line = format!("{aim}, {nodes} nodes, {rate}/s");
        if self.best.is_some() {
            return line;
        }
        let left = self.left.filter(|_| self.rate > 0.0);
        let seconds = left.map(|nodes| nodes as f64 / self.rate);
        // A forecast below a second is not informative.
        if let Some(seconds) = seconds.filter(|&seconds| seconds >= 1.0) {
            let left = duration(seconds);
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
    let (share, elapsed) = (share.unwrap_or_default(), duration(elapsed.as_secs_f64()));
    format!("{length} moves, {share}bound {bound}, {elapsed}")
}

/// Formats a number of nodes with about three digits.
fn large(number: f64) -> String {
    match number {
        0.0..1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.2} G", number / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(bound: u32, nodes: u64, longest: Option<u32>, left: Option<u64>) -> Event {
        Event::Progress {
            bound,
            nodes,
            ms: 0.0,
            longest,
            left,
        }
    }

    /// The line at 12 s after progress that does not change the rate.
    fn line_of(view: &mut LineState, event: &Event) -> String {
        let (rate, now) = (view.rate, view.seen.0 + PERIOD);
        view.observe(event, now);
        view.rate = rate;
        view.line(Duration::from_secs(12))
    }

    #[test]
    fn the_line_shows_bound_nodes_rate_and_time_left() {
        let view = &mut LineState::new(Instant::now());
        let half = view.seen.0 + Duration::from_millis(500);
        view.observe(&progress(78, 20_000_000, None, None), half);
        assert_eq!(view.rate, 40e6);
        for (event, line) in [
            (
                progress(78, 140_000_000, None, Some(480_000_000)),
                "bound 78, 140.0 M nodes, 40.0 M/s, next bound in about 12 s",
            ),
            (
                progress(54, 300_000, None, Some(1_000_000)),
                "bound 54, 0.3 M nodes, 40.0 M/s",
            ),
            (
                progress(55, 3_000_000_000, Some(57), None),
                "all solutions of up to 57 moves, 3.00 G nodes, 40.0 M/s",
            ),
        ] {
            assert_eq!(line_of(view, &event), line);
        }
    }

    #[test]
    fn the_line_of_an_anytime_search_shows_the_best_solution() {
        let view = &mut LineState::new(Instant::now());
        view.rate = 40e6;
        view.best = Some((103, 95));
        // If the search has not reported a bound, the line shows the bound that was proved when the
        // solution was found.
        assert_eq!(
            line_of(view, &progress(0, 0, None, None)),
            "103 moves, 8.4 % over bound 95, 12 s"
        );
        let line = "103 moves, 6.2 % over bound 97, 12 s, 140.0 M nodes, 40.0 M/s";
        assert_eq!(line_of(view, &progress(97, 140_000_000, None, None)), line);
        assert_eq!(line_of(view, &progress(97, 9, None, None)), line);
    }

    #[test]
    fn the_rate_follows_the_last_second() {
        let mut view = LineState::new(Instant::now());
        let (start, mut nodes) = view.seen;
        for quarter in 1..=40 {
            nodes += 250_000 * if quarter <= 20 { 10 } else { 20 };
            let now = start + Duration::from_millis(250) * quarter;
            view.observe(&progress(50, nodes, None, None), now);
        }
        assert!((19.9e6..20.1e6).contains(&view.rate), "{}", view.rate);
    }
}
