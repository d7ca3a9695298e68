//! A board that searches modify in place.

use puzzle::{Cell, State, Tray};

/// A state for the laboratory's searches and heuristics. It stores one byte per cell: the goal cell
/// of the piece on this cell.
///
/// ```
/// use lab::Position;
/// use puzzle::{Board, Goal};
///
/// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?;
/// let goal = Goal::blank_last(board.tray());
/// let mut position = Position::new(&goal.state(&board).ok_or("another size")?)?;
/// let slide = position.slide(7); // the 5, below the blank
/// assert_eq!((slide.tile, slide.from, slide.to), (4, 7, 4));
/// assert_eq!(position.blank(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    tray: Tray,
    pieces: Box<[u8]>,
    blank: u8,
    goal_blank: u8,
}

/// A move of a tile to the neighbouring cell that contains the blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// The tile, by its goal cell.
    pub tile: u8,
    /// The tile's cell before the move, which now contains the blank.
    pub from: u8,
    /// The tile's cell after the move.
    pub to: u8,
}

/// Error of a tray that is too large for the laboratory's searches and heuristics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("textbook searches and heuristics accept up to {MAX_CELLS} cells, and {0} has more")]
pub struct TooLarge(pub Tray);

/// Maximum number of cells of a tray.
pub const MAX_CELLS: usize = 256;

impl Position {
    /// A state's position.
    ///
    /// # Errors
    /// [`TooLarge`] for more than [`MAX_CELLS`] cells.
    pub fn new(state: &State) -> Result<Self, TooLarge> {
        let byte = |cell: Cell| u8::try_from(cell.index()).map_err(|_| TooLarge(state.tray()));
        let pieces = state.pieces().iter().map(|&piece| byte(piece));
        Ok(Position {
            tray: state.tray(),
            pieces: pieces.collect::<Result<_, _>>()?,
            blank: byte(state.blank())?,
            goal_blank: byte(state.goal_blank())?,
        })
    }

    /// The size.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The piece on each cell.
    #[inline]
    #[must_use]
    pub fn pieces(&self) -> &[u8] {
        &self.pieces
    }

    /// The cell of the blank.
    #[inline]
    #[must_use]
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// The blank's goal cell. The same number stands for the blank in [`Self::pieces`].
    #[inline]
    #[must_use]
    pub fn goal_blank(&self) -> u8 {
        self.goal_blank
    }

    /// Whether every piece is on its goal cell.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        let mut pieces = (0..).zip(&self.pieces);
        pieces.all(|(cell, &piece): (usize, _)| cell == usize::from(piece))
    }

    /// Each tile with its cell, in reading order of the cells, without the blank.
    pub fn tiles(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let pieces = self.tray.iter().zip(&self.pieces);
        let tiles = pieces.filter(|&(_, &piece)| piece != self.goal_blank);
        tiles.map(|(cell, &piece)| (Cell::new(piece.into()), cell))
    }

    /// Moves the tile on a neighbouring cell into the blank. A second call with the blank's
    /// previous cell undoes the move.
    ///
    /// # Panics
    /// If the cell does not exist. Does not check that the cell is a neighbour of the blank's cell.
    #[inline]
    pub fn slide(&mut self, from: u8) -> Slide {
        let to = self.blank;
        self.pieces.swap(from.into(), to.into());
        self.blank = from;
        Slide {
            tile: self.pieces[usize::from(to)],
            from,
            to,
        }
    }

    /// Replaces the pieces. They must be a permutation of the cells.
    pub(crate) fn set(&mut self, pieces: impl Iterator<Item = u8>) {
        let cells = (0_u8..=u8::MAX).zip(&mut self.pieces);
        for ((cell, own), piece) in cells.zip(pieces) {
            *own = piece;
            if piece == self.goal_blank {
                self.blank = cell;
            }
        }
    }
}
