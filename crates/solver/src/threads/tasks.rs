//! Tasks that borrow their data, run by a few threads.

use std::sync::Mutex;

use pdb_table::lock;

use super::scope::run_with_helpers;

/// Runs all tasks on the calling thread and on up to `helpers` other threads. A thread that has
/// finished a task begins the next one.
pub(crate) fn run_all<T: FnOnce() + Send>(tasks: impl Iterator<Item = T> + Send, helpers: usize) {
    let tasks = Mutex::new(tasks);
    run_with_helpers(helpers, || {
        loop {
            let task = lock(&tasks).next();
            let Some(task) = task else { break };
            task();
        }
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
