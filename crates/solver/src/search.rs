//! IDA* (Korf 1985): depth-first searches with growing bounds on the length of the solution.
//!
//! The heuristic is the maximum over views of the sum over a view's parts, and is carried along: a move changes one
//! part of each view, and of that only the shape, the rank and the value. When a node is expanded, the first
//! view is looked up for all its children at once, so that the loads overlap; the other views follow only for a child
//! that the first does not prune, and stop at the first that does.
//!
//! The search keeps its own stack: its depth is bounded by the length of the solution, not by the thread's stack.

use puzzle::{Cell, Direction, State};

use crate::heuristic::{DamagedTable, Heuristic, Lookup, Place, Probe};

/// When to give up.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The most nodes to generate.
    pub nodes: Option<u64>,
    /// Asked every few thousand nodes; `true` stops the search.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// Nodes between two looks at the limits.
const NODES_PER_CHECK: u64 = 1 << 14;

/// How a search ended, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    /// The moves of the tiles, if the goal was reached.
    pub(crate) moves: Option<Vec<Direction>>,
    /// No solution is shorter than this.
    pub(crate) bound: u32,
    pub(crate) h0: u32,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
}

/// Searches for a shortest solution. `order` is the order of the blank's moves.
pub(crate) fn search<P: Probe, const MANHATTAN: bool>(
    heuristic: &Heuristic,
    state: &State,
    order: [Direction; 4],
    limits: Limits,
) -> Result<Report, DamagedTable> {
    let mut search = Search::<P, MANHATTAN>::new(heuristic, state, order, limits)?;
    let h0 = search.h0();
    let mut bound = h0;
    let moves = loop {
        if state.is_goal() {
            break Some(Vec::new());
        }
        match search.iterate(bound) {
            Iteration::Solved => break Some(search.path()),
            Iteration::Stopped => break None,
            Iteration::Exhausted(next) if next > bound => bound = next,
            // Nothing was pruned and nothing found, although the state is solvable: the values are wrong.
            Iteration::Exhausted(_) => return Err(DamagedTable(None)),
        }
    };
    Ok(Report {
        moves,
        bound: bound as u32,
        h0: h0 as u32,
        generated: search.generated,
        expanded: search.expanded,
    })
}

enum Iteration {
    Solved,
    /// The smallest estimate above the bound; the bound itself if there is none.
    Exhausted(i32),
    Stopped,
}

const NO_CELL: u16 = u16::MAX;
/// No move to undo: the root.
const NO_MOVE: u8 = 4;

struct Search<'a, P, const MANHATTAN: bool> {
    views: Vec<SearchView<'a>>,
    order: [Direction; 4],
    /// Where the blank goes from each cell by each move of the order.
    targets: Vec<[u16; 4]>,
    /// Which move of the order takes each back.
    undoing: [u8; 4],
    /// Distance of each tile from each cell to its goal, tile by tile. Empty unless `MANHATTAN`.
    distance: Vec<u16>,
    cells: usize,
    goal_blank: u16,

    pieces: Vec<u16>,
    /// Places of all parts of all views.
    places: Vec<Place>,
    frames: Vec<Frame>,
    /// One sum for each view, depth by depth.
    sums: Vec<i32>,
    /// The part that each view had changed on the way here and what it was before, depth by depth.
    saved: Vec<(u32, Place)>,
    /// The places and sums of a child while its views are looked up.
    candidate: Vec<(u32, Place, i32)>,
    root: (Vec<u16>, Vec<Place>, Vec<i32>, i32),

    generated: u64,
    expanded: u64,
    next_check: u64,
    limits: Limits<'a>,
    probe: std::marker::PhantomData<P>,
}

struct SearchView<'a> {
    lookups: Vec<Lookup<'a>>,
    part_of_tile: &'a [u8],
    /// Where its parts' places begin.
    first_place: u32,
}

#[derive(Clone, Copy)]
struct Frame {
    children: [Child; 4],
    count: u8,
    next: u8,
    /// The move of the order that led here.
    came_by: u8,
    blank: u16,
    manhattan: i32,
}

/// A child that the first estimate does not prune.
#[derive(Clone, Copy, Default)]
struct Child {
    from: u16,
    tile: u16,
    by: u8,
    /// Manhattan distance, or the first view's sum.
    estimate: i32,
    /// The changed place of the first view; unused with Manhattan distance.
    slot: u32,
    place: Place,
}

