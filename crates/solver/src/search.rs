//! IDA* (Korf 1985): depth-first searches with growing bounds on the length of the solution.
//!
//! The heuristic is the maximum over views of the sum over a view's parts, and is carried along: a move changes one
//! part of each view, and of that only the shape, the rank and the value. When a node is expanded, its children are
//! looked up view by view: the first view for all of them, so that the loads overlap, each further view for those
//! that no view has pruned yet.
//!
//! The search keeps its own stack: its depth is bounded by the length of the solution, not by the thread's stack.

use puzzle::{Cell, Direction, State, Tray};

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
            Iteration::Solved(moves) => break Some(moves),
            Iteration::Stopped => break None,
            Iteration::TooDeep => return Err(DamagedTable(None)),
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
    Solved(Vec<Direction>),
    /// The smallest estimate above the bound; the bound itself if there is none.
    Exhausted(i32),
    Stopped,
    /// A path as long as the bound whose end is not the goal, although its estimate leaves no move to make: only
    /// wrong values allow that.
    TooDeep,
}

const NO_CELL: u16 = u16::MAX;
/// No move to undo: the root.
const NO_MOVE: u8 = 4;

struct Search<'a, P, const MANHATTAN: bool> {
    /// All parts of all views.
    lookups: Vec<Lookup<'a>>,
    /// Which of them a move of a tile changes, view by view, tile by tile.
    slots: Vec<u32>,
    views: usize,
    order: [Direction; 4],
    /// Where the blank goes from each cell by each move of the order.
    targets: Vec<[u16; 4]>,
    /// Which move of the order takes each back.
    undoing: [u8; 4],
    /// [`distances`]; empty unless `MANHATTAN`.
    distance: Vec<u16>,
    cells: usize,
    goal_blank: u16,

    pieces: Vec<u16>,
    /// Places of all parts of all views.
    places: Vec<Place>,
    /// The path, the root first; deeper frames are left over.
    frames: Vec<Frame>,
    /// One sum for each view, depth by depth.
    sums: Vec<i32>,
    /// What a move changes in each view: for each of a node's up to four children, depth by depth. When the move has
    /// been made, the place that it replaced.
    changes: Vec<Change>,
    root: Root,

    generated: u64,
    expanded: u64,
    next_check: u64,
    limits: Limits<'a>,
    probe: std::marker::PhantomData<P>,
}

struct Root {
    pieces: Vec<u16>,
    places: Vec<Place>,
    sums: Vec<i32>,
    manhattan: i32,
}

/// A node on the path, with those of its children that no view prunes.
#[derive(Clone, Copy, Default)]
struct Frame {
    children: [Child; 4],
    count: u8,
    /// The child to visit next.
    next: u8,
    /// The move of the order that led here.
    came_by: u8,
    blank: u16,
    /// Manhattan distance, where it counts.
    manhattan: i32,
}

#[derive(Clone, Copy, Default)]
struct Child {
    /// The cell that the tile leaves to the blank.
    from: u16,
    tile: u16,
    by: u8,
    /// Which of the frame's changes are this child's.
    changes: u8,
    manhattan: i32,
}

/// A part's place after a move, and its view's sum.
#[derive(Clone, Copy, Default)]
struct Change {
    slot: u32,
    place: Place,
    sum: i32,
}

/// Which move of an order takes each of its moves back.
fn undoing(order: [Direction; 4]) -> [u8; 4] {
    order.map(|direction| {
        let mut others = order.iter();
        let back = others.position(|&other| other == direction.opposite());
        back.unwrap_or(usize::from(NO_MOVE)) as u8
    })
}

/// Distance of each tile from each cell to its goal, tile by tile.
fn distances(tray: Tray) -> Vec<u16> {
    let pairs = tray
        .iter()
        .flat_map(|tile| tray.iter().map(move |cell| (tile, cell)));
    pairs
        .map(|(tile, cell)| tray.distance(tile, cell) as u16)
        .collect()
}

