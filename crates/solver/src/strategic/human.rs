//! The human method. It solves a tray line by line from the outside, and each line tile by tile.
//! The last two tiles of a line are solved together. A breadth-first search in a few cells solves the
//! corner of a line, and the last cells of the tray.

use super::explanation::{Action, Explanation, Step};
use super::lines::{LastBlock, Line, plan};
use super::play::Play;
use super::tile_route::Router;
use crate::boards::Grid;
use puzzle::{Direction, Goal, State};

/// Solves a state of `goal`; `None` if it cannot be solved. See [`super::explain`].
pub(super) fn solve(goal: &Goal, state: &State) -> Option<Explanation> {
    let mut solver = HumanSolver {
        goal,
        router: Router::new(&Grid::new(state.tray())),
        grid: Grid::new(state.tray()),
        play: Play::new(state),
        steps: Vec::new(),
    };
    if state.tray().width().min(state.tray().height()) == 1 {
        solver.slide_along(state.goal_blank().index())?;
    } else {
        solver.solve_all(state)?;
    }
    let (steps, play) = (solver.steps, solver.play);
    let is_solved = (0..state.pieces().len()).all(|cell| play.piece_at(cell) == cell);
    is_solved.then(|| cancel_inverses(steps, play))
}

/// The current position, and the steps so far.
#[derive(Clone)]
struct HumanSolver<'a> {
    goal: &'a Goal,
    grid: Grid,
    router: Router,
    play: Play,
    steps: Vec<Step>,
}

impl HumanSolver<'_> {
    fn solve_all(&mut self, state: &State) -> Option<()> {
        let (lines, block) = plan(state.tray(), state.goal_blank());
        for line in &lines {
            self.solve_line(line)?;
        }
        let cells: Vec<usize> = block.cells().collect();
        let goal_blank = state.goal_blank().index();
        let own = |&cell: &usize| cell != goal_blank;
        let wanted: Vec<_> = cells
            .iter()
            .filter(|cell| own(cell))
            .map(|&c| (c, c))
            .collect();
        let begun = self.play.moves.len();
        arrange(&self.grid, &mut self.play, &cells, &wanted).then_some(())?;
        let tiles = wanted.iter().map(|&(tile, _)| self.number(tile)).collect();
        self.note(Action::Finish { tiles }, begun);
        Some(())
    }

    fn solve_line(&mut self, line: &Line) -> Option<()> {
        let (singles, corner) = line.cells.split_last_chunk::<2>()?;
        for &cell in singles {
            self.place(cell, cell)?;
            self.router.locked[cell] = true;
        }
        let [before_last, last] = *corner;
        if self.play.cell_of(before_last) != before_last || self.play.cell_of(last) != last {
            // Tries each of the two tiles as the first one, and keeps the shorter solution.
            let [mut a, mut b] = [self.clone(), self.clone()];
            a.solve_corner(line, [before_last, last])?;
            b.solve_corner(line, [last, before_last])?;
            let is_shorter = b.play.moves.len() < a.play.moves.len();
            *self = if is_shorter { b } else { a };
        }
        for cell in corner {
            self.router.locked[*cell] = true;
        }
        Some(())
    }

    /// Solves the end of a line: the first tile moves to the second tile's goal cell, the second
    /// tile moves to the cell behind the first tile, then both tiles move into place together.
    fn solve_corner(&mut self, line: &Line, [first, second]: [usize; 2]) -> Option<()> {
        let grid = &self.grid;
        let mut begun = self.play.moves.len();
        let inner = |cell| grid.step(cell, line.inward);
        let behind = [inner(first)?, inner(second)?];
        let window = [
            first,
            second,
            behind[0],
            behind[1],
            inner(behind[0])?,
            inner(behind[1])?,
        ];
        let is_inside = |play: &Play, tile| window.contains(&play.cell_of(tile));
        let are_both_inside = is_inside(&self.play, first) && is_inside(&self.play, second);
        if !(are_both_inside && self.enter(&window, [first, second])) {
            self.place(first, second)?;
            // If the second tile is inside the window, it may have no way out. Then only `arrange`
            // below moves it.
            if !is_inside(&self.play, second) {
                self.router.locked[second] = true;
                self.place(second, behind[1])?;
                self.router.locked[second] = false;
            }
            begun = self.play.moves.len();
            self.enter(&window, [first, second]).then_some(())?;
        }
        let wanted = [(first, first), (second, second)];
        arrange(&self.grid, &mut self.play, &window, &wanted).then_some(())?;
        let tiles = [
            line.cells[line.cells.len() - 2],
            line.cells[line.cells.len() - 1],
        ];
        let tiles = tiles.map(|tile| self.number(tile));
        self.note(Action::Corner { tiles }, begun);
        Some(())
    }

    /// Moves the blank into a window without moving two given tiles. Returns whether there is a
    /// path.
    fn enter(&mut self, window: &[usize], tiles: [usize; 2]) -> bool {
        let pair = tiles.map(|tile| self.play.cell_of(tile));
        let is_inside = |cell| window.contains(&cell);
        self.router
            .move_blank(&self.grid, &mut self.play, &pair, is_inside)
    }

    /// One step: moves a tile to a cell.
    fn place(&mut self, tile: usize, cell: usize) -> Option<()> {
        let begun = self.play.moves.len();
        let router = &mut self.router;
        let is_there = router.move_tile(&self.grid, &mut self.play, tile, cell);
        let width = self.grid.tray.width();
        let action = Action::Place {
            tile: self.number(tile),
            row: cell / width + 1,
            column: cell % width + 1,
        };
        self.note(action, begun);
        is_there.then_some(())
    }

    /// Solves a tray of one line, on which only one path leads to the goal.
    fn slide_along(&mut self, goal_blank: usize) -> Option<()> {
        let router = &mut self.router;
        let is_there = |cell| cell == goal_blank;
        let is_solved = router.move_blank(&self.grid, &mut self.play, &[], is_there);
        self.note(Action::Slide, 0);
        is_solved.then_some(())
    }

    fn number(&self, tile: usize) -> u16 {
        self.goal.number_at(puzzle::Cell::new(tile))
    }

    /// Adds a step with the moves since `begun`; adds no step if nothing moved.
    fn note(&mut self, action: Action, begun: usize) {
        let moves = begun..self.play.moves.len();
        if !moves.is_empty() {
            self.steps.push(Step { action, moves });
        }
    }
}

