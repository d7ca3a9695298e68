//! IDA* in the multi-tile metric.
//!
//! A move slides a run of one or more tiles in one line, so the blank moves to any other cell of
//! its row or column. Two consecutive moves along the same axis have the effect of one move or of
//! none, so moves alternate between the axes. The root has W + H - 2 children, and a later node has
//! W - 1 or H - 1 children. Each direction is followed once to the edge of the tray, and every cell
//! on the way is a child. Solutions of one board can have odd and even lengths, so bounds may grow
//! by 1.

use std::ops::ControlFlow;

use puzzle::{Direction, State, Tray};

use super::{AbstractState, Axis, MultiHeuristic};
use crate::calls::{Limits, NodeCount, SearchStatus};
use crate::tables::DamagedTable;

/// Number of nodes generated between two checks of the limits.
const NODES_PER_CHECK: u64 = 1 << 12;

/// A move: the direction of the blank, and the number of cells by which the blank moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) blank: Direction,
    pub(super) cells: u8,
}

/// The single moves of the tiles in a list of runs.
pub(super) fn single_moves(runs: &[Run]) -> Vec<Direction> {
    let moves = runs
        .iter()
        .map(|run| std::iter::repeat_n(run.blank.opposite(), run.cells.into()));
    moves.flatten().collect()
}

/// A node to search from.
#[derive(Clone, Debug)]
pub(super) struct StartNode {
    /// The moves that lead to the node.
    pub(super) path: Vec<Run>,
    pieces: Vec<u16>,
    blank: usize,
    seen: Vec<AbstractState>,
    estimate: i32,
}

impl StartNode {
    /// The board itself.
    pub(super) fn root(
        heuristic: &impl MultiHeuristic,
        state: &State,
    ) -> Result<StartNode, DamagedTable> {
        let seen = heuristic.roots(state)?;
        let bounds = seen.iter().enumerate();
        let estimate = bounds.map(|(part, state)| heuristic.bound(part, state.h, None));
        Ok(StartNode {
            path: Vec::new(),
            pieces: state
                .pieces()
                .iter()
                .map(|piece| piece.index() as u16)
                .collect(),
            blank: state.blank().index(),
            estimate: estimate.max().unwrap_or(0),
            seen,
        })
    }

    /// Lower bound on the remaining moves.
    pub(super) fn estimate(&self) -> i32 {
        self.estimate
    }
}

/// End of a search up to a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoundEnd {
    /// Everything within the bound was searched. Contains the smallest estimate above the bound;
    /// `None` if nothing was pruned.
    Exhausted(Option<i32>),
    /// A limit ended the search.
    Limited,
    /// The listener of solutions ended the search.
    Ended,
}

/// A depth-first search with its own stack.
pub(super) struct RunSearch<'a, H> {
    heuristic: &'a H,
    tray: Tray,
    goal_blank: u16,
    pub(super) limits: Limits<'a>,

    pieces: Vec<u16>,
    frames: Vec<Frame>,
    /// The unpruned children of all frames; the children of the deepest frame are last.
    children: Vec<RunChild>,
    /// States of the parts at all `children`: one state per part and child.
    seen: Vec<AbstractState>,
    /// States of the parts at the node that is being expanded.
    here: Vec<AbstractState>,
    /// States of one part at the children along one line.
    line: Vec<AbstractState>,
    /// The moves from the root to the start node, then the moves between the nodes of the frames.
    path: Vec<Run>,

    pub(super) nodes: NodeCount,
    /// The status at the beginning of the iteration.
    pub(super) status: SearchStatus,
    next_check: u64,
}

/// A node on the path.
struct Frame {
    blank: u16,
    /// Index of the node's first child.
    first: usize,
    /// Index of the next child to visit.
    next: usize,
    /// Index after the node's last child.
    end: usize,
    /// Number of children counted as generated so far.
    counted: u16,
    /// Number of all children, pruned or not.
    all: u16,
}

#[derive(Clone, Copy)]
struct RunChild {
    run: Run,
    blank: u16,
    /// The child's number among all children of the node, from 1.
    number: u16,
    estimate: i32,
}

impl<'a, H: MultiHeuristic> RunSearch<'a, H> {
    pub(super) fn new(heuristic: &'a H, tray: Tray, goal_blank: usize, limits: Limits<'a>) -> Self {
        RunSearch {
            heuristic,
            tray,
            goal_blank: goal_blank as u16,
            limits,
            pieces: Vec::new(),
            frames: Vec::new(),
            children: Vec::new(),
            seen: Vec::new(),
            here: vec![AbstractState::default(); heuristic.parts()],
            line: vec![AbstractState::default(); Tray::MAX_SIDE],
            path: Vec::new(),
            nodes: NodeCount::default(),
            status: SearchStatus::default(),
            next_check: 0,
        }
    }

