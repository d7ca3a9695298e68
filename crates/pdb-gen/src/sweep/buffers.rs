//! Memory of a sweep. A buffer contains all rows of one colour class or, in the multi-tile metric,
//! all rows of the table.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use bytemuck::Pod;

use crate::sweep::kernel::{
    NewEntries, RecordResult, Recorder, Row, RowSizes, RowSlices, RowState,
};
use crate::sweep::scatter::Word;

/// Arrays of rows; [`RowSlices`] are borrowed parts of these arrays.
pub(crate) struct Buffers<K> {
    pub(crate) sizes: RowSizes,
    pub(crate) ones: ZeroedPages<Word>,
    pub(crate) zeros: ZeroedPages<Word>,
    pub(crate) state: ZeroedPages<RowState>,
    /// Records of the rows, by row index.
    by_row: ZeroedPages<K>,
    /// Records of the groups, by group index.
    pub(crate) by_group: ZeroedPages<K>,
}

impl<K: Pod + Send> Buffers<K> {
    /// Rows and groups without entries.
    pub(crate) fn new(sizes: RowSizes, rows: usize, groups: usize) -> Self {
        Buffers {
            sizes,
            ones: ZeroedPages::zeros(rows * sizes.words),
            zeros: ZeroedPages::zeros(rows * sizes.words),
            state: ZeroedPages::zeros(rows),
            by_row: ZeroedPages::zeros(rows * sizes.by_row),
            by_group: ZeroedPages::zeros(groups * sizes.by_group),
        }
    }

    /// Writes level 0, which contains only the goal. The goal is entry 0 of its row. `number` is
    /// the row's number in the table.
    pub(crate) fn start(
        &mut self,
        recorder: &impl Recorder<Element = K>,
        (row, group, number): (usize, usize, usize),
    ) -> RecordResult {
        let rows = self.slices_of(group..group + 1, row..row + 1);
        (rows.ones[0], rows.zeros[0]) = (1, 1);
        rows.state[0] = RowState {
            frontier: 1,
            visited: 1,
        };
        let goal = NewEntries {
            level: 0,
            row: number,
            entries: rows.ones,
        };
        recorder.record(&goal, rows.by_row, rows.by_group)
    }

    #[inline]
    pub(crate) fn row(&mut self, index: usize) -> Row<'_, K> {
        let RowSizes { words, by_row, .. } = self.sizes;
        let bits = index * words..(index + 1) * words;
        Row {
            ones: &mut self.ones[bits.clone()],
            zeros: &mut self.zeros[bits],
            state: &mut self.state[index],
            recorded: &mut self.by_row[index * by_row..(index + 1) * by_row],
        }
    }

    pub(crate) fn slices_of(
        &mut self,
        groups: Range<usize>,
        rows: Range<usize>,
    ) -> RowSlices<'_, K> {
        let sizes = self.sizes;
        let of = |range: &Range<usize>, size: usize| range.start * size..range.end * size;
        RowSlices {
            sizes,
            ones: &mut self.ones[of(&rows, sizes.words)],
            zeros: &mut self.zeros[of(&rows, sizes.words)],
            state: &mut self.state[rows.clone()],
            by_row: &mut self.by_row[of(&rows, sizes.by_row)],
            by_group: &mut self.by_group[of(&groups, sizes.by_group)],
        }
    }

    pub(crate) fn slices(&mut self) -> RowSlices<'_, K> {
        let groups = self.by_group.len() / self.sizes.by_group.max(1);
        self.slices_of(0..groups, 0..self.state.len())
    }

    /// Returns the records of the rows. If only groups have records, returns those of the groups;
    /// if nothing is recorded, returns the plane of ones.
    pub(crate) fn into_recorded(self) -> ZeroedPages<u8> {
        match (self.sizes.by_row, self.sizes.by_group) {
            (0, 0) => self.ones.into_bytes(),
            (0, _) => self.by_group.into_bytes(),
            _ => self.by_row.into_bytes(),
        }
    }

    /// All rows, with `by_row` and `by_group` as bytes.
    pub(crate) fn byte_slices(&mut self) -> RowSlices<'_, u8> {
        let rows = self.slices();
        RowSlices {
            sizes: RowSizes {
                by_row: rows.sizes.by_row * size_of::<K>(),
                by_group: rows.sizes.by_group * size_of::<K>(),
                ..rows.sizes
            },
            ones: rows.ones,
            zeros: rows.zeros,
            state: rows.state,
            by_row: bytemuck::cast_slice_mut(rows.by_row),
            by_group: bytemuck::cast_slice_mut(rows.by_group),
        }
    }
}

/// An array of fixed length, initially zero.
///
/// It consists of fresh pages of the system. The system allocates a page at the first access, in the
/// thread that works on the page's rows, so the threads share this work. Huge pages are requested
/// where the system supports them: one page fault then allocates 2 MiB instead of 4 KiB.
pub(crate) struct ZeroedPages<T> {
    pages: Pages,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Pod> ZeroedPages<T> {
    /// Allocates `length` zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        ZeroedPages {
            pages: Pages::zeros(length * size_of::<T>()),
            length,
            element: PhantomData,
        }
    }

    /// The bytes of all elements.
    pub(crate) fn into_bytes(self) -> ZeroedPages<u8> {
        ZeroedPages {
            pages: self.pages,
            length: self.length * size_of::<T>(),
            element: PhantomData,
        }
    }
}

impl<T: Pod> Deref for ZeroedPages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.pages.bytes()[..self.length * size_of::<T>()])
    }
}

impl<T: Pod> DerefMut for ZeroedPages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = self.length * size_of::<T>();
        bytemuck::cast_slice_mut(&mut self.pages.bytes_mut()[..bytes])
    }
}

/// Element type of an ordinary allocation; it determines the alignment.
type Line = u64;

enum Pages {
    Allocated(Vec<Line>),
    #[cfg(feature = "file")]
    Mapped(memmap2::MmapMut),
}

/// Smallest array for which huge pages are requested, in bytes.
#[cfg(feature = "file")]
const LARGE: usize = 4 << 20;

impl Pages {
    fn zeros(bytes: usize) -> Self {
        #[cfg(feature = "file")]
        if bytes >= LARGE {
            if let Ok(pages) = memmap2::MmapMut::map_anon(bytes.next_multiple_of(size_of::<Line>()))
            {
                // Huge pages affect speed only, so errors are ignored.
                #[cfg(target_os = "linux")]
                let _ = pages.advise(memmap2::Advice::HugePage);
                return Pages::Mapped(pages);
            }
        }
        Pages::Allocated(vec![0; bytes.div_ceil(size_of::<Line>())])
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Pages::Allocated(words) => bytemuck::cast_slice(words),
            #[cfg(feature = "file")]
            Pages::Mapped(pages) => pages,
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Pages::Allocated(words) => bytemuck::cast_slice_mut(words),
            #[cfg(feature = "file")]
            Pages::Mapped(pages) => pages,
        }
    }
}
