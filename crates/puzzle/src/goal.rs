//! Goals and states. A state is a board whose pieces are named by their goal cells.

use std::fmt;

use crate::board::Board;
use crate::symmetry::Symmetry;
use crate::tray::{Cell, Direction, Tray};

/// The arrangement to reach. Any board can be a goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[must_use]
pub struct Goal {
    board: Board,
    /// Goal cell of each number; entry 0 belongs to the blank.
    cells: Box<[Cell]>,
}

impl Goal {
    /// The goal with this arrangement.
    pub fn new(board: Board) -> Self {
        let mut cells = vec![Cell::new(0); board.tray().cells()];
        for (cell, &number) in board.tray().iter().zip(board.numbers()) {
            cells[usize::from(number)] = cell;
        }
        Goal {
            board,
            cells: cells.into(),
        }
    }

    /// Names of goals for any tray: `1 2 3 ... 0`; `0 1 2 3 ...`; `1 2 3 ...` along a spiral with
    /// the blank at its end; and `1 2 3 ... 0` by columns. `spiral` is another name of `snail`.
    pub const NAMES: [&str; 4] = GOAL_NAMES;

    /// The goal with a name of [`Self::NAMES`]; `None` for other names.
    #[must_use]
    pub fn named(name: &str, tray: Tray) -> Option<Goal> {
        Some(match name {
            "blank-last" => Goal::blank_last(tray),
            "blank-first" => Goal::blank_first(tray),
            "snail" | "spiral" => Goal::along(tray, spiral(tray)),
            "columns" => {
                let turned = Symmetry::Transpose.map_tray(tray);
                let cells = turned.iter();
                Goal::along(
                    tray,
                    cells.map(|cell| Symmetry::Transpose.map(turned, cell)),
                )
            }
            _ => return None,
        })
    }

    /// The goal with the tiles 1, 2, ... on these cells of the tray, and the blank on the last.
    fn along(tray: Tray, cells: impl IntoIterator<Item = Cell>) -> Goal {
        let mut numbers = vec![0; tray.cells()];
        for (number, cell) in (1..tray.cells() as u32).zip(cells) {
            numbers[cell.index()] = number;
        }
        #[expect(clippy::expect_used, reason = "the numbers are a permutation of 0..N")]
        let board = Board::new(tray, &numbers).expect("counting numbers are a board");
        Goal::new(board)
    }

    /// The named goals that `board` can reach, without this goal.
    #[must_use]
    pub fn reachable_names(&self, board: &Board) -> Vec<&'static str> {
        let is_reached = |name: &&str| {
            let goal = Goal::named(name, board.tray()).filter(|goal| goal != self);
            let state = goal.and_then(|goal| goal.state(board));
            state.is_some_and(|state| state.check_solvable().is_ok())
        };
        Goal::NAMES.into_iter().filter(is_reached).collect()
    }

    /// `1 2 3 ... 0`: the blank on the last cell, the usual goal.
    pub fn blank_last(tray: Tray) -> Self {
        Goal::with_blank(tray, tray.last())
    }

    /// `0 1 2 3 ...`: the blank on the first cell, the goal of Korf's papers.
    pub fn blank_first(tray: Tray) -> Self {
        Goal::with_blank(tray, Cell::new(0))
    }

    /// The goal with the blank on `blank`, and the tiles 1, 2, ... on the other cells in reading
    /// order.
    ///
    /// # Panics
    /// If `blank` is not a cell of the tray.
    pub fn with_blank(tray: Tray, blank: Cell) -> Self {
        assert!(blank <= tray.last(), "the blank's goal is off the tray");
        Goal::along(tray, tray.iter().filter(|&cell| cell != blank))
    }

    /// The arrangement.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board's size.
    pub fn tray(&self) -> Tray {
        self.board.tray()
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> Cell {
        self.cells[0]
    }

    /// Goal cell of the tile with this number (0: the blank); `None` if the size has no such tile.
    #[must_use]
    pub fn cell_of(&self, number: u16) -> Option<Cell> {
        self.cells.get(usize::from(number)).copied()
    }

    /// The number of the piece whose goal cell is `cell`.
    #[must_use]
    pub fn number_at(&self, cell: Cell) -> u16 {
        self.board.numbers()[cell.index()]
    }

    /// The state of `board` relative to this goal; `None` when the sizes differ.
    #[must_use]
    pub fn state(&self, board: &Board) -> Option<State> {
        if board.tray() != self.tray() {
            return None;
        }
        let piece = |&number: &u16| self.cells[usize::from(number)];
        let pieces = board.numbers().iter().map(piece);
        State::new(self.tray(), self.blank(), pieces.collect())
    }

    /// The inverse of [`Goal::state`]; `None` for a state of another size.
    #[must_use]
    pub fn board_of(&self, state: &State) -> Option<Board> {
        if state.tray() != self.tray() {
            return None;
        }
        let number = |&piece: &Cell| u32::from(self.number_at(piece));
        let numbers: Vec<u32> = state.pieces().iter().map(number).collect();
        Board::new(self.tray(), &numbers).ok()
    }
}

