//! Which tables a solver has where none are named.

use std::fmt;

use pdb_gen::{estimate_memory, estimate_seconds, size};
use pdb_table::Encoding;
use puzzle::{HeuristicSpec, HeuristicSpecBuilder, PartitionError, TableId};

use crate::options::number_of_threads;
use crate::solver::{Solver, SolverError};

/// What the tables of a solver may take, and which of them are there.
#[derive(Clone, Copy)]
pub struct TableBudget<'a> {
    /// The longest time, in seconds by estimate, that all missing tables may take to build.
    pub max_seconds: f64,
    /// The most bytes of memory that missing tables may take while they are built; `None` where it
    /// is not known.
    pub max_memory: Option<u64>,
    /// The most bytes that all tables may take, those that are there included, where that is limited
    /// for a reason of its own.
    pub max_bytes: Option<u64>,
    /// Threads that build tables, 0 for as many as the machine has cores.
    pub threads: usize,
    /// The encoding of a table that is there, on disk or in memory.
    pub there: &'a dyn Fn(TableId) -> Option<Encoding>,
}

/// Why tables are more than a [`TableBudget`] allows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OverBudget {
    /// Missing tables take so many seconds to build.
    #[error("tables of {name} are missing and take about {seconds:.0} s to build")]
    Time {
        /// The name of the partition.
        name: String,
        /// The seconds, by an estimate that is rather too high.
        seconds: f64,
    },
    /// All tables take so many bytes of memory.
    #[error("the tables of {name} need {} of memory", size(*.bytes))]
    Memory {
        /// The name of the partition.
        name: String,
        /// The bytes, by estimate.
        bytes: u64,
    },
    /// No solver has room for so many views.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// The tables for a solver, and why these.
#[derive(Debug)]
#[non_exhaustive]
pub struct TableChoice {
    /// What the solver is made of.
    pub spec: HeuristicSpec,
    /// Of the tables that are usual for the size, why they are not taken.
    pub instead_of: Option<OverBudget>,
}

impl fmt::Debug for TableBudget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableBudget")
            .field("max_seconds", &self.max_seconds)
            .field("max_memory", &self.max_memory)
            .field("max_bytes", &self.max_bytes)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl TableBudget<'_> {
    /// Whether the tables of a specification keep to the budget.
    ///
    /// # Errors
    /// What they take.
    pub fn check(&self, spec: &HeuristicSpec) -> Result<(), OverBudget> {
        Solver::check_room(spec)?;
        let name = || spec.name().to_owned();
        // More threads than cores make nothing faster.
        let threads = number_of_threads(self.threads).min(number_of_threads(0));
        let (mut seconds, mut memory, mut bytes) = (0.0, 0, 0);
        for id in spec.tables() {
            let there = (self.there)(id);
            let encoding = there.unwrap_or(Encoding::default_for(id.kind()));
            let needed = estimate_memory(id, encoding);
            bytes += needed;
            if there.is_none() {
                seconds += estimate_seconds(id, threads);
                memory += needed;
            }
        }
        if seconds > self.max_seconds {
            let name = name();
            return Err(OverBudget::Time { name, seconds });
        }
        let most = [(memory, self.max_memory), (bytes, self.max_bytes)];
        let is_over = |&(needed, most): &(u64, Option<u64>)| most.is_some_and(|most| needed > most);
        match most.into_iter().find(is_over) {
            Some((bytes, _)) => Err(OverBudget::Memory {
                name: name(),
                bytes,
            }),
            None => Ok(()),
        }
    }
}

