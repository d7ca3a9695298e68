//! Status line on the terminal: shows the progress of the search that has run longest.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use command::words::percent_over;
use command::{print_error, progress_bar};
use indicatif::ProgressBar;
use solver::{Improvement, Progress, SearchStatus, SolveOptions};

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

/// Observer of one search.
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
    /// Maximum length of the requested solutions, in a search for all solutions.
    longest: Option<u32>,
    /// In an anytime search: length of the best solution so far, and the proved bound.
    best: Option<(u32, u32)>,
    /// Last status of the search.
    status: SearchStatus,
    /// Time of the next update.
    next: Instant,
    /// Time of the last observation, and the number of nodes at that time.
    seen: (Instant, u64),
    /// Nodes per second, smoothed.
    rate: f64,
}

impl Watch {
    /// Adds this observer to the options of a search.
    pub(crate) fn listen(self: &Arc<Self>, options: SolveOptions) -> SolveOptions {
        let watch = Arc::clone(self);
        let mut options = options.improved(move |found: &Improvement| watch.improve(found));
        options.progress = Some(Arc::clone(self) as _);
        options
    }

    /// Stores a better solution, and redraws the line if it is visible.
    fn improve(&self, improvement: &Improvement) {
        let now = Instant::now();
        let mut view = lock(&self.view);
        let solution = &improvement.solution;
        view.best = Some((solution.length, solution.lower_bound));
        if now >= self.begun + FIRST_AFTER {
            self.draw(&view, now);
        }
    }

    /// Draws the status line if it shows this search.
    fn draw(&self, view: &LineState, now: Instant) {
        let (Some(bar), Some(number)) = (&self.screen.bar, self.number) else {
            return;
        };
        let searches = lock(&self.screen.searches);
        if searches.running.first() == Some(&number) {
            let name = self.name.as_ref().map(|name| format!("{name}: "));
            bar.set_message(name.unwrap_or_default() + &view.line(now - self.begun));
            // After the line was erased, the progress bar counts as finished and would not be
            // drawn.
            if bar.is_finished() {
                bar.reset();
            }
        }
    }
}

/// Draws the line if an update is due.
impl Progress<SearchStatus> for Watch {
    fn report(&self, status: &SearchStatus) {
        let now = Instant::now();
        let mut view = lock(&self.view);
        if self.number.is_none() || now < view.next {
            return;
        }
        view.next = now + PERIOD;
        if view.longest == status.longest {
            view.look(status.generated, now);
        } else {
            // A new phase of the search counts its nodes from zero.
            (view.longest, view.seen) = (status.longest, (now, status.generated));
        }
        let before = view.status.generated;
        view.status = *status;
        if view.best.is_some() {
            // An anytime search alternates between searches, each of which may count its nodes from
            // zero.
            view.status.generated = status.generated.max(before);
        }
        self.draw(&view, now);
    }
}

impl LineState {
    fn new(now: Instant) -> Self {
        LineState {
            longest: None,
            best: None,
            status: SearchStatus::default(),
            next: now + FIRST_AFTER,
            seen: (now, 0),
            rate: 0.0,
        }
    }

    /// Updates the rate from the search's progress.
    fn look(&mut self, generated: u64, now: Instant) {
        let (before, nodes) = std::mem::replace(&mut self.seen, (now, generated));
        let seconds = now.duration_since(before).as_secs_f64().max(1e-3);
        let rate = generated.saturating_sub(nodes) as f64 / seconds;
        // Moving average. It mainly reflects the last second, because the rate changes with the
        // number of threads.
        self.rate = match self.rate > 0.0 {
            true => 0.7 * self.rate + 0.3 * rate,
            false => rate,
        };
    }

