//! Counts the nodes of the best candidates in rounds.

use std::collections::HashMap;
use std::ops::Range;

use super::measurements::{each, is_large};
use super::node_count::{CountedView, Counter, ORDERS, orders};
use super::partitions::Parts;
use super::report::{Candidate, Stage, TuneError};
use super::tuning::Tuning;

/// Number of sets in the first round, as a multiple of the number of reported sets.
const CONTENDERS: usize = 6;

/// A candidate whose nodes are counted, with its summed node count for each move order.
struct Racer {
    sums: [u64; ORDERS],
    is_counted: bool,
    candidate: Candidate,
}

impl Tuning<'_> {
    /// Counts the nodes of the candidates in rounds, and sorts the counted candidates by their
    /// nodes. The first rounds may use only some of the states. Also returns the number of states
    /// searched. If the time limit ends the counting early, the last complete round decides the
    /// order. After an incomplete first round, the counted candidates come first, and the others
    /// follow in the order of their means.
    pub(super) fn race(
        &mut self,
        candidates: Vec<Candidate>,
    ) -> Result<(Vec<Candidate>, usize), TuneError> {
        let (finalists, all) = (self.options.finalists, self.options.searched.len());
        let racer = |candidate| Racer {
            sums: [0; ORDERS],
            is_counted: false,
            candidate,
        };
        let mut racers: Vec<Racer> = candidates.into_iter().map(racer).collect();
        // Building large tables takes most of the time, so there are fewer rounds with large
        // tables.
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
                // Node counts are comparable only over the same states, so an incomplete round is
                // ignored.
                let all = racers.iter_mut().zip(before);
                all.for_each(|(racer, sums)| racer.sums = sums);
                continue;
            }
            let counted = racers.iter_mut().take(done);
            counted.for_each(|racer| racer.is_counted = true);
            // The counts are summed over all orders, because the choice of the best of 24 orders
            // depends partly on chance. After an incomplete first round, candidates without counts
            // follow in the order of their means.
            racers.sort_by_key(|racer| (!racer.is_counted, racer.sums.iter().sum::<u64>()));
            from = to;
        }
        for racer in racers.iter_mut().filter(|racer| racer.is_counted) {
            let means = racer.sums.map(|sum| sum as f64 / from as f64);
            let nodes = &mut racer.candidate.nodes;
            *nodes = orders().into_iter().zip(means).collect();
            nodes.sort_by(|a, b| a.1.total_cmp(&b.1));
        }
        let nodes = |c: &Candidate| c.nodes.first().map_or(f64::INFINITY, |&(_, nodes)| nodes);
        let mut candidates: Vec<Candidate> = racers.into_iter().map(|r| r.candidate).collect();
        candidates.sort_by(|a, b| nodes(a).total_cmp(&nodes(b)));
        Ok((candidates, from))
    }

    /// Counts the nodes generated with a set of partitions for a range of the states. Adds the
    /// count of each move order to `sums`. If the time limit ends the count, adds nothing and
    /// returns `false`.
    fn count(
        &mut self,
        set: &[Parts],
        range: Range<usize>,
        sums: &mut [u64; ORDERS],
    ) -> Result<bool, TuneError> {
        let (tray, goal_blank) = (self.options.tray, self.options.goal_blank);
        let mut tables = HashMap::new();
        let mut views = Vec::new();
        for view in self.views(set) {
            let mut counted = CountedView {
                parts: Vec::new(),
                part_of_tile: vec![0; tray.cells()],
            };
            for tiles in view {
                for tile in tiles.iter() {
                    counted.part_of_tile[tile.index()] = counted.parts.len();
                }
                self.control.check()?;
                if self.is_over(1.0) {
                    return Ok(false);
                }
                let part = self.measurements.lookup(tiles, &mut tables)?;
                counted.parts.push(part);
            }
            views.push(counted);
        }
        let counts = each(&self.options.searched[range], |state| {
            Counter::new(tray, goal_blank, &views, self.control).count(state)
        });
        let Some(counts) = counts.into_iter().collect::<Option<Vec<_>>>() else {
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