impl<'a, P: Probe, const MANHATTAN: bool> Search<'a, P, MANHATTAN> {
    fn new(
        heuristic: &'a Heuristic,
        state: &State,
        order: [Direction; 4],
        limits: Limits<'a>,
    ) -> Result<Self, DamagedTable> {
        let tray = state.tray();
        let targets = tray.iter().map(|cell| order.map(|d| tray.step(cell, d)));
        let targets: Vec<[Option<Cell>; 4]> = targets.collect();
        let index = |target: Option<Cell>| target.map_or(NO_CELL, |cell| cell.index() as u16);
        let (mut places, mut sums) = (Vec::new(), Vec::new());
        let (mut lookups, mut slots) = (Vec::new(), Vec::new());
        let views = heuristic.views.len();
        for view in &heuristic.views {
            let first = places.len() as u32;
            let mut sum = 0;
            for part in &view.parts {
                let place = heuristic.place(part, state)?;
                sum += place.h;
                places.push(place);
                lookups.push(heuristic.lookup(part, &targets));
            }
            sums.push(sum);
            slots.extend(
                view.part_of_tile
                    .iter()
                    .map(|&part| first + u32::from(part)),
            );
        }
        let pieces = state.pieces().iter().map(|piece| piece.index() as u16);
        let (distance, manhattan) = if MANHATTAN {
            (distances(tray), state.manhattan() as i32)
        } else {
            (Vec::new(), 0)
        };
        Ok(Search {
            root: Root {
                pieces: pieces.collect(),
                places,
                sums,
                manhattan,
            },
            lookups,
            slots,
            views,
            order,
            targets: targets.iter().map(|t| t.map(index)).collect(),
            undoing: undoing(order),
            distance,
            cells: tray.cells(),
            goal_blank: state.goal_blank().index() as u16,
            pieces: Vec::new(),
            places: Vec::new(),
            frames: Vec::new(),
            sums: Vec::new(),
            changes: Vec::new(),
            generated: 0,
            expanded: 0,
            next_check: limits.nodes.unwrap_or(u64::MAX).min(NODES_PER_CHECK),
            limits,
            probe: std::marker::PhantomData,
        })
    }

    /// The estimate of the root.
    fn h0(&self) -> i32 {
        let sums = self.root.sums.iter().copied();
        sums.fold(self.root.manhattan, i32::max)
    }

    /// The tiles' moves on the path to the frame at `depth`.
    fn path(&self, depth: usize) -> Vec<Direction> {
        let steps = self.frames[..=depth].iter().skip(1);
        // The tile goes where the blank came from.
        steps
            .map(|frame| self.order[usize::from(frame.came_by)].opposite())
            .collect()
    }

    /// Children of the nodes above `depth` to which depth-first search has not turned yet. Expanding makes all
    /// children at once, but node counts in the literature are of those that were reached.
    fn not_reached(&self, depth: usize) -> u64 {
        let steps = self.frames[..depth].iter().zip(&self.frames[1..]);
        let later = steps.map(|(frame, taken)| {
            let undo = self.undoing.get(usize::from(frame.came_by)).copied();
            let targets = self.targets[usize::from(frame.blank)].iter().zip(0_u8..);
            let left = targets.filter(|&(&target, by)| {
                by > taken.came_by && target != NO_CELL && Some(by) != undo
            });
            left.count() as u64
        });
        later.sum()
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
        self.pieces.clone_from(&self.root.pieces);
        self.places.clone_from(&self.root.places);
        self.sums.clone_from(&self.root.sums);
        let mut pieces = self.pieces.iter();
        let blank = pieces.position(|&piece| piece == self.goal_blank);
        self.frames.clear();
        self.changes.clear();
        self.make_room(0);
        self.frames[0] = Frame {
            came_by: NO_MOVE,
            blank: blank.unwrap_or(0) as u16,
            manhattan: self.root.manhattan,
            ..Frame::default()
        };
        let mut next_bound = i32::MAX;
        self.expand(0, bound, &mut next_bound);
        let mut depth = 0;
        loop {
            let frame = &mut self.frames[depth];
            if frame.next == frame.count {
                // All children done: take the last move back.
                if depth == 0 {
                    let next = if next_bound == i32::MAX {
                        bound
                    } else {
                        next_bound
                    };
                    return Iteration::Exhausted(next);
                }
                depth -= 1;
                self.take_back(depth);
                continue;
            }
            frame.next += 1;
            let is_home = self.make(depth);
            depth += 1;
            if is_home && self.is_goal() {
                self.generated -= self.not_reached(depth);
                return Iteration::Solved(self.path(depth));
            }
            if depth as i32 >= bound {
                return Iteration::TooDeep;
            }
            if self.generated >= self.next_check && self.is_out_of_limits() {
                return Iteration::Stopped;
            }
            self.expand(depth, bound, &mut next_bound);
        }
    }

    fn is_goal(&self) -> bool {
        let mut pieces = self.pieces.iter().zip(0..);
        pieces.all(|(&piece, cell)| piece == cell)
    }

