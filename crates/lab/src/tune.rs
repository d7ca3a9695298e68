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

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use pdb_gen::{BuildError, size};
use pdb_table::TableError;
use puzzle::{
    Cell, CellSet, Direction, PartitionPicture, Pattern, PatternError, State, Symmetry, TableKind,
    Tray,
};
use rayon::join;
use solver::PatternLookup;

pub use pdb_table::{Cancel, Control};

mod budget;
mod local_search;
mod lookup;
mod measurements;
mod node_count;
mod partitions;
mod sample;
#[cfg(test)]
mod tests;

use measurements::{Measurements, is_large};
use node_count::{CountedView, Counter, ORDERS};
use partitions::Parts;
use sample::Sample;

/// What to tune, and how much to spend on it. [`TuneOptions::new`] has a default for all but the
/// goal and the parts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TuneOptions {
    /// The size.
    pub tray: Tray,
    /// The blank's goal cell.
    pub goal_blank: Cell,
    /// The kind of the tables, of those whose values add up. Zero-aware by default.
    pub kind: TableKind,
    /// Tiles of each part.
    pub sizes: Vec<usize>,
    /// How many partitions work together, each with its images under the symmetries that keep the
    /// goal's blank. 1 by default.
    pub together: usize,
    /// Seed of the sample. 1 by default.
    pub seed: u64,
    /// States of the sample. 20,000 by default.
    pub states: usize,
    /// Entries that may be swept, which bounds the time of every step that builds tables: 10^9 take
    /// some seconds. 6 * 10^10 by default.
    pub max_entries: u64,
    /// The time to spend, about: when it is over the tuning ends with what is known by then. Only
    /// the end of the tables that are always built is waited for. By default there is no limit, and
    /// the clock is not asked.
    pub max_time: Option<Duration>,
    /// Memory that there is, in bytes, where it is known: what needs more is refused.
    pub max_memory: Option<u64>,
    /// How many of the best sets to report, 10 by default; with 0, partitions are not searched for,
    /// and only the known ones measured.
    pub finalists: usize,
    /// The states to search from: the best sets by the sample, six times as many as are reported,
    /// are searched with from a quarter of them, the best of these from more. Without any, as by
    /// default, nodes are not counted.
    pub searched: Vec<State>,
    /// Sets of partitions to be ranked in any case, such as those in use now.
    pub known: Vec<Vec<Vec<CellSet>>>,
}

/// A set of partitions and what was measured of it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The partitions, which are used with all their images: parts of each, the largest first.
    pub partitions: Vec<Vec<CellSet>>,
    /// Mean of one view of each partition over all states.
    pub means: Vec<f64>,
    /// Whether the means are exact, not taken over the sample.
    pub is_exact: bool,
    /// Mean of the maximum over the views, over the sample: by this sets are ranked before they are
    /// searched with.
    pub mean: f64,
    /// Mean of b^-h over the sample, h the maximum over the views and b the tray's branching
    /// factor: to this the nodes of a search are proportional in the long run.
    pub effort: f64,
    /// Mean generated nodes ([`solver::SearchStats::generated`], only undoing pruned) over the
    /// states searched from, for each order of the blank's moves, fewest first; empty when they
    /// were not counted.
    pub nodes: Vec<([Direction; 4], f64)>,
    /// Whether this is one of [`TuneOptions::known`].
    pub is_known: bool,
}

/// What a tuning found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TuneReport {
    /// The best sets: by nodes where they were counted, else by [`Candidate::mean`].
    pub candidates: Vec<Candidate>,
    /// Partitions that were compared, images counted once.
    pub compared: usize,
    /// Whether these were all there are, with tables of all their patterns.
    pub is_exhaustive: bool,
    /// Tables built for measuring.
    pub tables: usize,
    /// States that were searched from: all of [`TuneOptions::searched`], unless the work was cut
    /// short.
    pub searched: usize,
    /// Whether [`TuneOptions::max_time`] cut the work short.
    pub is_cut: bool,
}

/// How far a tuning is: reported after each step, from any thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TuneEvent {
    /// What is being done.
    pub stage: Stage,
    /// Steps of the stage that are done.
    pub done: u64,
    /// Steps that there are.
    pub total: u64,
}

