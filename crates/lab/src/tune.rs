//! Finding good partitions by measurement.
//!
//! 1. Every pattern's table is built once, read, and dropped: its exact mean, each entry weighted
//!    by the cells of its region, and its values on a sample of states are kept (`measurements`).
//!    Means of parts add up to the mean of a partition.
//! 2. Partitions are ranked by the mean over the sample of the maximum over their views (`sample`).
//!    Where not every pattern can be built, partitions are screened by bounds from smaller patterns
//!    first (`local_search`).
//! 3. The best are searched with: the nodes that IDA* generates on given boards, for all orders of
//!    the blank's moves at once (`node_count`).
//!
//! [`TuneOptions`] say what to tune and how much memory and time to spend, a [`TuneReport`] has the
//! best sets of partitions with what was measured of them, and each [`Candidate`] can be drawn as
//! the pictures that a heuristic specification reads.
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

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use puzzle::{CellSet, State, Symmetry};
use rayon::join;
use solver::PatternLookup;

pub use pdb_table::{Cancel, Control};

mod budget;
mod local_search;
mod lookup;
mod measurements;
mod node_count;
mod options;
mod partitions;
mod report;
mod sample;
#[cfg(test)]
mod tests;

pub use options::TuneOptions;
pub use report::{Candidate, Stage, TuneError, TuneEvent, TuneReport};

use measurements::{Measurements, is_large};
use node_count::{CountedView, Counter, ORDERS};
use partitions::Parts;
use sample::Sample;

/// The caller's connection, and the time that there is.
struct TuneControl<'a> {
    caller: &'a Control<TuneEvent>,
    max_time: Option<Duration>,
    /// The time since the start.
    clock: &'a (dyn Fn() -> Duration + Sync),
}

impl TuneControl<'_> {
    fn report(&self, stage: Stage, done: u64, total: u64) {
        self.caller.report(&TuneEvent { stage, done, total });
    }

    fn check(&self) -> Result<(), TuneError> {
        match self.caller.is_cancelled() {
            true => Err(TuneError::Cancelled),
            false => Ok(()),
        }
    }

    /// Whether this share of the time, from 0 to 1, is over.
    fn is_over(&self, share: f64) -> bool {
        let is_over = |max: Duration| (self.clock)().as_secs_f64() >= max.as_secs_f64() * share;
        self.max_time.is_some_and(is_over)
    }
}

/// How many times as many sets as are reported are searched with at first.
const CONTENDERS: usize = 6;

/// The largest number of partitions that are ranked one by one; where there are more, a local
/// search goes through them.
const MAX_RANKED: f64 = 1e6;

/// Ranks partitions of a tray's tiles. The same options give the same result on every machine and
/// with any number of threads, unless the time cuts the work short.
///
/// # Errors
/// [`TuneError`]: those of [`TuneOptions::check`], and [`TuneError::Cancelled`] soon after the
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

/// [`tune`] with a clock that gives the time since the start.
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
    let sample = Sample::draw(
        options.tray,
        options.goal_blank,
        options.seed,
        options.states,
    );
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
        let views = partitions::views(set, &tuning.symmetries, options.tray);
        tuning
            .measurements
            .measure(&views.concat(), Stage::Measure)?;
        sets.retain(|other| other != set);
    }
    if options.searched.is_empty() {
        sets.truncate(options.finalists);
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for (set, is_known) in sets.into_iter().map(|set| (set, false)) {
        candidates.push(tuning.candidate(set, is_known));
    }
    for set in known {
        candidates.push(tuning.candidate(set, true));
    }
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

struct Tuning<'a> {
    options: &'a TuneOptions,
    /// Largest first.
    sizes: Vec<usize>,
    symmetries: Vec<Symmetry>,
    measurements: Measurements<'a>,
    control: &'a TuneControl<'a>,
    compared: usize,
    is_cut: bool,
}

/// A candidate while nodes are counted, for each order.
struct Racer {
    sums: [u64; ORDERS],
    is_counted: bool,
    candidate: Candidate,
}

/// A partition with the mean of the maximum over its views.
type Ranked = (f64, Parts);

