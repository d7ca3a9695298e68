//! Shortest paths of the blank or of a tile to a cell, around locked cells.

use puzzle::Direction;

use super::play::Play;
use crate::boards::{Grid, NO_CELL};

/// Working memory for routes on one tray. Tiles on `locked` cells do not move.
#[derive(Clone, Debug)]
pub(super) struct Router {
    /// Cells whose tiles must stay.
    pub(super) locked: Vec<bool>,
    blank_from: Vec<Option<Direction>>,
    queue: Vec<u16>,
    nodes: Vec<RouteNode>,
    buckets: Vec<Vec<u32>>,
}

/// Node `4 * cell + side`: the tile is on `cell`, and the blank is next to it in direction `side`.
#[derive(Clone, Copy, Debug)]
struct RouteNode {
    cost: u32,
    parent: u32,
    is_closed: bool,
}

/// Sides of a tile in the order in which the blank moves around it.
const AROUND: [Direction; 4] = [
    Direction::Up,
    Direction::Right,
    Direction::Down,
    Direction::Left,
];
const NO_NODE: u32 = u32::MAX;
/// A node without a known path.
const UNKNOWN: RouteNode = RouteNode {
    cost: u32::MAX,
    parent: NO_NODE,
    is_closed: false,
};

impl Router {
    pub(super) fn new(grid: &Grid) -> Router {
        Router {
            locked: vec![false; grid.cells()],
            blank_from: vec![None; grid.cells()],
            queue: Vec::new(),
            nodes: vec![UNKNOWN; 4 * grid.cells()],
            buckets: Vec::new(),
        }
    }

    /// Moves the blank by a shortest path to a cell for which `is_wanted` returns true. The path
    /// avoids locked cells and the cells of `avoided`. Returns whether there is a path.
    pub(super) fn move_blank(
        &mut self,
        grid: &Grid,
        play: &mut Play,
        avoided: &[usize],
        is_wanted: impl Fn(usize) -> bool,
    ) -> bool {
        let found = self.flood(grid, play.blank(), avoided, &is_wanted);
        let Some(cell) = found else { return false };
        let path = self.path_to(grid, play.blank(), cell);
        play.walk(grid, &path);
        true
    }

    /// Visits the cells that the blank can reach, until `is_wanted` returns true for a cell.
    fn flood(
        &mut self,
        grid: &Grid,
        start: usize,
        avoided: &[usize],
        is_wanted: &impl Fn(usize) -> bool,
    ) -> Option<usize> {
        self.blank_from.fill(None);
        self.queue.clear();
        self.queue.push(start as u16);
        let mut next = 0;
        while let Some(&cell) = self.queue.get(next) {
            let cell = usize::from(cell);
            if is_wanted(cell) {
                return Some(cell);
            }
            next += 1;
            for (direction, &to) in Direction::ALL.iter().zip(grid.neighbours(cell)) {
                let at = usize::from(to);
                let is_open = to != NO_CELL && !self.locked[at] && !avoided.contains(&at);
                if is_open && at != start && self.blank_from[at].is_none() {
                    self.blank_from[at] = Some(*direction);
                    self.queue.push(to);
                }
            }
        }
        None
    }

    /// The blank's path from `start` to a cell that the last call of `flood` reached.
    fn path_to(&self, grid: &Grid, start: usize, mut cell: usize) -> Vec<Direction> {
        let mut path = Vec::new();
        while let Some(direction) = self.blank_from[cell].filter(|_| cell != start) {
            path.push(direction);
            cell = grid.step(cell, direction.opposite()).unwrap_or(start);
        }
        path.reverse();
        path
    }