impl<'a, P: Probe, const MANHATTAN: bool> Search<'a, P, MANHATTAN> {
    fn new(
        heuristic: &'a Heuristic,
        state: &State,
        order: [Direction; 4],
        limits: Limits<'a>,
    ) -> Result<Self, DamagedTable> {
        let tray = state.tray();
        let mut places = Vec::new();
        let mut sums = Vec::new();
        let mut views = Vec::new();
        for view in &heuristic.views {
            let first_place = places.len() as u32;
            let mut sum = 0;
            for part in &view.parts {
                let place = heuristic.place(part, state)?;
                sum += place.h;
                places.push(place);
            }
            sums.push(sum);
            views.push(SearchView {
                lookups: heuristic.lookups(view),
                part_of_tile: &view.part_of_tile,
                first_place,
            });
        }
        let target = |cell, direction| {
            tray.step(cell, direction)
                .map_or(NO_CELL, |c| c.index() as u16)
        };
        let undoing = order.map(|direction| {
            let back = order
                .iter()
                .position(|&other| other == direction.opposite());
            back.unwrap_or(usize::from(NO_MOVE)) as u8
        });
        let goal_blank = state.goal_blank();
        let distance = if MANHATTAN {
            let tiles = tray
                .iter()
                .flat_map(|tile| tray.iter().map(move |cell| (tile, cell)));
            tiles
                .map(|(tile, cell)| tray.distance(tile, cell) as u16)
                .collect()
        } else {
            Vec::new()
        };
        let pieces: Vec<u16> = state.pieces().iter().map(|p| p.index() as u16).collect();
        let manhattan = if MANHATTAN {
            state.manhattan() as i32
        } else {
            0
        };
        Ok(Search {
            candidate: vec![(0, Place::default(), 0); views.len()],
            root: (pieces.clone(), places.clone(), sums.clone(), manhattan),
            views,
            order,
            targets: tray
                .iter()
                .map(|cell| order.map(|d| target(cell, d)))
                .collect(),
            undoing,
            distance,
            cells: tray.cells(),
            goal_blank: goal_blank.index() as u16,
            pieces,
            places,
            frames: Vec::new(),
            sums,
            saved: Vec::new(),
            generated: 0,
            expanded: 0,
            next_check: NODES_PER_CHECK,
            limits,
            probe: std::marker::PhantomData,
        })
    }

    /// The estimate of the root.
    fn h0(&self) -> i32 {
        let (_, _, sums, manhattan) = &self.root;
        sums.iter().copied().fold(*manhattan, i32::max)
    }

    /// The moves that led to the deepest frame.
    fn path(&self) -> Vec<Direction> {
        let steps = self.frames.iter().skip(1);
        // The tile goes where the blank came from.
        steps
            .map(|frame| self.order[usize::from(frame.came_by)].opposite())
            .collect()
    }

    fn is_out_of_limits(&mut self) -> bool {
        self.next_check = self.generated + NODES_PER_CHECK;
        if let Some(most) = self.limits.nodes {
            self.next_check = self.next_check.min(most);
            if self.generated >= most {
                return true;
            }
        }
        self.limits.stop.is_some_and(|stop| stop())
    }

    /// Searches all paths from the root whose estimates stay within the bound.
    fn iterate(&mut self, bound: i32) -> Iteration {
        let (pieces, places, sums, manhattan) = &self.root;
        self.pieces.clone_from(pieces);
        self.places.clone_from(places);
        self.sums.clone_from(sums);
        let blank = self
            .pieces
            .iter()
            .position(|&piece| piece == self.goal_blank);
        let root = Frame {
            children: [Child::default(); 4],
            count: 0,
            next: 0,
            came_by: NO_MOVE,
            blank: blank.unwrap_or(0) as u16,
            manhattan: *manhattan,
        };
        self.frames.clear();
        self.saved.clear();
        self.saved.resize(self.views.len(), (0, Place::default()));
        let mut next_bound = i32::MAX;
        let mut frame = self.expand(root, 0, bound, &mut next_bound);
        let mut depth = 0_i32;
        loop {
            if frame.next == frame.count {
                // All children done: take the last move back.
                let Some(parent) = self.frames.pop() else {
                    let next = if next_bound == i32::MAX {
                        bound
                    } else {
                        next_bound
                    };
                    return Iteration::Exhausted(next);
                };
                self.take_back(depth, &frame, &parent);
                frame = parent;
                depth -= 1;
                continue;
            }
            let child = frame.children[usize::from(frame.next)];
            frame.next += 1;
            if !self.admit(&child, depth, frame.blank, bound, &mut next_bound) {
                continue;
            }
            self.pieces[usize::from(frame.blank)] = child.tile;
            self.pieces[usize::from(child.from)] = self.goal_blank;
            let new = Frame {
                children: [Child::default(); 4],
                count: 0,
                next: 0,
                came_by: child.by,
                blank: child.from,
                manhattan: child.estimate,
            };
            self.frames.push(frame);
            depth += 1;
            if child.estimate == 0 && self.is_goal() {
                self.frames.push(new);
                return Iteration::Solved;
            }
            if self.generated >= self.next_check && self.is_out_of_limits() {
                return Iteration::Stopped;
            }
            frame = self.expand(new, depth, bound, &mut next_bound);
        }
    }

