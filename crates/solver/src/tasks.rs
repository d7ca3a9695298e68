//! Tasks that borrow what they work on, done by a few threads.

use std::sync::{Mutex, PoisonError};

use crate::scope::scope;

/// Runs all tasks, by the calling thread and up to `helpers` others, each taking the next task when
/// it is done with one. Where the system gives no more threads, the others do the work.
pub(crate) fn run_all<T: FnOnce() + Send>(tasks: impl Iterator<Item = T> + Send, helpers: usize) {
    let tasks = Mutex::new(tasks);
    let work = || {
        loop {
            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(task) = task else { break };
            task();
        }
    };
    scope(&mut |scope| {
        for _ in 0..helpers {
            if !scope.start(work) {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_runs_once() {
        for helpers in [0, 1, 5] {
            let mut runs = [0; 20];
            let tasks = runs.iter_mut().map(|run| move || *run += 1);
            run_all(tasks, helpers);
            assert_eq!(runs, [1; 20], "{helpers}");
        }
    }
}
