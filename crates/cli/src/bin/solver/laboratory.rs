//! The laboratory's heuristics over the user's tables directory.

use cli::SharedArgs;
use lab::HeuristicFactory;
use solver::PatternTable;

/// Makes heuristics: large tables are mapped where they are there, others built in memory.
pub(crate) fn factory(shared: &SharedArgs) -> HeuristicFactory {
    let directory = shared.directory().ok();
    let open = move |id, geometry: &_| {
        let table = directory.as_ref()?.find(id).ok()??;
        PatternTable::new(table, geometry).ok()
    };
    HeuristicFactory::new(open, &cli::cancel())
}