    fn line(&self, elapsed: Duration) -> String {
        let status = &self.status;
        let aim = match (status.longest, self.best) {
            (Some(longest), _) => format!("all solutions of up to {longest} moves"),
            (None, Some((length, proved))) => best(length, proved.max(status.bound), elapsed),
            (None, None) => format!("bound {}", status.bound),
        };
        if self.best.is_some() && status.generated == 0 {
            return aim;
        }
        let (nodes, rate) = (large(status.generated as f64), large(self.rate));
        let mut line = format!("{aim}, {nodes} nodes, {rate}/s");
        if self.best.is_some() {
            return line;
        }
        let expected = status.expected().filter(|_| self.rate > 0.0);
        let left = expected.and_then(|nodes| nodes.checked_sub(status.in_iteration));
        let seconds = left.map(|nodes| nodes as f64 / self.rate);
        // A forecast below a second is not informative.
        if let Some(seconds) = seconds.filter(|&seconds| seconds >= 1.0) {
            let left = time(seconds);
            line.push_str(&format!(", next bound in about {left}"));
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

/// Locks a mutex, even if another thread panicked while it held the lock. Each change of the state
/// is one step, so the state is always complete.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(bound: u32, in_iteration: u64, last: [u64; 2]) -> SearchStatus {
        SearchStatus {
            bound,
            generated: in_iteration + last[0] + last[1],
            in_iteration,
            last,
            threads: 1,
            longest: None,
        }
    }

    fn view() -> LineState {
        LineState::new(Instant::now())
    }

    fn line_of(view: &mut LineState, status: SearchStatus) -> String {
        view.status = status;
        view.line(Duration::from_secs(12))
    }

    #[test]
    fn the_line_shows_bound_nodes_rate_and_time_left() {
        let view = &mut view();
        let (start, _) = view.seen;
        view.look(20_000_000, start + Duration::from_millis(500));
        assert_eq!(view.rate, 40e6);
        let line = line_of(view, status(78, 20_000_000, [100_000_000, 20_000_000]));
        assert_eq!(
            line,
            "bound 78, 140.0 M nodes, 40.0 M/s, next bound in about 12 s"
        );
        // The line shows no forecast in the first two iterations and after a wrong forecast.
        let line = line_of(view, status(54, 300_000, [100_000, 0]));
        assert_eq!(line, "bound 54, 0.4 M nodes, 40.0 M/s");
        let line = line_of(view, status(78, 600_000_000, [100_000_000, 20_000_000]));
        assert_eq!(line, "bound 78, 720.0 M nodes, 40.0 M/s");
        let all = SearchStatus {
            longest: Some(57),
            ..status(55, 3_000_000_000, [0, 0])
        };
        let line = line_of(view, all);
        assert_eq!(
            line,
            "all solutions of up to 57 moves, 3.00 G nodes, 40.0 M/s"
        );
    }

    #[test]
    fn the_line_of_an_anytime_search_shows_the_best_solution() {
        let view = &mut view();
        let (start, _) = view.seen;
        view.look(20_000_000, start + Duration::from_millis(500));
        view.best = Some((103, 95));
        assert_eq!(
            line_of(view, status(97, 20_000_000, [100_000_000, 20_000_000])),
            "103 moves, 6.2 % over bound 97, 12 s, 140.0 M nodes, 40.0 M/s"
        );
        // If the search has not reported a bound, the line shows the bound that was proved when the
        // solution was found.
        assert_eq!(
            line_of(view, status(0, 0, [0, 0])),
            "103 moves, 8.4 % over bound 95, 12 s"
        );
    }

    #[test]
    fn the_rate_follows_the_last_second() {
        let mut view = view();
        let (start, _) = view.seen;
        for quarter in 1..=40 {
            let rate = if quarter <= 20 { 10 } else { 20 };
            let nodes = view.seen.1 + rate * 250_000;
            view.look(nodes, start + Duration::from_millis(250) * quarter);
        }
        assert!((19.9e6..20.1e6).contains(&view.rate), "{}", view.rate);
    }

    #[test]
    fn durations_have_readable_units() {
        let words = [0.4, 119.0, 600.0, 36_000.0, 1e9].map(time);
        assert_eq!(words, ["0 s", "119 s", "10 min", "10 h", "11574 days"]);
    }
}
