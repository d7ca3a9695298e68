//! The allowed moves of a search from each state: the automaton of forbidden strings combined with
//! the blank's cell after each move.

use std::sync::OnceLock;

use puzzle::{Cell, Direction, Tray};

use super::automaton::{Automaton, FORBIDDEN};
use crate::calls::DuplicatePruning;
use crate::machine::prefetch;
use crate::tables::MOVES;

/// A move: the blank's new cell, and the next state of the search.
#[derive(Clone, Copy, Default)]
pub(crate) struct Transition(u32);

/// Number of bits of a cell number; trays have up to 400 cells.
const CELL_BITS: u32 = 9;

impl Transition {
    /// No move. Contains cell 0, which exists on every tray.
    const NONE: Transition = Transition(u32::MAX << CELL_BITS);

    #[inline(always)]
    pub(crate) fn is_allowed(self) -> bool {
        self.0 != Transition::NONE.0
    }

    /// The state after the move.
    #[inline(always)]
    pub(crate) fn next(self) -> u32 {
        self.0 >> CELL_BITS
    }

    /// The blank's new cell; cell 0 for a move that is not allowed.
    #[inline(always)]
    pub(crate) fn cell(self) -> u16 {
        (self.0 % (1 << CELL_BITS)) as u16
    }
}

/// All moves of all states, and their order.
pub(crate) struct MoveTable {
    order: [Direction; MOVES],
    transitions: Box<[[Transition; MOVES]]>,
}

impl MoveTable {
    /// `depth` is the automaton's depth. At depth 2, only undoing a move is forbidden.
    /// Returns `None` as soon as `is_over` is true.
    pub(crate) fn new(
        tray: Tray,
        order: [Direction; MOVES],
        depth: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let automaton = Automaton::new(tray, order, depth, is_over)?;
        let mut transitions = vec![[Transition::NONE; MOVES]; automaton.states()];
        // The automaton does not store the blank's cell of a state. The cells are found by
        // following all moves from the start states, one per cell.
        let mut reached: Vec<(u32, Cell)> = tray
            .iter()
            .map(|cell| (automaton.start(cell), cell))
            .collect();
        let mut is_reached = vec![false; transitions.len()];
        while let Some((state, blank)) = reached.pop() {
            if std::mem::replace(&mut is_reached[state as usize], true) {
                continue;
            }
            for (by, &direction) in order.iter().enumerate() {
                let next = automaton.next(state, by);
                let Some(cell) = tray.step(blank, direction).filter(|_| next != FORBIDDEN) else {
                    continue;
                };
                transitions[state as usize][by] =
                    Transition(next << CELL_BITS | cell.index() as u32);
                reached.push((next, cell));
            }
        }
        Some(MoveTable {
            order,
            transitions: transitions.into(),
        })
    }

    /// The tile moves of a path. `path` contains, for each move of the blank, the move's index in
    /// the search's order of moves.
    pub(crate) fn tile_moves(&self, path: &[u8]) -> Vec<Direction> {
        let moves = path
            .iter()
            .map(|&by| self.order[usize::from(by)].opposite());
        moves.collect()
    }

    /// Number of later siblings of the nodes on a path. When plain depth-first search arrives at
    /// the end of the path, it has not reached these siblings, and node counts in the literature
    /// exclude them.
    pub(crate) fn not_reached(&self, mut state: u32, path: &[u8]) -> u64 {
        let mut count = 0;
        for &taken in path {
            let moves = self.from(state);
            let later = moves[usize::from(taken) + 1..].iter();
            count += later.filter(|transition| transition.is_allowed()).count() as u64;
            state = moves[usize::from(taken)].next();
        }
        count
    }

    /// Number of states, which tells automata of different depths apart.
    pub(crate) fn states(&self) -> usize {
        self.transitions.len()
    }

    /// The state before the first move: the automaton has one such state per cell.
    pub(crate) fn start(&self, blank: Cell) -> u32 {
        blank.index() as u32
    }

    /// Prefetches the moves from a state. Without it, a search with an automaton of depth 16, whose
    /// rows do not fit in the second-level cache, takes 1.4 times as long.
    #[inline(always)]
    pub(crate) fn prefetch(&self, state: u32) {
        prefetch(&self.transitions, state as usize);
    }

    /// The moves from a state.
    #[inline(always)]
    pub(crate) fn from(&self, state: u32) -> &[Transition; MOVES] {
        &self.transitions[state as usize]
    }
}

