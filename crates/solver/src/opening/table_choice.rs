//! The choice of a solver's tables, and the cost of missing tables.

use std::fmt;

use pdb_gen::{TooLarge, estimate_memory, estimate_seconds, size};
use pdb_table::{Encoding, HEADER_LENGTH};
use puzzle::{HeuristicSpec, HeuristicSpecBuilder, PartitionError, TableId};

use crate::calls::number_of_threads;

/// Limits of the tables of a solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableBudget {
    /// Limit of the estimated time to build all missing tables, in seconds.
    pub max_seconds: f64,
    /// Memory limit while missing tables are built, in bytes; `None` if the available memory is
    /// unknown.
    pub max_memory: Option<u64>,
    /// Limit of the memory of all tables together, in bytes. Existing tables are included. `None`
    /// for no separate limit.
    pub max_bytes: Option<u64>,
    /// Number of threads that build tables; 0 for all cores, which is also the maximum.
    pub threads: usize,
}

/// Missing tables, and the cost of building them.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Missing {
    /// The name of the partition that needs the tables.
    pub name: String,
    /// The tables.
    pub tables: Vec<TableId>,
    /// Estimated build time in seconds. The estimate is cautious: rather too high than too low.
    pub seconds: f64,
    /// Memory in bytes to build the tables one after the other, including the memory of finished
    /// tables.
    pub memory: u64,
    /// Total size of the tables' files in bytes.
    pub bytes: u64,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, seconds) = (&self.name, self.seconds);
        write!(
            f,
            "tables of {name} are missing and may take {seconds:.0} s to build"
        )
    }
}

/// Reason why tables exceed a [`TableBudget`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OverBudget {
    /// Missing tables take too long to build.
    #[error("{0}")]
    Missing(Missing),
    /// Tables need too much memory.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The chosen tables of a solver, with the reason.
#[derive(Debug)]
#[non_exhaustive]
pub struct TableChoice {
    /// The specification of the solver.
    pub spec: HeuristicSpec,
    /// Reason why the default tables of the size were not chosen; `None` if they were chosen, or if
    /// the caller requested the tables by name.
    pub instead_of: Option<OverBudget>,
}

impl TableBudget {
    /// The missing tables of `tables`, if all of them are within the budget. `name` is the
    /// partition that needs the tables. `existing` returns the encoding of an existing table, on
    /// disk or in memory.
    ///
    /// # Errors
    /// [`OverBudget`] with the required time and memory.
    pub fn check(
        &self,
        name: &str,
        tables: &[TableId],
        existing: &dyn Fn(TableId) -> Option<Encoding>,
    ) -> Result<Missing, OverBudget> {
        let threads = number_of_threads(self.threads).min(number_of_threads(0));
        let mut all: u64 = 0;
        let mut fits = Ok(());
        let mut missing = Missing {
            name: name.to_owned(),
            tables: Vec::new(),
            seconds: 0.0,
            memory: 0,
            bytes: 0,
        };
        for &id in tables {
            let existing = existing(id);
            let encoding = existing.unwrap_or(Encoding::default_for(id.kind()));
            let needed = estimate_memory(id, encoding);
            all = all.saturating_add(needed);
            if existing.is_none() {
                fits = fits.and_then(|()| TooLarge::check(id, encoding, self.max_memory));
                missing.tables.push(id);
                missing.seconds += estimate_seconds(id, threads);
                missing.memory = missing.memory.max(missing.bytes.saturating_add(needed));
                let file = HEADER_LENGTH as u64 + encoding.payload_length(id.entries());
                missing.bytes = missing.bytes.saturating_add(file);
            }
        }
        TooLarge::refuse(name, all, self.max_bytes)?;
        if !missing.tables.is_empty() && missing.seconds > self.max_seconds {
            return Err(OverBudget::Missing(missing));
        }
        fits?;
        TooLarge::refuse(name, missing.memory, self.max_memory)?;
        Ok(missing)
    }
}

