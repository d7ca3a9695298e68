//! What defects have to say. A panic traps, and leaves the instance unusable, but for this.

use std::cell::RefCell;
use std::panic;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what panics have to say from now on, instead of writing it nowhere.
pub fn keep_panics() {
    panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
}

/// What the last panic had to say; empty if there was none.
#[must_use]
pub fn last_panic() -> String {
    PANIC.with_borrow(Clone::clone)
}
