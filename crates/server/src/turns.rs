//! Turns for opening and building tables: one thread at a time can use all cores and the memory.

use std::pin::pin;
use std::thread;
use std::time::Duration;

use futures_util::FutureExt as _;
use solver::Cancel;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::problem::Problem;

/// Time between two checks of whether it is the calling thread's turn.
const LOOK: Duration = Duration::from_millis(2);

/// The turn. Only one thread has it at a time, and waiting threads receive it in the order of their
/// arrival.
pub(crate) struct Turns(Semaphore);

impl Turns {
    pub(crate) fn new() -> Turns {
        Turns(Semaphore::new(1))
    }

    /// Waits for the turn; blocks the calling thread.
    pub(crate) fn wait(&self, cancel: &Cancel) -> Result<SemaphorePermit<'_>, Problem> {
        let mut turn = pin!(self.0.acquire());
        loop {
            match turn.as_mut().now_or_never() {
                // The semaphore is never closed.
                Some(turn) => return turn.map_err(|_| Problem::defect()),
                None if cancel.is_cancelled() => return Err(Problem::cancelled()),
                None => thread::sleep(LOOK),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_in_order_and_cancelled_waits_leave_the_line() {
        let turns = Turns::new();
        let cancel = Cancel::default();
        cancel.cancel();
        let first = turns.wait(&cancel).unwrap();
        let mut second = pin!(turns.0.acquire());
        assert!(second.as_mut().now_or_never().is_none());
        assert_eq!(turns.wait(&cancel).err(), Some(Problem::cancelled()));
        let mut third = Box::pin(turns.0.acquire());
        assert!(third.as_mut().now_or_never().is_none());
        drop(first);
        assert!(third.as_mut().now_or_never().is_none());
        drop(third);
        drop(second.as_mut().now_or_never().unwrap().unwrap());
        assert!(turns.wait(&cancel).is_ok());
    }
}
