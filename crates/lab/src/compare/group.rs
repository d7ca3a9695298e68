//! The figures of one search and heuristic on one set of boards.

use solver::Spread;

use super::record::{Record, RunStatus};

/// The runs of one search and heuristic on one set of boards. A run that a limit stopped is
/// included with its nodes, bytes and time so far. In a group with such runs, the nodes, bytes and
/// times are lower bounds.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Group {
    /// The set of boards.
    pub set: String,
    /// Columns x rows.
    pub size: String,
    /// The search.
    pub search: String,
    /// The heuristic, or `none`.
    pub heuristic: String,
    /// Number of boards.
    pub boards: usize,
    /// Number of solved boards.
    pub solved: usize,
    /// Each limit that stopped a run, and the number of runs that it stopped.
    pub limits: Vec<(String, usize)>,
    /// Lengths of the solutions; `None` if no board was solved.
    pub length: Option<Spread>,
    /// Heuristic values of the start positions.
    pub h0: Spread,
    /// Generated nodes.
    pub generated: Spread,
    /// Expanded nodes.
    pub expanded: Spread,
    /// Re-opened nodes.
    pub reopened: Spread,
    /// Maximum number of nodes stored at once.
    pub peak: Spread,
    /// Bytes of the stored nodes: [`crate::Counts::peak_bytes`].
    pub peak_bytes: Spread,
    /// Time in milliseconds.
    pub ms: Spread,
    /// Mean effective branching factor of the solved boards.
    pub branching_factor: Option<f64>,
}

impl Group {
    /// The groups of records, in the order in which their first records occur.
    #[must_use]
    pub fn of(records: &[Record]) -> Vec<(Group, Vec<&Record>)> {
        let mut groups: Vec<Vec<&Record>> = Vec::new();
        for record in records {
            let key = |other: &Record| {
                (&other.set, &other.size, &other.search, &other.heuristic)
                    == (&record.set, &record.size, &record.search, &record.heuristic)
            };
            match groups.iter_mut().find(|group| key(group[0])) {
                Some(group) => group.push(record),
                None => groups.push(vec![record]),
            }
        }
        let groups = groups.into_iter();
        let summed = groups.filter_map(|records| Some((Group::sum(&records)?, records)));
        summed.collect()
    }

    /// The figures of records; `None` if there are no records.
    fn sum(records: &[&Record]) -> Option<Group> {
        let first = records.first()?;
        let of = |number: fn(&Record) -> f64| {
            let numbers: Vec<f64> = records.iter().map(|&own| number(own)).collect();
            Spread::of(&numbers)
        };
        let mut limits: Vec<(String, usize)> = Vec::new();
        for name in records.iter().filter_map(|record| record.limit.as_ref()) {
            match limits.iter_mut().find(|(own, _)| own == name) {
                Some((_, count)) => *count += 1,
                None => limits.push((name.clone(), 1)),
            }
        }
        let lengths = records.iter().filter_map(|record| record.length);
        let lengths: Vec<f64> = lengths.map(f64::from).collect();
        let factors = records.iter().filter_map(|record| record.branching_factor);
        let factors: Vec<f64> = factors.collect();
        let solved = records.iter().filter(|own| own.status == RunStatus::Solved);
        Some(Group {
            set: first.set.clone(),
            size: first.size.clone(),
            search: first.search.clone(),
            heuristic: first.heuristic.clone(),
            boards: records.len(),
            solved: solved.count(),
            limits,
            length: Spread::of(&lengths),
            h0: of(|record| record.h0.into())?,
            generated: of(|record| record.generated as f64)?,
            expanded: of(|record| record.expanded as f64)?,
            reopened: of(|record| record.reopened as f64)?,
            peak: of(|record| record.peak as f64)?,
            peak_bytes: of(|record| record.peak_bytes as f64)?,
            ms: of(|record| record.ms)?,
            branching_factor: Spread::of(&factors).map(|spread| spread.mean),
        })
    }
}
