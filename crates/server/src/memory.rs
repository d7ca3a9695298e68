//! Memory that the process can still allocate.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_gen::{free_memory, size};

use crate::problem::Problem;

/// Bytes that stay free for connections, requests and answers.
const RESERVE: u64 = 32 << 20;
/// How long a figure is used: reading it takes a tenth of a millisecond.
const VALID: Duration = Duration::from_millis(50);

/// The free memory of the system, the container and the process's address space.
#[derive(Default)]
pub(crate) struct FreeMemory(Mutex<Option<(Instant, u64)>>);

impl FreeMemory {
    /// Bytes that work may take; all that there are where the system does not tell.
    pub(crate) fn bytes(&self) -> u64 {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match *last {
            Some((read, bytes)) if read.elapsed() < VALID => bytes,
            _ => {
                let bytes = free_memory().unwrap_or(u64::MAX);
                *last = Some((Instant::now(), bytes));
                bytes
            }
        };
        bytes.saturating_sub(RESERVE)
    }

    /// Rejects work that needs more bytes than are free: an allocation that fails would end the
    /// process.
    pub(crate) fn check(&self, needed: u64) -> Result<(), Problem> {
        let free = self.bytes();
        match needed < free {
            true => Ok(()),
            false => Err(Problem::no_memory(format!(
                "not enough memory: the request needs {}, {} are free: try again later",
                size(needed),
                size(free)
            ))),
        }
    }
}
