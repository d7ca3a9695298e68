//! Cancellation and progress.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pdb_table::{Cancel, Control, Executor};

#[test]
fn cancelling_a_parent_cancels_its_children_but_not_the_reverse() {
    let all = Cancel::default();
    let (one, other) = (all.child(), all.child());
    let grandchild = one.child();
    one.clone().cancel();
    assert!(one.is_cancelled() && grandchild.is_cancelled());
    assert!(!all.is_cancelled() && !other.is_cancelled());
    all.cancel();
    assert!(other.is_cancelled() && all.child().is_cancelled());
}

#[test]
fn cancellation_is_permanent() {
    static ANSWER: AtomicBool = AtomicBool::new(false);
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let cancel = Cancel::asking(|| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        ANSWER.load(Ordering::Relaxed)
    });
    let child = cancel.child();
    assert!(!cancel.is_cancelled() && !child.is_cancelled());
    ANSWER.store(true, Ordering::Relaxed);
    assert!(child.is_cancelled() && cancel.is_cancelled());
    let asked = ASKED.load(Ordering::Relaxed);
    ANSWER.store(false, Ordering::Relaxed);
    assert!(cancel.is_cancelled() && child.is_cancelled());
    assert_eq!(ASKED.load(Ordering::Relaxed), asked);
}

#[test]
fn controls_have_a_token_and_a_listener() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let to = heard.clone();
    let control = Control::listening(move |event: &u32| to.lock().unwrap().push(*event));
    control.report(&1);
    control.clone().report(&2);
    assert_eq!(*heard.lock().unwrap(), [1, 2]);
    assert!(!control.is_cancelled());
    control.cancel.cancel();
    assert!(control.clone().is_cancelled());
    assert!(format!("{control:?}").contains("listens: true"));
    let cancel = Cancel::default();
    let silent = Control::<u32>::stopped_by(&cancel);
    silent.report(&3);
    assert!(!silent.is_cancelled() && format!("{silent:?}").contains("listens: false"));
    cancel.cancel();
    assert!(silent.is_cancelled());
    assert!(!Control::<u32>::default().is_cancelled());
    assert_eq!(().map(3, |job| job * job), [0, 1, 4]);
}