    fn is_goal(&self) -> bool {
        self.pieces
            .iter()
            .zip(0..)
            .all(|(&piece, cell)| piece == cell)
    }

    /// Generates a node's children: looks the first estimate up for all of them, then keeps those within the bound.
    #[inline]
    fn expand(&mut self, mut frame: Frame, depth: i32, bound: i32, next_bound: &mut i32) -> Frame {
        self.expanded += 1;
        let undo = self
            .undoing
            .get(usize::from(frame.came_by))
            .copied()
            .unwrap_or(NO_MOVE);
        let blank = frame.blank;
        let mut children = [Child::default(); 4];
        let mut count = 0;
        let targets = self.targets[usize::from(blank)];
        let sum = if MANHATTAN {
            0
        } else {
            self.sums[depth as usize * self.views.len()]
        };
        for (by, &from) in targets.iter().enumerate() {
            if from == NO_CELL || by as u8 == undo {
                continue;
            }
            let tile = self.pieces[usize::from(from)];
            let child = &mut children[count];
            count += 1;
            (child.from, child.tile, child.by) = (from, tile, by as u8);
            if MANHATTAN {
                let at = |cell: u16| {
                    i32::from(self.distance[usize::from(tile) * self.cells + usize::from(cell)])
                };
                child.estimate = frame.manhattan - at(from) + at(blank);
            } else {
                let (slot, place) = self.look_up(0, tile, from, blank);
                child.estimate = sum - self.places[slot as usize].h + place.h;
                (child.slot, child.place) = (slot, place);
            }
        }
        self.generated += count as u64;
        for child in &children[..count] {
            let estimate = depth + 1 + child.estimate;
            if estimate <= bound {
                frame.children[usize::from(frame.count)] = *child;
                frame.count += 1;
            } else {
                *next_bound = estimate.min(*next_bound);
            }
        }
        frame
    }

    /// The part of a view that a move changes, and its place after the move.
    #[inline]
    fn look_up(&self, view: usize, tile: u16, from: u16, hole: u16) -> (u32, Place) {
        let view = &self.views[view];
        let part = view.part_of_tile[usize::from(tile)];
        let slot = view.first_place + u32::from(part);
        let lookup = &view.lookups[usize::from(part)];
        let place = self.places[slot as usize];
        let cell = |index: u16| Cell::new(usize::from(index));
        let (mut after, entry) = lookup.step(place, cell(tile), cell(from), cell(hole));
        after.h = P::read(lookup, entry, place.h);
        (slot, after)
    }

    /// Looks the remaining views up, one after the other; makes the move in all of them if none prunes it.
    #[inline]
    fn admit(
        &mut self,
        child: &Child,
        depth: i32,
        blank: u16,
        bound: i32,
        next_bound: &mut i32,
    ) -> bool {
        let views = self.views.len();
        let first = if MANHATTAN {
            0
        } else {
            self.candidate[0] = (child.slot, child.place, child.estimate);
            1
        };
        let here = depth as usize * views;
        for view in first..views {
            let (slot, place) = self.look_up(view, child.tile, child.from, blank);
            let sum = self.sums[here + view] - self.places[slot as usize].h + place.h;
            let estimate = depth + 1 + sum;
            if estimate > bound {
                *next_bound = estimate.min(*next_bound);
                return false;
            }
            self.candidate[view] = (slot, place, sum);
        }
        let there = here + views;
        if self.sums.len() < there + views {
            self.sums.resize(there + views, 0);
            self.saved.resize(there + views, (0, Place::default()));
        }
        for (view, &(slot, place, sum)) in self.candidate.iter().enumerate() {
            let old = std::mem::replace(&mut self.places[slot as usize], place);
            self.saved[there + view] = (slot, old);
            self.sums[there + view] = sum;
        }
        true
    }

    #[inline]
    fn take_back(&mut self, depth: i32, frame: &Frame, parent: &Frame) {
        let views = self.views.len();
        let here = depth as usize * views;
        for &(slot, place) in &self.saved[here..here + views] {
            self.places[slot as usize] = place;
        }
        self.pieces[usize::from(frame.blank)] = self.pieces[usize::from(parent.blank)];
        self.pieces[usize::from(parent.blank)] = self.goal_blank;
    }
}
