//! Screening of partitions if there are too many to measure each one, and local search for the best
//! sets of several partitions.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use puzzle::{CellSet, Scrambler};

use super::measurements::each;
use super::partitions::{self, Parts};
use super::report::{Stage, TuneError};
use super::tuning::{MAX_RANKED, RankedPartition, Tuning};

/// Number of random partitions from which local searches start.
const STARTS: usize = 24;
/// Number of partitions that are measured with the tables of their patterns. Screening chooses
/// these partitions.
const FRONT: usize = 400;
/// Screening may sweep 1 / `SCREENING_SHARE` of [`super::TuneOptions::max_entries`].
const SCREENING_SHARE: u64 = 4;
/// Screening ends at the latest after this share of the maximum time.
const SCREENED_BY: f64 = 0.4;
/// Measuring ends at the latest after this share of the maximum time.
const MEASURED_BY: f64 = 0.8;
/// Number of single partitions from which sets are grown.
const SET_STARTS: usize = 12;
/// Number of the best partitions from which sets are formed.
const PARTNERS: usize = 20_000;
/// Maximum number of sets that a call of [`Tuning::partners`] records.
const NOTED: usize = 4;

impl Tuning<'_> {
    /// Screens partitions by lower bounds computed from smaller patterns, then measures the best
    /// partitions within the limits. Returns the measured partitions, best first.
    pub(super) fn screened(&mut self) -> Result<Vec<RankedPartition>, TuneError> {
        let screen = self.measure_small()?;
        let ranked = if partitions::count(&self.sizes) <= MAX_RANKED {
            let all = self.all_partitions();
            self.compared = all.len();
            self.bound(&all, screen)?;
            self.rank(all)?
        } else {
            self.climb(screen)?
        };
        let front = ranked.into_iter().take(FRONT).map(|(_, parts)| parts);
        let mut front: Vec<Parts> = front.collect();
        self.bound(&front, screen)?;
        let mut measured = Vec::new();
        let mut left = self.options.max_entries;
        // At least `together` + 1 partitions are measured, even if the time is over.
        while !front.is_empty()
            && (measured.len() <= self.options.together || !self.is_over(MEASURED_BY))
        {
            self.control.check()?;
            // Alternates between the first partition in the order of screening and the partition
            // with the largest mean value. The mean values use all values measured so far.
            let next = match measured.len() % 2 {
                0 => 0,
                _ => {
                    let means = each(&front, |parts| self.mean(parts));
                    let best = (0..front.len()).max_by(|&a, &b| means[a].total_cmp(&means[b]));
                    best.unwrap_or(0)
                }
            };
            let parts = front.remove(next);
            let patterns = self.views(slice::from_ref(&parts)).concat();
            let cost = self.measurements.cost(&patterns)?;
            if cost > left {
                break;
            }
            left -= cost;
            self.measurements.measure(&patterns, Stage::Measure)?;
            measured.push(parts);
        }
        self.measurements.forget_bounds();
        self.rank(measured)
    }

    /// Measures all patterns of 1, 2, ... tiles, up to the largest size that is within the limits
    /// of screening. Returns this largest size.
    fn measure_small(&mut self) -> Result<usize, TuneError> {
        let largest = self.sizes.first().copied().unwrap_or(1);
        let mut size = 0;
        let mut patterns = Vec::new();
        while size + 1 < largest {
            let mut more = patterns.clone();
            more.extend(self.patterns_of_size(size + 1));
            if size > 0
                && self.measurements.cost(&more)? > self.options.max_entries / SCREENING_SHARE
            {
                break;
            }
            (patterns, size) = (more, size + 1);
        }
        self.measurements.measure(&patterns, Stage::Measure)?;
        Ok(size)
    }

    /// Computes bounds for the patterns of the partitions, and for the images of these patterns.
    fn bound(&mut self, partitions: &[Parts], screen: usize) -> Result<(), TuneError> {
        let views = |parts| self.views(slice::from_ref(parts));
        let patterns: BTreeSet<CellSet> = partitions.iter().flat_map(views).flatten().collect();
        let patterns: Vec<CellSet> = patterns.into_iter().collect();
        self.measurements.bound(&patterns, screen)
    }

    /// Runs local searches from the known partitions and from random ones. Each step exchanges two
    /// tiles. Partitions are compared by their bounds only. Returns all visited partitions.
    fn climb(&mut self, screen: usize) -> Result<Vec<RankedPartition>, TuneError> {
        let mut scrambler = Scrambler::new(self.options.seed);
        let known = self.options.known.iter().flatten().cloned();
        let mut starts: Vec<Parts> = known.map(partitions::sorted).collect();
        starts.retain(|parts| parts.iter().map(|p| p.len()).eq(self.sizes.iter().copied()));
        starts.resize_with(starts.len() + STARTS, || self.random(&mut scrambler));
        let total = starts.len() as u64;
        let mut met: BTreeMap<Parts, f64> = BTreeMap::new();
        for (done, mut parts) in starts.into_iter().enumerate() {
            let mut mean = f64::NEG_INFINITY;
            loop {
                self.control.check()?;
                let mut near = partitions::neighbours(&parts);
                near.push(parts.clone());
                let canonical = near.iter().map(|parts| self.canonical(parts));
                let mut near: Vec<Parts> = canonical.filter(|p| !met.contains_key(p)).collect();
                near.sort_unstable();
                near.dedup();
                self.bound(&near, screen)?;
                let ranked = self.rank(near)?;
                self.measurements.forget_bounds();
                met.extend(ranked.iter().map(|(mean, parts)| (parts.clone(), *mean)));
                match ranked.into_iter().next() {
                    Some(best) if best.0 > mean => (mean, parts) = best,
                    _ => break,
                }
            }
            self.control.report(Stage::Rank, done as u64 + 1, total);
            if self.is_over(SCREENED_BY) {
                break;
            }
        }
        self.compared = met.len();
        let mut ranked: Vec<RankedPartition> =
            met.into_iter().map(|(parts, mean)| (mean, parts)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        Ok(ranked)
    }

    fn random(&self, scrambler: &mut Scrambler) -> Parts {
        let state = scrambler.draw(self.options.tray, self.options.goal_blank);
        let pieces = state.pieces().iter().copied();
        let mut tiles = pieces.filter(|&tile| tile != self.options.goal_blank);
        let sizes = self.sizes.iter();
        let parts = sizes.map(|&size| tiles.by_ref().take(size).collect());
        partitions::sorted(parts.collect())
    }

    /// Sets of several partitions. A set starts from one of the best partitions, and grows by one
    /// partition at a time. Then each partition in turn is replaced by the partition that is best
    /// together with the others, until no replacement improves the set.
    pub(super) fn combined(
        &mut self,
        pool: &[RankedPartition],
    ) -> Result<Vec<Vec<Parts>>, TuneError> {
        let pool = &pool[..pool.len().min(PARTNERS)];
        let mut met: BTreeMap<Vec<Parts>, f64> = BTreeMap::new();
        let starts = pool.len().min(SET_STARTS);
        for (done, (_, start)) in pool.iter().take(starts).enumerate() {
            let mut set = vec![start.clone()];
            let mut mean = f64::NEG_INFINITY;
            let mut place = set.len();
            let mut unchanged = 0;
            while unchanged < self.options.together {
                if place < set.len() {
                    set.remove(place);
                }
                let best = self.partners(&set, pool, &mut met)?;
                let is_full = set.len() + 1 >= self.options.together;
                set.insert(place.min(set.len()), best.1);
                // A partition added to an incomplete set always counts as an improvement.
                let is_better = !is_full || best.0 > mean;
                unchanged = if is_better { 0 } else { unchanged + 1 };
                mean = if is_full { best.0 } else { f64::NEG_INFINITY };
                place = if is_full {
                    (place + 1) % self.options.together
                } else {
                    set.len()
                };
            }
            self.control
                .report(Stage::Rank, done as u64 + 1, starts as u64);
            if self.is_over(1.0) {
                break;
            }
        }
        let mut sets: Vec<(Vec<Parts>, f64)> = met.into_iter().collect();
        sets.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(sets.into_iter().map(|(set, _)| set).collect())
    }

    /// Returns the partition of the pool that is best together with `others`. If `others` lacks
    /// only one partition, records the best [`NOTED`] complete sets in `met`.
    fn partners(
        &self,
        others: &[Parts],
        pool: &[RankedPartition],
        met: &mut BTreeMap<Vec<Parts>, f64>,
    ) -> Result<RankedPartition, TuneError> {
        let sample = self.measurements.sample;
        let others_best = sample.maxima(&self.values(others));
        let means = each(pool, |(_, parts)| {
            sample.mean(&self.values(slice::from_ref(parts)), &others_best)
        });
        self.control.check()?;
        let mut ranked: Vec<(f64, usize)> = means.into_iter().zip(0..).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        if others.len() + 1 == self.options.together {
            for &(mean, index) in ranked.iter().take(NOTED) {
                let mut set = others.to_vec();
                set.push(pool[index].1.clone());
                set.sort_unstable();
                met.insert(set, mean);
            }
        }
        // The pool is not empty, because the set was started with a partition of the pool.
        let best = ranked.first().map_or((f64::NEG_INFINITY, 0), |&best| best);
        Ok((best.0, pool[best.1].1.clone()))
    }
}