/// All cells along a spiral from the first cell, clockwise.
fn spiral(tray: Tray) -> Vec<Cell> {
    use Direction::{Down, Left, Right, Up};
    let mut order = vec![Cell::new(0)];
    let mut turns = 0;
    while order.len() < tray.cells() {
        let direction = [Right, Down, Left, Up][turns % 4];
        let next = tray.step(order[order.len() - 1], direction);
        match next.filter(|next| !order.contains(next)) {
            Some(next) => order.push(next),
            None => turns += 1,
        }
    }
    order
}

impl fmt::Display for Goal {
    /// The board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board.fmt(f)
    }
}

/// A board whose pieces are named by their goal cells. In the goal state, every piece is on the
/// cell that names it, so goals differ only in the blank's goal cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[must_use]
pub struct State {
    tray: Tray,
    goal_blank: Cell,
    blank: Cell,
    pieces: Box<[Cell]>,
}

impl State {
    /// The state with `pieces[c]` on cell `c`; the piece `goal_blank` is the blank. `None` unless
    /// the pieces are a permutation.
    #[must_use]
    pub fn new(tray: Tray, goal_blank: Cell, pieces: Vec<Cell>) -> Option<Self> {
        let mut seen = vec![false; tray.cells()];
        for piece in &pieces {
            let seen = seen.get_mut(piece.index())?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        let blank = pieces.iter().position(|&piece| piece == goal_blank)?;
        (pieces.len() == tray.cells()).then(|| State {
            tray,
            goal_blank,
            blank: Cell::new(blank),
            pieces: pieces.into(),
        })
    }

    /// The goal state with the blank on `goal_blank`.
    ///
    /// # Panics
    /// If `goal_blank` is not a cell of the tray.
    pub fn goal(tray: Tray, goal_blank: Cell) -> Self {
        #[expect(clippy::expect_used, reason = "a documented panic")]
        State::new(tray, goal_blank, tray.iter().collect())
            .expect("the blank's goal is off the tray")
    }

    /// The board's size.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The blank's goal cell.
    pub fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    /// The cell of the blank.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// The piece on each cell, named by its goal cell.
    pub fn pieces(&self) -> &[Cell] {
        &self.pieces
    }

    /// Whether every piece is on its goal cell.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        self.tray.iter().eq(self.pieces.iter().copied())
    }

    /// Slides the tile that can move in this direction. Returns `false`, and changes nothing, if no
    /// tile can.
    pub fn slide(&mut self, tile: Direction) -> bool {
        let Some(from) = self.tray.step(self.blank, tile.opposite()) else {
            return false;
        };
        self.pieces.swap(from.index(), self.blank.index());
        self.blank = from;
        true
    }

