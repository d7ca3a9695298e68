//! Threads that help with what the calling thread has borrowed.
//!
//! They are threads of their own; with the feature `pool` those of rayon's current pool, for hosts
//! whose programs cannot start threads, such as WebAssembly.

#[cfg(feature = "pool")]
pub(crate) use pool::scope;
#[cfg(not(feature = "pool"))]
pub(crate) use system::scope;

#[cfg(not(feature = "pool"))]
mod system {
    use std::thread;

    /// Where helpers are started; all have ended when [`scope`] returns.
    #[derive(Clone, Copy)]
    pub(crate) struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

    /// Does work that may start helpers.
    pub(crate) fn scope<'env, R>(work: impl for<'s> FnOnce(Scope<'s, 'env>) -> R) -> R {
        thread::scope(|scope| work(Scope(scope)))
    }

    impl<'scope> Scope<'scope, '_> {
        /// Starts a helper; `false` where the system gives no more threads.
        pub(crate) fn start(self, help: impl FnOnce() + Send + 'scope) -> bool {
            thread::Builder::new().spawn_scoped(self.0, help).is_ok()
        }
    }
}

#[cfg(feature = "pool")]
mod pool {
    /// Where helpers are started; all have ended when [`scope`] returns.
    #[derive(Clone, Copy)]
    pub(crate) struct Scope<'a, 'scope>(&'a rayon::Scope<'scope>);

    /// Does work that may start helpers.
    pub(crate) fn scope<'scope, R>(work: impl FnOnce(Scope<'_, 'scope>) -> R) -> R {
        rayon::in_place_scope(|scope| work(Scope(scope)))
    }

    impl<'scope> Scope<'_, 'scope> {
        /// Starts a helper as soon as a thread of the pool is free, which may be when nothing is
        /// left to do.
        pub(crate) fn start(self, help: impl FnOnce() + Send + 'scope) -> bool {
            self.0.spawn(|_| help());
            true
        }
    }
}
