//! The state of a tuning, shared by its stages.

use std::slice;
use std::time::Duration;

use pdb_table::Control;
use puzzle::{CellSet, Symmetry};

use super::measurements::{Measurements, each};
use super::partitions::{self, Parts};
use super::report::{Candidate, Stage, TuneError, TuneEvent, TuneOptions};

/// Maximum number of partitions that are ranked one by one; for larger numbers a local search is
/// used.
pub(super) const MAX_RANKED: f64 = 1e6;

/// A running tuning.
pub(super) struct Tuning<'a> {
    pub(super) options: &'a TuneOptions,
    /// Sizes of the parts, largest first.
    pub(super) sizes: Vec<usize>,
    pub(super) symmetries: Vec<Symmetry>,
    pub(super) measurements: Measurements<'a>,
    pub(super) control: &'a TuneControl<'a>,
    pub(super) compared: usize,
    pub(super) is_cut: bool,
}

/// The mean value of a partition ([`Tuning::mean`]), and the partition.
pub(super) type RankedPartition = (f64, Parts);

impl Tuning<'_> {
    /// The views of a set: all images of its partitions.
    pub(super) fn views(&self, set: &[Parts]) -> Vec<Parts> {
        partitions::views(set, &self.symmetries, self.options.tray)
    }

    /// For each view of a set: the values of its parts.
    pub(super) fn values(&self, set: &[Parts]) -> Vec<Vec<&[u8]>> {
        self.measurements.view_values(&self.views(set))
    }

    /// Whether this share of the maximum time has passed.
    pub(super) fn is_over(&mut self, share: f64) -> bool {
        let is_over = self.control.is_over(share);
        self.is_cut |= is_over;
        is_over
    }

    /// The image that represents all images of a partition: the first one in sorted order.
    pub(super) fn canonical(&self, parts: &Parts) -> Parts {
        let images = self.symmetries.iter();
        let images = images.map(|&symmetry| partitions::image(parts, symmetry, self.options.tray));
        images.min().unwrap_or_default()
    }

    fn tiles(&self) -> CellSet {
        CellSet::all(self.options.tray).without(self.options.goal_blank)
    }

    pub(super) fn patterns_of_size(&self, size: usize) -> Vec<CellSet> {
        partitions::subsets(self.tiles(), size)
    }

    /// The best sets of partitions by their means, best first, and whether all sets were compared.
    pub(super) fn best_sets(&mut self) -> Result<(Vec<Vec<Parts>>, bool), TuneError> {
        let mut sizes = self.sizes.clone();
        sizes.dedup();
        let patterns = sizes.iter().map(|&size| self.patterns_of_size(size));
        let patterns: Vec<CellSet> = patterns.flatten().collect();
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
            let most = self.options.finalists + self.options.known.len();
            let best = pool.into_iter().take(most);
            best.map(|(_, parts)| vec![parts]).collect()
        } else {
            self.combined(&pool)?
        };
        Ok((sets, is_exhaustive))
    }

    pub(super) fn all_partitions(&self) -> Vec<Parts> {
        let (tray, tiles) = (self.options.tray, self.tiles());
        partitions::partitions(tray, tiles, &self.sizes, &self.symmetries)
    }

    /// Mean value of a partition over the sample. The value of a state is the maximum over the
    /// views.
    pub(super) fn mean(&self, parts: &Parts) -> f64 {
        let values = self.values(slice::from_ref(parts));
        self.measurements.sample.mean(&values, &[])
    }

    /// Ranks partitions by [`Self::mean`], best first.
    pub(super) fn rank(&self, partitions: Vec<Parts>) -> Result<Vec<RankedPartition>, TuneError> {
        const AT_ONCE: usize = 4096;
        let total = partitions.len() as u64;
        let mut ranked: Vec<RankedPartition> = Vec::with_capacity(partitions.len());
        for some in partitions.chunks(AT_ONCE) {
            let means = each(some, |parts| self.mean(parts));
            ranked.extend(means.into_iter().zip(some.iter().cloned()));
            self.control.report(Stage::Rank, ranked.len() as u64, total);
            self.control.check()?;
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        Ok(ranked)
    }

    /// The measurements of a set of partitions, without node counts.
    pub(super) fn candidate(&self, set: Vec<Parts>, is_known: bool) -> Candidate {
        let values = self.values(&set);
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
}

/// The caller's control, and the time limit.
pub(super) struct TuneControl<'a> {
    pub(super) caller: &'a Control<TuneEvent>,
    pub(super) max_time: Option<Duration>,
    /// The time since the start.
    pub(super) clock: &'a (dyn Fn() -> Duration + Sync),
}

impl TuneControl<'_> {
    pub(super) fn report(&self, stage: Stage, done: u64, total: u64) {
        self.caller.report(&TuneEvent { stage, done, total });
    }

    pub(super) fn check(&self) -> Result<(), TuneError> {
        match self.caller.is_cancelled() {
            true => Err(TuneError::Cancelled),
            false => Ok(()),
        }
    }

    /// Whether this share of the maximum time, from 0 to 1, has passed.
    pub(super) fn is_over(&self, share: f64) -> bool {
        let is_over = |max: Duration| (self.clock)().as_secs_f64() >= max.as_secs_f64() * share;
        self.max_time.is_some_and(is_over)
    }
}
