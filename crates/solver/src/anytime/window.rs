//! Windows: stretches of a path that are replaced with shorter paths between the same two boards.
//!
//! A stretch moves pieces within a rectangle, the box. Each tile is numbered by its cell at the end
//! of the stretch. A beam search in the box looks for a shorter path. Its heuristic is the
//! Manhattan distance of the tiles from their cells at the end of the stretch. The windows of a
//! pass do not overlap, so threads can search them independently, and the result does not depend on
//! the number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use puzzle::{Direction, Tray};

use crate::boards::{HashSlots, NO_CELL, PackedTrail, mix};
use crate::threads::{ThreadPermits, lock, run_all};

/// Largest number of cells of a box.
const MAX_CELLS: usize = 1024;
/// Number of slots in the set of visited boards, divided by the maximum number of nodes per layer.
const MET_PER_NODE: usize = 16;
/// Number of windows distributed to threads between two checks of the limits.
const BATCH: usize = 64;

/// One pass over a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) length: usize,
    /// Number of moves before the first window.
    pub(crate) offset: usize,
    /// Number of nodes kept per layer.
    pub(crate) width: usize,
    /// Seed that breaks ties between nodes.
    pub(crate) seed: u64,
}

pub(crate) struct PassLimits<'a> {
    pub(crate) permits: &'a ThreadPermits,
    /// Returns whether to stop immediately.
    pub(crate) is_over: &'a (dyn Fn() -> bool + Sync),
    pub(crate) max_nodes: u64,
}

/// A path to be shortened.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    tray: Tray,
    /// The blank's cell before the first move.
    blank: usize,
    /// The blank's moves, as numbers of directions.
    pub(crate) path: Vec<u8>,
}

/// A stretch of the path, and the box of cells to which its replacement is limited.
#[derive(Clone, Copy, Debug)]
struct Window {
    start: usize,
    end: usize,
    /// The blank's cell at the start, as column and row.
    blank: (usize, usize),
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

/// The blank's cell after one move, as column and row.
fn step((column, row): (usize, usize), direction: u8) -> (usize, usize) {
    match Direction::ALL[usize::from(direction)] {
        Direction::Up => (column, row.wrapping_sub(1)),
        Direction::Down => (column, row + 1),
        Direction::Left => (column.wrapping_sub(1), row),
        Direction::Right => (column + 1, row),
    }
}

impl Windows {
    /// A path of the blank from the cell `blank`. The path must stay within the tray.
    pub(crate) fn new(tray: Tray, blank: usize, path: Vec<u8>) -> Self {
        Windows { tray, blank, path }
    }

    /// Replaces windows with shorter paths. Returns the number of nodes generated.
    pub(crate) fn pass(&mut self, pass: &Pass, limits: &PassLimits) -> u64 {
        let windows = self.cut(pass);
        let mut found: Vec<Option<Vec<u8>>> = Vec::with_capacity(windows.len());
        let mut nodes = 0;
        let mut searches = Vec::new();
        for batch in windows.chunks(BATCH) {
            let left = limits.max_nodes.saturating_sub(nodes);
            if left == 0 || (limits.is_over)() {
                break;
            }
            let each = left.div_ceil(batch.len() as u64);
            let (ways, made) = self.search_all(batch, pass, each, limits, &mut searches);
            nodes += made;
            found.extend(ways);
        }
        if found.iter().any(Option::is_some) {
            let mut path = Vec::with_capacity(self.path.len());
            let mut done = 0;
            for (window, way) in windows.iter().zip(found) {
                if let Some(way) = way {
                    path.extend_from_slice(&self.path[done..window.start]);
                    path.extend(way);
                    done = window.end;
                }
            }
            path.extend_from_slice(&self.path[done..]);
            self.path = path;
        }
        nodes
    }

