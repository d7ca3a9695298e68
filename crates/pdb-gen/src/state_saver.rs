//! What a sweep has between two levels, so that it can be saved and restored.
#![cfg_attr(
    not(feature = "file"),
    expect(dead_code, reason = "only files save a sweep's state")
)]

use std::io::{self, Read};

use pdb_table::Histogram;

use crate::kernel::{RowSlices, RowState};
use crate::row_graph::ColourClass;
use crate::scatter::Word;

/// Saves the state of a sweep between runs of the program, or does not: `()`. Errors of saving are
/// lines for the user.
pub(crate) trait StateSaver {
    /// Restores what was saved; returns the entries found at each distance.
    fn restore(&mut self, _: &mut Halves<'_>) -> Result<Option<Histogram>, CheckpointError> {
        Ok(None)
    }

    /// Called after each level, and with `is_stopped` if it was the last because the sweep is
    /// cancelled; returns whether the state was saved.
    fn save(
        &mut self,
        _: &mut Halves<'_>,
        _: &Histogram,
        _is_stopped: bool,
    ) -> Result<bool, String> {
        Ok(false)
    }
}

impl StateSaver for () {}

/// Both colour classes of a sweep.
pub(crate) type Halves<'a> = [HalfState<'a>; 2];

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
    /// The file is read but is no sound checkpoint of the table: the build can only start anew.
    #[error("{0}")]
    Unusable(String),
}

/// Everything that a sweep has of one colour class between two levels; what is recorded, as bytes.
pub(crate) struct HalfState<'a> {
    pub(crate) half: &'a ColourClass,
    pub(crate) rows: RowSlices<'a, u8>,
}

impl HalfState<'_> {
    /// What says which pieces there are.
    pub(crate) fn states(&self) -> &[u8] {
        bytemuck::cast_slice(self.rows.state)
    }

    /// Reads the states back.
    pub(crate) fn read_states(&mut self, from: &mut impl Read) -> io::Result<()> {
        from.read_exact(bytemuck::cast_slice_mut(self.rows.state))?;
        let entries = self.rows.sizes.entries;
        let is_sound =
            |state: &RowState| state.frontier <= state.visited && state.visited <= entries;
        match self.rows.state.iter().all(is_sound) {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Entries visited, of all rows.
    pub(crate) fn visited_entries(&self) -> u64 {
        let states = self.rows.state.iter();
        states.map(|state| u64::from(state.visited)).sum()
    }

    /// Bytes of all pieces.
    pub(crate) fn bytes(&self) -> u64 {
        let sizes = self.rows.sizes;
        let strings = |state: &RowState| {
            let visited = 0 < state.visited && state.visited < sizes.entries;
            usize::from(visited) + usize::from(state.frontier > 0)
        };
        let states = || self.rows.state.iter();
        let strings: usize = states().map(strings).sum();
        let rows = states().filter(|state| state.visited > 0).count();
        let recorded = rows * sizes.by_row + self.rows.by_group.len();
        (strings * sizes.words * size_of::<Word>() + recorded) as u64
    }

    /// Visits, in a fixed order, all strings that the states say are needed to go on: not those of
    /// rows without entries, nor the visited bits of rows that have all.
    pub(crate) fn each_piece(
        &mut self,
        mut visit: impl FnMut(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let sizes = self.rows.sizes;
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
                if state.visited < sizes.entries {
                    let visited = &mut self.rows.visited[bits.clone()];
                    visit(bytemuck::cast_slice_mut(visited))?;
                }
                if state.frontier > 0 {
                    visit(bytemuck::cast_slice_mut(&mut self.rows.frontier[bits]))?;
                }
            }
            if is_touched {
                visit(&mut self.rows.by_group[group * sizes.by_group..][..sizes.by_group])?;
            }
        }
        Ok(())
    }
}
