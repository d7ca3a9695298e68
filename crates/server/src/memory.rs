//! Memory that the process can still allocate.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pdb_gen::{free_memory, size};

use crate::lock::lock;
use crate::problem::Problem;
use crate::reserve;

/// Bytes kept free for connections, requests and answers.
const KEPT_FREE: u64 = 32 << 20;
/// Time for which a reading of the free memory is reused. A new reading takes 0.1 ms.
const VALID: Duration = Duration::from_millis(50);

/// Free memory of the system, the container and the process's address space.
#[derive(Default)]
pub(crate) struct FreeMemory {
    last: Mutex<Option<(Instant, u64)>>,
    /// Total bytes of all [`Reservation`]s.
    reserved: AtomicU64,
}

/// Memory reserved for a request body. Dropping the reservation frees the memory.
pub(crate) struct Reservation<'a> {
    memory: &'a FreeMemory,
    bytes: u64,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.memory
            .reserved
            .fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl FreeMemory {
    /// Bytes available for work; unlimited if the system does not report free memory.
    pub(crate) fn bytes(&self) -> u64 {
        let mut last = lock(&self.last);
        let bytes = match *last {
            Some((read, bytes)) if read.elapsed() < VALID && !reserve::RESERVE.is_short() => bytes,
            _ => {
                // No memory is reported as free until the reserve is allocated again.
                let bytes = match reserve::RESERVE.hold() {
                    true => free_memory().unwrap_or(u64::MAX),
                    false => 0,
                };
                *last = Some((Instant::now(), bytes));
                bytes
            }
        };
        bytes.saturating_sub(KEPT_FREE)
    }

    /// Reserves memory for a request body. All bodies together can use half of the free memory,
    /// because the values parsed from the bodies need the same amount of memory.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<Reservation<'_>, Problem> {
        let before = self.reserved.fetch_add(bytes, Ordering::Relaxed);
        let memory = self;
        let reservation = Reservation { memory, bytes };
        self.check((before + bytes).saturating_mul(2))?;
        Ok(reservation)
    }

    /// Rejects work that needs more bytes than are free. Without this check an allocation could
    /// fail. The allocator would then block the thread, and finally end the process ([`reserve`]).
    pub(crate) fn check(&self, needed: u64) -> Result<(), Problem> {
        let free = self.bytes();
        match needed < free {
            true => Ok(()),
            false => Err(Problem::no_memory(format!(
                "not enough memory: the request needs {}, {} are free; try again later",
                size(needed),
                size(free)
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bodies_share_half_of_the_free_memory() {
        let memory = FreeMemory::default();
        let set =
            |bytes| *memory.last.lock().unwrap() = Some((Instant::now() + VALID * 1000, bytes));
        set(KEPT_FREE + 100);
        let first = memory.reserve(30).unwrap();
        let problem = memory.reserve(30).err().unwrap();
        assert_eq!((problem.status, problem.retry_after), (503, Some(10)));
        drop(first);
        assert!(memory.reserve(30).is_ok() && memory.check(99).is_ok());
        set(KEPT_FREE);
        assert!(memory.check(0).is_err());
    }
}
