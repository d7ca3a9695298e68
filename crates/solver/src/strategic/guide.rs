//! Distance of a state from the end of the next step of the human method. This distance is part of
//! a beam's score, so that the beam does not get stuck.
//!
//! As in the human method, lines are solved one after another. The tiles of a line are placed from
//! both ends. The next tile is always placed at the end that needs fewer moves. The last two tiles
//! move into place together. The distance of a tile is exact except that it ignores other tiles of
//! the tile's line that are already in place.

use std::sync::OnceLock;

use puzzle::{Cell, Direction, Tray};

use super::lines::{LastBlock, Line, plan};
use crate::boards::{Grid, NO_CELL};

/// Value of a cell from which no path leads to the target.
const FAR: u8 = u8::MAX;
/// Largest stored distance; larger distances are stored as this value.
const MAX_DISTANCE: u8 = FAR - 1;

/// Numbers of moves, as a matrix with one row per cell of the tile and one column per cell of the
/// blank.
type PairDistances = Box<[u8]>;

/// The solved part: all lines before line number `level`, and the first `left` tiles and the last
/// `right` tiles of this line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LineProgress {
    level: u8,
    left: u8,
    right: u8,
}

/// Progress of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StageValue {
    pub(super) progress: LineProgress,
    /// Number of completed steps; larger is nearer to the goal.
    pub(super) stage: u16,
    /// Number of moves to the end of the next step.
    pub(super) distance: u8,
}

impl LineProgress {
    pub(super) fn level(self) -> usize {
        usize::from(self.level)
    }
}

/// Distances for one goal. Tables are made when first needed.
#[derive(Debug)]
pub(super) struct StepGuide {
    grid: Grid,
    goal_blank: usize,
    levels: Vec<Level>,
    /// For each cell, the index of its line and the cell's index in the line. The last cells are in
    /// no line; their line index is `levels.len()`.
    line_of: Vec<(u8, u8)>,
    last: LastBlockTable,
    /// Number of steps before the step that solves the last cells.
    last_stage: u16,
}

#[derive(Debug)]
struct Level {
    line: Line,
    /// Number of steps before this line.
    first_stage: u16,
    /// For each cell of the line, the distances of a tile to that cell.
    targets: Vec<OnceLock<PairDistances>>,
    /// For each gap of two cells, the distances of the two tiles that fill it.
    gaps: Vec<OnceLock<Gap>>,
}

/// The last two cells of a line. Either of the two tiles that belong there can move first.
#[derive(Debug)]
struct Gap {
    ways: [GapWay; 2],
}

/// The first tile moves to the second tile's goal cell. The second tile moves to the cell behind
/// the first tile. The blank moves to the first tile's goal cell. Then both tiles slide into place.
#[derive(Debug)]
struct GapWay {
    first: usize,
    second: usize,
    behind: usize,
    /// Distances of the first tile to the second tile's goal cell.
    first_distances: PairDistances,
    /// Distances of the second tile to the cell `behind`, while the first tile stays.
    second_distances: PairDistances,
    /// Number of moves to the end of the step, by the blank's cell, once the first tile is on the
    /// second tile's goal cell and the second tile is on `behind`.
    blank_distances: Box<[u8]>,
}

/// Exact distances to the goal for all arrangements of the last cells, which no line contains.
#[derive(Debug)]
struct LastBlockTable {
    cells: Vec<usize>,
    /// Distances by [`LastBlockTable::code`].
    distances: Vec<u8>,
}

