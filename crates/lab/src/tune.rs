//! Finds good partitions by measurement.
//!
//! 1. Each pattern's table is built once, measured and dropped (`measurements`). Two results are
//!    kept: the exact mean of its values over all states, and its values on a sample of states. In
//!    the exact mean, each entry is weighted by the number of cells of its region. The mean of a
//!    partition is the sum of the means of its parts.
//! 2. Partitions are ranked by their mean value over the sample (`sample`). The value of a state is
//!    the maximum over the views. If there are too many patterns to build, partitions are first
//!    screened by lower bounds that are computed from smaller patterns (`local_search`).
//! 3. Boards are searched with the best partitions. The nodes that IDA* generates are counted for
//!    all orders of the blank's moves at once (`race`).
//!
//! [`TuneOptions`] set the goal and the limits of memory and time. A [`TuneReport`] contains the
//! best sets of partitions and their measurements. [`Candidate::pictures`] writes a set in the
//! format that a heuristic specification reads.
//!
//! ```
//! use lab::tune::{Control, TuneOptions, tune};
//! use puzzle::{Direction, Goal, Scrambler};
//!
//! let goal = Goal::blank_last("3x3".parse()?);
//! let mut options = TuneOptions::new(goal.tray(), goal.blank(), vec![4, 4]);
//! let mut scrambler = Scrambler::new(2);
//! options.searched = (0..4).map(|_| scrambler.draw(goal.tray(), goal.blank())).collect();
//! options.finalists = 1;
//! let report = tune(&options, &Control::default())?;
//! let best = &report.candidates[0];
//! let (order, nodes) = best.nodes[0];
//! let letters: String = order.map(Direction::letter).iter().collect();
//! println!("{}{nodes} nodes in the order {letters}", best.pictures(goal.tray(), goal.blank())[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::time::{Duration, Instant};

pub use pdb_table::{Cancel, Control};

mod local_search;
mod measurements;
mod partitions;
mod race;
mod report;
mod sample;
mod tuning;

pub use report::{Candidate, Stage, TuneError, TuneEvent, TuneOptions, TuneReport};

use measurements::Measurements;
use partitions::Parts;
use sample::Sample;
use tuning::{TuneControl, Tuning};

/// Ranks partitions of a tray's tiles. The same options give the same result on every machine and
/// with any number of threads, unless the time limit ends the work early.
///
/// # Errors
/// [`TuneError`]: the errors of [`TuneOptions::check`], or [`TuneError::Cancelled`] soon after the
/// control was cancelled.
///
/// ```
/// use lab::tune::{Control, TuneOptions, tune};
/// use puzzle::Cell;
/// let mut options = TuneOptions::new("3x2".parse()?, Cell::new(0), vec![3, 2]);
/// options.finalists = 3;
/// let report = tune(&options, &Control::default())?;
/// assert!(report.is_exhaustive && report.candidates.len() == 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tune(options: &TuneOptions, control: &Control<TuneEvent>) -> Result<TuneReport, TuneError> {
    let start = options.max_time.map(|_| Instant::now());
    let clock = || start.map_or(Duration::ZERO, |start| start.elapsed());
    tune_by(options, control, &clock)
}

/// [`tune`] with a clock that returns the time since the start.
fn tune_by(
    options: &TuneOptions,
    control: &Control<TuneEvent>,
    clock: &(dyn Fn() -> Duration + Sync),
) -> Result<TuneReport, TuneError> {
    options.check()?;
    let control = &TuneControl {
        caller: control,
        max_time: options.max_time,
        clock,
    };
    let mut sizes = options.sizes.clone();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let (tray, goal_blank) = (options.tray, options.goal_blank);
    let sample = Sample::draw(tray, goal_blank, options.seed, options.states);
    let mut tuning = Tuning {
        options,
        sizes,
        symmetries: options.symmetries(),
        measurements: Measurements::new(&sample, options.kind, options.max_memory, control),
        control,
        compared: 0,
        is_cut: false,
    };
    let canonical = |set: &Vec<Parts>| -> Vec<Parts> {
        let mut set: Vec<Parts> = set.iter().map(|parts| tuning.canonical(parts)).collect();
        set.sort_unstable();
        set
    };
    let mut known: Vec<Vec<Parts>> = options.known.iter().map(canonical).collect();
    known.sort_unstable();
    known.dedup();
    let (mut sets, is_exhaustive) = match options.finalists {
        0 => (Vec::new(), false),
        _ => tuning.best_sets()?,
    };
    for set in &known {
        let patterns = tuning.views(set).concat();
        tuning.measurements.measure(&patterns, Stage::Measure)?;
        sets.retain(|other| other != set);
    }
    if options.searched.is_empty() {
        sets.truncate(options.finalists);
    }
    let sets = sets.into_iter().map(|set| tuning.candidate(set, false));
    let known = known.into_iter().map(|set| tuning.candidate(set, true));
    let mut candidates: Vec<Candidate> = sets.chain(known).collect();
    candidates.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    let mut searched = 0;
    if !options.searched.is_empty() {
        (candidates, searched) = tuning.race(candidates)?;
    }
    Ok(TuneReport {
        candidates,
        compared: tuning.compared,
        is_exhaustive,
        tables: tuning.measurements.tables,
        searched,
        is_cut: tuning.is_cut,
    })
}

/// Time limits of a tuning, with a simulated clock.
#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use puzzle::{Cell, Scrambler, Tray};

    use super::*;

    /// Tunes with a clock that exceeds the limit after this number of searches. Also returns the number
    /// of candidates in the first round.
    fn tune_late(options: &TuneOptions, searches: u32) -> (TuneReport, u32) {
        let searched = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
        let counters = Arc::clone(&searched);
        let control = Control::listening(move |event: &TuneEvent| {
            let [count, first] = &*counters;
            if event.stage == Stage::Search && count.fetch_add(1, Ordering::Relaxed) == 0 {
                first.store(event.total as u32, Ordering::Relaxed);
            }
        });
        let clock = || match searched[0].load(Ordering::Relaxed) >= searches {
            true => Duration::from_secs(60),
            false => Duration::ZERO,
        };
        let report = tune_by(options, &control, &clock).unwrap();
        (report, searched[1].load(Ordering::Relaxed))
    }

    #[test]
    fn the_time_ends_the_search() {
        let tray = Tray::new(3, 3).unwrap();
        let mut options = TuneOptions::new(tray, Cell::new(8), vec![5, 3]);
        options.seed = 5;
        options.states = 500;
        options.finalists = 2;
        options.max_time = Some(Duration::from_secs(60));
        let mut scrambler = Scrambler::new(9);
        let draw = |_| scrambler.draw(tray, Cell::new(8));
        options.searched = (0..8).map(draw).collect();
        let late = |searches| tune_late(&options, searches);
        // The time limit is exceeded after the first candidate of the first round. The first round uses
        // a quarter of the boards.
        let (one, racers) = late(1);
        assert!(one.is_cut && one.candidates[0].nodes.len() == 24);
        assert_eq!((one.searched, one.candidates.len()), (2, 2));
        assert!(one.candidates[1].nodes.is_empty(), "ranked by its mean");
        // In `first`, the time limit is exceeded after the first round. In `second`, it is exceeded
        // during the second round, and the results of this round are ignored.
        let first = late(racers);
        let second = late(racers + 1);
        assert!(first.0.is_cut && first == second);
        assert_eq!((first.0.searched, first.0.candidates.len()), (2, 2));
        assert!(!late(100).0.is_cut);
    }
}
