//! Common type of the single-tile search and the multi-tile search, including their tables.

use pdb_table::{SharedTable, TableError};
use puzzle::{HeuristicSpec, Metric, Ranking, State, TableId};

use crate::calls::Limits;
use crate::deepening::Deepen;
use crate::multi::multi_tile::MultiTile;
use crate::optimal::single_tile::SingleTile;
use crate::tables::{DamagedTable, SlideTables};

/// The tables and the search in one metric.
pub(crate) enum MetricSearch {
    Single(SingleTile),
    Multi(MultiTile),
}

impl MetricSearch {
    /// `tables` are the tables of the specification. The new search shares data with `like`, a
    /// search on the same tray.
    pub(crate) fn new(
        spec: &HeuristicSpec,
        tables: &[SharedTable],
        like: Option<&Self>,
    ) -> Result<Self, TableError> {
        let (single, multi) = match like {
            Some(MetricSearch::Single(like)) => (Some(like), None),
            Some(MetricSearch::Multi(like)) => (None, Some(like)),
            None => (None, None),
        };
        Ok(match spec.metric() {
            Metric::Single => MetricSearch::Single(SingleTile::new(spec, tables, single)?),
            Metric::Multi => MetricSearch::Multi(MultiTile::new(spec, tables, multi)?),
        })
    }

    /// The tables of the single-tile metric; `None` in the multi-tile metric.
    pub(crate) fn slide_tables(&self) -> Option<&SlideTables> {
        match self {
            MetricSearch::Single(single) => Some(&single.tables),
            MetricSearch::Multi(_) => None,
        }
    }

    /// The tables of all parts of all views. A table can occur more than once. The iterator is
    /// empty if there are no tables.
    pub(crate) fn tables(&self) -> Box<dyn Iterator<Item = &SharedTable> + '_> {
        match self {
            MetricSearch::Single(single) => single.tables.tables(),
            MetricSearch::Multi(multi) => Box::new(multi.tables.tables()),
        }
    }

    /// A table and the ranking of its entries; `None` if the specification does not use the table.
    pub(crate) fn find(&self, id: TableId) -> Option<(&SharedTable, &Ranking)> {
        match self {
            MetricSearch::Single(single) => single.tables.find(id),
            MetricSearch::Multi(multi) => multi.tables.find(id),
        }
    }

    /// The initial estimate of a search from a state. This function is separate from the search, so
    /// callers that need only estimates do not link the searches, which are large.
    pub(crate) fn estimate(&self, state: &State) -> Result<u32, DamagedTable> {
        match self {
            MetricSearch::Single(single) => single.tables.estimate(state),
            MetricSearch::Multi(multi) => multi.estimate(state),
        }
    }

    /// Prepares the search of a board and passes the search to `deepen`.
    pub(crate) fn search(
        &self,
        state: &State,
        limits: Limits,
        deepen: &mut Deepen,
    ) -> Result<(), DamagedTable> {
        match self {
            MetricSearch::Single(single) => single.search(state, limits, deepen),
            MetricSearch::Multi(multi) => multi.search(state, limits, deepen),
        }
    }
}