    /// Moves a piece to a cell. After the blank has reached the piece, it moves only around the
    /// piece. The path is a shortest path of this kind. Returns whether a path of this kind exists.
    /// One always exists if the open cells are covered by 2x2 squares that share edges.
    pub(super) fn move_tile(
        &mut self,
        grid: &Grid,
        play: &mut Play,
        piece: usize,
        target: usize,
    ) -> bool {
        let from = play.cell_of(piece);
        if from == target {
            return true;
        }
        self.nodes.fill(UNKNOWN);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.flood(grid, play.blank(), &[from], &|_| false);
        for (side, direction) in AROUND.iter().enumerate() {
            let Some(cell) = grid.step(from, *direction) else {
                continue;
            };
            if cell == play.blank() || self.blank_from[cell].is_some() {
                let cost = self.path_to(grid, play.blank(), cell).len();
                let node = (4 * from + side) as u32;
                self.offer(grid, target, node, cost as u32, NO_NODE);
            }
        }
        let Some(last) = self.search(grid, target) else {
            return false;
        };
        let mut trail = vec![last];
        while let Some(&node) = trail.last().filter(|&&node| self.parent(node) != NO_NODE) {
            trail.push(self.parent(node));
        }
        trail.reverse();
        let first = trail[0] as usize;
        let side = AROUND[first % 4];
        if let Some(cell) = grid.step(first / 4, side) {
            let path = self.path_to(grid, play.blank(), cell);
            play.walk(grid, &path);
        }
        for pair in trail.windows(2) {
            let (before, after) = (pair[0] as usize, pair[1] as usize);
            let (side, next) = (AROUND[before % 4], AROUND[after % 4]);
            if before / 4 == after / 4 {
                play.walk(grid, &[next, side.opposite()]);
            } else {
                play.go(grid, side.opposite());
            }
        }
        true
    }

    fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }

    /// A* with one bucket of nodes per cost. A slide costs one move, and a turn of the blank to the
    /// next side costs two moves.
    fn search(&mut self, grid: &Grid, target: usize) -> Option<u32> {
        let mut bucket = 0;
        while bucket < self.buckets.len() {
            let Some(node) = self.buckets[bucket].pop() else {
                bucket += 1;
                continue;
            };
            let entry = &mut self.nodes[node as usize];
            if std::mem::replace(&mut entry.is_closed, true) {
                continue;
            }
            let cost = entry.cost;
            let (cell, side) = (node as usize / 4, node as usize % 4);
            if cell == target {
                return Some(node);
            }
            let Some(blank) = grid.step(cell, AROUND[side]) else {
                continue;
            };
            // The tile slides to the blank's cell, and the blank is then behind the tile.
            let slid = (4 * blank + (side + 2) % 4) as u32;
            self.offer(grid, target, slid, cost + 1, node);
            for next in [(side + 1) % 4, (side + 3) % 4] {
                let beyond = grid.step(cell, AROUND[next]);
                let corner = grid.step(blank, AROUND[next]);
                let is_open = |cell: Option<usize>| cell.is_some_and(|cell| !self.locked[cell]);
                if is_open(beyond) && is_open(corner) {
                    self.offer(grid, target, (4 * cell + next) as u32, cost + 2, node);
                }
            }
        }
        None
    }

    /// Adds a node to its bucket, unless a path to the node of at most this cost is known.
    fn offer(&mut self, grid: &Grid, target: usize, node: u32, cost: u32, parent: u32) {
        let entry = &mut self.nodes[node as usize];
        if entry.cost <= cost {
            return;
        }
        *entry = RouteNode {
            cost,
            parent,
            is_closed: false,
        };
        let bucket = (cost + remaining(grid, node as usize, target)) as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(node);
    }
}

/// A consistent estimate of the remaining moves. A slide towards the target takes three moves,
/// because the previous slide has left the blank behind the tile. The first slide takes one move if
/// the blank is ahead of the tile.
fn remaining(grid: &Grid, node: usize, target: usize) -> u32 {
    let (cell, side) = (node / 4, node % 4);
    let distance = grid.distance(cell, target) as u32;
    let is_ahead = grid
        .step(cell, AROUND[side])
        .is_some_and(|blank| (grid.distance(blank, target) as u32) < distance);
    3 * distance - if is_ahead { 2 } else { 0 }
}
