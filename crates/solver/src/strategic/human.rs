//! The human method. It solves a tray line by line from the outside, and each line tile by tile.
//! The last two tiles of a line are solved together.

use puzzle::{Goal, State};

use super::explanation::{Action, Explanation, Step};
use super::lines::{Line, plan};
use super::play::Play;
use super::small_search::arrange;
use super::tile_route::Router;
use crate::boards::Grid;

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
