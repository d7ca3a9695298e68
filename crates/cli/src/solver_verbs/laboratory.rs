//! Suites of boards and heuristics from the crate `lab`. The heuristics read tables from the user's
//! tables directory.

use command::{Failure, SharedArgs};
use lab::{BoardSet, HeuristicFactory};
use pdb_gen::free_memory;
use solver::PatternTable;

/// Creates heuristics. Large tables are mapped from existing files; other tables are built in
/// memory.
pub(crate) fn factory(shared: &SharedArgs) -> HeuristicFactory {
    let directory = shared.directory().ok();
    let open = move |id, geometry: &_| {
        let table = directory.as_ref()?.find(id).ok()??;
        PatternTable::new(table, geometry).ok()
    };
    HeuristicFactory::new(open, &command::cancel(), free_memory())
}

/// A suite of boards. Options that contradict its size or goal are rejected.
pub(crate) fn suite(name: &str, shared: &SharedArgs) -> Result<BoardSet, Failure> {
    let set = BoardSet::suite(name).map_err(Failure::input)?;
    let (name, tray) = (&set.name, set.goal.tray());
    if let Some(size) = shared.known_size().filter(|&size| size != tray) {
        return Err(Failure::input(format!(
            "the boards of {name} are {tray}, not {size}: leave out --size and --goal"
        )));
    }
    if shared.goal.is_some() && shared.goal(Some(tray))? != set.goal {
        let goal = &set.goal;
        return Err(Failure::input(format!(
            "the goal of {name} is {goal}: leave out --goal, or give its boards with --file"
        )));
    }
    Ok(set)
}
