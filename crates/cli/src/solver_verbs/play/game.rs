//! The state of a game: a board, the moves made, and the known solution. It is independent of the
//! terminal.

use command::words::counted;
use puzzle::{Board, Direction, Goal, Metric};
use solver::Hint;

/// A board being played.
#[derive(Clone, Debug)]
pub(super) struct Game {
    goal: Goal,
    metric: Metric,
    start: Board,
    board: Board,
    moves: Vec<Direction>,
    /// For each element of `moves`: whether the solver made that move.
    by_solver: Vec<bool>,
    /// Undone moves; the last one is redone first.
    undone: Vec<Direction>,
    /// A solution of the board, if known.
    path: Option<Vec<Direction>>,
    /// The hint for this board.
    hint: Option<Hint>,
    /// Number of visible steps of the hint: 1 to 4, 0 for none.
    hint_step: u8,
    /// Number of hints shown.
    hints: u32,
    /// Number of moves made by the solver.
    helped: u32,
}

impl Game {
    pub(super) fn new(goal: &Goal, metric: Metric, start: &Board) -> Game {
        Game {
            goal: goal.clone(),
            metric,
            start: start.clone(),
            board: start.clone(),
            moves: Vec::new(),
            by_solver: Vec::new(),
            undone: Vec::new(),
            path: None,
            hint: None,
            hint_step: 0,
            hints: 0,
            helped: 0,
        }
    }

    pub(super) fn goal(&self) -> &Goal {
        &self.goal
    }

