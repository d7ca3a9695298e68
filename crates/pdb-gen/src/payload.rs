//! Payload of a table file: the rows, one after another.

/// Two sets of rows. Each set consists of the row numbers, ascending, and the bytes of the rows.
/// All rows of a set have the same length.
pub(crate) type RowSets<'a> = [(&'a [u32], &'a [u8]); 2];

/// Iterates over the rows by ascending number. Each item contains the index of the row's set, the
/// row's number, and the row's bytes.
pub(crate) fn in_order(sets: RowSets<'_>) -> impl Iterator<Item = (usize, u32, &[u8])> {
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

/// Visits the payload in file order. `bits` is the number of bits per row. If it is a multiple of
/// 8, `visit` receives the byte offset and the bytes of each row. Otherwise, rows have at most 12
/// bits, `sets` must contain all rows of the table, and `visit` receives the whole payload at once.
pub(crate) fn each_row<E>(
    sets: RowSets<'_>,
    bits: usize,
    mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut rows = in_order(sets);
    if bits % 8 == 0 {
        let bytes = bits / 8;
        return rows.try_for_each(|(_, number, row)| {
            visit(u64::from(number) * bytes as u64, &row[..bytes])
        });
    }
    let mut joined = Vec::new();
    let (mut carried, mut length) = (0_u32, 0);
    for (_, _, row) in rows {
        let row = u32::from(u16::from_le_bytes([row[0], row[1]]));
        carried |= (row & ((1 << bits) - 1)) << length;
        length += bits;
        while length >= 8 {
            joined.push(carried as u8);
            (carried, length) = (carried >> 8, length - 8);
        }
    }
    if length > 0 {
        joined.push(carried as u8);
    }
    match joined.is_empty() {
        true => Ok(()),
        false => visit(0, &joined),
    }
}
