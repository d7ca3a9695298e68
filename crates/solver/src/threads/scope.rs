//! Helper threads that can borrow from the calling thread.
//!
//! With the feature `pool` the helper threads belong to rayon's current pool, for hosts where
//! programs cannot start threads, such as WebAssembly. Closures are trait objects, so the code that
//! starts a thread is compiled once.

#[cfg(feature = "pool")]
pub(crate) use pool::scope;
#[cfg(not(feature = "pool"))]
pub(crate) use system::scope;

use std::thread;

/// Runs `work` on the calling thread and on up to `helpers` other threads. If the system cannot
/// start more threads, the running threads do all the work.
pub(crate) fn run_with_helpers(helpers: usize, work: impl Fn() + Copy + Send) {
    scope(&mut |scope| {
        for _ in 0..helpers {
            if !scope.start(work) {
                break;
            }
        }
        work();
    });
}

/// Calls a function if the thread panics while this value is alive.
pub(crate) struct OnPanic<F: Fn()>(pub(crate) F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(not(feature = "pool"))]
mod system {
    use std::thread;

    /// Scope in which helpers are started; all helpers have ended when [`scope`] returns.
    #[derive(Clone, Copy)]
    pub(crate) struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

    /// Calls `work` once; `work` may start helpers.
    pub(crate) fn scope<'env>(work: &mut dyn for<'s> FnMut(Scope<'s, 'env>)) {
        thread::scope(|scope| work(Scope(scope)));
    }

    impl<'scope> Scope<'scope, '_> {
        /// Starts a helper; returns `false` if the system cannot start another thread.
        pub(crate) fn start(self, help: impl FnOnce() + Send + 'scope) -> bool {
            let help: Box<dyn FnOnce() + Send + 'scope> = Box::new(help);
            thread::Builder::new().spawn_scoped(self.0, help).is_ok()
        }
    }
}

#[cfg(feature = "pool")]
mod pool {
    /// Scope in which helpers are started; all helpers have ended when [`scope`] returns.
    #[derive(Clone, Copy)]
    pub(crate) struct Scope<'a, 'scope>(&'a rayon::Scope<'scope>);

    /// Calls `work` once; `work` may start helpers.
    pub(crate) fn scope<'scope>(work: &mut dyn FnMut(Scope<'_, 'scope>)) {
        rayon::in_place_scope(|scope| work(Scope(scope)));
    }

    impl<'scope> Scope<'_, 'scope> {
        /// Queues a helper. It starts when a thread of the pool becomes free, possibly after all
        /// work is done.
        pub(crate) fn start(self, help: impl FnOnce() + Send + 'scope) -> bool {
            let help: Box<dyn FnOnce() + Send + 'scope> = Box::new(help);
            self.0.spawn(|_| help());
            true
        }
    }
}
