//! Suites of boards and heuristics from the crate `lab`. The heuristics read tables from the user's
//! tables directory.

use command::{Failure, SharedArgs};
use lab::{BoardSet, HeuristicChoice, HeuristicFactory};
use pdb_gen::free_memory;
use solver::PatternTable;

/// Parses heuristics from the values of an option. A value that contains `/` is one partition,
/// whose commas separate tiles. Every other value is a comma-separated list of heuristics.
pub(crate) fn heuristics(given: &[String]) -> Result<Vec<HeuristicChoice>, Failure> {
    let names = given.iter().flat_map(|names| match names.contains('/') {
        true => vec![names.trim()],
        false => names.split(',').map(str::trim).collect(),
    });
    let choices = names.map(|name| name.parse().map_err(Failure::input));
    choices.collect()
}

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
    let is_default = shared.goal.trim() == "blank-last";
    if !is_default && shared.goal(Some(tray))? != set.goal {
        let goal = &set.goal;
        return Err(Failure::input(format!(
            "the goal of {name} is {goal}: leave out --goal, or give its boards with --file"
        )));
    }
    Ok(set)
}
