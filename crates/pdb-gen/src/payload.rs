//! Rows end to end: the payload of a table's file.

/// Rows of several sets by their numbers: the set, the number, and the bytes of the row. In each
/// set the numbers ascend, and each row has as many bytes as the array has for it.
pub(crate) fn in_order<'a, const N: usize>(
    sets: [(&'a [u32], &'a [u8]); N],
) -> impl Iterator<Item = (usize, u32, &'a [u8])> {
    let mut sets = sets.map(|(numbers, bytes)| {
        let length = bytes.len() / numbers.len().max(1);
        numbers.iter().zip(bytes.chunks(length.max(1))).peekable()
    });
    std::iter::from_fn(move || {
        let next = sets.iter_mut().enumerate();
        let next = next.filter_map(|(set, rows)| Some((*rows.peek()?.0, set)));
        let (number, set) = next.min()?;
        Some((set, number, sets[set].next()?.1))
    })
}

/// Lays rows of bits end to end. Those of fewer than four tiles, at most 12 bits, need not end on
/// bytes: what is left of one is carried on to the next.
#[derive(Default)]
pub(crate) struct BitRows {
    whole: Vec<u8>,
    carried: u32,
    length: usize,
}

impl BitRows {
    /// The bytes that are complete with the next row, which has so many bits.
    #[inline]
    pub(crate) fn next<'a>(&'a mut self, row: &'a [u8], bits: usize) -> &'a [u8] {
        if bits % 8 == 0 {
            return &row[..bits / 8];
        }
        let row = u32::from(u16::from_le_bytes([row[0], row[1]]));
        self.carried |= (row & ((1 << bits) - 1)) << self.length;
        self.length += bits;
        self.whole.clear();
        while self.length >= 8 {
            self.whole.push(self.carried as u8);
            (self.carried, self.length) = (self.carried >> 8, self.length - 8);
        }
        &self.whole
    }

    /// The byte that is left, if there is one.
    pub(crate) fn end(&self) -> impl AsRef<[u8]> + use<> {
        let left = (self.length > 0).then_some(self.carried as u8);
        left.into_iter().collect::<Vec<u8>>()
    }
}