/// What a tuning is at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Building tables and reading them.
    Measure,
    /// Ranking partitions by the sample.
    Rank,
    /// Searching with the best.
    Search,
}

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

/// A tuning that is not possible, or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The parts do not have the tray's tiles together.
    #[error("the parts have {found} tiles together, but a {tray} board has {expected}")]
    Sum {
        /// Tiles of the parts.
        found: usize,
        /// Tiles of the tray.
        expected: usize,
        /// The size.
        tray: Tray,
    },
    /// A part, or the tray, that no table can be made for.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A kind of tables whose values do not add up.
    #[error("{0} tables cannot be added up, so there are no partitions to tune")]
    TableKind(TableKind),
    /// A number of the options that must not be 0.
    #[error("{0} must be at least 1")]
    Nothing(&'static str),
    /// A table could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// A table just built cannot be looked up in.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Too little memory.
    #[error(
        "{what} needs about {} of memory, and {} are free: {way_out}",
        size(*needed),
        size(*free)
    )]
    Memory {
        /// What it is for.
        what: String,
        /// Bytes it needs.
        needed: u64,
        /// Bytes there are.
        free: u64,
        /// What to do about it.
        way_out: String,
    },
    /// The control cancelled it.
    #[error("interrupted")]
    Cancelled,
    /// A table just built lacks values that it must have.
    #[error("the table {0} has no value for a state it must have one for")]
    Damaged(String),
}

impl From<BuildError> for TuneError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Cancelled { .. } => TuneError::Cancelled,
            error => TuneError::Build(error),
        }
    }
}

/// How many times as many sets as are reported are searched with at first.
const CONTENDERS: usize = 6;

/// The largest number of partitions that are ranked one by one; where there are more, a local
/// search goes through them.
const MAX_RANKED: f64 = 1e6;

impl TuneOptions {
    /// Tunes partitions of a tray's tiles into parts of these sizes, with the defaults of the
    /// fields.
    #[must_use]
    pub fn new(tray: Tray, goal_blank: Cell, sizes: Vec<usize>) -> Self {
        TuneOptions {
            tray,
            goal_blank,
            kind: TableKind::ZeroAware,
            sizes,
            together: 1,
            seed: 1,
            states: 20_000,
            max_entries: 60_000_000_000,
            max_time: None,
            max_memory: None,
            finalists: 10,
            searched: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Whether the tuning is possible with the memory there is. Builds nothing.
    ///
    /// # Errors
    /// [`TuneError`] says why not.
    pub fn check(&self) -> Result<(), TuneError> {
        Pattern::check_tray(self.tray)?;
        if !self.kind.is_additive() {
            return Err(TuneError::TableKind(self.kind));
        }
        let (tray, expected) = (self.tray, self.tray.cells() - 1);
        let max = Pattern::max_tiles(tray);
        if let Some(&found) = self.sizes.iter().find(|k| !(1..=max).contains(*k)) {
            return Err(PatternError::Tiles { found, tray, max }.into());
        }
        let found = self.sizes.iter().sum();
        if found != expected {
            return Err(TuneError::Sum {
                found,
                expected,
                tray,
            });
        }
        for (number, name) in [
            (self.together, "the number of partitions"),
            (self.states, "the number of states"),
        ] {
            if number == 0 {
                return Err(TuneError::Nothing(name));
            }
        }
        self.check_memory()
    }

    /// The symmetries that keep the goal's blank, the identity first.
    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::keeping(self.tray, self.goal_blank).collect()
    }
}

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
    /// decides; of an unfinished first one those that were counted, and if there are none the
    /// means.
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
            racers.retain(|racer| racer.is_counted || racer.candidate.is_known);
            // Over all orders: the best of 24 is partly luck.
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

impl Candidate {
    /// The partitions as pictures, with the best order, as [`puzzle::HeuristicSpecBuilder::file`]
    /// takes them.
    #[must_use]
    pub fn pictures(&self, tray: Tray, goal_blank: Cell) -> Vec<PartitionPicture> {
        let order = self.nodes.first().map(|&(order, _)| order);
        let picture = |parts: &Vec<CellSet>| PartitionPicture {
            tray,
            blank: goal_blank,
            parts: parts.clone(),
            order,
        };
        self.partitions.iter().map(picture).collect()
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
