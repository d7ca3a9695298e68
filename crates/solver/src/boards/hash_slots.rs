//! A lossy set of board hashes.

/// A set that keeps the last hash stored in each slot; the number of slots is a power of two.
#[derive(Default, Debug)]
pub(crate) struct HashSlots(Vec<u64>);

impl HashSlots {
    /// Empties the set and resizes it to at least this many slots.
    pub(crate) fn reset(&mut self, slots: usize) {
        self.0.clear();
        self.0.resize(slots.next_power_of_two(), 0);
    }

    /// The slot of a hash. Call [`Self::reset`] first.
    #[inline(always)]
    pub(crate) fn slot(&mut self, hash: u64) -> &mut u64 {
        let mask = self.0.len() - 1;
        &mut self.0[hash as usize & mask]
    }
}