    /// Generates a node's children and keeps those that no view prunes.
    #[inline(always)]
    fn expand(&mut self, depth: usize, bound: i32, next_bound: &mut i32) {
        self.expanded += 1;
        let frame = &self.frames[depth];
        let undo = match frame.came_by {
            NO_MOVE => NO_MOVE,
            came_by => self.undoing[usize::from(came_by)],
        };
        let (blank, manhattan) = (frame.blank, frame.manhattan);
        // What is left for the children and their children.
        let budget = bound - depth as i32 - 1;
        let mut children = [Child::default(); 4];
        let mut count = 0;
        for (by, &from) in self.targets[usize::from(blank)].iter().enumerate() {
            if from != NO_CELL && by as u8 != undo {
                let tile = self.pieces[usize::from(from)];
                children[count] = Child {
                    from,
                    tile,
                    by: by as u8,
                    changes: count as u8,
                    manhattan: 0,
                };
                count += 1;
            }
        }
        self.generated += count as u64;
        if MANHATTAN {
            let over;
            (count, over) = self.keep_near(&mut children[..count], blank, manhattan, budget);
            *next_bound = (bound.saturating_add(over)).min(*next_bound);
        }
        for view in 0..self.views {
            let sum = self.sums[depth * self.views + view];
            let mut sums = [0; 4];
            for (child, sum_after) in children[..count].iter().zip(&mut sums) {
                let slot = self.slots[view * self.cells + usize::from(child.tile)];
                let place = self.places[slot as usize];
                let lookup = &self.lookups[slot as usize];
                let after = lookup.after::<P>(place, usize::from(blank), usize::from(child.by));
                *sum_after = sum - place.h + after.h;
                let change = self.change_at(depth, child.changes, view);
                self.changes[change] = Change {
                    slot,
                    place: after,
                    sum: *sum_after,
                };
            }
            // Written so that the compiler needs no branch a child: which are pruned is hard to predict.
            let mut kept = 0;
            let mut least_over = i32::MAX;
            for index in 0..count {
                let is_kept = sums[index] <= budget;
                children[kept] = children[index];
                kept += usize::from(is_kept);
                least_over = least_over.min(if is_kept { i32::MAX } else { sums[index] });
            }
            if least_over < i32::MAX {
                *next_bound = (bound + least_over - budget).min(*next_bound);
            }
            count = kept;
            if count == 0 {
                break;
            }
        }
        let frame = &mut self.frames[depth];
        frame.children = children;
        frame.count = count as u8;
        frame.next = 0;
    }

    /// Moves the children whose Manhattan distance is within the budget to the front. Returns their number, and by how
    /// much the nearest of the others is over the budget.
    #[inline(always)]
    fn keep_near(
        &self,
        children: &mut [Child],
        blank: u16,
        manhattan: i32,
        budget: i32,
    ) -> (usize, i32) {
        let (mut kept, mut least_over) = (0, i32::MAX);
        for index in 0..children.len() {
            let mut child = children[index];
            let row = usize::from(child.tile) * self.cells;
            let at = |cell: u16| i32::from(self.distance[row + usize::from(cell)]);
            child.manhattan = manhattan - at(child.from) + at(blank);
            let over = child.manhattan - budget;
            children[kept] = child;
            kept += usize::from(over <= 0);
            if over > 0 {
                least_over = least_over.min(over);
            }
        }
        (kept, least_over)
    }

    #[inline(always)]
    fn change_at(&self, depth: usize, child: u8, view: usize) -> usize {
        (4 * depth + usize::from(child)) * self.views + view
    }

    /// Makes room for a node at this depth and its children.
    fn make_room(&mut self, depth: usize) {
        let depths = 2 * (depth + 8);
        self.frames.resize(depths, Frame::default());
        self.sums.resize(depths * self.views, 0);
        self.changes
            .resize(4 * depths * self.views, Change::default());
    }

    /// Makes the move of the child before `next` in all views. Says whether the goal may have been reached: an
    /// estimate that is 0 there and nowhere else is 0.
    #[inline(always)]
    fn make(&mut self, depth: usize) -> bool {
        if self.frames.len() <= depth + 1 {
            self.make_room(depth + 1);
        }
        let frame = &self.frames[depth];
        let child = frame.children[usize::from(frame.next) - 1];
        self.pieces[usize::from(frame.blank)] = child.tile;
        self.pieces[usize::from(child.from)] = self.goal_blank;
        for view in 0..self.views {
            let change = self.change_at(depth, child.changes, view);
            let change = &mut self.changes[change];
            std::mem::swap(&mut self.places[change.slot as usize], &mut change.place);
            self.sums[(depth + 1) * self.views + view] = change.sum;
        }
        let frame = &mut self.frames[depth + 1];
        frame.came_by = child.by;
        frame.blank = child.from;
        frame.manhattan = child.manhattan;
        if MANHATTAN {
            child.manhattan == 0
        } else {
            self.sums[(depth + 1) * self.views] == 0
        }
    }

    /// Takes back the move that was made from the frame at `depth`.
    #[inline(always)]
    fn take_back(&mut self, depth: usize) {
        let frame = &self.frames[depth];
        let child = frame.children[usize::from(frame.next) - 1];
        for view in 0..self.views {
            let change = self.change_at(depth, child.changes, view);
            let change = &self.changes[change];
            self.places[change.slot as usize] = change.place;
        }
        self.pieces[usize::from(child.from)] = child.tile;
        self.pieces[usize::from(frame.blank)] = self.goal_blank;
    }
}
