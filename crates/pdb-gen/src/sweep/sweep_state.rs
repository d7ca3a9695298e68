//! State of a sweep between two levels, for checkpoints.
#![cfg_attr(
    not(feature = "file"),
    expect(dead_code, reason = "only files save a sweep's state")
)]

use std::io;
use std::sync::atomic::AtomicBool;

use pdb_table::Histogram;

use crate::sweep::kernel::{RowSizes, RowSlices, RowState};
use crate::sweep::row_graph::ColourClass;
use crate::sweep::scatter::Word;

/// Saves the state of a sweep between runs of the program. `()` saves nothing. Saving errors are
/// returned as messages for the user.
pub(crate) trait StateSaver {
    /// Restores a saved state; returns its histogram, or `None` if there is no saved state.
    fn restore(&mut self, _: &mut SweepState<'_>) -> Result<Option<Histogram>, CheckpointError> {
        Ok(None)
    }

    /// Called after each level. `is_stopped` is true if the sweep is cancelled after this level.
    /// Returns whether the state was saved.
    fn save(
        &mut self,
        _: &mut SweepState<'_>,
        _: &Histogram,
        _is_stopped: bool,
    ) -> Result<bool, String> {
        Ok(false)
    }

    /// Whether [`Self::take_rows`] stores complete rows during the sweep.
    fn takes_rows(&self) -> bool {
        false
    }

    /// Stores complete rows. Called on a separate thread during a level, with the colour class that
    /// the level only reads. When `is_over` is set, the function must return soon; the remaining
    /// rows can be stored later.
    fn take_rows(&mut self, _colour: usize, _: &CompleteRows<'_>, _is_over: &AtomicBool) {}
}

impl StateSaver for () {}

/// Rows of a colour class. [`Self::each`] visits the complete rows, whose bits no longer change.
pub(crate) struct CompleteRows<'a> {
    pub(crate) half: &'a ColourClass,
    pub(crate) sizes: RowSizes,
    pub(crate) ones: &'a [Word],
    pub(crate) state: &'a [RowState],
}

impl CompleteRows<'_> {
    /// Visits complete and settled rows until `visit` returns false. `visit` receives the row's
    /// index in the class, its number in the table, and its payload.
    pub(crate) fn each(
        &self,
        mut visit: impl FnMut(usize, u32, &[u8]) -> io::Result<bool>,
    ) -> io::Result<()> {
        let rows = self.ones.chunks(self.sizes.words).zip(self.half.rows());
        for (index, (state, (row, &number))) in self.state.iter().zip(rows).enumerate() {
            let is_complete = state.visited == self.sizes.entries && state.frontier == 0;
            if is_complete && !visit(index, number, bytemuck::cast_slice(row))? {
                break;
            }
        }
        Ok(())
    }
}

/// Error of a checkpoint that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
    /// The file is not a valid checkpoint of the table: the build must start from the beginning.
    #[error("{0}")]
    Unusable(String),
}

/// Complete state of a sweep between two levels.
pub(crate) struct SweepState<'a>([HalfState<'a>; 2]);

impl<'a> SweepState<'a> {
    pub(crate) fn new(halves: &'a [ColourClass; 2], rows: [RowSlices<'a, u8>; 2]) -> Self {
        let [first, second] = rows;
        SweepState(
            [(&halves[0], first), (&halves[1], second)]
                .map(|(half, rows)| HalfState { half, rows }),
        )
    }

    /// Number of bytes that [`Self::save`] writes, without the [`RowState`]s.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().map(HalfState::bytes).sum()
    }

    /// Number of bytes that [`Self::save`] writes.
    pub(crate) fn saved_bytes(&self) -> u64 {
        let states = self.0.iter().map(|half| size_of_val(half.rows.state));
        self.bytes() + states.sum::<usize>() as u64
    }

    /// Writes the state, piece by piece.
    pub(crate) fn save(
        &mut self,
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut halves = self.0.iter_mut();
        halves.try_for_each(|half| half.each_piece(|piece| write(piece)))
    }

    /// Reads the state into a sweep without entries; returns the number of visited entries.
    ///
    /// # Errors
    /// Errors of `read`, and [`io::ErrorKind::InvalidData`] if row states and planes disagree.
    pub(crate) fn restore(
        &mut self,
        mut read: impl FnMut(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut visited = 0;
        for half in &mut self.0 {
            half.each_piece(&mut read)?;
            if !half.has_its_entries() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            visited += half.visited_entries();
        }
        Ok(visited)
    }
}

/// State of one colour class.
struct HalfState<'a> {
    half: &'a ColourClass,
    rows: RowSlices<'a, u8>,
}