impl StepGuide {
    /// A guide for boards with at least two rows and two columns.
    pub(super) fn new(tray: Tray, goal_blank: Cell) -> StepGuide {
        let grid = Grid::new(tray);
        let (lines, block) = plan(tray, goal_blank);
        let mut line_of = vec![(lines.len() as u8, 0); grid.cells()];
        let mut levels = Vec::with_capacity(lines.len());
        let mut stage = 0;
        for (number, line) in lines.into_iter().enumerate() {
            let length = line.cells.len();
            for (place, &cell) in line.cells.iter().enumerate() {
                line_of[cell] = (number as u8, place as u8);
            }
            levels.push(Level {
                first_stage: stage,
                targets: line.cells.iter().map(|_| OnceLock::new()).collect(),
                gaps: line.cells.iter().skip(1).map(|_| OnceLock::new()).collect(),
                line,
            });
            // One step per tile, although the last two tiles are completed together.
            stage += length as u16;
        }
        let last = LastBlockTable::new(&grid, block, goal_blank.index());
        StepGuide {
            grid,
            goal_blank: goal_blank.index(),
            levels,
            line_of,
            last,
            last_stage: stage,
        }
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn goal_blank(&self) -> usize {
        self.goal_blank
    }

    pub(super) fn lines(&self) -> usize {
        self.levels.len()
    }

    /// Index of a tile's line; [`Self::lines`] for tiles of the last cells, which are in no line.
    pub(super) fn line_of(&self, tile: usize) -> usize {
        usize::from(self.line_of[tile].0)
    }

    /// Whether the tile on a cell must stay.
    #[inline]
    pub(super) fn is_locked(&self, progress: LineProgress, cell: usize) -> bool {
        let (level, place) = self.line_of[cell];
        if level != progress.level {
            return level < progress.level;
        }
        let Some(level) = self.levels.get(usize::from(level)) else {
            return false;
        };
        place < progress.left || place + progress.right >= level.line.cells.len() as u8
    }

    /// Whether the state with this value is the goal.
    #[inline]
    pub(super) fn is_solved(&self, standing: StageValue) -> bool {
        standing.stage == self.last_stage && standing.distance == 0
    }

    /// Drops the tables of the lines before line `level`.
    pub(super) fn forget_before(&mut self, level: usize) {
        for level in self.levels.iter_mut().take(level).rev() {
            if level.targets.is_empty() {
                break;
            }
            level.targets = Vec::new();
            level.gaps = Vec::new();
        }
    }

    /// The progress of a state. `places` contains the cell of each piece. `known` is the progress
    /// of the state's parent; the root uses the default. `None` for a dead end: a state from which
    /// the next step is possible only if solved tiles move.
    #[inline]
    pub(super) fn look(
        &self,
        known: LineProgress,
        places: &[u16],
        blank: usize,
    ) -> Option<StageValue> {
        let mut progress = known;
        while let Some(level) = self.levels.get(usize::from(progress.level)) {
            let cells = &level.line.cells;
            let is_home = |place: usize| usize::from(places[cells[place]]) == cells[place];
            let singles = cells.len() as u8 - 2;
            while progress.left + progress.right < singles && is_home(usize::from(progress.left)) {
                progress.left += 1;
            }
            while progress.left + progress.right < singles
                && is_home(cells.len() - 1 - usize::from(progress.right))
            {
                progress.right += 1;
            }
            let left = usize::from(progress.left);
            let done = progress.left + progress.right;
            let stage = level.first_stage + u16::from(done);
            if done < singles {
                let ends = [left, cells.len() - 1 - usize::from(progress.right)];
                let distance = |place: usize| {
                    let tile = usize::from(places[cells[place]]);
                    self.target(level, place)[tile * self.grid.cells() + blank]
                };
                let distance = distance(ends[0]).min(distance(ends[1]));
                return (distance != FAR).then_some(StageValue {
                    progress,
                    stage,
                    distance,
                });
            }
            if !(is_home(left) && is_home(left + 1)) {
                let (steps, distance) = self.gap(level, left).look(places, blank)?;
                return Some(StageValue {
                    progress,
                    stage: stage + steps,
                    distance,
                });
            }
            progress = LineProgress {
                level: progress.level + 1,
                left: 0,
                right: 0,
            };
        }
        let distance = self.last.distance(places)?;
        Some(StageValue {
            progress,
            stage: self.last_stage,
            distance,
        })
    }

    /// Distances of a tile to the cell with index `place` in the line, through cells of this line
    /// and later lines only.
    #[inline]
    fn target<'a>(&self, level: &'a Level, place: usize) -> &'a PairDistances {
        level.targets[place].get_or_init(|| {
            let cell = level.line.cells[place];
            let own = self.line_of[cell].0;
            pair_distances(&self.grid, cell, |cell| self.line_of[cell].0 >= own)
        })
    }

    #[inline]
    fn gap<'a>(&self, level: &'a Level, left: usize) -> &'a Gap {
        level.gaps[left].get_or_init(|| {
            let pair = [level.line.cells[left], level.line.cells[left + 1]];
            let own = self.line_of[pair[0]].0;
            let is_open = |cell: usize| self.line_of[cell].0 > own || pair.contains(&cell);
            let way = |[first, second]: [usize; 2]| {
                // The step never leaves the tray, because other cells remain on the inner side of
                // each line.
                let behind = self.grid.step(second, level.line.inward).unwrap_or(second);
                let is_free = |cell| is_open(cell) && cell != second;
                let is_way = |cell| is_free(cell) && cell != behind;
                GapWay {
                    first,
                    second,
                    behind,
                    first_distances: pair_distances(&self.grid, second, is_open),
                    second_distances: pair_distances(&self.grid, behind, is_free),
                    blank_distances: blank_distances(&self.grid, first, 2, is_way),
                }
            };
            Gap {
                ways: [way(pair), way([pair[1], pair[0]])],
            }
        })
    }
}

/// Approximate number of moves from the arrival of the second tile at `behind` to the end of the
/// step.
const TURN: u8 = 6;

impl Gap {
    /// Number of completed steps, and number of moves to the end of the next step. The two tiles
    /// can be placed in two orders. The order with more completed steps is used. If both orders
    /// have the same number of completed steps, the order with fewer moves left is used.
    #[inline]
    fn look(&self, places: &[u16], blank: usize) -> Option<(u16, u8)> {
        let ways = self.ways.iter().filter_map(|way| way.look(places, blank));
        ways.max_by_key(|&(steps, distance)| (steps, std::cmp::Reverse(distance)))
    }
}

