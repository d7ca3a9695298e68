//! A set of boards' hashes that forgets.

/// A set in which a slot holds the last hash that came there: a power of two of slots.
#[derive(Default, Debug)]
pub(crate) struct HashSlots(Vec<u64>);

impl HashSlots {
    /// Empties the set, which has at least this many slots from now on.
    pub(crate) fn reset(&mut self, slots: usize) {
        self.0.clear();
        self.0.resize(slots.next_power_of_two(), 0);
    }

    /// The slot of a hash. The set must have been reset before.
    #[inline(always)]
    pub(crate) fn slot(&mut self, hash: u64) -> &mut u64 {
        let mask = self.0.len() - 1;
        &mut self.0[hash as usize & mask]
    }
}
