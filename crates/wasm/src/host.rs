//! The host of a call, which receives its events and can stop it.
//!
//! A WebAssembly call runs to its end before its worker does anything else. During the call, this
//! module therefore calls two functions of the host on the same thread: one receives events, the
//! other returns whether to stop. Errors that these functions throw are ignored.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use js_sys::Function;
use session::{Cancel, Control, Event};
use wasm_bindgen::prelude::*;
use web_time::Instant;

/// Minimum time between two progress events, so that the host's queue stays short.
const INTERVAL: Duration = Duration::from_millis(50);

type Listener = Rc<dyn Fn(&str)>;
type CancelCheck = Rc<dyn Fn() -> bool>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static CANCEL_CHECK: RefCell<Option<CancelCheck>> = const { RefCell::new(None) };
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Sets the host's function that returns whether the running call must stop.
#[wasm_bindgen]
pub fn on_cancel(check: Function) {
    set_cancel_check(move || {
        let answer = check.call0(&JsValue::NULL);
        answer.is_ok_and(|answer| answer.is_truthy())
    });
}

/// [`on_cancel`] for Rust callers.
pub fn set_cancel_check(check: impl Fn() -> bool + 'static) {
    CANCEL_CHECK.set(Some(Rc::new(check)));
}

/// Whether the host requests the call to stop.
#[must_use]
pub fn is_cancelled() -> bool {
    // `CANCEL_CHECK` is not borrowed while `check` runs.
    let check = CANCEL_CHECK.with_borrow(Clone::clone);
    check.is_some_and(|check| check())
}

/// Stops a call when the host requests it, and sends its events to the call's listener.
#[must_use]
pub fn control() -> Control<Event> {
    Control::new(Cancel::asking(is_cancelled), Some(Arc::new(report)))
}

/// Runs a call; the listener receives its events as JSON.
pub fn listening<R>(listener: impl Fn(&str) + 'static, call: impl FnOnce() -> R) -> R {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            LISTENER.set(None);
        }
    }
    LISTENER.set(Some(Rc::new(listener)));
    LAST.set(None);
    let _guard = Guard;
    call()
}

/// Runs a call; `listener`, if the host passed one, receives its events as JSON.
pub(crate) fn heard<R>(listener: Option<Function>, call: impl FnOnce() -> R) -> R {
    let Some(listener) = listener else {
        return call();
    };
    let listener = move |event: &str| {
        let _ = listener.call1(&JsValue::NULL, &JsValue::from_str(event));
    };
    listening(listener, call)
}

/// Sends an event, unless it only tells of progress and the previous one is too recent. On a thread
/// without a listener the event is lost.
fn report(event: &Event) {
    if event.is_progress() {
        if LAST.get().is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        LAST.set(Some(Instant::now()));
    }
    let listener = LISTENER.with_borrow(Clone::clone);
    if let (Some(listener), Ok(text)) = (listener, serde_json::to_string(event)) {
        listener(&text);
    }
}
