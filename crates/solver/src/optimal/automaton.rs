//! Duplicate pruning by a finite-state machine: it excludes moves of a depth-first search when
//! another path leads to the same arrangement (Taylor & Korf 1993; Korf & Taylor 1996). Its states
//! include the blank's cell, so the edges of the tray are treated exactly.
//!
//! A string of moves from a cell is *forbidden* if another string from that cell leads to the same
//! arrangement and is shorter, or has the same length and is lexicographically smaller in the
//! search's order of moves. The shortest forbidden strings undo a move; the next shortest are half
//! turns in a 2x2 block. A string that is forbidden from a cell is forbidden whenever the blank is
//! on this cell, also in the middle of a path.
//!
//! **No solution is lost.** Take the lexicographically least of the shortest paths to a state. If
//! it had a forbidden substring, replacing this substring with the better string would yield a path
//! to the same state that is shorter, or that has the same length and is lexicographically smaller:
//! a contradiction. So this path is never cut, and IDA* stays optimal. The next bound of IDA* is
//! the minimum over fewer nodes, but one of these nodes lies on this path, so the bound never
//! exceeds the solution's length. With an admissible heuristic this path is the first solution
//! found in the last iteration, so the solution stays the same as well.
//!
//! **The machine** is that of Aho & Corasick (1975) for the minimal forbidden strings of up to
//! `depth` moves. A state consists of the blank's cell and the longest suffix of the path that is
//! the beginning of a forbidden string.
//!
//! **Construction.** A breadth-first search, with strings in lexicographic order, finds each
//! arrangement first by its least string; every later string to the same arrangement is forbidden.
//! The graph of the arrangements ([`Ball`]) is built for one start cell per orbit of the tray's
//! symmetries. The other start cells of the orbit use the same graph with mapped directions, so
//! their arrangements are not hashed again. A string becomes a node ([`PrefixTree`]) only if other
//! strings reach the same arrangement: 4 strings in 10 for the 15-puzzle. Minimising the machine
//! would take longer than making it, and would save 17 % of its states.

mod ball;

use puzzle::{Cell, Direction, Symmetry, Tray};

use ball::{Ball, OFF, PACKED_CELLS};

/// Result of [`Automaton::next`] for a move that leaves the tray or completes a forbidden string.
pub(crate) const FORBIDDEN: u32 = u32::MAX;

/// The machine for one tray and one order of moves.
pub(crate) struct Automaton {
    /// Next state for each state and each move of the order. The first states, one per cell, are
    /// the states before any move.
    next: Box<[[u32; 4]]>,
}

impl Automaton {
    /// The machine of all forbidden strings of up to `depth` moves. Undoing the last move is always
    /// forbidden; on trays of more than 25 cells, nothing else is. `order` is the order of the
    /// blank's moves. Time and number of states about double per move of depth.
    ///
    /// Returns `None` as soon as `is_over` is true; it is asked at least every millisecond.
    pub(crate) fn new(
        tray: Tray,
        order: [Direction; 4],
        depth: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let most = if tray.cells() <= PACKED_CELLS {
            usize::MAX
        } else {
            UNDOING
        };
        let strings = PrefixTree::new(tray, order, depth.clamp(UNDOING, most), is_over)?;
        Some(Automaton {
            next: strings.machine(),
        })
    }

    /// The state of a path without moves.
    pub(crate) fn start(&self, blank: Cell) -> u32 {
        blank.index() as u32
    }

    /// The state after the move `by` of the order, or [`FORBIDDEN`].
    #[inline(always)]
    pub(crate) fn next(&self, state: u32, by: usize) -> u32 {
        self.next[state as usize][by]
    }

    /// Number of states, of 16 bytes each.
    pub(crate) fn states(&self) -> usize {
        self.next.len()
    }
}

/// Number of strings or arrangements after which the caller is asked whether to stop.
const NODES_PER_CHECK: usize = 1 << 12;

/// Number of moves in the shortest forbidden strings.
const UNDOING: usize = 2;

/// The prefixes of forbidden strings from all cells, ordered by length, then by cell, then
/// lexicographically.
struct PrefixTree(Vec<Prefix>);

/// The lexicographically least of the shortest strings that lead to one arrangement.
struct Prefix {
    /// For each move: the node of the string with this move appended. If that string has no node,
    /// the node of its longest suffix that has a node.
    next: [u32; 4],
    /// The node of a proper suffix of the string: the longest suffix that is in the tree.
    suffix: u32,
    /// The node of the string without its last move.
    parent: u32,
    arrangement: u32,
    /// Whether the string begins a minimal forbidden string.
    is_kept: bool,
}

