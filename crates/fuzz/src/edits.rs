//! Changes to valid bytes, for formats whose checksums would reject all random bytes.

/// Length of a change in bytes: one for the operation, two for the position, one for the value.
const EDIT: usize = 4;
/// Largest number of changes to one input.
const MAX_EDITS: usize = 64;

/// Applies the changes in `edits`, four bytes each. Changes to the header fields affect only the
/// first `head` bytes of the file, and all other changes only bytes from the offset `start` on.
pub fn apply(bytes: &mut Vec<u8>, head: usize, start: usize, edits: &[u8]) {
    for edit in edits.chunks_exact(EDIT).take(MAX_EDITS) {
        let (what, value) = (edit[0], edit[3]);
        let at = usize::from(u16::from_le_bytes([edit[1], edit[2]]));
        if what & 0x0f == 0x0f {
            bytes.resize(at % (bytes.len() + 64), value);
            continue;
        }
        let (start, room) = match what & 4 {
            0 => (start, bytes.len().saturating_sub(start)),
            _ => (0, bytes.len().min(head)),
        };
        if room == 0 {
            continue;
        }
        let place = start + at % room;
        let byte = &mut bytes[place];
        *byte = match what & 3 {
            0 => value,
            1 => *byte ^ value,
            2 => byte.wrapping_add(value),
            _ => *byte ^ 1 << (value % 8),
        };
    }
}
