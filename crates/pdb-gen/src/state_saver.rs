//! What a sweep has between two levels, so that somebody may keep it and put it back.
#![cfg_attr(
    not(feature = "file"),
    expect(dead_code, reason = "only files keep a sweep's state")
)]

use std::io::{self, Read};

use bytemuck::{Pod, Zeroable};
use pdb_table::Histogram;

use crate::row_graph::ColourClass;
use crate::scatter::Word;

/// Keeps the state of a sweep between runs of the program, or does not: `()`. Errors are lines for the user.
pub(crate) trait StateSaver {
    /// Puts back what was kept, and tells the entries found at each distance.
    fn restore(&mut self, halves: &mut [HalfState<'_>; 2]) -> Result<Option<Histogram>, String>;

    /// Called after each level; returns whether the state was kept.
    fn level(
        &mut self,
        halves: &mut [HalfState<'_>; 2],
        values: &Histogram,
    ) -> Result<bool, String>;

    /// Called when the sweep is stopped; returns whether the state was kept.
    fn stop(&mut self, halves: &mut [HalfState<'_>; 2], values: &Histogram)
    -> Result<bool, String>;
}

impl StateSaver for () {
    fn restore(&mut self, _: &mut [HalfState<'_>; 2]) -> Result<Option<Histogram>, String> {
        Ok(None)
    }

    fn level(&mut self, _: &mut [HalfState<'_>; 2], _: &Histogram) -> Result<bool, String> {
        Ok(false)
    }

    fn stop(&mut self, _: &mut [HalfState<'_>; 2], _: &Histogram) -> Result<bool, String> {
        Ok(false)
    }
}

/// What lets rows be skipped.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RowState {
    /// Entries in the frontier; the frontier's bits mean nothing where this is 0.
    pub(crate) frontier: u32,
    /// Entries visited so far.
    pub(crate) visited: u32,
}

/// Everything that a sweep keeps of one half between two levels.
pub(crate) struct HalfState<'a> {
    pub(crate) half: &'a ColourClass,
    pub(crate) words: usize,
    pub(crate) entries: u32,
    /// Bytes kept for each row, and for each group.
    pub(crate) row_bytes: usize,
    pub(crate) group_bytes: usize,
    pub(crate) state: &'a mut [RowState],
    pub(crate) frontier: &'a mut [Word],
    pub(crate) visited: &'a mut [Word],
    pub(crate) by_row: &'a mut [u8],
    pub(crate) by_group: &'a mut [u8],
}

impl HalfState<'_> {
    /// What says which pieces there are.
    pub(crate) fn states(&self) -> &[u8] {
        bytemuck::cast_slice(self.state)
    }

    /// Reads the states back.
    pub(crate) fn read_states(&mut self, from: &mut impl Read) -> io::Result<()> {
        from.read_exact(bytemuck::cast_slice_mut(self.state))?;
        let is_sound =
            |state: &RowState| state.frontier <= state.visited && state.visited <= self.entries;
        match self.state.iter().all(is_sound) {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Entries visited, of all rows.
    pub(crate) fn visited_entries(&self) -> u64 {
        let visited = self.state.iter().map(|state| u64::from(state.visited));
        visited.sum()
    }

    /// Bytes of all pieces.
    pub(crate) fn bytes(&self) -> u64 {
        let words = |state: &RowState| {
            let visited = 0 < state.visited && state.visited < self.entries;
            usize::from(visited) + usize::from(state.frontier > 0)
        };
        let strings: usize = self.state.iter().map(words).sum();
        let rows = self.state.iter().filter(|state| state.visited > 0).count();
        let kept = rows * self.row_bytes + self.by_group.len();
        (strings * self.words * size_of::<Word>() + kept) as u64
    }

    /// Visits, in a fixed order, all strings that the states say are needed to go on: not those of rows without
    /// entries, nor the visited bits of rows that have all.
    pub(crate) fn each_piece(
        &mut self,
        mut visit: impl FnMut(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        for group in 0..self.half.groups() {
            let mut is_touched = false;
            for row in self.half.group_start(group)..self.half.group_start(group + 1) {
                let state = self.state[row];
                if state.visited == 0 {
                    continue;
                }
                is_touched = true;
                visit(&mut self.by_row[row * self.row_bytes..][..self.row_bytes])?;
                let bits = row * self.words..(row + 1) * self.words;
                if state.visited < self.entries {
                    visit(bytemuck::cast_slice_mut(&mut self.visited[bits.clone()]))?;
                }
                if state.frontier > 0 {
                    visit(bytemuck::cast_slice_mut(&mut self.frontier[bits]))?;
                }
            }
            if is_touched {
                visit(&mut self.by_group[group * self.group_bytes..][..self.group_bytes])?;
            }
        }
        Ok(())
    }
}