    /// Searches all paths of up to `bound` moves from the root, through the start node of this
    /// search. Calls `solved` with each path that reaches the goal.
    pub(super) fn iterate(
        &mut self,
        start: &StartNode,
        bound: i32,
        mut solved: impl FnMut(&[Run]) -> ControlFlow<()>,
    ) -> BoundEnd {
        self.begin(start);
        if start.estimate == 0 && self.is_goal() {
            return match solved(&self.path) {
                ControlFlow::Break(()) => BoundEnd::Ended,
                ControlFlow::Continue(()) => BoundEnd::Exhausted(None),
            };
        }
        let mut smallest = i32::MAX;
        self.expand(start.blank, bound, &mut smallest);
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                self.nodes.generated += u64::from(frame.all - frame.counted);
                let (first, blank) = (frame.first, frame.blank.into());
                self.frames.pop();
                self.children.truncate(first);
                self.seen.truncate(first * self.heuristic.parts());
                if !self.frames.is_empty() {
                    self.take_back(blank);
                }
                continue;
            }
            let child = self.children[frame.next];
            let first = frame.next * self.heuristic.parts();
            frame.next += 1;
            self.nodes.generated += u64::from(child.number - frame.counted);
            frame.counted = child.number;
            let blank = usize::from(frame.blank);
            if self.nodes.generated >= self.next_check && self.is_over() {
                return BoundEnd::Limited;
            }
            self.slide(blank, child.run);
            self.path.push(child.run);
            let blank = usize::from(child.blank);
            if child.estimate == 0 && self.is_goal() {
                if solved(&self.path).is_break() {
                    return BoundEnd::Ended;
                }
                self.take_back(blank);
                continue;
            }
            let parts = self.heuristic.parts();
            self.here.copy_from_slice(&self.seen[first..first + parts]);
            self.expand(blank, bound, &mut smallest);
        }
        BoundEnd::Exhausted((smallest < i32::MAX).then_some(smallest))
    }

    /// Another search of the same board.
    pub(super) fn fork(&self, limits: Limits<'a>) -> Self {
        RunSearch::new(self.heuristic, self.tray, self.goal_blank.into(), limits)
    }

    /// Expands a start node. Returns the children within the bound as new start nodes, and the
    /// smallest estimate above the bound.
    pub(super) fn split(&mut self, start: &StartNode, bound: i32) -> (Vec<StartNode>, Option<i32>) {
        self.begin(start);
        let mut smallest = i32::MAX;
        self.expand(start.blank, bound, &mut smallest);
        let parts = self.heuristic.parts();
        let mut starts = Vec::with_capacity(self.children.len());
        for (index, child) in std::mem::take(&mut self.children).into_iter().enumerate() {
            self.slide(start.blank, child.run);
            self.path.push(child.run);
            starts.push(StartNode {
                path: self.path.clone(),
                pieces: self.pieces.clone(),
                blank: child.blank.into(),
                seen: self.seen[index * parts..][..parts].to_vec(),
                estimate: child.estimate,
            });
            self.take_back(child.blank.into());
        }
        if let Some(frame) = self.frames.pop() {
            self.nodes.generated += u64::from(frame.all);
        }
        (starts, (smallest < i32::MAX).then_some(smallest))
    }

    fn begin(&mut self, start: &StartNode) {
        self.pieces.clone_from(&start.pieces);
        self.path.clone_from(&start.path);
        self.here.clone_from(&start.seen);
        self.frames.clear();
        self.children.clear();
        self.seen.clear();
    }

    /// Expands the node whose part states are `here`: adds its frame, and its children within the
    /// bound. Lowers `smallest` to the smallest estimate of the children above the bound.
    #[inline]
    fn expand(&mut self, blank: usize, bound: i32, smallest: &mut i32) {
        self.nodes.expanded += 1;
        let tray = self.tray;
        let (column, row) = (blank % tray.width(), blank / tray.width());
        let last = self.path.last().map(|run| Axis::of(run.blank));
        let left = bound - self.path.len() as i32 - 1;
        let first = self.children.len();
        let mut all = 0;
        for axis in Axis::BOTH {
            if last == Some(axis) {
                continue;
            }
            for direction in axis.directions() {
                let cells = match direction {
                    Direction::Up => row,
                    Direction::Down => tray.height() - 1 - row,
                    Direction::Left => column,
                    Direction::Right => tray.width() - 1 - column,
                };
                let least = self.expand_line(blank, axis, direction, cells, all, left);
                *smallest = (*smallest).min(least.saturating_add(bound - left));
                all += cells as u16;
            }
        }
        self.frames.push(Frame {
            blank: blank as u16,
            first,
            next: first,
            end: self.children.len(),
            counted: 0,
            all,
        });
    }

    /// Adds those children along one direction whose estimates are at most `left` moves. Returns
    /// the smallest estimate above `left`.
    #[inline(always)]
    fn expand_line(
        &mut self,
        blank: usize,
        axis: Axis,
        direction: Direction,
        cells: usize,
        before: u16,
        left: i32,
    ) -> i32 {
        let parts = self.heuristic.parts();
        let step = offset(self.tray, direction);
        let mut least = i32::MAX;
        let mut pruned = [false; Tray::MAX_SIDE];
        let first = self.children.len();
        let mut estimates = [0; Tray::MAX_SIDE];
        // The farthest child that no part has pruned.
        let mut farthest = cells;
        // States are stored for all cells of the line; at the end, the states of pruned children
        // are removed.
        self.seen
            .resize((first + cells) * parts, AbstractState::default());
        for part in 0..parts {
            let near = self.here[part].h;
            let mut state = self.here[part];
            let mut at = blank;
            for cell in 0..farthest {
                at = at.wrapping_add_signed(step);
                state = self.heuristic.step(part, state, direction, self.pieces[at]);
                self.line[cell] = state;
            }
            let mut reach = 0;
            for cell in 0..farthest {
                if pruned[cell] {
                    continue;
                }
                let mut state = self.line[cell];
                state.h = self.heuristic.read(part, state, near);
                let estimate = self.heuristic.bound(part, state.h, Some(axis));
                if estimate > left {
                    pruned[cell] = true;
                    least = least.min(estimate);
                    continue;
                }
                reach = cell + 1;
                estimates[cell] = estimates[cell].max(estimate);
                self.seen[(first + cell) * parts + part] = state;
            }
            farthest = reach;
            if farthest == 0 {
                break;
            }
        }
        let mut at = blank;
        for cell in 0..farthest {
            at = at.wrapping_add_signed(step);
            if pruned[cell] {
                continue;
            }
            let index = self.children.len();
            if index < first + cell {
                let from = (first + cell) * parts;
                self.seen.copy_within(from..from + parts, index * parts);
            }
            self.children.push(RunChild {
                run: Run {
                    blank: direction,
                    cells: cell as u8 + 1,
                },
                blank: at as u16,
                number: before + cell as u16 + 1,
                estimate: estimates[cell],
            });
        }
        self.seen.truncate(self.children.len() * parts);
        least
    }

    /// Slides the tiles of a run; the blank is on `blank`.
    #[inline]
    fn slide(&mut self, blank: usize, run: Run) {
        let step = offset(self.tray, run.blank);
        let mut at = blank;
        for _ in 0..run.cells {
            let next = at.wrapping_add_signed(step);
            self.pieces[at] = self.pieces[next];
            at = next;
        }
        self.pieces[at] = self.goal_blank;
    }

    /// Undoes the last move; the blank is on `blank`.
    #[inline]
    fn take_back(&mut self, blank: usize) {
        if let Some(run) = self.path.pop() {
            let back = Run {
                blank: run.blank.opposite(),
                ..run
            };
            self.slide(blank, back);
        }
    }

    fn is_goal(&self) -> bool {
        let mut pieces = self.pieces.iter().enumerate();
        pieces.all(|(cell, &piece)| cell == usize::from(piece))
    }

    /// Whether a limit is reached. Sets the node count of the next check.
    #[cold]
    fn is_over(&mut self) -> bool {
        let generated = self.nodes.generated;
        let max_nodes = self.limits.nodes.unwrap_or(u64::MAX);
        self.next_check = (generated + NODES_PER_CHECK).min(max_nodes);
        self.limits.is_over(&SearchStatus {
            generated,
            in_iteration: generated - self.status.generated,
            ..self.status
        })
    }
}

/// Offset from a cell to the next one in a direction.
fn offset(tray: Tray, direction: Direction) -> isize {
    let width = tray.width() as isize;
    match direction {
        Direction::Up => -width,
        Direction::Down => width,
        Direction::Left => -1,
        Direction::Right => 1,
    }
}
