//! The host of a call: who hears its reports, and who stops it.
//!
//! A call of WebAssembly runs to its end before anything else in its worker does. So reports leave
//! it through a function of the host's, and it asks the host whether to go on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use serde::Serialize;
use solver::Cancel;
use web_time::Instant;

/// Reports of progress are passed on at most so often, so that the host's queue stays short.
const INTERVAL: Duration = Duration::from_millis(50);

type Listener = Rc<dyn Fn(&str)>;
type Asked = Rc<dyn Fn() -> bool>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Asks this from now on whether to stop.
pub fn on_cancel(asked: impl Fn() -> bool + 'static) {
    ASKED.set(Some(Rc::new(asked)));
}

/// Whether the host wants the call to stop.
#[must_use]
pub fn is_cancelled() -> bool {
    // Not borrowed while it is asked.
    let asked = ASKED.with_borrow(Clone::clone);
    asked.is_some_and(|asked| asked())
}

/// A token that asks the host.
#[must_use]
pub fn cancel() -> Cancel {
    Cancel::asking(is_cancelled)
}

/// Does a call whose reports this listener hears, as JSON.
pub fn listening<R>(listener: impl Fn(&str) + 'static, call: impl FnOnce() -> R) -> R {
    struct Ended;
    impl Drop for Ended {
        fn drop(&mut self) {
            LISTENER.set(None);
        }
    }
    LISTENER.set(Some(Rc::new(listener)));
    LAST.set(None);
    let _ended = Ended;
    call()
}

/// Passes a report on. On a thread without a listener nobody hears it.
pub fn report(event: &impl Serialize) {
    let listener = LISTENER.with_borrow(Clone::clone);
    if let (Some(listener), Ok(text)) = (listener, serde_json::to_string(event)) {
        listener(&text);
    }
}

/// Passes a report on unless the last one was a moment ago. Whatever changes must be in the next
/// one too.
pub fn report_progress<E: Serialize>(event: impl FnOnce() -> E) {
    let is_due = LAST.get().is_none_or(|last| last.elapsed() >= INTERVAL);
    if is_due {
        LAST.set(Some(Instant::now()));
        report(&event());
    }
}
