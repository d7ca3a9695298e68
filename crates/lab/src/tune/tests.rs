//! Time limits of a tuning, with a simulated clock.

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
