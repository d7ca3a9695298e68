//! Bidirectional search: NBS.
//!
//! J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, Front-to-end bidirectional heuristic
//! search with near-optimal node expansions, IJCAI 2017, algorithms 1 and 3. Nodes are expanded in
//! pairs, one from each side, with the least lower bound of a solution through both: the largest of
//! the two f and of the sum of the two g and one move. It ends when no pair can lead to a shorter
//! solution than the best that was met.
//!
//! Ties: pairs have the least g on each side, and of equal ones the node that was put there last.
//! Nodes whose f is the bound become candidates one by one, the start's side first.

use puzzle::{Cell, Tray};

use super::node_store::{NodeId, NodeStore};
use super::open_list::OpenList;
use super::steps::Steps;
use super::{Counts, Limit, Outcome, Problem, Watch};
use crate::heuristic::{AnyHeuristic, Carried, Zero};
use crate::position::Position;

/// The search from one end.
struct Side<'a> {
    heuristic: &'a dyn AnyHeuristic,
    store: NodeStore,
    /// Open nodes by f, and by g those that may be in a pair: whose f is below the bound, and as
    /// many at the bound as were needed.
    waiting: OpenList,
    ready: OpenList,
    /// The name of each piece as the heuristic knows it.
    names: Vec<u8>,
    /// A board with these names.
    seen: Position,
    parent: Carried,
    child: Carried,
}

impl<'a> Side<'a> {
    /// Begins at a board. `names` are those of the heuristic, `seen` is that board with them.
    fn new(heuristic: &'a dyn AnyHeuristic, names: Vec<u8>, seen: Position) -> Self {
        let carry = || heuristic.carry_any(&seen);
        Side {
            store: NodeStore::new(seen.pieces().len()),
            waiting: OpenList::default(),
            ready: OpenList::default(),
            names,
            parent: carry(),
            child: carry(),
            heuristic,
            seen,
        }
    }

    fn begin(&mut self, position: &Position, max_bytes: u64) -> Result<u32, Limit> {
        let h = self.heuristic.value_any(&self.parent);
        let (id, _) = self.store.entry(position, max_bytes)?;
        let own = self.store.node_mut(id);
        (own.h, own.is_closed) = (h as u16, false);
        self.waiting.push(h, h, id);
        Ok(h)
    }

    /// The least f of those that wait.
    fn least_waiting(&mut self) -> Option<u32> {
        while let Some((f, _, id)) = self.waiting.peek() {
            let node = self.store.node(id);
            if !node.is_closed && u32::from(node.g + node.h) == f {
                return Some(f);
            }
            self.waiting.pop();
        }
        None
    }

    /// The node with the least g of those that are ready.
    fn least_ready(&mut self) -> Option<(u32, NodeId)> {
        while let Some((g, _, id)) = self.ready.peek() {
            let node = self.store.node(id);
            if !node.is_closed && u32::from(node.g) == g {
                return Some((g, id));
            }
            self.ready.pop();
        }
        None
    }

    /// Makes nodes ready whose f is below a bound.
    fn make_ready(&mut self, bound: u32) {
        while self.least_waiting().is_some_and(|f| f < bound) {
            self.make_one_ready();
        }
    }

    /// Makes the node with the least f ready.
    fn make_one_ready(&mut self) {
        if let Some((_, _, id)) = self.waiting.pop() {
            self.ready.push(self.store.node(id).g.into(), 0, id);
        }
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.waiting.bytes() + self.ready.bytes()
    }
}

/// The best solution that was met: its length, and its node on both sides.
type Meeting = Option<(u32, NodeId, NodeId)>;

pub(crate) fn run(problem: &Problem<'_>, mut watch: Watch<'_>) -> Outcome {
    let start = problem.start;
    let cells = start.pieces().len();
    let same = (0..cells).map(|piece| piece as u8).collect();
    // From the goal, the way back is one to the start: there each piece is at home where the start
    // has it.
    let mut home = vec![0; cells];
    for (cell, &piece) in (0_u8..=u8::MAX).zip(start.pieces()) {
        home[usize::from(piece)] = cell;
    }
    let goal = goal(start);
    let Some(back) = renamed(&goal, &home, start.blank(), start.tray()) else {
        return (Err(Limit::Exhausted), Counts::default());
    };
    let mut sides = [
        Side::new(problem.heuristic, same, start.clone()),
        Side::new(problem.backward.unwrap_or(&Zero), home, back),
    ];
    let mut counts = Counts::default();
    let outcome = search(problem, &goal, &mut sides, &mut watch, &mut counts);
    counts.peak = sides.iter().map(|side| side.store.len() as u64).sum();
    counts.peak_bytes = sides.iter().map(Side::bytes).sum();
    (outcome, counts)
}

/// The goal of a board.
fn goal(start: &Position) -> Position {
    let mut goal = start.clone();
    goal.set((0..start.pieces().len()).map(|piece| piece as u8));
    goal
}