impl TableChoice {
    /// Chooses the tables of the size's default partition if they are within the budget; otherwise
    /// the tables of the largest equal parts within the budget; otherwise no tables. The builder
    /// contains the goal, the metric and the kind; `existing` is as in [`TableBudget::check`].
    ///
    /// # Errors
    /// None in practice: a heuristic without tables always exists.
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
    /// };
    /// let choice = TableChoice::of(&HeuristicSpec::builder(&goal), &budget, &|_| None)?;
    /// assert_eq!(choice.spec.name(), "4-4-4-4-4-4-4-4-3");
    /// let why = choice.reason().unwrap();
    /// assert!(why.starts_with("tables of 6-6-6-6-6-5 are missing and may take"), "{why}");
    /// assert!(why.ends_with(" s to build: 4-4-4-4-4-4-4-4-3 instead"), "{why}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        builder: &HeuristicSpecBuilder,
        budget: &TableBudget,
        existing: &dyn Fn(TableId) -> Option<Encoding>,
    ) -> Result<TableChoice, PartitionError> {
        let mut instead_of = None;
        for spec in builder.defaults() {
            match budget.check(spec.name(), &spec.tables(), existing) {
                Ok(_) => return Ok(TableChoice { spec, instead_of }),
                Err(error) => instead_of = instead_of.or(Some(error)),
            }
        }
        let spec = builder.parse_table_free()?;
        Ok(TableChoice { spec, instead_of })
    }

    /// Reason for choosing these tables over the default; `None` for the default tables, or if the
    /// caller requested the tables by name.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        let why = match self.instead_of.as_ref()? {
            OverBudget::TooLarge(error) => {
                let (name, needed) = (&error.name, size(error.needed));
                format!("{name} needs {needed} of memory")
            }
            error => error.to_string(),
        };
        Some(format!("{why}: {} instead", self.spec.name()))
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Goal, Metric};

    use super::*;

    /// Budget of a frontend: build seconds in the single-tile metric, build seconds in the
    /// multi-tile metric, and threads.
    const COMMAND: (f64, f64, usize) = (2.0, 4.0, 1);
    const PYTHON: (f64, f64, usize) = (4.0, 4.0, 1);
    const BROWSER: (f64, f64, usize) = (1.5, 4.0, 1);
    /// Budget of the page. The page uses no tables for trays of more than 36 cells.
    const PAGE: (f64, f64, usize) = (2.3, 2.3, 1);

    fn choice(
        size: &str,
        metric: Metric,
        (single, multi, threads): (f64, f64, usize),
        existing: &dyn Fn(TableId) -> Option<Encoding>,
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
        };
        let builder = HeuristicSpec::builder(&goal).metric(metric);
        TableChoice::of(&builder, &budget, existing).unwrap()
    }

    /// Chosen tables per tray size, in browsers and elsewhere. No tables exist, and one thread
    /// builds. A number up to 5 stands for equal parts of this number of tiles.
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
                (PAGE, elsewhere),
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
        // The page's budget allows parts of four tiles on all trays of up to 36 cells except the
        // narrowest trays.
        for size in ["7x5", "9x4", "12x3"] {
            let name = HeuristicSpec::equal_parts_name(size.parse().unwrap(), 4);
            let choice = choice(size, Metric::Single, PAGE, &|_| None);
            assert_eq!(choice.spec.name(), name, "{size}");
        }
        let runs = |size| choice(size, Metric::Multi, COMMAND, &|_| None);
        assert_eq!(runs("4x4").spec.name(), "runs");
        assert_eq!(runs("6x6").spec.name(), "lines");
    }

    /// Existing tables need neither time nor memory for building. Only the limit `max_bytes`
    /// includes them.
    #[test]
    fn existing_tables_are_used() {
        let goal = Goal::blank_last("6x6".parse().unwrap());
        let usual = HeuristicSpec::builder(&goal).parse_default().unwrap();
        let tables = usual.tables();
        let existing = |id: TableId| tables.contains(&id).then_some(Encoding::OneBit);
        let nothing = (0.0, 0.0, 1);
        let taken = choice("6x6", Metric::Single, nothing, &existing);
        assert_eq!(taken.spec, usual);
        assert!(taken.instead_of.is_none());
        let one_is_missing = |id: TableId| existing(id).filter(|_| id != tables[0]);
        let taken = choice("6x6", Metric::Single, nothing, &one_is_missing);
        assert_eq!(taken.spec.name(), "manhattan");
        let why = taken.instead_of;
        assert!(matches!(why, Some(OverBudget::Missing(missing)) if missing.seconds > 0.0));
        let budget = TableBudget {
            max_seconds: 0.0,
            max_memory: Some(0),
            max_bytes: Some(1 << 20),
            threads: 1,
        };
        let check = |budget: TableBudget| budget.check(usual.name(), &tables, &existing);
        let refused = check(budget).unwrap_err();
        assert!(matches!(refused, OverBudget::TooLarge(error) if error.needed > 1 << 20));
        let budget = TableBudget {
            max_bytes: None,
            ..budget
        };
        assert!(check(budget).is_ok());
    }
}
