//! The one place where threads come in: running two closures, at once if the `parallel` feature is on.

#[cfg(feature = "parallel")]
pub(crate) use rayon::join;

#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}
