//! Threads of long calls.

use pdb_table::Control;

use crate::Failure;
use crate::response::Event;
use crate::session::Session;

impl Session {
    /// Runs work that builds tables, on threads that have ended when this function returns. Events
    /// of the work are reported to `control` on the calling thread. The work does not wait for
    /// them, because it can hold the lock of a table for which the listener waits.
    #[cfg(all(feature = "file", feature = "solver"))]
    pub(crate) fn in_pool<R: Send>(
        &self,
        control: &Control<Event>,
        work: impl FnOnce(&Control<Event>) -> R + Send,
    ) -> Result<R, Failure> {
        use std::sync::{Arc, mpsc::channel};

        use pdb_table::Code;
        use solver::number_of_threads;

        fn no_thread(error: impl std::fmt::Display) -> Failure {
            Failure::new(Code::Memory, format_args!("cannot start a thread: {error}"))
        }
        // More threads than cores are not faster.
        let threads = number_of_threads(self.sources.budget.threads).min(number_of_threads(0));
        let (sender, receiver) = channel();
        let send = move |event: &Event| {
            // Sending fails only if the listener has panicked.
            let _ = sender.send(event.clone());
        };
        let inner = Control::new(control.cancel.clone(), Some(Arc::new(send)));
        let mut done = None;
        // Neither the pools of rayon nor scopes wait until the system has ended the threads.
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .spawn_handler(|thread| {
                    let run = || thread.run();
                    workers.push(std::thread::Builder::new().spawn_scoped(scope, run)?);
                    Ok(())
                })
                .build()
                .map_err(no_thread)?;
            let done = &mut done;
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| *done = Some(work(&inner)));
                receiver.iter().for_each(|event| control.report(&event));
            });
            drop(pool);
            for worker in workers {
                // A panic in the pool continues in the work itself.
                let _ = worker.join();
            }
            Ok::<_, Failure>(())
        })?;
        done.ok_or_else(|| no_thread("the work did not finish"))
    }

    /// Runs work that builds tables.
    #[cfg(not(all(feature = "file", feature = "solver")))]
    #[allow(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as with the feature `file`"
    )]
    pub(crate) fn in_pool<R>(
        &self,
        control: &Control<Event>,
        work: impl FnOnce(&Control<Event>) -> R,
    ) -> Result<R, Failure> {
        Ok(work(control))
    }
}
