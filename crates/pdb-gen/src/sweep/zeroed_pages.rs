//! Large arrays that start as zeros.
//!
//! They are taken from the system as fresh pages, which are not in memory yet: each is first
//! touched, and so put in memory, by the thread that works on its rows. Where the system has huge
//! pages they are asked for, since one page fault then brings 2 MiB instead of 4 KiB.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;

/// A fixed number of elements, all zero at first.
pub(crate) struct ZeroedPages<T> {
    pages: Pages,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Pod> ZeroedPages<T> {
    /// `length` zeros.
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

/// Alignment of elements in an ordinary allocation.
type Line = u64;

enum Pages {
    Allocated(Vec<Line>),
    #[cfg(feature = "file")]
    Mapped(memmap2::MmapMut),
}

/// Arrays from this size on are worth huge pages.
#[cfg(feature = "file")]
const LARGE: usize = 4 << 20;

impl Pages {
    fn zeros(bytes: usize) -> Self {
        #[cfg(feature = "file")]
        if bytes >= LARGE {
            if let Ok(pages) = memmap2::MmapMut::map_anon(bytes.next_multiple_of(size_of::<Line>()))
            {
                // A request only: without huge pages everything works the same, and slower.
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