impl TableChoice {
    /// The tables of the size's own partition if they keep to the budget, else those of the largest
    /// parts of one size that do, else none. The builder has goal, metric and kind.
    ///
    /// # Errors
    /// None: a heuristic without tables can always be made.
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    /// use solver::{TableBudget, TableChoice};
    ///
    /// let goal = Goal::blank_last("6x6".parse()?);
    /// let budget = TableBudget {
    ///     max_seconds: 4.0,
    ///     max_memory: None,
    ///     max_bytes: None,
    ///     threads: 1,
    ///     there: &|_| None,
    /// };
    /// let choice = TableChoice::of(&HeuristicSpec::builder(&goal), &budget)?;
    /// assert_eq!(choice.spec.name(), "4-4-4-4-4-4-4-4-3");
    /// let why = choice.instead_of.unwrap().to_string();
    /// assert!(why.starts_with("tables of 6-6-6-6-6-5 are missing and take about"), "{why}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        builder: &HeuristicSpecBuilder,
        budget: &TableBudget,
    ) -> Result<TableChoice, PartitionError> {
        let mut instead_of = None;
        for spec in builder.defaults() {
            match budget.check(&spec) {
                Ok(()) => return Ok(TableChoice { spec, instead_of }),
                Err(error) => instead_of = instead_of.or(Some(error)),
            }
        }
        let spec = builder.parse_table_free()?;
        Ok(TableChoice { spec, instead_of })
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Goal, Metric};

    use super::*;

    /// What a frontend allows: seconds in single moves and in the multi-tile metric, and threads.
    const COMMAND: (f64, f64, usize) = (2.0, 4.0, 1);
    const PYTHON: (f64, f64, usize) = (4.0, 4.0, 1);
    const BROWSER: (f64, f64, usize) = (1.5, 4.0, 1);

    fn choice(
        size: &str,
        metric: Metric,
        (single, multi, threads): (f64, f64, usize),
        there: &dyn Fn(TableId) -> Option<Encoding>,
    ) -> TableChoice {
        let goal = Goal::blank_last(size.parse().unwrap());
        let budget = TableBudget {
            max_seconds: if metric == Metric::Single {
                single
            } else {
                multi
            },
            max_memory: Some(1 << 30),
            max_bytes: None,
            threads,
            there,
        };
        TableChoice::of(&HeuristicSpec::builder(&goal).metric(metric), &budget).unwrap()
    }

    /// With nothing on the disk and one core, by size: in the browser and elsewhere. Numbers are the
    /// sizes of equal parts.
    #[test]
    fn sizes_have_the_largest_tables_of_the_budget() {
        for (size, browser, elsewhere) in [
            ("3x3", "8", "8"),
            ("4x4", "6-6-3", "6-6-3"),
            ("5x5", "5", "5"),
            ("6x6", "4", "4"),
            ("7x7", "3", "3"),
            ("8x8", "manhattan", "3"),
            ("9x9", "manhattan", "manhattan"),
        ] {
            let budgets = [
                (BROWSER, browser),
                (COMMAND, elsewhere),
                (PYTHON, elsewhere),
            ];
            for (budget, name) in budgets {
                let tray = size.parse().unwrap();
                let name = match name.parse() {
                    Ok(part @ ..=5) => HeuristicSpec::equal_parts_name(tray, part),
                    _ => name.to_owned(),
                };
                let choice = choice(size, Metric::Single, budget, &|_| None);
                assert_eq!(choice.spec.name(), name, "{size} {budget:?}");
            }
        }
        let runs = |size| choice(size, Metric::Multi, COMMAND, &|_| None);
        assert_eq!(runs("4x4").spec.name(), "runs");
        assert_eq!(runs("6x6").spec.name(), "lines");
    }

    /// Tables that are there take no time, and only what is missing takes memory.
    #[test]
    fn tables_that_are_there_are_taken() {
        let goal = Goal::blank_last("6x6".parse().unwrap());
        let usual = HeuristicSpec::builder(&goal).parse_default().unwrap();
        let tables = usual.tables();
        let there = |id: TableId| tables.contains(&id).then_some(Encoding::OneBit);
        let nothing = (0.0, 0.0, 1);
        let taken = choice("6x6", Metric::Single, nothing, &there);
        assert_eq!(taken.spec, usual);
        assert!(taken.instead_of.is_none());
        let one_is_missing = |id: TableId| there(id).filter(|_| id != tables[0]);
        let taken = choice("6x6", Metric::Single, nothing, &one_is_missing);
        assert_eq!(taken.spec.name(), "manhattan");
        let why = taken.instead_of;
        assert!(matches!(why, Some(OverBudget::Time { seconds, .. }) if seconds > 0.0));
        let budget = TableBudget {
            max_seconds: 0.0,
            max_memory: Some(0),
            max_bytes: Some(1 << 20),
            threads: 1,
            there: &there,
        };
        let refused = budget.check(&usual).unwrap_err();
        assert!(matches!(refused, OverBudget::Memory { bytes, .. } if bytes > 1 << 20));
        let budget = TableBudget {
            max_bytes: None,
            ..budget
        };
        assert!(budget.check(&usual).is_ok());
    }
}