/// A cell of an orbit, mapped to the ball of the orbit.
struct Origin {
    ball: usize,
    /// The moves of the order, mapped by the symmetry from the cell to the ball's start cell.
    directions: [usize; 4],
    /// One bit per arrangement: whether a string from the cell has reached it.
    seen: Vec<u64>,
}

impl Origin {
    /// Marks an arrangement as seen. Returns whether it was seen before.
    fn replace_seen(&mut self, arrangement: u32) -> bool {
        let (word, bit) = (arrangement as usize / 64, 1 << (arrangement % 64));
        let is_seen = self.seen[word] & bit > 0;
        self.seen[word] |= bit;
        is_seen
    }
}

impl PrefixTree {
    fn new(
        tray: Tray,
        order: [Direction; 4],
        depth: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let (balls, mut origins) = orbits(tray, order, depth, is_over)?;
        let cells = tray.cells();
        let root = |cell: Cell| Prefix {
            next: [FORBIDDEN; 4],
            suffix: cell.index() as u32,
            parent: cell.index() as u32,
            arrangement: 0,
            is_kept: true,
        };
        // Each arrangement that matters becomes at most one node per cell, if it is nearer than
        // `depth`.
        let inner = |ball: &Ball| {
            ball.matters[..ball.next.len()]
                .iter()
                .filter(|&&it| it)
                .count()
        };
        let counts: Vec<usize> = balls.iter().map(inner).collect();
        let most: usize = origins.iter().map(|origin| counts[origin.ball]).sum();
        // Each cell also has its root and up to four single moves.
        let mut nodes: Vec<Prefix> = Vec::with_capacity(most + 5 * cells);
        nodes.extend(tray.iter().map(root));
        // Of the longest strings so far, those from `cell` have the nodes
        // `starts[cell]..starts[cell + 1]`.
        let mut starts: Vec<usize> = (0..=cells).collect();
        for length in 1..=depth {
            let mut longer = Vec::with_capacity(cells + 1);
            for (cell, origin) in origins.iter_mut().enumerate() {
                let ball = &balls[origin.ball];
                longer.push(nodes.len());
                for node in starts[cell]..starts[cell + 1] {
                    if node % NODES_PER_CHECK == 0 && is_over() {
                        return None;
                    }
                    let arrangement = nodes[node].arrangement as usize;
                    for (by, direction) in order.into_iter().enumerate() {
                        let after = ball.next[arrangement][origin.directions[by]];
                        if after == OFF {
                            continue;
                        }
                        let suffix = if length == 1 {
                            let target = tray.step(Cell::new(cell), direction);
                            target.map_or(FORBIDDEN, |cell| cell.index() as u32)
                        } else {
                            nodes[nodes[node].suffix as usize].next[by]
                        };
                        if suffix == FORBIDDEN {
                            continue;
                        }
                        if origin.replace_seen(after) {
                            nodes[node].is_kept = true;
                            continue;
                        }
                        // A single move always needs a node, because this move followed by its
                        // opposite is forbidden.
                        let is_node =
                            length < depth && (length == 1 || ball.matters[after as usize]);
                        nodes[node].next[by] = if is_node { nodes.len() as u32 } else { suffix };
                        if is_node {
                            nodes.push(Prefix {
                                next: [FORBIDDEN; 4],
                                suffix,
                                parent: node as u32,
                                arrangement: after,
                                is_kept: false,
                            });
                        }
                    }
                }
            }
            longer.push(nodes.len());
            starts = longer;
        }
        Some(PrefixTree(nodes))
    }

    /// The transitions of the automaton. A node without [`Prefix::is_kept`] is replaced with the
    /// node of its longest suffix that is kept.
    fn machine(self) -> Box<[[u32; 4]]> {
        let PrefixTree(mut nodes) = self;
        for node in (0..nodes.len()).rev() {
            let parent = nodes[node].parent as usize;
            nodes[parent].is_kept |= nodes[node].is_kept;
        }
        let mut states: Vec<u32> = Vec::with_capacity(nodes.len());
        let mut count = 0;
        for node in &nodes {
            if node.is_kept {
                states.push(count);
                count += 1;
            } else {
                states.push(states[node.suffix as usize]);
            }
        }
        let state = |node: u32| states.get(node as usize).copied().unwrap_or(FORBIDDEN);
        let kept = nodes.iter().filter(|node| node.is_kept);
        kept.map(|node| node.next.map(state)).collect()
    }
}

