//! Searches that are stopped, and what they have proved by then.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use puzzle::{Board, TableKind};
use solver::{
    Cancel, DuplicatePruning, Limits, Progress, SearchStats, SearchStatus, SolveError, Solver,
    ThreadPermits,
};

use crate::reference::{Reference, drawn, goal, spec};

/// 80 moves: hours with Manhattan distance alone.
const FARTHEST: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

/// Fails instead of waiting for ever.
pub(crate) fn ends(work: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let working = thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    match is_done.recv_timeout(Duration::from_secs(300)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("goes on searching"),
        _ => working.join().unwrap(),
    }
}

fn manhattan(size: &str, blank: usize) -> Solver {
    let goal = goal(size, blank);
    let spec = spec(&goal, "manhattan", TableKind::ZeroAware);
    Solver::build(goal, spec).unwrap()
}

fn effort<T: std::fmt::Debug>(result: Result<T, SolveError>) -> SearchStats {
    match result {
        Err(SolveError::Limit(effort)) => effort,
        other => panic!("{other:?} in spite of a limit"),
    }
}

/// Tells of the first nodes, and of the bounds seen.
struct Teller {
    begun: mpsc::SyncSender<()>,
    bound: AtomicU32,
}

impl Progress for Teller {
    fn standing(&self, standing: &SearchStatus) -> ControlFlow<()> {
        self.bound.store(standing.bound, Ordering::Relaxed);
        if standing.generated > 1_000_000 {
            let _ = self.begun.try_send(());
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn another_thread_cancels_a_search() {
    ends(|| {
        let solver = manhattan("4x4", 15);
        let board = Board::parse(FARTHEST, None).unwrap();
        for helpers in [0, 1, 3] {
            let cancel = Cancel::default();
            let token = cancel.clone();
            let (begun, has_begun) = mpsc::sync_channel(1);
            let canceller = thread::spawn(move || {
                has_begun.recv().unwrap();
                token.cancel();
            });
            let teller = Teller {
                begun,
                bound: AtomicU32::new(0),
            };
            let crew = ThreadPermits::new(helpers);
            let limits = Limits {
                cancel: Some(&cancel),
                progress: Some(&teller),
                crew: Some(&crew),
                ..Limits::default()
            };
            let effort = effort(solver.solve_within(&board, limits));
            canceller.join().unwrap();
            assert!(effort.generated > 1_000_000);
            assert_eq!(effort.bound, teller.bound.load(Ordering::Relaxed));
            assert!((effort.h0 + 2..=80).contains(&effort.bound));
        }
    });
}

/// Stops a search at the beginning of the iteration with a bound.
struct StopAt(u32);

impl Progress for StopAt {
    fn standing(&self, standing: &SearchStatus) -> ControlFlow<()> {
        assert!(standing.bound <= self.0);
        if standing.bound == self.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The bound is the one that recursion had after as many nodes.
#[test]
fn a_progress_that_breaks_stops_with_what_is_proved() {
    for (size, boards) in [("3x3", 40), ("4x2", 40)] {
        let goal = goal(size, 0);
        let solver = manhattan(size, 0).with_pruning(DuplicatePruning::ParentOnly);
        let reference = Reference::new(solver.spec());
        for state in drawn(&goal, boards, 3) {
            let board = goal.board_of(&state).unwrap();
            let found = reference.solve(&state);
            if found.moves.is_empty() {
                continue;
            }
            for &(bound, generated) in &found.bounds {
                let stop = StopAt(bound);
                let limits = Limits {
                    progress: Some(&stop),
                    ..Limits::default()
                };
                let effort = effort(solver.solve_within(&board, limits));
                assert_eq!(
                    (effort.bound, effort.generated, effort.h0),
                    (bound, generated, found.h0)
                );
                assert!(bound as usize <= found.moves.len());
            }
        }
    }
}

/// Every limit of nodes ends the search with the bound of the iteration that the limit falls in.
#[test]
fn a_limit_of_nodes_stops_in_the_iteration_that_reaches_it() {
    let goal = goal("3x3", 8);
    let solver = manhattan("3x3", 8).with_pruning(DuplicatePruning::ParentOnly);
    let reference = Reference::new(solver.spec());
    for state in drawn(&goal, 20, 9) {
        let board = goal.board_of(&state).unwrap();
        let found = reference.solve(&state);
        let last = found.bounds.last().unwrap().1;
        for share in 1..20 {
            let nodes = 1 + last * share / 20;
            let bound_after = |nodes| {
                let mut begun = found.bounds.iter().rev();
                begun.find(|&&(_, before)| before < nodes).unwrap().0
            };
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let effort = effort(solver.solve_within(&board, limits));
            // A band is finished before the search looks at the limit.
            let bounds = bound_after(nodes)..=bound_after(effort.generated);
            assert!(bounds.contains(&effort.bound), "{board} {effort:?}");
            assert!((nodes..nodes + 100).contains(&effort.generated), "{board}");
        }
    }
}

/// Counts looks, and stops at one of them.
struct StopAfter {
    looks: AtomicU64,
    most: u64,
}

impl Progress for StopAfter {
    fn standing(&self, _: &SearchStatus) -> ControlFlow<()> {
        if self.looks.fetch_add(1, Ordering::Relaxed) < self.most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

#[test]
fn a_search_for_all_solutions_is_stopped_with_the_length_proved() {
    let goal = goal("3x3", 8);
    let spec = spec(&goal, "5-3", TableKind::ZeroAware);
    let solver = Solver::build(goal, spec).unwrap();
    let board = Board::parse("8 6 7/2 5 4/3 0 1", None).unwrap();
    let shortest = solver.solve(&board).unwrap();
    let whole = solver.solutions(&board, 8, 1, Limits::default()).unwrap();
    let spent = shortest.effort.generated;
    for nodes in [spent + 1, spent + 100, whole.effort.generated - 200] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let stopped = effort(solver.solutions(&board, 8, 1, limits));
        assert_eq!((stopped.bound, stopped.h0), (31, shortest.effort.h0));
        assert!((nodes..nodes + 100).contains(&stopped.generated));
    }
    // Enough is enough.
    let limits = Limits {
        nodes: Some(whole.effort.generated + 1),
        ..Limits::default()
    };
    assert_eq!(solver.solutions(&board, 8, 1, limits), Ok(whole.clone()));
    let stop = StopAfter {
        looks: AtomicU64::new(0),
        most: 0,
    };
    let limits = Limits {
        progress: Some(&stop),
        ..Limits::default()
    };
    let beside = solver.solutions_beside(&board, &shortest, 8, 1, limits);
    assert_eq!(effort(beside), shortest.effort);
}
