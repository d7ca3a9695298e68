//! The laboratory's heuristics over the user's tables directory.

use cli::{Failure, SharedArgs, free_memory};
use lab::{HeuristicChoice, HeuristicFactory};
use solver::PatternTable;

/// Heuristics by names, of which an option has one or several. Commas part them, but not those
/// with lists of tiles.
pub(crate) fn heuristics(given: &[String]) -> Result<Vec<HeuristicChoice>, Failure> {
    let names = given.iter().flat_map(|names| match names.contains('/') {
        true => vec![names.trim()],
        false => names.split(',').map(str::trim).collect(),
    });
    let choices = names.map(|name| name.parse().map_err(Failure::input));
    choices.collect()
}

/// Makes heuristics: large tables are mapped where they are there, others built in memory.
pub(crate) fn factory(shared: &SharedArgs) -> HeuristicFactory {
    let directory = shared.directory().ok();
    let open = move |id, geometry: &_| {
        let table = directory.as_ref()?.find(id).ok()??;
        PatternTable::new(table, geometry).ok()
    };
    HeuristicFactory::new(open, &cli::cancel(), free_memory())
}
