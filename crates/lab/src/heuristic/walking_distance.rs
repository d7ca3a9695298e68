//! Walking distance.

use std::collections::HashMap;
use std::sync::Arc;

use puzzle::{Cell, Goal, Tray};

use super::{Heuristic, Term, ending};
use crate::position::{Position, Slide};

/// Lower bounds of the vertical and of the horizontal moves. Each is the exact distance in a
/// simpler puzzle, in which tiles of the same goal line are indistinguishable.
///
/// For vertical moves, a state stores the blank's row. For each pair of a row and a goal row, it
/// also stores the number of tiles that are in the row and belong to the goal row. A vertical move
/// brings one tile from a neighbouring row to the blank's row. A search from the goal finds the
/// minimum number of moves of every state. Horizontal moves are handled in the same way, with
/// columns instead of rows. The 4x4 has 24,964 such states, the 5x5 about 65 million.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    /// The simplified puzzle of the rows, for vertical moves, and that of the columns, for
    /// horizontal moves.
    walks: [Arc<LineWalk>; 2],
    columns: Box<[u8]>,
    rows: Box<[u8]>,
}

/// Maximum number of entries of the table of one direction.
const MAX_ENTRIES: u64 = 1 << 27;

/// Maximum number of lines of a tray in one direction.
const MAX_LINES: usize = 8;

/// Maximum number of steps of the numbering. With more steps, [`LineWalk::steps`] would occupy more
/// memory than [`LineWalk::values`].
const MAX_STEPS: usize = 1 << 15;

impl WalkingDistance {
    /// Builds both tables for a tray and a goal cell of the blank; `None` if they are too large.
    /// The build takes 3 ms for the 4x4 and 10 s for the 5x5. The tables of the 5x5 occupy 100 MB,
    /// and their build needs about 150 MB more.
    #[must_use]
    pub fn new(tray: Tray, goal_blank: Cell) -> Option<Self> {
        let (width, height) = (tray.width(), tray.height());
        let (column, row) = (tray.column(goal_blank), tray.row(goal_blank));
        let vertical = Arc::new(LineWalk::new(height, width, row)?);
        let horizontal = match (width, column) == (height, row) {
            true => Arc::clone(&vertical),
            false => Arc::new(LineWalk::new(width, height, column)?),
        };
        Some(WalkingDistance {
            walks: [vertical, horizontal],
            columns: tray.iter().map(|cell| tray.column(cell) as u8).collect(),
            rows: tray.iter().map(|cell| tray.row(cell) as u8).collect(),
        })
    }

    /// Number of entries of both tables.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.walks.iter().map(|walk| walk.values.len()).sum()
    }
}

/// The simplified puzzle of the lines in one direction.
///
/// Each state has a number: the sum of one term per line. A step describes the tiles that are left
/// for the current line and all following lines. For each element of `contents`, a step stores two
/// numbers. The first is the term of the current line with these contents. It counts the states in
/// which this line has contents with a lower index. The second is the index of the next line's
/// step.
#[derive(Debug)]
struct LineWalk {
    lines: usize,
    /// Possible contents of a line. A content lists the number of tiles of each goal line.
    contents: Vec<Vec<u8>>,
    /// For each content and each goal line: index of the content with one more tile of this goal
    /// line.
    more: Vec<u16>,
    /// For each content and each goal line: index of the content with one fewer tile of this goal
    /// line.
    less: Vec<u16>,
    /// For each step and each content: the term of the current line, and the index of the next
    /// step.
    steps: Vec<(u32, u16)>,
    /// Minimum number of moves of each state.
    values: Vec<u8>,
}

/// For each line, the index of its contents; `NONE` beyond the last line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineContents([u16; MAX_LINES]);

/// Index that means "no contents".
const NONE: u16 = u16::MAX;

/// A step of the numbering: the current line, whether an earlier line contains the blank, and the
/// number of tiles left per goal line.
type NumberingStep = (usize, bool, Vec<u8>);

impl LineWalk {
    /// Builds the table for `lines` lines of `length` cells. `blank_line` is the blank's line in
    /// the goal. `None` if the table is too large.
    fn new(lines: usize, length: usize, blank_line: usize) -> Option<LineWalk> {
        if lines > MAX_LINES || length > usize::from(u8::MAX) {
            return None;
        }
        let mut contents = Vec::new();
        all_contents(lines, length - 1, &mut Vec::new(), &mut contents);
        let with_blank = contents.len();
        all_contents(lines, length, &mut Vec::new(), &mut contents);
        if contents.len() > 4096 {
            return None;
        }
        let numbers: HashMap<&[u8], u16> = contents.iter().map(Vec::as_slice).zip(0..).collect();
        let changed = |change: i8| {
            let mut table = Vec::new();
            for content in &contents {
                for line in 0..lines {
                    let mut content = content.clone();
                    content[line] = content[line].wrapping_add_signed(change);
                    table.push(numbers.get(&content[..]).copied().unwrap_or(NONE));
                }
            }
            table
        };
        let (more, less) = (changed(1), changed(-1));
        let mut left = vec![length as u8; lines];
        left[blank_line] -= 1;
        let (steps, states) = number_states(left, &contents, with_blank)?;
        let mut walk = LineWalk {
            lines,
            contents,
            more,
            less,
            steps,
            values: vec![u8::MAX; states],
        };
        walk.search(length, blank_line, with_blank);
        Some(walk)
    }

