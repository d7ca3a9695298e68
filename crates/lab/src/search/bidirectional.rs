//! Bidirectional search: NBS.
//!
//! J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, Front-to-end bidirectional heuristic
//! search with near-optimal node expansions, IJCAI 2017, algorithms 1 and 3. Nodes are expanded in
//! pairs, one from each side. The bound of a pair is a lower bound of the length of solutions
//! through both nodes; the pair with the least bound is expanded next. The bound is the maximum of
//! three numbers: the f of each of the two nodes, and the sum of their g plus one move. The search
//! ends when no pair can lead to a shorter solution than the best found.
//!
//! If several pairs have the least bound, each side expands its node with the least g. Of nodes
//! with equal g, it expands the one inserted last. At first, only nodes whose f is below the bound
//! are candidates for pairs. If they form no pair within the bound, nodes whose f equals the bound
//! become candidates one by one, first those of the start's side.

use puzzle::{Cell, Tray};

use super::limit::{Limit, Watch};
use super::node_store::{NodeId, NodeStore};
use super::open_list::OpenList;
use super::steps::Steps;
use super::{Counts, Outcome, Problem};
use crate::heuristic::{AnyHeuristic, Carried, Zero};
use crate::position::{Position, Slide};

/// One of the two searches: from the start or from the goal.
struct Side<'a> {
    heuristic: &'a dyn AnyHeuristic,
    store: NodeStore,
    /// `ready` contains the open nodes that are candidates for pairs, sorted by g. `waiting`
    /// contains the other open nodes, sorted by f. Nodes with f below the bound are candidates;
    /// nodes with f equal to the bound become candidates when needed.
    waiting: OpenList,
    ready: OpenList,
    /// For each piece, its goal cell in this search. `heuristic` identifies the pieces by these
    /// goal cells.
    names: Vec<u8>,
    /// The current board, with the pieces named by the goal cells in `names`.
    seen: Position,
    parent: Carried,
    child: Carried,
}

impl<'a> Side<'a> {
    /// A search from the board `seen`, whose pieces are already renamed by `names`.
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

    /// The least f of the waiting nodes.
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

    /// The ready node with the least g.
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

    /// Makes all waiting nodes with f below `bound` ready.
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

    /// Returns the heuristic's value of `seen`, the board after the move `slide`. `parent` contains
    /// the data of the board before the move.
    fn follow(&mut self, slide: Slide) -> u16 {
        let (parent, child) = (&self.parent, &mut self.child);
        self.heuristic.follow_any(parent, child, &self.seen, slide) as u16
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.waiting.bytes() + self.ready.bytes()
    }
}

/// A search from both ends.
struct BothEnds<'a> {
    sides: [Side<'a>; 2],
    steps: Steps,
    /// A scratch position, into which the boards of nodes are unpacked.
    position: Position,
    watch: Watch<'a>,
    counts: Counts,
    best: Option<Meeting>,
}

/// A board reached from both sides.
#[derive(Clone, Copy)]
struct Meeting {
    /// Length of the solution through the board.
    length: u32,
    /// The board's node on each side.
    nodes: [NodeId; 2],
}

/// The next step.
enum Next {
    Expand([NodeId; 2]),
    /// The bound of every pair is at least this number, which is above the current bound.
    Raise(u32),
    /// A side has no open nodes.
    Stop,
}

pub(crate) fn run(problem: &Problem<'_>, watch: Watch<'_>) -> Outcome {
    let start = problem.start;
    let cells = start.pieces().len();
    let same = (0..cells).map(|piece| piece as u8).collect();
    // The search from the goal ends at the start, so for this search the goal cell of a piece is
    // its cell in `start`.
    let mut home = vec![0; cells];
    for (cell, &piece) in (0_u8..=u8::MAX).zip(start.pieces()) {
        home[usize::from(piece)] = cell;
    }
    let mut goal = start.clone();
    goal.set((0..cells).map(|piece| piece as u8));
    let Some(back) = renamed(&goal, &home, start.blank(), start.tray()) else {
        return (Err(Limit::Exhausted), Counts::default());
    };
    let mut search = BothEnds {
        sides: [
            Side::new(problem.heuristic, same, start.clone()),
            Side::new(problem.backward.unwrap_or(&Zero), home, back),
        ],
        steps: Steps::new(start.tray(), problem.order),
        position: start.clone(),
        watch,
        counts: Counts::default(),
        best: None,
    };
    let outcome = search.run(&goal);
    let BothEnds {
        sides, mut counts, ..
    } = search;
    counts.peak = sides.iter().map(|side| side.store.len() as u64).sum();
    counts.peak_bytes = sides.iter().map(Side::bytes).sum();
    (outcome, counts)
}