/// Automata for pruning: the longer the search, the deeper the automaton. An automaton is made when
/// it is first needed. The proof that no solution is lost applies to single iterations, so each
/// iteration may use another automaton.
pub(crate) struct PruningSchedule {
    tray: Tray,
    order: [Direction; MOVES],
    /// Maximum memory for making an automaton.
    max_bytes: u64,
    parent_only: OnceLock<MoveTable>,
    stages: [OnceLock<MoveTable>; STAGES.len()],
}

/// An automaton of some depth.
struct Stage {
    /// An iteration that begins after at least this number of generated nodes uses the automaton.
    from_nodes: u64,
    depth: usize,
    /// Memory for making the automaton on 5x5, the largest tray with automata.
    bytes: u64,
}

/// Of the stages that apply, the last one is used. Times for 5x5: depth 8 takes 0.9 ms, depth 12
/// takes 25 ms and saves another tenth of the nodes, depth 14 takes 0.3 s and saves 9 % more, depth
/// 16 takes 2 s and saves 7 % more. Depth 18 would save another 5 %, but takes 13 s and 1.7 GB
/// (docs/experiments.md).
const STAGES: [Stage; 4] = [
    Stage {
        from_nodes: 0,
        depth: 8,
        bytes: 0,
    },
    Stage {
        from_nodes: 4_000,
        depth: 12,
        bytes: 0,
    },
    Stage {
        from_nodes: 5_000_000,
        depth: 14,
        bytes: 64 << 20,
    },
    Stage {
        from_nodes: 50_000_000,
        depth: 16,
        bytes: 360 << 20,
    },
];

impl PruningSchedule {
    /// `table_bytes` is the size of the search's tables. An automaton that needs more than half as
    /// much is not made: who chose small tables has little memory.
    pub(crate) fn new(tray: Tray, order: [Direction; MOVES], table_bytes: u64) -> Self {
        PruningSchedule {
            tray,
            order,
            max_bytes: table_bytes / 2,
            parent_only: OnceLock::new(),
            stages: Default::default(),
        }
    }

    pub(crate) fn order(&self) -> [Direction; MOVES] {
        self.order
    }

    /// The moves for an iteration. `generated` is the number of nodes generated before the
    /// iteration. If `is_over` becomes true, the iteration uses an automaton that already exists.
    pub(crate) fn at(
        &self,
        generated: u64,
        pruning: DuplicatePruning,
        is_over: &dyn Fn() -> bool,
    ) -> &MoveTable {
        if pruning == DuplicatePruning::ParentOnly {
            return self.parent_only();
        }
        for (stage, made) in STAGES.iter().zip(&self.stages).rev() {
            if generated < stage.from_nodes || stage.bytes > self.max_bytes {
                continue;
            }
            if let Some(moves) = made.get() {
                return moves;
            }
            if let Some(moves) = MoveTable::new(self.tray, self.order, stage.depth, is_over) {
                return made.get_or_init(|| moves);
            }
        }
        self.parent_only()
    }

    /// All moves except those that undo the last move.
    pub(crate) fn parent_only(&self) -> &MoveTable {
        self.parent_only.get_or_init(|| {
            MoveTable::new(self.tray, self.order, 2, &|| false).unwrap_or_else(|| unreachable!())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_automata_need_large_tables_and_can_be_cancelled() {
        use Direction::{Down, Left, Right, Up};
        let (tray, order) = ("3x3".parse().unwrap(), [Up, Left, Down, Right]);
        let rows = |depth| {
            let made = MoveTable::new(tray, order, depth, &|| false);
            made.unwrap().transitions.len()
        };
        let schedule = |bytes| PruningSchedule::new(tray, order, bytes);
        let at = |schedule: &PruningSchedule, generated, is_over: bool| {
            let pruning = DuplicatePruning::Automaton;
            let moves = schedule.at(generated, pruning, &|| is_over);
            moves.transitions.len()
        };
        let [small, medium, large] = [127 << 20, 128 << 20, 1 << 30].map(schedule);
        for (generated, depths) in [
            (0, [8, 8, 8]),
            (4_000, [12, 12, 12]),
            (5_000_000, [12, 14, 14]),
            (50_000_000, [12, 14, 16]),
        ] {
            let found = [&small, &medium, &large].map(|schedule| at(schedule, generated, false));
            assert_eq!(found, depths.map(rows), "{generated}");
        }
        assert!(rows(12) < rows(14) && rows(14) < rows(16));
        let cancelled = schedule(1 << 30);
        assert_eq!(at(&cancelled, 4_000, false), rows(12));
        assert_eq!(at(&cancelled, 50_000_000, true), rows(12));
        assert_eq!(at(&cancelled, 50_000_000, false), rows(16));
    }
}