    /// The image under a symmetry of the plane. The symmetry maps the cells, the pieces and the
    /// goal.
    pub fn map(&self, symmetry: Symmetry) -> State {
        let map = |cell| symmetry.map(self.tray, cell);
        let mut pieces = vec![Cell::new(0); self.pieces.len()];
        for (cell, &piece) in self.tray.iter().zip(&self.pieces) {
            pieces[map(cell).index()] = map(piece);
        }
        State {
            tray: symmetry.map_tray(self.tray),
            goal_blank: map(self.goal_blank),
            blank: map(self.blank),
            pieces: pieces.into(),
        }
    }

    /// The inverse arrangement: cells and pieces exchange their roles, and so do the blank's cell
    /// and the blank's goal cell. A path of the blank solves the state if and only if the reversed
    /// path solves the inverse. Therefore the distance of the state from its goal equals the
    /// distance of the inverse from its goal, in either metric.
    ///
    /// ```
    /// use puzzle::{Board, Direction, Goal};
    ///
    /// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?;
    /// let state = Goal::blank_last(board.tray()).state(&board).unwrap();
    /// let mut inverse = state.inverse();
    /// assert_eq!(inverse.goal_blank(), state.blank());
    /// // The moves "5 up, 8 left" solve the board; "right, down" solve its inverse.
    /// assert!(inverse.slide(Direction::Right) && inverse.slide(Direction::Down));
    /// assert!(inverse.is_goal());
    /// # Ok::<(), puzzle::BoardError>(())
    /// ```
    pub fn inverse(&self) -> State {
        let mut pieces = vec![Cell::new(0); self.pieces.len()];
        for (cell, piece) in self.tray.iter().zip(&self.pieces) {
            pieces[piece.index()] = cell;
        }
        State {
            tray: self.tray,
            goal_blank: self.blank,
            blank: self.goal_blank,
            pieces: pieces.into(),
        }
    }

    /// Sum of the distances of the tiles (without the blank) to their goal cells.
    #[must_use]
    pub fn manhattan(&self) -> u32 {
        let cells = self.tray.iter().zip(&self.pieces);
        let tiles = cells.filter(|&(_, &piece)| piece != self.goal_blank);
        let distance = |(cell, &piece)| self.tray.distance(cell, piece) as u32;
        tiles.map(distance).sum()
    }
}

/// Names of goals for any tray, see [`Goal::NAMES`](crate::Goal::NAMES).
pub(crate) const GOAL_NAMES: [&str; 4] = ["blank-last", "blank-first", "snail", "columns"];

/// The named partitions, chosen by measurement (docs/results.md). The names in [`PORTABLE_NAMES`]
/// are valid on every tray. If the list has no picture of a portable name for a tray,
/// `portable_sizes` determines the parts.
pub(crate) const PRESETS: [(&str, &str); 12] = [
    ("best", include_str!("../partitions/4x4-best.txt")),
    ("best", include_str!("../partitions/5x5-best.txt")),
    ("best", include_str!("../partitions/7x7-best.txt")),
    ("best", include_str!("../partitions/8x8-best.txt")),
    ("fewest", include_str!("../partitions/4x4-fewest.txt")),
    ("fewest", include_str!("../partitions/5x5-best.txt")),
    ("small", include_str!("../partitions/4x4-small.txt")),
    ("small", include_str!("../partitions/5x5-small.txt")),
    ("6-6-3", include_str!("../partitions/4x4-6-6-3.txt")),
    ("7-8", include_str!("../partitions/4x4-7-8.txt")),
    ("6-6-6-6", include_str!("../partitions/5x5-6-6-6-6.txt")),
    ("5-3", include_str!("../partitions/3x3-5-3.txt")),
];