impl HalfState<'_> {
    /// Whether the numbers of entries in the planes match the row states, and the planes contain no
    /// other bits.
    fn has_its_entries(&self) -> bool {
        let RowSizes { entries, words, .. } = self.rows.sizes;
        let planes = self.rows.ones.chunks(words);
        let planes = planes.zip(self.rows.zeros.chunks(words));
        planes.zip(&*self.rows.state).all(|((ones, zeros), state)| {
            let (mut frontier, mut visited, mut beyond) = (0, 0, 0);
            for (index, (one, zero)) in (0..).zip(ones.iter().zip(zeros)) {
                frontier += (one & zero).count_ones();
                visited += (one | zero).count_ones();
                let rest = entries.saturating_sub(index * Word::BITS);
                beyond |= (one | zero) & Word::MAX.checked_shl(rest).unwrap_or(0);
            }
            let is_counted = (frontier, visited) == (state.frontier, state.visited);
            beyond == 0 && (is_counted || !needs_zeros(state, entries))
        })
    }

    /// Number of visited entries of all rows.
    fn visited_entries(&self) -> u64 {
        let states = self.rows.state.iter();
        states.map(|state| u64::from(state.visited)).sum()
    }

    /// Number of bytes of all pieces except the row states.
    fn bytes(&self) -> u64 {
        let sizes = self.rows.sizes;
        let strings = |state: &RowState| {
            usize::from(state.visited > 0) + usize::from(needs_zeros(state, sizes.entries))
        };
        let states = || self.rows.state.iter();
        let strings: usize = states().map(strings).sum();
        let rows = states().filter(|state| state.visited > 0).count();
        let recorded = rows * sizes.by_row + self.rows.by_group.len();
        (strings * sizes.words * size_of::<Word>() + recorded) as u64
    }

    /// Visits, in a fixed order, the row states and then the planes and records. Skips rows without
    /// entries. Visits a row's `zeros` only if `needs_zeros` returns true.
    fn each_piece(&mut self, mut visit: impl FnMut(&mut [u8]) -> io::Result<()>) -> io::Result<()> {
        let sizes = self.rows.sizes;
        visit(bytemuck::cast_slice_mut(self.rows.state))?;
        let is_sound =
            |state: &RowState| state.frontier <= state.visited && state.visited <= sizes.entries;
        if !self.rows.state.iter().all(is_sound) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        for group in 0..self.half.groups() {
            let mut is_touched = false;
            for row in self.half.group_start(group)..self.half.group_start(group + 1) {
                let state = self.rows.state[row];
                if state.visited == 0 {
                    continue;
                }
                is_touched = true;
                visit(&mut self.rows.by_row[row * sizes.by_row..][..sizes.by_row])?;
                let bits = row * sizes.words..(row + 1) * sizes.words;
                visit(bytemuck::cast_slice_mut(&mut self.rows.ones[bits.clone()]))?;
                if needs_zeros(&state, sizes.entries) {
                    visit(bytemuck::cast_slice_mut(&mut self.rows.zeros[bits]))?;
                }
            }
            if is_touched {
                visit(&mut self.rows.by_group[group * sizes.by_group..][..sizes.by_group])?;
            }
        }
        Ok(())
    }
}

/// Whether the plane of zeros contains information that the plane of ones does not contain.
fn needs_zeros(state: &RowState, entries: u32) -> bool {
    0 < state.visited && (state.visited < entries || state.frontier > 0)
}

#[cfg(test)]
mod tests {
    use pdb_table::{Control, Encoding};
    use puzzle::{Pattern, TableKind, Tray};

    use super::*;
    use crate::build::build_saving;

    /// After each level, compares `saved_bytes` with the total length of the pieces. Counts the
    /// levels.
    struct PieceCounter(usize);

    impl StateSaver for PieceCounter {
        fn save(
            &mut self,
            state: &mut SweepState<'_>,
            _: &Histogram,
            _: bool,
        ) -> Result<bool, String> {
            let mut bytes = 0;
            let sum = state.save(|piece| {
                bytes += piece.len() as u64;
                Ok(())
            });
            sum.unwrap();
            assert_eq!(state.saved_bytes(), bytes, "after {} levels", self.0);
            self.0 += 1;
            Ok(false)
        }
    }

    #[test]
    fn saved_bytes_is_the_sum_of_the_pieces() {
        let tray: Tray = "3x3".parse().unwrap();
        let pattern = Pattern::new(tray, tray.iter().take(4).collect(), tray.last()).unwrap();
        let id = pattern.table(TableKind::ZeroAware).0;
        for encoding in [Encoding::OneBit, Encoding::U8] {
            let mut saver = PieceCounter(0);
            build_saving(id, encoding, &Control::default(), &mut saver).unwrap();
            assert!(saver.0 > 10);
        }
    }
}