/// One ball per orbit of the tray's symmetries, and the mapping of every cell to its ball.
fn orbits(
    tray: Tray,
    order: [Direction; 4],
    depth: usize,
    is_over: &dyn Fn() -> bool,
) -> Option<(Vec<Ball>, Vec<Origin>)> {
    let mut balls: Vec<Ball> = Vec::new();
    let mut origins: Vec<Option<Origin>> = tray.iter().map(|_| None).collect();
    for cell in tray.iter() {
        if origins[cell.index()].is_some() {
            continue;
        }
        let ball = Ball::new(tray, cell, depth, is_over)?;
        for symmetry in Symmetry::of(tray) {
            let back = |direction: Direction| {
                let mut all = Direction::ALL.into_iter();
                all.position(|d| symmetry.map_direction(d) == direction)
            };
            origins[symmetry.map(tray, cell).index()].get_or_insert_with(|| {
                let mut seen = vec![0; ball.matters.len().div_ceil(64)];
                seen[0] = 1;
                Origin {
                    ball: balls.len(),
                    directions: order.map(|direction| back(direction).unwrap_or(0)),
                    seen,
                }
            });
        }
        balls.push(ball);
    }
    Some((balls, origins.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    const ORDERS: [[Direction; 4]; 3] = {
        use Direction::{Down, Left, Right, Up};
        [
            [Up, Right, Left, Down],
            [Left, Down, Up, Right],
            [Down, Up, Right, Left],
        ]
    };

    fn automaton(tray: Tray, order: [Direction; 4], depth: usize) -> Automaton {
        Automaton::new(tray, order, depth, &|| false).unwrap()
    }

    fn tray(width: usize, height: usize) -> Tray {
        Tray::new(width, height).unwrap()
    }

    /// The arrangement after a move of the blank. In `pieces`, the blank has the number of the cell
    /// on which it started.
    fn step(
        tray: Tray,
        pieces: &[u8],
        blank: Cell,
        direction: Direction,
    ) -> Option<(Vec<u8>, Cell)> {
        let target = tray.step(blank, direction)?;
        let mut pieces = pieces.to_vec();
        pieces.swap(blank.index(), target.index());
        Some((pieces, target))
    }

    fn solved(tray: Tray) -> Vec<u8> {
        (0..tray.cells() as u8).collect()
    }

    /// Checks that the automaton allows the lexicographically least of the shortest paths to every
    /// state. A breadth-first search in lexicographic order reaches each state first by this path.
    /// Returns the number of states.
    fn check_least_paths(tray: Tray, order: [Direction; 4], depth: usize, start: Cell) -> usize {
        let automaton = automaton(tray, order, depth);
        let mut known = HashMap::from([(solved(tray), ())]);
        let mut level = vec![(solved(tray), start, automaton.start(start))];
        while !level.is_empty() {
            let mut next = Vec::new();
            for (pieces, blank, state) in &level {
                for (by, direction) in order.into_iter().enumerate() {
                    let Some((pieces, blank)) = step(tray, pieces, *blank, direction) else {
                        assert_eq!(automaton.next(*state, by), FORBIDDEN);
                        continue;
                    };
                    if known.insert(pieces.clone(), ()).is_none() {
                        let state = automaton.next(*state, by);
                        assert_ne!(state, FORBIDDEN, "{tray:?} {order:?} {depth} {start:?}");
                        next.push((pieces, blank, state));
                    }
                }
            }
            level = next;
        }
        known.len()
    }

    #[test]
    fn all_states_are_reached_by_their_least_shortest_paths() {
        for (width, height, states) in [
            (2, 2, 12),
            (3, 2, 360),
            (2, 3, 360),
            (4, 2, 20160),
            (1, 5, 5),
        ] {
            let tray = tray(width, height);
            for (order, start) in ORDERS
                .iter()
                .flat_map(|&order| tray.iter().map(move |c| (order, c)))
            {
                for depth in [2, 5, 6, 7, 9, 12, 14, 30] {
                    if tray.cells() < 8 || depth == 12 {
                        assert_eq!(check_least_paths(tray, order, depth, start), states);
                    }
                }
            }
        }
    }

    #[test]
    fn all_states_of_the_eight_puzzle_are_reached_by_their_least_shortest_paths() {
        let tray = tray(3, 3);
        for (cell, depth) in tray.iter().zip([6, 7, 8, 10, 12, 13, 14, 16, 17]) {
            let order = ORDERS[cell.index() % 3];
            assert_eq!(check_least_paths(tray, order, depth, cell), 181_440);
        }
    }

    /// A string of at most `depth` moves is allowed if and only if it is the least string to its
    /// arrangement.
    #[test]
    fn up_to_the_depth_one_string_is_allowed_per_arrangement() {
        for (width, height, depth) in [
            (2, 2, 16),
            (3, 2, 13),
            (3, 3, 10),
            (4, 4, 8),
            (5, 5, 7),
            (6, 2, 9),
            (25, 1, 6),
        ] {
            // A side has at most 20 cells, so 20x1 replaces 25x1.
            let tray = Tray::new(width, height).unwrap_or(tray(20, 1));
            for (order, start) in ORDERS
                .iter()
                .flat_map(|&order| tray.iter().map(move |c| (order, c)))
            {
                let automaton = automaton(tray, order, depth);
                let mut known = HashMap::from([(solved(tray), ())]);
                let mut level = vec![(solved(tray), start, Some(automaton.start(start)))];
                for _ in 0..depth {
                    let mut longer = Vec::new();
                    for (pieces, blank, state) in &level {
                        for (by, direction) in order.into_iter().enumerate() {
                            let Some((pieces, blank)) = step(tray, pieces, *blank, direction)
                            else {
                                continue;
                            };
                            let is_least =
                                state.is_some() && known.insert(pieces.clone(), ()).is_none();
                            let after = state.map_or(FORBIDDEN, |state| automaton.next(state, by));
                            assert_eq!(after != FORBIDDEN, is_least);
                            if is_least {
                                longer.push((pieces, blank, Some(after)));
                            }
                        }
                    }
                    level = longer;
                }
            }
        }
    }

    /// Number of allowed strings of each length from a cell.
    fn allowed(automaton: &Automaton, start: Cell, lengths: usize) -> Vec<u64> {
        let mut strings = vec![0_u64; automaton.states()];
        strings[automaton.start(start) as usize] = 1;
        let mut counts = Vec::new();
        for _ in 0..lengths {
            let mut longer = vec![0; strings.len()];
            for (next, count) in automaton.next.iter().zip(&strings) {
                for &state in next.iter().filter(|&&state| state != FORBIDDEN) {
                    longer[state as usize] += count;
                }
            }
            strings = longer;
            counts.push(strings.iter().sum());
        }
        counts
    }

    #[test]
    fn more_depth_allows_fewer_strings() {
        for (width, height) in [(2, 2), (3, 3), (4, 4), (5, 4), (12, 2)] {
            let tray = tray(width, height);
            for start in tray.iter() {
                let counts = [2, 5, 6, 8, 9, 10]
                    .map(|depth| allowed(&automaton(tray, ORDERS[0], depth), start, 20));
                assert_eq!(counts[0], counts[1]);
                for pair in counts.windows(2) {
                    assert!(
                        pair[0]
                            .iter()
                            .zip(&pair[1])
                            .all(|(less, more)| less >= more)
                    );
                }
                assert!(counts[0][19] > counts[5][19]);
            }
        }
        // Number of 15-puzzle states by depth from a corner, up to the depth of the automaton.
        let counts = allowed(&automaton(tray(4, 4), ORDERS[0], 10), Cell::new(15), 10);
        assert_eq!(counts, [2, 4, 10, 24, 54, 107, 212, 446, 946, 1948]);
    }

    #[test]
    fn depth_two_forbids_only_undoing() {
        for (width, height, depth) in [
            (2, 2, 2),
            (4, 4, 5),
            (1, 7, 9),
            (20, 20, 12),
            (6, 5, 12),
            (20, 2, 2),
            (3, 1, 2),
        ] {
            let tray = tray(width, height);
            let automaton = automaton(tray, ORDERS[1], depth);
            let mut stack: Vec<(Cell, u32, Option<Direction>)> = tray
                .iter()
                .map(|cell| (cell, automaton.start(cell), None))
                .collect();
            let mut known = vec![false; automaton.states()];
            while let Some((blank, state, undo)) = stack.pop() {
                if std::mem::replace(&mut known[state as usize], true) {
                    continue;
                }
                for (by, direction) in ORDERS[1].into_iter().enumerate() {
                    let target = tray
                        .step(blank, direction)
                        .filter(|_| undo != Some(direction));
                    let after = automaton.next(state, by);
                    assert_eq!(target.is_some(), after != FORBIDDEN);
                    if let Some(target) = target {
                        stack.push((target, after, Some(direction.opposite())));
                    }
                }
            }
            // One state per cell, and one per move that reaches the cell.
            let ways: usize = tray
                .iter()
                .map(|cell| 1 + tray.neighbours(cell).count())
                .sum();
            assert_eq!(automaton.states(), ways);
            assert!(known.into_iter().all(|k| k));
        }
    }

    #[test]
    fn machines_have_the_expected_number_of_states() {
        let states =
            |width, height, depth| automaton(tray(width, height), ORDERS[0], depth).states();
        assert_eq!(
            [6, 8, 10, 12].map(|depth| states(4, 4, depth)),
            [208, 878, 4147, 15222]
        );
        assert_eq!(
            [6, 8, 10].map(|depth| states(5, 5, depth)),
            [361, 1820, 10573]
        );
    }
}