/// Returns a board whose pieces are renamed by `names`. `blank` is the new name of the blank.
fn renamed(board: &Position, names: &[u8], blank: u8, tray: Tray) -> Option<Position> {
    let pieces = board.pieces().iter();
    let pieces = pieces.map(|&piece| Cell::new(names[usize::from(piece)].into()));
    let state = puzzle::State::new(tray, Cell::new(blank.into()), pieces.collect())?;
    Position::new(&state).ok()
}

impl BothEnds<'_> {
    /// Searches from the current position and from the goal.
    fn run(&mut self, goal: &Position) -> Result<Vec<u8>, Limit> {
        let max_bytes = self.watch.max_memory();
        let [forward, backward] = &mut self.sides;
        self.counts.h0 = forward.begin(&self.position, max_bytes)?;
        let mut bound = self.counts.h0.max(backward.begin(goal, max_bytes)?);
        if self.position.is_goal() {
            self.best = Some(Meeting {
                length: 0,
                nodes: [0, 0],
            });
        }
        loop {
            // All solutions that are not found yet have at least `bound` moves.
            if let Some(best) = self.best.filter(|best| best.length <= bound) {
                return Ok(self.path(best));
            }
            match self.next(bound) {
                Next::Expand(nodes) => {
                    self.watch.check(self.counts.generated)?;
                    self.expand(0, nodes[0])?;
                    self.expand(1, nodes[1])?;
                }
                Next::Raise(to) => bound = to,
                // One side has visited all boards, so the best solution found is a shortest one.
                Next::Stop => bound = self.best.ok_or(Limit::Exhausted)?.length,
            }
        }
    }

    /// Chooses the pair with the least lower bound, if this bound is at most `bound`.
    fn next(&mut self, bound: u32) -> Next {
        let [forward, backward] = &mut self.sides;
        forward.make_ready(bound);
        backward.make_ready(bound);
        loop {
            let ready = [forward.least_ready(), backward.least_ready()];
            let waiting = [forward.least_waiting(), backward.least_waiting()];
            let mut by_g = None;
            if let [Some((g, u)), Some((other_g, v))] = ready {
                if g + other_g < bound {
                    return Next::Expand([u, v]);
                }
                by_g = Some(g + other_g + 1);
            }
            if waiting[0] == Some(bound) {
                forward.make_one_ready();
            } else if waiting[1] == Some(bound) {
                backward.make_one_ready();
            } else {
                let is_open = |side: usize| waiting[side].is_some() || ready[side].is_some();
                let least = waiting.into_iter().flatten().chain(by_g).min();
                let least = least.filter(|_| is_open(0) && is_open(1));
                return least.map_or(Next::Stop, Next::Raise);
            }
        }
    }

    /// The blank's cells along a solution.
    fn path(&mut self, best: Meeting) -> Vec<u8> {
        let [forward, backward] = &self.sides;
        let mut path = forward.store.path(best.nodes[0], &mut self.position);
        let back = backward.store.path(best.nodes[1], &mut self.position);
        path.extend(back.into_iter().rev().skip(1));
        path
    }

    /// Expands a node of one side and looks up its children on the other side.
    fn expand(&mut self, own: usize, id: NodeId) -> Result<(), Limit> {
        let bytes: u64 = self.sides.iter().map(Side::bytes).sum();
        let [forward, backward] = &mut self.sides;
        let (side, other) = match own {
            0 => (forward, backward),
            _ => (backward, forward),
        };
        let (position, counts) = (&mut self.position, &mut self.counts);
        let others = bytes - side.store.bytes();
        let max_bytes = self.watch.max_memory().saturating_sub(others);
        let node = side.store.node(id);
        side.store.place(id, position);
        side.store.node_mut(id).is_closed = true;
        counts.expanded += 1;
        let name = |&piece: &u8| side.names[usize::from(piece)];
        side.seen.set(position.pieces().iter().map(name));
        side.heuristic.carry_into(&mut side.parent, &side.seen);
        let blank = position.blank();
        for cell in self.steps.without(blank, node.back) {
            counts.generated += 1;
            let slide = position.slide(cell);
            let seen_slide = side.seen.slide(cell);
            let (child, is_new) = side.store.entry(position, max_bytes)?;
            let (g, before) = (node.g + 1, side.store.node(child));
            if is_new || g < before.g {
                let h = match is_new {
                    true => side.follow(seen_slide),
                    false => before.h,
                };
                counts.reopened += u64::from(!is_new && before.is_closed);
                let stored = side.store.node_mut(child);
                (stored.parent, stored.g, stored.h, stored.is_closed) = (id, g, h, false);
                stored.back = blank;
                side.waiting.push((g + h).into(), h.into(), child);
                if let Some(met) = other.store.find(position) {
                    let length = u32::from(g + other.store.node(met).g);
                    if self.best.is_none_or(|best| length < best.length) {
                        let nodes = if own == 0 { [child, met] } else { [met, child] };
                        self.best = Some(Meeting { length, nodes });
                    }
                }
            }
            position.slide(slide.to);
            side.seen.slide(slide.to);
        }
        Ok(())
    }
}
