//! Integer widths by tray size: up to 16, 25 or 64 cells. Support for larger trays does not affect
//! the code for small trays.

use std::fmt::Debug;

use puzzle::CellSet;

use super::row_index::{RankedRows, RowIndex, Rows};

/// Integer types for trays of a size.
pub(crate) trait CellRoom: Sized + Send + Sync + 'static {
    /// One bit per cell.
    type Mask: CellMask;
    /// The cells of a pattern's tiles, and the pattern's value.
    type Word: Placement<Mask = Self::Mask>;
    /// Map from shapes to rows.
    type Rows: Rows<Self::Mask>;
}

/// Trays of up to 16 cells.
pub(crate) struct Cells16;

impl CellRoom for Cells16 {
    type Mask = u32;
    type Word = u64;
    type Rows = RowIndex<u64>;
}

/// Trays of up to 25 cells.
pub(crate) struct Cells25;

impl CellRoom for Cells25 {
    type Mask = u32;
    type Word = u64;
    type Rows = RowIndex<u128>;
}

/// Trays of up to 64 cells.
pub(crate) struct Cells64;

impl CellRoom for Cells64 {
    type Mask = u64;
    type Word = u128;
    type Rows = RankedRows;
}

/// A set of cells, stored in the smallest integer that has a bit for every cell of the tray.
pub(crate) trait CellMask: Copy + Default + Debug + Send + Sync {
    /// The cells of a set; they must fit in the integer.
    fn new(set: CellSet) -> Self;
    /// Number of cells in the intersection of two sets.
    fn common(self, other: Self) -> u32;
    fn contains(self, cell: u32) -> bool;
}

macro_rules! cell_mask {
    ($mask:ty) => {
        impl CellMask for $mask {
            #[inline(always)]
            fn new(set: CellSet) -> Self {
                set.bits() as $mask
            }

            #[inline(always)]
            fn common(self, other: Self) -> u32 {
                (self & other).count_ones()
            }

            #[inline(always)]
            fn contains(self, cell: u32) -> bool {
                self >> cell & 1 == 1
            }
        }
    };
}

cell_mask!(u32);
cell_mask!(u64);

/// A word that stores the cells of a pattern's tiles, in the table's orientation, and a value. The
/// low bits store the shape, the bits from `digits_at` on store the digits of the permutation, and
/// the last [`VALUE_BITS`] bits store the value.
pub(crate) trait Placement: Copy + Default + Debug + Send + Sync {
    type Mask: CellMask;
    /// Index of the lowest bit of the value.
    const VALUE_AT: u32;

    /// A placement with the value 0.
    fn new(shape: CellSet, digits: u64, digits_at: u32) -> Self;
    /// One bit per cell; bits above the tray's cells are undefined.
    fn shape(self) -> Self::Mask;
    /// The digits, with undefined bits above them.
    fn digits(self, digits_at: u32) -> u64;
    /// The digits alone.
    fn only_digits(self, digits_at: u32) -> u64;
    fn value(self) -> i32;
    /// The placement with its value changed by `change`.
    fn plus(self, change: i32) -> Self;
    /// Combines the shape with `cells`, and the digits with `digits`, by exclusive or.
    fn changed(self, cells: Self::Mask, digits: u64, digits_at: u32) -> Self;
}

/// Number of bits of a stored value: values are stored modulo 128. That suffices to compute the
/// difference to a neighbour's value, which is at most 1 in one-bit tables and about 10 in
/// blank-compressed tables.
pub(crate) const VALUE_BITS: u32 = 7;

macro_rules! placement_word {
    ($word:ty, $signed:ty, $mask:ty) => {
        impl Placement for $word {
            type Mask = $mask;
            const VALUE_AT: u32 = <$word>::BITS - VALUE_BITS;

            fn new(shape: CellSet, digits: u64, digits_at: u32) -> Self {
                <$word>::from(shape.bits()) | <$word>::from(digits) << digits_at
            }

            #[inline(always)]
            fn shape(self) -> $mask {
                self as $mask
            }

            #[inline(always)]
            fn digits(self, digits_at: u32) -> u64 {
                (self >> digits_at) as u64
            }

            #[inline(always)]
            fn only_digits(self, digits_at: u32) -> u64 {
                ((self & ((1 << Self::VALUE_AT) - 1)) >> digits_at) as u64
            }

            #[inline(always)]
            fn value(self) -> i32 {
                (self >> Self::VALUE_AT) as i32
            }

            #[inline(always)]
            fn plus(self, change: i32) -> Self {
                self.wrapping_add((<$signed>::from(change) as $word) << Self::VALUE_AT)
            }

            #[inline(always)]
            fn changed(self, cells: $mask, digits: u64, digits_at: u32) -> Self {
                self ^ <$word>::from(cells) ^ <$word>::from(digits) << digits_at
            }
        }
    };
}

placement_word!(u64, i64, u32);
placement_word!(u128, i128, u64);