    /// Searches each window for a shorter path. Returns the paths found and the number of nodes
    /// generated.
    fn search_all(
        &self,
        windows: &[Window],
        pass: &Pass,
        max_nodes: u64,
        limits: &PassLimits,
        searches: &mut Vec<Search>,
    ) -> (Vec<Option<Vec<u8>>>, u64) {
        let most = windows.len().saturating_sub(1).min(MAX_THREADS - 1);
        let helpers = limits.permits.take_up_to(most);
        searches.resize_with(searches.len().max(1 + helpers.len()), Search::default);
        let next = AtomicUsize::new(0);
        let results = Mutex::new((vec![None; windows.len()], 0));
        let tasks = searches.iter_mut().take(1 + helpers.len()).map(|search| {
            let (next, results) = (&next, &results);
            move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(window) = windows.get(number) else {
                        break;
                    };
                    let moves = &self.path[window.start..window.end];
                    let way = search.run(window, moves, pass, max_nodes, limits.is_over);
                    let mut results = lock(results);
                    results.0[number] = way;
                    results.1 += search.nodes;
                }
            }
        });
        run_all(tasks, helpers.len());
        std::mem::take(&mut *lock(&results))
    }

    /// Cuts the path into windows of up to `pass.length` moves. A window is shorter if the box of
    /// its moves would otherwise exceed [`MAX_CELLS`] cells.
    fn cut(&self, pass: &Pass) -> Vec<Window> {
        let (columns, rows) = (self.tray.width(), self.tray.height());
        let mut blank = (self.blank % columns, self.blank / columns);
        let open = |start, blank: (usize, usize)| Window {
            start,
            end: start,
            blank,
            left: blank.0,
            right: blank.0,
            top: blank.1,
            bottom: blank.1,
        };
        let mut windows = Vec::new();
        let mut window = open(0, blank);
        let mut wanted = match pass.offset % pass.length.max(1) {
            0 => pass.length,
            offset => offset,
        };
        for (at, &direction) in self.path.iter().enumerate() {
            let next = step(blank, direction);
            let mut grown = window.with(next);
            grown.end = at + 1;
            if at - window.start >= wanted || grown.cells() > MAX_CELLS {
                windows.push(window);
                wanted = pass.length;
                grown = open(at, blank).with(next);
                grown.end = at + 1;
            }
            window = grown;
            blank = next;
        }
        windows.push(window);
        for window in &mut windows {
            // The box includes a margin of one cell if there is room.
            let wider = Window {
                left: window.left.saturating_sub(1),
                top: window.top.saturating_sub(1),
                right: (window.right + 1).min(columns - 1),
                bottom: (window.bottom + 1).min(rows - 1),
                ..*window
            };
            if wider.cells() <= MAX_CELLS {
                *window = wider;
            }
        }
        windows
    }
}

pub(super) const MAX_THREADS: usize = 4;

impl Window {
    fn with(self, (column, row): (usize, usize)) -> Window {
        Window {
            left: self.left.min(column),
            right: self.right.max(column),
            top: self.top.min(row),
            bottom: self.bottom.max(row),
            ..self
        }
    }

    fn width(&self) -> usize {
        self.right - self.left + 1
    }

    fn cells(&self) -> usize {
        self.width() * (self.bottom - self.top + 1)
    }
}

/// A node of a layer, stored without its board.
#[derive(Clone, Copy, Debug)]
struct WindowNode {
    hash: u64,
    entry: u32,
    h: u16,
    blank: u16,
    last: u8,
}

/// A child before selection.
#[derive(Clone, Copy, Debug)]
struct WindowChild {
    /// Score in the high bits, pseudo-random tie-breaker in the low bits.
    key: u64,
    hash: u64,
    parent: u32,
    h: u16,
    to: u16,
    direction: u8,
}

/// A search in a box, with reusable memory.
#[derive(Default, Debug)]
struct Search {
    nodes: u64,
    neighbours: Vec<[u16; 4]>,
    /// Distances by pair of cells.
    distances: Vec<u8>,
    layer: Vec<WindowNode>,
    boards: Vec<u16>,
    next_layer: Vec<WindowNode>,
    next_boards: Vec<u16>,
    children: Vec<WindowChild>,
    met: HashSlots,
    trail: PackedTrail,
}

