//! IDA*: depth-first searches with increasing bounds.
//!
//! R. E. Korf, Depth-first iterative-deepening: an optimal admissible tree search, Artificial
//! Intelligence 27, 1985. A node is expanded if g + h is at most the bound. The first bound is h of
//! the start; the next is the least g + h above the previous one. Only the reverse move is pruned,
//! so a board is searched once per path to it.
//!
//! The code is instantiated per heuristic, so that lookups are inlined.

use puzzle::Direction;

use super::limit::{Limit, Watch};
use super::steps::Steps;
use super::{Counts, Iteration, Outcome};
use crate::heuristic::Heuristic;
use crate::position::Position;

/// Input of IDA*.
#[derive(Debug)]
pub struct Deepening<'a> {
    pub(crate) start: &'a Position,
    pub(crate) order: [Direction; 4],
    pub(crate) watch: Watch<'a>,
    /// If set, only one depth-first search runs, with this bound. It does not stop at goals, and its
    /// path is empty.
    pub(crate) only_bound: Option<u32>,
}

/// Value of `least_over` if no node was above the bound. The board then has no solution.
const NOTHING_OVER: u32 = u32::MAX;

pub(crate) fn deepen<H: Heuristic>(heuristic: &H, task: Deepening<'_>) -> Outcome {
    let Deepening {
        start,
        order,
        watch,
        only_bound,
    } = task;
    let steps = Steps::new(start.tray(), order);
    let root = heuristic.carry(start);
    let h0 = heuristic.value(&root);
    let mut counts = Counts {
        h0,
        ..Counts::default()
    };
    let mut slots = vec![root];
    let mut search = DepthFirst {
        heuristic,
        steps: &steps,
        position: start.clone(),
        watch,
        bound: only_bound.unwrap_or(h0),
        passes_goals: only_bound.is_some(),
        least_over: NOTHING_OVER,
        generated: 0,
        expanded: 0,
        deepest: 0,
        path: Vec::new(),
        limit: None,
    };
    let outcome = loop {
        if only_bound.is_some_and(|bound| h0 > bound) {
            break Ok(Vec::new());
        }
        if start.is_goal() && only_bound.is_none() {
            break Ok(vec![start.blank()]);
        }
        // A path within a bound of b moves has up to b + 1 boards. The children of its last board
        // need one more slot, because a child's value is computed before the child is pruned.
        slots.resize_with(search.bound as usize + 2, || heuristic.carry(start));
        let before = (search.generated, search.expanded);
        search.watch.bound = search.bound;
        let is_solved = search.expand(Steps::first(start.blank()), 0, &mut slots);
        let iteration = Iteration {
            bound: search.bound,
            generated: search.generated - before.0,
            expanded: search.expanded - before.1,
        };
        search.watch.report(search.generated, Some(iteration));
        counts.iterations.push(iteration);
        if is_solved {
            search.path.push(start.blank());
            search.path.reverse();
            break Ok(std::mem::take(&mut search.path));
        }
        if let Some(limit) = search.limit {
            break Err(limit);
        }
        if only_bound.is_some() {
            break Ok(Vec::new());
        }
        if search.least_over == NOTHING_OVER {
            // The tray has only one row or column, and all paths ended within the bound, so the
            // start is not solvable.
            break Err(Limit::Exhausted);
        }
        search.bound = std::mem::replace(&mut search.least_over, NOTHING_OVER);
    };
    (counts.generated, counts.expanded) = (search.generated, search.expanded);
    counts.peak = u64::from(search.deepest) + 1;
    counts.peak_bytes = (slots.capacity() * size_of::<H::Carried>()) as u64;
    (outcome, counts)
}

/// A depth-first search.
struct DepthFirst<'a, H: Heuristic> {
    heuristic: &'a H,
    steps: &'a Steps,
    position: Position,
    watch: Watch<'a>,
    bound: u32,
    /// Whether goals are treated like other nodes.
    passes_goals: bool,
    /// The least g + h above the bound.
    least_over: u32,
    generated: u64,
    expanded: u64,
    /// Length of the longest path.
    deepest: u32,
    /// The blank's cells on the path to the goal, in reverse order.
    path: Vec<u8>,
    limit: Option<Limit>,
}

impl<H: Heuristic> DepthFirst<'_, H> {
    /// Expands the current node, which is g moves from the start. Returns `true` if the goal was
    /// reached. After the goal or a limit was reached, the position is undefined.
    fn expand(&mut self, list: u16, g: u32, slots: &mut [H::Carried]) -> bool {
        self.limit = self.watch.check(self.generated).err();
        if self.limit.is_some() {
            return false;
        }
        self.expanded += 1;
        self.deepest = self.deepest.max(g + 1);
        let steps = self.steps;
        let Some((own, below)) = slots.split_first_mut() else {
            return false;
        };
        for step in steps.list(list) {
            self.generated += 1;
            let slide = self.position.slide(step.cell);
            self.heuristic
                .follow(own, &mut below[0], &self.position, slide);
            let h = self.heuristic.value(&below[0]);
            let f = g + 1 + h;
            if f <= self.bound {
                let is_end = h == 0 && !self.passes_goals && self.position.is_goal();
                if is_end || self.expand(step.list, g + 1, below) {
                    self.path.push(step.cell);
                    return true;
                }
                if self.limit.is_some() {
                    return false;
                }
            } else {
                self.least_over = self.least_over.min(f);
            }
            self.position.slide(slide.to);
        }
        false
    }
}