    /// Computes all values, breadth first from the goal.
    fn search(&mut self, length: usize, blank_line: usize, with_blank: usize) {
        let mut goal = LineContents([NONE; MAX_LINES]);
        for line in 0..self.lines {
            let mut content = vec![0; self.lines];
            content[line] = (length - usize::from(line == blank_line)) as u8;
            goal.0[line] = self.number_of(&content);
        }
        let mut values = std::mem::take(&mut self.values);
        let mut level = vec![goal];
        values[self.rank(&goal)] = 0;
        for value in 1..u8::MAX {
            let mut next = Vec::new();
            for state in &level {
                let blank = state.0[..self.lines].iter();
                let blank = blank.clone().position(|&own| usize::from(own) < with_blank);
                let Some(blank) = blank else { continue };
                for from in blank.checked_sub(1).into_iter().chain([blank + 1]) {
                    for tile in 0..self.lines {
                        let Some(after) = self.moved(state, from, blank, tile) else {
                            continue;
                        };
                        let own = &mut values[self.rank(&after)];
                        if *own == u8::MAX {
                            *own = value;
                            next.push(after);
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        self.values = values;
    }

    fn number_of(&self, content: &[u8]) -> u16 {
        let found = self.contents.iter().position(|own| own == content);
        found.map_or(NONE, |number| number as u16)
    }

    /// The contents after a tile of `goal_line` moved from line `from` to line `to`; `None` if
    /// `from` has no such tile.
    fn moved(
        &self,
        state: &LineContents,
        from: usize,
        to: usize,
        goal_line: usize,
    ) -> Option<LineContents> {
        if from >= self.lines {
            return None;
        }
        let changed = |table: &[u16], line: usize| {
            let number = table[usize::from(state.0[line]) * self.lines + goal_line];
            (number != NONE).then_some(number)
        };
        let mut after = *state;
        after.0[from] = changed(&self.less, from)?;
        after.0[to] = changed(&self.more, to)?;
        Some(after)
    }

    /// Does the same as [`Self::moved`], in place and without checks. The line `from` must contain
    /// a tile of `goal_line`.
    #[inline]
    fn follow(&self, state: &mut LineContents, from: u8, to: u8, goal_line: u8) {
        for (table, line) in [(&self.less, from), (&self.more, to)] {
            let own = &mut state.0[usize::from(line)];
            *own = table[usize::from(*own) * self.lines + usize::from(goal_line)];
        }
    }

    /// The number of a state.
    #[inline]
    fn rank(&self, state: &LineContents) -> usize {
        let (mut rank, mut node) = (0, 0);
        for &own in &state.0[..self.lines] {
            let (before, next) = self.steps[node * self.contents.len() + usize::from(own)];
            rank += before as usize;
            node = next.into();
        }
        rank
    }

    #[inline]
    fn value(&self, state: &LineContents) -> u32 {
        self.values[self.rank(state)].into()
    }

    /// Contents of the lines. Each item of `tiles` is a pair of lines: the goal line of a tile and
    /// its current line.
    fn state(&self, tiles: impl Iterator<Item = (u8, u8)>) -> LineContents {
        let mut counts = vec![vec![0; self.lines]; self.lines];
        tiles.for_each(|(goal, line)| counts[usize::from(line)][usize::from(goal)] += 1);
        let mut state = LineContents([NONE; MAX_LINES]);
        for (own, content) in state.0.iter_mut().zip(&counts) {
            *own = self.number_of(content);
        }
        state
    }
}

/// Computes [`LineWalk::steps`] and the number of states. `left` is the number of tiles per goal
/// line. The first `with_blank` elements of `contents` are those of a line with the blank. `None`
/// if there are too many steps or states.
fn number_states(
    left: Vec<u8>,
    contents: &[Vec<u8>],
    with_blank: usize,
) -> Option<(Vec<(u32, u16)>, usize)> {
    let lines = left.len();
    // First finds all steps, in order of discovery; then counts the states of each step, starting
    // with the last step.
    let mut met: Vec<NumberingStep> = vec![(0, false, left)];
    let mut found: HashMap<NumberingStep, u16> = HashMap::from([(met[0].clone(), 0)]);
    let mut next: Vec<u16> = Vec::new();
    let mut at = 0;
    while at < met.len() {
        let (line, has_blank, left) = met[at].clone();
        for (number, content) in contents.iter().enumerate() {
            let is_blanks = number < with_blank;
            let fits = content.iter().zip(&left).all(|(own, left)| own <= left);
            if line == lines || !fits || (is_blanks && has_blank) {
                next.push(NONE);
                continue;
            }
            let rest = left.iter().zip(content).map(|(left, own)| left - own);
            let step = (line + 1, has_blank || is_blanks, rest.collect());
            let number = *found.entry(step).or_insert_with_key(|step| {
                met.push(step.clone());
                (met.len() - 1) as u16
            });
            next.push(number);
        }
        if met.len() > MAX_STEPS {
            return None;
        }
        at += 1;
    }
    let mut states = vec![0_u64; met.len()];
    let mut steps = vec![(0, NONE); next.len()];
    for (number, (line, has_blank, _)) in met.iter().enumerate().rev() {
        states[number] = u64::from(*line == lines && *has_blank);
        let own = number * contents.len()..(number + 1) * contents.len();
        for (step, &next) in steps[own.clone()].iter_mut().zip(&next[own]) {
            if next != NONE {
                *step = (u32::try_from(states[number]).ok()?, next);
                states[number] += states[usize::from(next)];
            }
        }
    }
    (states[0] <= MAX_ENTRIES).then_some((steps, states[0] as usize))
}

/// Appends to `all` each possible content of a line with `tiles` tiles. A content lists, for each
/// goal line, the number of tiles that belong to this goal line. `begun` contains the first numbers
/// of the current content.
fn all_contents(lines: usize, tiles: usize, begun: &mut Vec<u8>, all: &mut Vec<Vec<u8>>) {
    if begun.len() + 1 == lines {
        let mut content = begun.clone();
        content.push(tiles as u8);
        all.push(content);
        return;
    }
    for own in 0..=tiles {
        begun.push(own as u8);
        all_contents(lines, tiles - own, begun, all);
        begun.pop();
    }
}

impl Heuristic for WalkingDistance {
    type Carried = WalkState;

    fn name(&self) -> String {
        "walking-distance".to_owned()
    }

    fn source(&self) -> &'static str {
        "K. Takahashi, a solver of the 15-puzzle (in Japanese), 2001"
    }

    fn carry(&self, position: &Position) -> WalkState {
        let lines = [&self.rows, &self.columns];
        let contents = std::array::from_fn(|axis: usize| {
            let line = |cell: Cell| lines[axis][cell.index()];
            let tiles = position
                .tiles()
                .map(|(tile, cell)| (line(tile), line(cell)));
            self.walks[axis].state(tiles)
        });
        let values = std::array::from_fn(|axis: usize| self.walks[axis].value(&contents[axis]));
        WalkState { contents, values }
    }

    #[inline]
    fn follow(
        &self,
        before: &WalkState,
        after: &mut WalkState,
        _position: &Position,
        slide: Slide,
    ) {
        *after = *before;
        let row = |cell: u8| self.rows[usize::from(cell)];
        let column = |cell: u8| self.columns[usize::from(cell)];
        let is_vertical = row(slide.from) != row(slide.to);
        let axis = usize::from(!is_vertical);
        let lines = match is_vertical {
            true => (row(slide.from), row(slide.to), row(slide.tile)),
            false => (column(slide.from), column(slide.to), column(slide.tile)),
        };
        let (walk, contents) = (&*self.walks[axis], &mut after.contents[axis]);
        walk.follow(contents, lines.0, lines.1, lines.2);
        after.values[axis] = walk.value(contents);
    }

    #[inline]
    fn value(&self, carried: &WalkState) -> u32 {
        carried.values[0] + carried.values[1]
    }

    fn explain(&self, position: &Position, _goal: &Goal) -> Vec<Term> {
        let values = self.carry(position).values;
        let axes = [("rows", "vertical"), ("columns", "horizontal")];
        let term = |((lines, moves), value)| Term {
            words: format!(
                "the {lines}: at least {value} {moves} move{}",
                ending(value)
            ),
            tiles: Vec::new(),
            value,
        };
        axes.into_iter().zip(values).map(term).collect()
    }
}

/// A state of each simplified puzzle: first of the puzzle of the rows, then of the puzzle of the
/// columns.
#[derive(Clone, Copy, Debug)]
pub struct WalkState {
    contents: [LineContents; 2],
    /// Minimum number of moves in each simplified puzzle.
    values: [u32; 2],
}