/// A board whose pieces have other names; the blank's goal cell is that of its new name.
fn renamed(board: &Position, names: &[u8], blank: u8, tray: Tray) -> Option<Position> {
    let pieces = board.pieces().iter();
    let pieces = pieces.map(|&piece| Cell::new(names[usize::from(piece)].into()));
    let state = puzzle::State::new(tray, Cell::new(blank.into()), pieces.collect())?;
    Position::new(&state).ok()
}

fn search(
    problem: &Problem<'_>,
    goal: &Position,
    sides: &mut [Side<'_>; 2],
    watch: &mut Watch<'_>,
    counts: &mut Counts,
) -> Result<Vec<u8>, Limit> {
    let steps = Steps::new(problem.start.tray(), problem.order);
    let mut position = problem.start.clone();
    counts.h0 = sides[0].begin(problem.start, watch.max_memory())?;
    let mut bound = counts.h0.max(sides[1].begin(goal, watch.max_memory())?);
    let mut best: Meeting = problem.start.is_goal().then_some((0, 0, 0));
    loop {
        // No shorter solution can be left.
        if let Some((length, forward, backward)) = best.filter(|&(length, ..)| length <= bound) {
            let mut path = sides[0].store.path(forward, &mut position);
            let mut back = sides[1].store.path(backward, &mut position);
            back.pop();
            path.extend(back.into_iter().rev());
            debug_assert_eq!(path.len(), length as usize + 1);
            return Ok(path);
        }
        sides.iter_mut().for_each(|side| side.make_ready(bound));
        let [forward, backward] = &mut *sides;
        let pair = forward.least_ready().zip(backward.least_ready());
        if let Some(((g, u), (other_g, v))) = pair
            && g + other_g < bound
        {
            if let Some(limit) = watch.check(counts.generated) {
                return Err(limit);
            }
            for (own, id) in [u, v].into_iter().enumerate() {
                expand(
                    sides,
                    own,
                    id,
                    &steps,
                    &mut position,
                    watch,
                    counts,
                    &mut best,
                )?;
            }
            continue;
        }
        // The least bound that any pair has now.
        let by_g = pair.map(|((g, _), (other_g, _))| g + other_g + 1);
        let waiting = [forward.least_waiting(), backward.least_waiting()];
        if waiting.contains(&Some(bound)) {
            let side = usize::from(waiting[0] != Some(bound));
            sides[side].make_one_ready();
            continue;
        }
        let has_open = [
            waiting[0].is_some() || forward.least_ready().is_some(),
            waiting[1].is_some() || backward.least_ready().is_some(),
        ];
        let next = waiting.into_iter().flatten().chain(by_g).min();
        match (next.filter(|_| has_open == [true; 2]), best) {
            (Some(next), _) => bound = next,
            // One side has met every board: the best solution is the shortest.
            (None, Some((length, ..))) => bound = length,
            (None, None) => return Err(Limit::Exhausted),
        }
    }
}

/// Expands a node of one side, and looks its children up on the other.
#[expect(clippy::too_many_arguments, reason = "the state of one search")]
fn expand(
    sides: &mut [Side<'_>; 2],
    own: usize,
    id: NodeId,
    steps: &Steps,
    position: &mut Position,
    watch: &Watch<'_>,
    counts: &mut Counts,
    best: &mut Meeting,
) -> Result<(), Limit> {
    let bytes: u64 = sides.iter().map(Side::bytes).sum();
    let [forward, backward] = sides;
    let (side, other) = match own {
        0 => (forward, backward),
        _ => (backward, forward),
    };
    let max_bytes = watch
        .max_memory()
        .saturating_sub(bytes - side.store.bytes());
    let node = side.store.node(id);
    side.store.place(id, position);
    side.store.node_mut(id).is_closed = true;
    counts.expanded += 1;
    let names = &side.names;
    side.seen.set(
        position
            .pieces()
            .iter()
            .map(|&piece| names[usize::from(piece)]),
    );
    side.heuristic.carry_into(&mut side.parent, &side.seen);
    let blank = position.blank();
    for cell in steps.without(blank, node.back) {
        counts.generated += 1;
        let slide = position.slide(cell);
        let seen_slide = side.seen.slide(cell);
        let (child, is_new) = side.store.entry(position, max_bytes)?;
        let (g, before) = (node.g + 1, side.store.node(child));
        if is_new || g < before.g {
            let mut h = before.h;
            if is_new {
                let (parent, child) = (&side.parent, &mut side.child);
                h = side
                    .heuristic
                    .follow_any(parent, child, &side.seen, seen_slide) as u16;
            }
            counts.reopened += u64::from(!is_new && before.is_closed);
            let stored = side.store.node_mut(child);
            (stored.parent, stored.g, stored.h, stored.is_closed) = (id, g, h, false);
            stored.back = blank;
            side.waiting.push((g + h).into(), h.into(), child);
            if let Some(met) = other.store.find(position) {
                let length = u32::from(g + other.store.node(met).g);
                if best.is_none_or(|(shortest, ..)| length < shortest) {
                    *best = Some(match own {
                        0 => (length, child, met),
                        _ => (length, met, child),
                    });
                }
            }
        }
        position.slide(slide.to);
        side.seen.slide(slide.to);
    }
    Ok(())
}