impl Search {
    /// Searches for a shorter path for a window.
    ///
    /// # The plain search
    ///
    /// ```text
    /// layer = [root]
    /// for depth in 0..moves.len() - 2:                 # all paths have lengths of one parity
    ///     children = []
    ///     for node in layer, child one move away, but not back:
    ///         if h(child) is 0: return its path
    ///         if depth + 1 + h(child) <= moves.len() - 2 and child is new:
    ///             children.push(child)
    ///     layer = the `width` children with the smallest h
    /// ```
    ///
    /// # Differences from the plain search
    ///
    /// - Children store a hash instead of a board. Only selected children receive a board.
    /// - Visited boards are stored in a lossy set of hashes. If a hash is lost, or two boards have
    ///   the same hash, the search can miss a path, but every path that it returns is correct.
    /// - All memory is reused for the next window: most windows take only a few microseconds, so
    ///   allocating memory for each of them would be slow.
    fn run(
        &mut self,
        window: &Window,
        moves: &[u8],
        pass: &Pass,
        max_nodes: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<u8>> {
        self.nodes = 0;
        let cells = window.cells();
        self.learn(window);
        let (h, is_there) = self.set_root(window, moves, pass.width.max(1));
        if is_there {
            return Some(Vec::new());
        }
        let most = moves.len().checked_sub(2)?;
        if usize::from(h) > most {
            return None;
        }
        for depth in 0..most {
            if self.layer.is_empty() || self.nodes >= max_nodes || is_over() {
                return None;
            }
            let way = self.expand_layer(cells, most - depth - 1, pass.seed);
            if way.is_some() {
                return way;
            }
            self.select(cells, pass.width.max(1));
        }
        None
    }

    /// Fills the layer with a single node: the board before the window's first move. Returns the
    /// sum of the tiles' distances from their cells in the window's last board, and whether the two
    /// boards are equal.
    fn set_root(&mut self, window: &Window, moves: &[u8], width: usize) -> (u16, bool) {
        let cells = window.cells();
        let (left, top) = (window.left, window.top);
        let first = (window.blank.1 - top) * window.width() + window.blank.0 - left;
        // The piece that ends on `cell` begins on `origins[cell]`.
        let mut origins: Vec<u16> = (0..cells).map(|cell| cell as u16).collect();
        let mut blank = first;
        for &direction in moves {
            let to = usize::from(self.neighbours[blank][usize::from(direction)]);
            origins.swap(blank, to);
            blank = to;
        }
        self.boards.clear();
        self.boards.resize(cells, 0);
        for (cell, &origin) in origins.iter().enumerate() {
            self.boards[usize::from(origin)] = cell as u16;
        }
        let (mut h, mut hash) = (0, 0);
        for (cell, &tile) in self.boards.iter().enumerate() {
            if cell != first {
                h += u16::from(self.distances[cell * cells + usize::from(tile)]);
                hash ^= key(tile, cell as u16);
            }
        }
        self.met.reset(width * MET_PER_NODE);
        *self.met.slot(hash) = hash;
        self.trail.truncate(0);
        self.layer.clear();
        self.layer.push(WindowNode {
            hash,
            entry: 0,
            h,
            blank: first as u16,
            last: u8::MAX,
        });
        (h, h == 0 && first == blank)
    }

    /// Makes those children of the layer whose estimates are at most `room` moves. If a child is
    /// the window's last board, returns the path to it.
    #[inline(always)]
    fn expand_layer(&mut self, cells: usize, room: usize, seed: u64) -> Option<Vec<u8>> {
        self.children.clear();
        let boards = self.boards.chunks_exact(cells);
        for ((parent, node), board) in self.layer.iter().enumerate().zip(boards) {
            let blank = usize::from(node.blank);
            for (direction, &to) in (0u8..).zip(&self.neighbours[blank]) {
                if to == NO_CELL || direction ^ 1 == node.last {
                    continue;
                }
                self.nodes += 1;
                let from = usize::from(to);
                let tile = usize::from(board[from]);
                let distance = |cell: usize| u16::from(self.distances[tile * cells + cell]);
                let h = node.h + distance(blank) - distance(from);
                if usize::from(h) > room {
                    continue;
                }
                if h == 0 {
                    let mut way = self.trail.path(node.entry);
                    way.push(direction);
                    return Some(way);
                }
                let hash =
                    node.hash ^ key(tile as u16, from as u16) ^ key(tile as u16, blank as u16);
                if std::mem::replace(self.met.slot(hash), hash) == hash {
                    continue;
                }
                self.children.push(WindowChild {
                    key: u64::from(h) << 48 | (hash ^ seed) >> 16,
                    hash,
                    parent: parent as u32,
                    h,
                    to: from as u16,
                    direction,
                });
            }
        }
        None
    }

    /// Makes the best children the next layer.
    #[inline(always)]
    fn select(&mut self, cells: usize, width: usize) {
        if self.children.len() > width {
            self.children
                .select_nth_unstable_by_key(width - 1, |child| child.key);
            self.children.truncate(width);
        }
        self.next_layer.clear();
        self.next_boards.clear();
        for child in &self.children {
            let parent = child.parent as usize;
            let node = &self.layer[parent];
            let at = self.next_boards.len();
            self.next_boards
                .extend_from_slice(&self.boards[parent * cells..(parent + 1) * cells]);
            self.next_boards[at..].swap(usize::from(node.blank), usize::from(child.to));
            self.next_layer.push(WindowNode {
                hash: child.hash,
                entry: self.trail.push(node.entry, child.direction),
                h: child.h,
                blank: child.to,
                last: child.direction,
            });
        }
        std::mem::swap(&mut self.layer, &mut self.next_layer);
        std::mem::swap(&mut self.boards, &mut self.next_boards);
    }

    /// Computes the neighbours of the box's cells, and the distances between its cells.
    fn learn(&mut self, window: &Window) {
        let (width, cells) = (window.width(), window.cells());
        self.neighbours.clear();
        self.distances.clear();
        let place = |cell: usize| (cell % width, cell / width);
        for cell in 0..cells {
            self.neighbours.push([0, 1, 2, 3].map(|direction| {
                let (column, row) = step(place(cell), direction);
                let next = row.wrapping_mul(width).wrapping_add(column);
                if column < width && next < cells {
                    next as u16
                } else {
                    NO_CELL
                }
            }));
            let (column, row) = place(cell);
            self.distances.extend(
                (0..cells)
                    .map(place)
                    .map(|(c, r)| (column.abs_diff(c) + row.abs_diff(r)) as u8),
            );
        }
    }
}

/// A pseudo-random number for a tile on a cell.
#[inline]
fn key(tile: u16, cell: u16) -> u64 {
    mix(u64::from(tile) << 16 | u64::from(cell))
}

#[cfg(test)]
mod tests {
    use puzzle::{Cell, State};