impl GapWay {
    #[inline]
    fn look(&self, places: &[u16], blank: usize) -> Option<(u16, u8)> {
        let cells = places.len();
        let (first, second) = (
            usize::from(places[self.first]),
            usize::from(places[self.second]),
        );
        let (steps, distance) = if first == self.second && second == self.behind {
            (1, self.blank_distances[blank])
        } else if first == self.first && second == self.behind && blank == self.second {
            (1, 1)
        } else if first == self.second {
            let distance = self.second_distances[second * cells + blank];
            if distance == FAR {
                return None;
            }
            (1, distance.saturating_add(TURN).min(MAX_DISTANCE))
        } else {
            (0, self.first_distances[first * cells + blank])
        };
        (distance != FAR).then_some((steps, distance))
    }
}

impl LastBlockTable {
    fn new(grid: &Grid, block: LastBlock, goal_blank: usize) -> LastBlockTable {
        let cells: Vec<usize> = block.cells().collect();
        let codes = cells.len().pow(cells.len() as u32);
        let mut table = LastBlockTable {
            cells,
            distances: vec![FAR; codes],
        };
        let goal: Vec<usize> = table.cells.clone();
        let start = table.code(|index| goal[index]).unwrap_or_default();
        table.distances[start] = 0;
        // Each element stores the cell of each piece, the cell of the blank, and the distance.
        let mut queue = vec![(goal, goal_blank, 0)];
        let mut next = 0;
        while let Some((places, blank, distance)) = queue.get(next).cloned() {
            next += 1;
            for direction in Direction::ALL {
                let Some(to) = grid.step(blank, direction) else {
                    continue;
                };
                let swapped = |&cell: &usize| match cell {
                    cell if cell == blank => to,
                    cell if cell == to => blank,
                    cell => cell,
                };
                let moved: Vec<usize> = places.iter().map(swapped).collect();
                let Some(code) = table.code(|index| moved[index]) else {
                    continue;
                };
                if table.distances[code] == FAR {
                    table.distances[code] = distance + 1;
                    queue.push((moved, to, distance + 1));
                }
            }
        }
        table
    }

    /// A number for the arrangement of the pieces; `None` if a piece is outside the last cells.
    #[inline]
    fn code(&self, place: impl Fn(usize) -> usize) -> Option<usize> {
        let mut code = 0;
        for index in 0..self.cells.len() {
            let cell = place(index);
            code = code * self.cells.len() + self.cells.iter().position(|&c| c == cell)?;
        }
        Some(code)
    }

    #[inline]
    fn distance(&self, places: &[u16]) -> Option<u8> {
        let code = self.code(|index| usize::from(places[self.cells[index]]))?;
        Some(self.distances[code]).filter(|&distance| distance != FAR)
    }
}

/// Distances of a tile to `target`, for each cell of the tile and each cell of the blank. The tile
/// and the blank move through open cells only. A breadth-first search from all arrangements with
/// the tile on `target` finds the distances.
fn pair_distances(grid: &Grid, target: usize, is_open: impl Fn(usize) -> bool) -> PairDistances {
    let cells = grid.cells();
    let open: Vec<bool> = (0..cells).map(is_open).collect();
    let mut distances = vec![FAR; cells * cells];
    let blanks = (0..cells).filter(|&blank| blank != target && open[blank]);
    let mut queue: Vec<u32> = blanks
        .map(|blank| (target * cells + blank) as u32)
        .collect();
    for &code in &queue {
        distances[code as usize] = 0;
    }
    let mut next = 0;
    while let Some(&code) = queue.get(next) {
        next += 1;
        let code = code as usize;
        let (tile, blank) = (code / cells, code % cells);
        let distance = distances[code].saturating_add(1).min(MAX_DISTANCE);
        for &to in grid.neighbours(blank) {
            let to = usize::from(to);
            if to == usize::from(NO_CELL) || !open[to] {
                continue;
            }
            let code = if to == tile {
                blank * cells + tile
            } else {
                tile * cells + to
            };
            if distances[code] == FAR {
                distances[code] = distance;
                queue.push(code as u32);
            }
        }
    }
    distances.into()
}

/// Number of moves of the blank from each cell to `target` through open cells, plus `more`.
fn blank_distances(
    grid: &Grid,
    target: usize,
    more: u8,
    is_open: impl Fn(usize) -> bool,
) -> Box<[u8]> {
    let mut distances = vec![FAR; grid.cells()];
    distances[target] = more;
    let mut queue = vec![target];
    let mut next = 0;
    while let Some(&blank) = queue.get(next) {
        next += 1;
        for &to in grid.neighbours(blank) {
            let to = usize::from(to);
            if to != usize::from(NO_CELL) && is_open(to) && distances[to] == FAR {
                distances[to] = distances[blank].saturating_add(1).min(MAX_DISTANCE);
                queue.push(to);
            }
        }
    }
    distances.into()
}
