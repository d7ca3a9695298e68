//! A line of those who open or build tables: the first one has all cores and the memory.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use solver::Cancel;

use crate::problem::Problem;

/// Time between two looks of who waits.
const LOOK: Duration = Duration::from_millis(2);

/// Places in a line: the first one has the turn.
#[derive(Default)]
pub(crate) struct Turns(Mutex<Line>);

#[derive(Default)]
struct Line {
    last: u64,
    waiting: VecDeque<u64>,
}

/// A place in the line, which is left when this is dropped.
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turns {
    /// Waits at the end of the line until all before have left it.
    ///
    /// # Errors
    /// It was cancelled meanwhile.
    pub(crate) fn wait(&self, cancel: &Cancel) -> Result<Turn<'_>, Problem> {
        let turn = self.join();
        while !turn.is_first() {
            if cancel.is_cancelled() {
                return Err(Problem::cancelled());
            }
            thread::sleep(LOOK);
        }
        Ok(turn)
    }

    fn join(&self) -> Turn<'_> {
        let mut line = self.lock();
        line.last += 1;
        let number = line.last;
        line.waiting.push_back(number);
        Turn {
            turns: self,
            number,
        }
    }

    /// Nothing panics half-way through a change.
    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    fn is_first(&self) -> bool {
        self.turns.lock().waiting.front() == Some(&self.number)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut line = self.turns.lock();
        line.waiting.retain(|number| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_in_order_and_who_gives_up_leaves_the_line() {
        let turns = Turns::default();
        let [first, second, third] = [turns.join(), turns.join(), turns.join()];
        assert!(first.is_first() && !second.is_first());
        let cancel = Cancel::default();
        cancel.cancel();
        let given_up = turns.wait(&cancel).err();
        assert_eq!(given_up, Some(Problem::cancelled()));
        drop(second);
        assert!(!third.is_first());
        drop(first);
        assert!(third.is_first());
        drop(third);
        assert!(turns.wait(&cancel).is_ok());
    }
}