/// If a step begins by undoing the last moves of the previous step, removes these moves and joins
/// the two steps. The joined step has the action of the second one.
fn cancel_inverses(steps: Vec<Step>, play: Play) -> Explanation {
    let mut kept_moves = Vec::with_capacity(play.moves.len());
    let mut kept_steps: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        for &direction in &play.moves[step.moves] {
            if kept_moves.last() == Some(&direction.opposite()) {
                kept_moves.pop();
                if kept_steps
                    .last()
                    .is_some_and(|before| before.moves.end > kept_moves.len())
                {
                    kept_steps.pop();
                }
            } else {
                kept_moves.push(direction);
            }
        }
        let begun = kept_steps.last().map_or(0, |before| before.moves.end);
        if begun < kept_moves.len() {
            kept_steps.push(Step {
                moves: begun..kept_moves.len(),
                action: step.action,
            });
        }
    }
    Explanation {
        steps: kept_steps,
        moves: kept_moves,
    }
}

/// The arrangement of a few cells, one label per cell: 0 for the blank, 1, 2, ... for the target
/// tiles, and the next number for all other tiles.
type Labels = [u8; LastBlock::MAX_CELLS];

/// A node of the search, with its parent and the blank's move from the parent.
struct ArrangementNode {
    labels: Labels,
    blank: usize,
    from: Option<(usize, Direction)>,
}

/// Moves the blank by a shortest path, within up to [`LastBlock::MAX_CELLS`] cells, until every
/// tile of `wanted` is on its cell. Returns whether such a path exists.
fn arrange(grid: &Grid, play: &mut Play, cells: &[usize], wanted: &[(usize, usize)]) -> bool {
    let place = |cell: usize| cells.iter().position(|&c| c == cell);
    let Some(start) = place(play.blank()).filter(|_| cells.len() <= LastBlock::MAX_CELLS) else {
        return false;
    };
    let mut labels = Labels::default();
    for (label, &cell) in labels.iter_mut().zip(cells) {
        let known = wanted
            .iter()
            .position(|&(tile, _)| tile == play.piece_at(cell));
        *label = known.unwrap_or(wanted.len()) as u8 + 1;
    }
    labels[start] = 0;
    let is_done = |labels: &Labels| {
        (1..)
            .zip(wanted)
            .all(|(label, &(_, cell))| place(cell).is_some_and(|place| labels[place] == label))
    };
    let base = labels
        .iter()
        .max()
        .map_or(1, |&label| usize::from(label) + 1);
    let code = |labels: &Labels| {
        let digits = labels[..cells.len()].iter();
        digits.fold(0, |code, &label| code * base + usize::from(label))
    };
    let mut seen = vec![false; base.pow(cells.len() as u32)];
    seen[code(&labels)] = true;
    let mut queue = vec![ArrangementNode {
        labels,
        blank: start,
        from: None,
    }];
    let mut next = 0;
    while let Some(&ArrangementNode { labels, blank, .. }) = queue.get(next) {
        if is_done(&labels) {
            let mut path = Vec::new();
            let mut from = queue[next].from;
            while let Some((parent, direction)) = from {
                path.push(direction);
                from = queue[parent].from;
            }
            path.reverse();
            play.walk(grid, &path);
            return true;
        }
        for direction in Direction::ALL {
            let Some(to) = grid.step(cells[blank], direction).and_then(place) else {
                continue;
            };
            let mut labels = labels;
            labels.swap(blank, to);
            if !std::mem::replace(&mut seen[code(&labels)], true) {
                queue.push(ArrangementNode {
                    labels,
                    blank: to,
                    from: Some((next, direction)),
                });
            }
        }
        next += 1;
    }
    false
}