impl Tuning<'_> {
    fn tiles(&self) -> CellSet {
        CellSet::all(self.options.tray).without(self.options.goal_blank)
    }

    fn patterns_of_size(&self, size: usize) -> Vec<CellSet> {
        partitions::subsets(self.tiles(), size)
    }

    /// The best sets of partitions by their means, best first, and whether all there are were
    /// compared.
    fn best_sets(&mut self) -> Result<(Vec<Vec<Parts>>, bool), TuneError> {
        let mut patterns: Vec<CellSet> = Vec::new();
        let mut sizes = self.sizes.clone();
        sizes.dedup();
        for &size in &sizes {
            patterns.extend(self.patterns_of_size(size));
        }
        let is_exhaustive = partitions::count(&self.sizes) <= MAX_RANKED
            && self.measurements.cost(&patterns)? <= self.options.max_entries;
        let pool = if is_exhaustive {
            self.measurements.measure(&patterns, Stage::Measure)?;
            let all = self.all_partitions();
            self.rank(all)?
        } else {
            self.screened()?
        };
        self.compared = self.compared.max(pool.len());
        let sets = if self.options.together == 1 {
            let best = pool
                .into_iter()
                .take(self.options.finalists + self.options.known.len());
            best.map(|(_, parts)| vec![parts]).collect()
        } else {
            self.combined(&pool)?
        };
        Ok((sets, is_exhaustive))
    }

    fn all_partitions(&self) -> Vec<Parts> {
        partitions::partitions(
            self.options.tray,
            self.tiles(),
            &self.sizes,
            &self.symmetries,
        )
    }

    fn mean(&self, set: &[Parts]) -> f64 {
        let views = partitions::views(set, &self.symmetries, self.options.tray);
        self.measurements
            .sample
            .mean(&self.measurements.view_values(&views), &[])
    }

    /// Partitions by the mean of the maximum over their views, best first.
    fn rank(&self, partitions: Vec<Parts>) -> Result<Vec<Ranked>, TuneError> {
        const AT_ONCE: usize = 4096;
        let total = partitions.len() as u64;
        let mut ranked: Vec<Ranked> = Vec::with_capacity(partitions.len());
        for some in partitions.chunks(AT_ONCE) {
            let means = each(some, &|parts: &Parts| {
                self.mean(std::slice::from_ref(parts))
            });
            ranked.extend(means.into_iter().zip(some.iter().cloned()));
            self.control.report(Stage::Rank, ranked.len() as u64, total);
            self.control.check()?;
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        Ok(ranked)
    }

    /// Everything measured of a set.
    fn candidate(&self, set: Vec<Parts>, is_known: bool) -> Candidate {
        let views = partitions::views(&set, &self.symmetries, self.options.tray);
        let values = self.measurements.view_values(&views);
        let parts = |parts: &Parts| -> Vec<_> {
            let measured = parts.iter().map(|&part| self.measurements.measured(part));
            measured.flatten().collect()
        };
        let means = set.iter().map(|p| parts(p).iter().map(|m| m.mean).sum());
        Candidate {
            means: means.collect(),
            is_exact: set.iter().flat_map(parts).all(|m| m.is_exact),
            mean: self.measurements.sample.mean(&values, &[]),
            effort: self.measurements.sample.effort(&values),
            nodes: Vec::new(),
            is_known,
            partitions: set,
        }
    }

    /// Counts the nodes of the candidates, of the best first on a part of the states only, and puts
    /// those that come to the end in the order of their nodes. Also gives the number of states that
    /// these were searched from. Where the time is over before, the last round that came to its end
    /// decides; of an unfinished first one, those that were counted come first, and the others
    /// follow in the order of their means.
    fn race(&mut self, candidates: Vec<Candidate>) -> Result<(Vec<Candidate>, usize), TuneError> {
        let (finalists, all) = (self.options.finalists, self.options.searched.len());
        let racer = |candidate| Racer {
            sums: [0; ORDERS],
            is_counted: false,
            candidate,
        };
        let mut racers: Vec<Racer> = candidates.into_iter().map(racer).collect();
        // Where tables are large it is they that take the time, not the nodes.
        let largest = self.sizes.first().copied().unwrap_or(1);
        let rounds: &[(usize, usize)] = match is_large(self.options.tray, largest) {
            true => &[(1, CONTENDERS), (1, 1)],
            false => &[(4, CONTENDERS), (2, 2), (1, 1)],
        };
        let mut from = 0;
        let mut is_late = false;
        for &(share, contenders) in rounds {
            let mut others = 0;
            racers.retain(|racer| {
                others += usize::from(!racer.candidate.is_known);
                racer.candidate.is_known || others <= contenders * finalists
            });
            let (to, total) = (all.div_ceil(share), racers.len() as u64);
            if from == to || is_late {
                continue;
            }
            let before: Vec<_> = racers.iter().map(|racer| racer.sums).collect();
            let mut done = 0;
            for racer in &mut racers {
                is_late = !self.count(&racer.candidate.partitions, from..to, &mut racer.sums)?;
                if is_late {
                    break;
                }
                done += 1;
                self.control.report(Stage::Search, done as u64, total);
            }
            if is_late && (from > 0 || done == 0) {
                // Compared are only nodes of the same states: the round does not count.
                let all = racers.iter_mut().zip(before);
                all.for_each(|(racer, sums)| racer.sums = sums);
                continue;
            }
            let counted = racers.iter_mut().take(done);
            counted.for_each(|racer| racer.is_counted = true);
            // Over all orders: the best of 24 is partly luck. Those without counts, of an
            // unfinished first round, keep the order of their means behind the others.
            racers.sort_by_key(|racer| (!racer.is_counted, racer.sums.iter().sum::<u64>()));
            from = to;
        }
        for racer in racers.iter_mut().filter(|racer| racer.is_counted) {
            let means = racer.sums.map(|sum| sum as f64 / from as f64);
            let nodes = &mut racer.candidate.nodes;
            *nodes = node_count::orders().into_iter().zip(means).collect();
            nodes.sort_by(|a, b| a.1.total_cmp(&b.1));
        }
        let nodes = |c: &Candidate| c.nodes.first().map_or(f64::INFINITY, |&(_, nodes)| nodes);
        let mut candidates: Vec<Candidate> = racers.into_iter().map(|r| r.candidate).collect();
        candidates.sort_by(|a, b| nodes(a).total_cmp(&nodes(b)));
        Ok((candidates, from))
    }

    /// Adds the nodes of a set for a range of the states, order by order. Adds nothing and gives
    /// `false` when the time is over before the end.
    fn count(
        &mut self,
        set: &[Parts],
        range: Range<usize>,
        sums: &mut [u64; ORDERS],
    ) -> Result<bool, TuneError> {
        let TuneOptions {
            tray, goal_blank, ..
        } = *self.options;
        let mut tables = HashMap::new();
        let mut views = Vec::new();
        for view in partitions::views(set, &self.symmetries, tray) {
            let mut part_of_tile = vec![0; tray.cells()];
            let mut parts = Vec::new();
            for (number, tiles) in view.into_iter().enumerate() {
                tiles
                    .iter()
                    .for_each(|tile| part_of_tile[tile.index()] = number);
                self.control.check()?;
                if self.is_over(1.0) {
                    return Ok(false);
                }
                parts.push(self.measurements.table(tiles, &mut tables)?);
            }
            views.push((parts, part_of_tile));
        }
        let views: Vec<CountedView> = views
            .into_iter()
            .map(|(parts, part_of_tile)| CountedView {
                parts: parts
                    .iter()
                    .map(|(id, symmetry)| PatternLookup::new(&tables[id], *symmetry))
                    .collect(),
                part_of_tile,
            })
            .collect();
        let count =
            |state: &State| Counter::new(tray, goal_blank, &views, self.control).count(state);
        let counts: Option<Vec<_>> = each(&self.options.searched[range], &count)
            .into_iter()
            .collect();
        let Some(counts) = counts else {
            self.control.check()?;
            return match self.is_over(1.0) {
                true => Ok(false),
                false => Err(TuneError::Cancelled),
            };
        };
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += counts.iter().map(|counts| counts[index]).sum::<u64>();
        }
        Ok(true)
    }
}

/// Applies a function to each item, on all cores, and keeps the order.
fn each<T: Sync, R: Send>(items: &[T], act: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    if let [item] = items {
        return vec![act(item)];
    }
    if items.is_empty() {
        return Vec::new();
    }
    let (left, right) = items.split_at(items.len() / 2);
    let (mut left, right) = join(|| each(left, act), || each(right, act));
    left.extend(right);
    left
}
