//! Boards as stored by a search: the tile on each cell, numbered by goal cell.

/// The tiles of a board, small enough to be copied.
pub(crate) trait PackedBoard: Copy + PartialEq + Send + Sync {
    fn new(pieces: impl Iterator<Item = u16>) -> Self;
    /// The piece on a cell.
    fn get(&self, cell: u16) -> u16;
    /// The board after a tile moved from cell `from` to the blank's cell `hole`. `blank` is the
    /// blank's goal cell.
    fn slid(self, tile: u16, from: u16, hole: u16, blank: u16) -> Self;
}

/// Up to 16 cells, four bits each.
impl PackedBoard for u64 {
    fn new(pieces: impl Iterator<Item = u16>) -> Self {
        pieces
            .enumerate()
            .fold(0, |all, (cell, piece)| all | u64::from(piece) << (4 * cell))
    }

    #[inline(always)]
    fn get(&self, cell: u16) -> u16 {
        (self >> (4 * cell)) as u16 % 16
    }

    #[inline(always)]
    fn slid(self, tile: u16, from: u16, hole: u16, blank: u16) -> Self {
        let change = u64::from(tile ^ blank);
        self ^ change << (4 * from) ^ change << (4 * hole)
    }
}

/// One integer per cell.
macro_rules! array_board {
    ($piece:ty, $cells:literal) => {
        impl PackedBoard for [$piece; $cells] {
            fn new(pieces: impl Iterator<Item = u16>) -> Self {
                let mut all = [0; $cells];
                pieces
                    .zip(&mut all)
                    .for_each(|(piece, cell)| *cell = piece as $piece);
                all
            }

            #[inline(always)]
            fn get(&self, cell: u16) -> u16 {
                u16::from(self[usize::from(cell)])
            }

            #[inline(always)]
            fn slid(mut self, tile: u16, from: u16, hole: u16, blank: u16) -> Self {
                self[usize::from(from)] = blank as $piece;
                self[usize::from(hole)] = tile as $piece;
                self
            }
        }
    };
}

array_board!(u8, 25);
array_board!(u8, 36);
array_board!(u8, 49);
array_board!(u8, 64);
// Any tray.
array_board!(u16, 400);