    use super::*;

    fn end(tray: Tray, windows: &Windows) -> State {
        let mut state = State::goal(tray, Cell::new(windows.blank));
        for &blank in &windows.path {
            assert!(state.slide(Direction::ALL[usize::from(blank)].opposite()));
        }
        state
    }

    /// A random walk of the blank, with superfluous moves.
    fn walk(tray: Tray, blank: usize, length: usize, seed: u64) -> Windows {
        let mut state = State::goal(tray, Cell::new(blank));
        let mut path = Vec::new();
        let mut number = seed;
        while path.len() < length {
            number = mix(number);
            let direction = (number % 4) as u8;
            if state.slide(Direction::ALL[usize::from(direction)].opposite()) {
                path.push(direction);
            }
        }
        Windows::new(tray, blank, path)
    }

    fn shorten(windows: &mut Windows, threads: usize, max_nodes: u64) -> u64 {
        let permits = ThreadPermits::new(threads - 1);
        let limits = PassLimits {
            permits: &permits,
            is_over: &|| false,
            max_nodes,
        };
        let pass = Pass {
            length: 40,
            offset: 7,
            width: 50,
            seed: 3,
        };
        windows.pass(&pass, &limits)
    }

    #[test]
    fn windows_keep_both_ends_and_shorten() {
        for (size, blank) in [
            ("2x2", 0),
            ("1x7", 3),
            ("3x2", 5),
            ("5x5", 12),
            ("20x20", 399),
        ] {
            let tray: Tray = size.parse().unwrap();
            let before = walk(tray, blank, 500, 1);
            let mut after = before.clone();
            shorten(&mut after, 1, u64::MAX);
            assert!(after.path.len() < before.path.len(), "{size}");
            assert_eq!(end(tray, &after), end(tray, &before), "{size}");
        }
    }

    #[test]
    fn windows_do_not_depend_on_threads_and_respect_the_node_limit() {
        let tray: Tray = "9x8".parse().unwrap();
        let before = walk(tray, 0, 8000, 5);
        let (mut one, mut three) = (before.clone(), before.clone());
        let nodes = shorten(&mut one, 1, u64::MAX);
        assert_eq!(shorten(&mut three, 3, u64::MAX), nodes);
        assert_eq!(one.path, three.path);
        let mut limited = before.clone();
        let some = shorten(&mut limited, 2, nodes / 2);
        assert!(some < nodes / 2 + 64 * 200, "{some} of {nodes}");
        assert!(limited.path.len() <= before.path.len());
        assert_eq!(end(tray, &limited), end(tray, &before));
        let mut none = before.clone();
        assert_eq!(shorten(&mut none, 2, 0), 0);
        assert_eq!(none.path, before.path);
    }
}