    pub(super) fn start(&self) -> &Board {
        &self.start
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// The single-tile moves made and not undone.
    pub(super) fn moves(&self) -> &[Direction] {
        &self.moves
    }

    /// Length of [`Self::moves`] in the game's metric.
    pub(super) fn length(&self) -> u64 {
        self.metric.length(&self.moves) as u64
    }

    pub(super) fn is_solved(&self) -> bool {
        self.board == *self.goal.board()
    }

    /// Number of hints given, and of moves made by the solver.
    pub(super) fn help(&self) -> (u32, u32) {
        (self.hints, self.helped)
    }

    /// Whether the solver made all moves, so that there is no player to rate.
    pub(super) fn is_all_helped(&self) -> bool {
        !self.by_solver.is_empty() && self.by_solver.iter().all(|&is| is)
    }

    /// Whether any move was made. Undone moves count too.
    pub(super) fn has_moves(&self) -> bool {
        !(self.moves.is_empty() && self.undone.is_empty())
    }

    /// [`Self::help`] in words; `None` if there was no help.
    pub(super) fn help_line(&self) -> Option<String> {
        let (hints, moves) = (u64::from(self.hints), u64::from(self.helped));
        (hints + moves > 0).then(|| {
            let (hints, moves) = (counted(hints, "hint"), counted(moves, "move"));
            format!("with {hints} and {moves} by the solver")
        })
    }

    /// The hint for this board, and its number of visible steps: 1 to 4.
    pub(super) fn hint(&self) -> Option<(&Hint, u8)> {
        let hint = self.hint.as_ref()?;
        (self.hint_step > 0).then_some((hint, self.hint_step))
    }

    /// The known solution of the board.
    pub(super) fn path(&self) -> Option<&[Direction]> {
        self.path.as_deref()
    }

    /// Slides a tile. Returns `false` if no tile can move in this direction.
    pub(super) fn slide(&mut self, tile: Direction) -> bool {
        let is_moved = self.slide_again(tile);
        if is_moved {
            self.undone.clear();
        }
        is_moved
    }

    /// Slides a tile without discarding the undone moves.
    fn slide_again(&mut self, tile: Direction) -> bool {
        let Ok(board) = self.board.play(&[tile]) else {
            return false;
        };
        self.board = board;
        self.moves.push(tile);
        self.by_solver.push(false);
        self.path = self.path.take().and_then(|path| match path.split_first() {
            Some((&first, rest)) if first == tile => Some(rest.to_vec()),
            _ => None,
        });
        self.forget_hint();
        true
    }

    /// Undoes the last move. Returns `false` if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(last) = self.moves.pop() else {
            return false;
        };
        self.by_solver.pop();
        if let Ok(board) = self.board.play(&[last.opposite()]) {
            self.board = board;
        }
        self.undone.push(last);
        self.path = None;
        self.forget_hint();
        true
    }

    /// Redoes the last undone move, as a move of the player. Returns `false` if no move was undone.
    pub(super) fn redo(&mut self) -> bool {
        self.undone.pop().is_some_and(|tile| self.slide_again(tile))
    }

    /// Begins a new game with this board, and returns the previous game.
    pub(super) fn begin(&mut self, start: &Board) -> Game {
        let game = Game::new(&self.goal, self.metric, start);
        std::mem::replace(self, game)
    }

    /// Stores the solver's advice for the board.
    pub(super) fn advise(&mut self, hint: Hint) {
        // Only a shorter solution replaces the known solution. If no solution is proved optimal,
        // each search can find a different solution of the same length. A player who always
        // followed the newest solution might never reach the goal.
        let length = |path: &Vec<Direction>| self.metric.length(path) as u32;
        if self
            .path
            .as_ref()
            .is_none_or(|path| length(path) > hint.distance)
        {
            self.path = Some(hint.solution.clone());
        }
        self.hint = Some(hint);
    }

    /// Shows the hint, or its next step. Returns `false` if the board has no hint.
    pub(super) fn show_hint(&mut self) -> bool {
        if self.hint.is_some() {
            self.hints += u32::from(self.hint_step == 0);
            self.hint_step = (self.hint_step + 1).min(4);
        }
        self.hint.is_some()
    }

    /// Makes the next move of the known solution: one tile or one run, depending on the metric.
    /// Returns `false` if no solution is known, or if all its moves were made.
    pub(super) fn follow(&mut self) -> bool {
        let path = self.path.clone().unwrap_or_default();
        let run = match self.metric {
            Metric::Single => path.len().min(1),
            Metric::Multi => path.chunk_by(|a, b| a == b).next().map_or(0, <[_]>::len),
        };
        let are_made = path[..run].iter().all(|&tile| self.slide(tile));
        let moves = self.by_solver.len();
        self.by_solver[moves - run..].fill(true);
        self.helped += u32::from(run > 0 && are_made);
        run > 0 && are_made
    }

    fn forget_hint(&mut self) {
        (self.hint, self.hint_step) = (None, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::HeuristicSpec;
    use solver::{SolveOptions, Solver};

    fn game(board: &str, metric: Metric) -> (Game, Solver) {
        let board: Board = board.parse().unwrap();
        let goal = Goal::blank_last(board.tray());
        let spec = HeuristicSpec::builder(&goal).metric(metric);
        let spec = spec.parse_default().unwrap();
        let solver = Solver::build(goal.clone(), spec).unwrap();
        (Game::new(&goal, metric, &board), solver)
    }

    fn advise(game: &mut Game, solver: &Solver) {
        let hint = solver.hint(game.board(), &SolveOptions::default()).unwrap();
        game.advise(hint);
    }

    #[test]
    fn moves_are_made_counted_and_undone() {
        let (mut game, _) = game("1 2 3/4 0 6/7 5 8", Metric::Single);
        assert!(game.slide(Direction::Up) && game.slide(Direction::Left));
        assert!(game.is_solved() && game.length() == 2);
        assert!(!game.slide(Direction::Left));
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!((game.board(), game.length()), (game.start(), 0));
        assert!(game.redo() && game.redo() && !game.redo() && game.is_solved());
        assert!(game.undo() && game.slide(Direction::Left) && !game.redo());
        assert!(game.undo() && game.slide(Direction::Down) && !game.redo());
        let before = game.begin(&game.start().clone());
        assert_eq!((game.length(), before.length()), (0, 2));
        let (mut game, _) = self::game("1 2 3/4 5 6/0 7 8", Metric::Multi);
        assert!(game.slide(Direction::Left) && game.slide(Direction::Left));
        assert_eq!(game.length(), 1);
    }

    #[test]
    fn hints_grow_and_belong_to_a_board() {
        let (mut game, solver) = game("1 2 3/4 0 6/7 5 8", Metric::Single);
        assert!(!game.show_hint());
        advise(&mut game, &solver);
        assert!(game.hint().is_none());
        for step in [1, 2, 3, 4, 4] {
            assert!(game.show_hint());
            assert_eq!(game.hint().map(|(_, step)| step), Some(step));
        }
        assert_eq!(game.help(), (1, 0));
        game.slide(Direction::Down);
        assert!(game.hint().is_none() && !game.show_hint());
        game.begin(&game.start().clone());
        assert_eq!(game.help(), (0, 0));
    }

    #[test]
    fn known_solutions_are_followed_until_left() {
        for (metric, made) in [(Metric::Single, 31), (Metric::Multi, 20)] {
            let (mut game, solver) = game("8 6 7/2 5 4/3 0 1", metric);
            assert!(!game.follow());
            advise(&mut game, &solver);
            assert!(game.follow());
            let next = game.path().unwrap()[0];
            let other = Direction::ALL
                .into_iter()
                .find(|&way| way != next && game.board().play(&[way]).is_ok());
            let mut off = game.clone();
            assert!(off.slide(other.unwrap()) && off.path().is_none());
            while game.follow() {}
            assert!(game.is_solved());
            assert_eq!((game.length(), game.help()), (made, (0, made as u32)));
            assert!(game.is_all_helped());
            assert!(game.undo() && game.redo() && !game.is_all_helped());
        }
    }
}