/// Names that are valid on every tray. Their tables need at most 400 MiB on 4x4 and 2.2 GiB on 5x5.
/// Searches are fastest with `best`, and generate the fewest nodes with `fewest`. Searches with
/// `small` are the fastest among partitions whose tables need at most 8.5 MiB on 4x4, and 240 MiB
/// on 5x5. On larger trays the names stand for the partitions with the highest measured estimates;
/// these partitions consist of strips, except on 8x8. On 7x7, beam search finds shorter solutions
/// with `best` than with the other measured partitions; the tables of `best` need 5.1 GiB there.
pub(crate) const PORTABLE_NAMES: [&str; 3] = ["best", "fewest", "small"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_names_or_boards() {
        let goal = |text: &str| Goal::parse(text, None).map(|goal| goal.board().to_string());
        assert_eq!(goal("1 2 3 8 0 4 7 6 5").unwrap(), "1 2 3/8 0 4/7 6 5");
        assert_eq!(goal("0 1 2 3").unwrap(), "0 1/2 3");
        for text in ["foo", "last", "", "blank"] {
            let message = goal(text).unwrap_err().to_string();
            let names = "blank-last, blank-first, snail, columns";
            let expected = format!("`{text}` is neither a goal's name ({names}) nor a board");
            assert_eq!(message, expected);
        }
        assert!(goal("1 2 3").is_err());
    }

    #[test]
    fn states_and_boards_convert_into_each_other() {
        for goal in ["1 2 3/8 0 4/7 6 5", "0 1 2/3 4 5", "1/2/0"] {
            let goal: Goal = goal.parse().unwrap();
            let tray = goal.tray();
            let state = goal.state(goal.board()).unwrap();
            assert!(state.is_goal());
            assert_eq!(state, State::goal(tray, goal.blank()));
            assert_eq!((state.blank(), state.manhattan()), (goal.blank(), 0));
            let mut state = state;
            let moves = Direction::ALL
                .iter()
                .filter(|&&tile| state.slide(tile))
                .count();
            assert!(moves > 0);
            assert_eq!(state.pieces()[state.blank().index()], goal.blank());
            let board = goal.board_of(&state).unwrap();
            assert_eq!(board.find(0), Some(state.blank()));
            assert_eq!(goal.state(&board).as_ref(), Some(&state));
            assert_eq!(state.is_goal(), board == *goal.board());
            for cell in tray.iter() {
                assert_eq!(goal.cell_of(goal.number_at(cell)), Some(cell));
            }
        }
        let goal = Goal::blank_last(Tray::new(3, 3).unwrap());
        assert_eq!(goal.cell_of(9), None);
        for (width, height) in [(4, 3), (3, 2), (9, 1)] {
            let other = Goal::blank_last(Tray::new(width, height).unwrap());
            assert_eq!(goal.state(other.board()), None);
            assert_eq!(
                goal.board_of(&State::goal(other.tray(), other.blank())),
                None
            );
        }
    }

    #[test]
    fn states_must_be_permutations_with_a_blank() {
        let tray = Tray::new(2, 2).unwrap();
        let new = |pieces: &[usize], blank| {
            let pieces = pieces.iter().map(|&piece| Cell::new(piece)).collect();
            State::new(tray, Cell::new(blank), pieces)
        };
        assert_eq!(new(&[3, 1, 2, 0], 3).unwrap().blank(), Cell::new(0));
        for wrong in [
            &[0, 1, 2][..],
            &[0, 1, 1, 3],
            &[0, 1, 2, 4],
            &[0, 1, 2, 3, 4],
            &[],
        ] {
            assert_eq!(new(wrong, 0), None, "{wrong:?}");
        }
        assert_eq!(new(&[0, 1, 2, 3], 4), None);
    }

    #[test]
    fn symmetries_map_states_with_their_goal() {
        let goal = Goal::blank_last(Tray::new(3, 2).unwrap());
        let state = goal.state(&"1 2 3/4 0 5".parse().unwrap()).unwrap();
        for symmetry in Symmetry::ALL {
            let image = state.map(symmetry);
            let map = |cell| symmetry.map(state.tray(), cell);
            assert_eq!(image.tray(), symmetry.map_tray(state.tray()));
            assert_eq!(image.goal_blank(), map(state.goal_blank()));
            assert_eq!(image.blank(), map(state.blank()));
            assert_eq!(image.pieces()[image.blank().index()], image.goal_blank());
            assert_eq!(image.manhattan(), 1);
            for (cell, &piece) in state.tray().iter().zip(state.pieces()) {
                assert_eq!(image.pieces()[map(cell).index()], map(piece));
            }
        }
    }
}
