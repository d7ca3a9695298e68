//! Large zero-initialised arrays.
//!
//! The arrays are fresh pages of the system. The system allocates a page at the first access, in
//! the thread that works on the page's rows, so the threads share this work. Huge pages are
//! requested where the system supports them: one page fault then allocates 2 MiB instead of 4 KiB.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;

/// An array of fixed length, initially zero.
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
