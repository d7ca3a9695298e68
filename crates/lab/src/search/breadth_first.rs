//! Breadth-first search.
//!
//! E. F. Moore, The shortest path through a maze, 1959. Nodes are numbered in order of discovery,
//! so the unexpanded nodes at the end of the store are the queue.

use super::Counts;
use super::limit::{Limit, Watch};
use super::node_store::NodeStore;
use super::steps::Steps;
use super::{Outcome, Problem};

pub(crate) fn run(problem: &Problem<'_>, mut watch: Watch<'_>) -> Outcome {
    let mut store = NodeStore::new(problem.start.pieces().len());
    let mut counts = Counts::default();
    let outcome = search(problem, &mut watch, &mut store, &mut counts);
    counts.peak = store.len() as u64;
    counts.peak_bytes = store.bytes();
    (outcome, counts)
}

fn search(
    problem: &Problem<'_>,
    watch: &mut Watch<'_>,
    store: &mut NodeStore,
    counts: &mut Counts,
) -> Result<Vec<u8>, Limit> {
    let steps = Steps::new(problem.start.tray(), problem.order);
    let mut position = problem.start.clone();
    store.entry(&position, watch.max_memory())?;
    if position.is_goal() {
        return Ok(vec![position.blank()]);
    }
    let mut id = 0;
    while (id as usize) < store.len() {
        watch.check(counts.generated)?;
        counts.expanded += 1;
        let node = store.node(id);
        store.place(id, &mut position);
        let blank = position.blank();
        for cell in steps.without(blank, node.back) {
            counts.generated += 1;
            let slide = position.slide(cell);
            let (child, is_new) = store.entry(&position, watch.max_memory())?;
            if is_new {
                let own = store.node_mut(child);
                (own.parent, own.g, own.back) = (id, node.g + 1, blank);
                if position.is_goal() {
                    return Ok(store.path(child, &mut position));
                }
            }
            position.slide(slide.to);
        }
        id += 1;
    }
    // All reachable boards were visited.
    Err(Limit::Exhausted)
}
