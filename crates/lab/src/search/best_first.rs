//! Best-first search: uniform-cost, greedy, A* and weighted A* differ only in the weights of g and
//! h.
//!
//! P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of
//! minimum cost paths, 1968. When a shorter path to a board is found, the board is reopened even if
//! it is closed. Only greedy search ignores such paths. Therefore the heuristic need not be
//! consistent: with any admissible heuristic, A* finds optimal solutions. Solutions of weighted A*
//! with the weight w are at most w times as long as optimal ones.

use super::limit::{Limit, Watch};
use super::node_store::NodeStore;
use super::open_list::OpenList;
use super::steps::Steps;
use super::{Counts, Outcome, Problem};

/// Searches with these weights of g and h.
pub(crate) fn run(problem: &Problem<'_>, weights: (u32, u32), mut watch: Watch<'_>) -> Outcome {
    let mut store = NodeStore::new(problem.start.pieces().len());
    let mut counts = Counts::default();
    let mut open = OpenList::default();
    let kept = (&mut store, &mut open);
    let outcome = search(problem, weights, &mut watch, kept, &mut counts);
    counts.peak = store.len() as u64;
    counts.peak_bytes = store.bytes() + open.bytes();
    (outcome, counts)
}

fn search(
    problem: &Problem<'_>,
    (g_weight, h_weight): (u32, u32),
    watch: &mut Watch<'_>,
    (store, open): (&mut NodeStore, &mut OpenList),
    counts: &mut Counts,
) -> Result<Vec<u8>, Limit> {
    let steps = Steps::new(problem.start.tray(), problem.order);
    let heuristic = problem.heuristic;
    let has_heuristic = h_weight > 0;
    let mut position = problem.start.clone();
    let mut parent = heuristic.carry_any(&position);
    let mut child = heuristic.carry_any(&position);
    if has_heuristic {
        counts.h0 = heuristic.value_any(&parent);
    }
    let priority = |g: u16, h: u16| g_weight * u32::from(g) + h_weight * u32::from(h);

    let (root, _) = store.entry(&position, watch.max_memory())?;
    let own = store.node_mut(root);
    (own.h, own.is_closed) = (counts.h0 as u16, false);
    let h = own.h;
    open.expect_room(priority(0, h), watch.max_memory())?;
    open.push(priority(0, h), h.into(), root);
    while let Some((f, _, id)) = open.pop() {
        let node = store.node(id);
        // Skips an outdated entry: a shorter path was found after its insertion.
        if node.is_closed || priority(node.g, node.h) != f {
            continue;
        }
        store.place(id, &mut position);
        if position.is_goal() {
            return Ok(store.path(id, &mut position));
        }
        watch.check(counts.generated)?;
        let blank = position.blank();
        store.node_mut(id).is_closed = true;
        counts.expanded += 1;
        if has_heuristic {
            heuristic.carry_into(&mut parent, &position);
        }
        for cell in steps.without(blank, node.back) {
            counts.generated += 1;
            let slide = position.slide(cell);
            let max_bytes = watch.max_memory().saturating_sub(open.bytes());
            let (next, is_new) = store.entry(&position, max_bytes)?;
            // In greedy search, a path can have more moves than `g` can store. The saturated value
            // does no harm, because greedy search does not use `g`.
            let (g, before) = (node.g.saturating_add(1), store.node(next));
            if is_new || (g < before.g && g_weight > 0) {
                let mut h = before.h;
                if is_new && has_heuristic {
                    h = heuristic.follow_any(&parent, &mut child, &position, slide) as u16;
                }
                counts.reopened += u64::from(!is_new && before.is_closed);
                let own = store.node_mut(next);
                (own.parent, own.g, own.h, own.is_closed) = (id, g, h, false);
                own.back = blank;
                let left = watch.max_memory().saturating_sub(store.bytes());
                open.expect_room(priority(g, h), left)?;
                open.push(priority(g, h), h.into(), next);
            }
            position.slide(slide.to);
        }
    }
    // All reachable boards were visited.
    Err(Limit::Exhausted)
}

/// Breadth-first search: E. F. Moore, The shortest path through a maze, 1959. Nodes are numbered in
/// order of discovery, so the unexpanded nodes at the end of the store are the queue.
pub(crate) fn run_by_levels(problem: &Problem<'_>, mut watch: Watch<'_>) -> Outcome {
    let mut store = NodeStore::new(problem.start.pieces().len());
    let mut counts = Counts::default();
    let outcome = search_by_levels(problem, &mut watch, &mut store, &mut counts);
    counts.peak = store.len() as u64;
    counts.peak_bytes = store.bytes();
    (outcome, counts)
}

fn search_by_levels(
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
