//! Stopped searches and the bounds that they have proved.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use puzzle::{Board, TableKind};
use solver::{
    Cancel, DuplicatePruning, LimitReached, SearchStatus, SolveError, SolveOptions, Solver,
};

use crate::reference::{Reference, drawn, from_start, goal, spec};

/// A board of 80 moves, which takes hours with Manhattan distance alone.
const FARTHEST: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

/// Only a hang takes this long, even on a busy machine.
const HANG_LIMIT: Duration = Duration::from_secs(600);

/// Runs `work`, and fails if it does not end.
pub(crate) fn ends(work: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let working = thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    match is_done.recv_timeout(HANG_LIMIT) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the search did not end"),
        _ => working.join().unwrap(),
    }
}

fn manhattan(size: &str, blank: usize) -> Solver {
    let goal = goal(size, blank);
    let spec = spec(&goal, "manhattan", TableKind::ZeroAware);
    Solver::build_one_side(goal, spec).unwrap()
}

fn stopped<T: std::fmt::Debug>(result: Result<T, SolveError>) -> LimitReached {
    match result {
        Err(SolveError::Limit(limit)) => *limit,
        other => panic!("{other:?} in spite of a limit"),
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
            let bound = Arc::new(AtomicU32::new(0));
            let seen = bound.clone();
            let listener = move |status: &SearchStatus| {
                seen.store(status.bound, Ordering::Relaxed);
                if status.generated > 1_000_000 {
                    let _ = begun.try_send(());
                }
            };
            let options = SolveOptions::default().cancel(&cancel).progress(listener);
            let limit = stopped(solver.solve_with(&board, &options.threads(1 + helpers)));
            canceller.join().unwrap();
            assert!(limit.stats.generated > 1_000_000);
            assert_eq!(limit.lower_bound, bound.load(Ordering::Relaxed));
            assert!((limit.stats.h0 + 2..=80).contains(&limit.lower_bound));
        }
    });
}

/// Options that stop a search at the beginning of the iteration with the bound `bound`.
fn stop_at(bound: u32) -> SolveOptions {
    let cancel = Cancel::default();
    let token = cancel.clone();
    let listener = move |status: &SearchStatus| {
        assert!(status.bound <= bound);
        if status.bound == bound {
            token.cancel();
        }
    };
    from_start().cancel(&cancel).progress(listener)
}

/// The bound equals that of a recursive search after the same number of nodes.
#[test]
fn a_listener_that_cancels_stops_with_the_proved_bound() {
    for (size, boards) in [("3x3", 40), ("4x2", 40)] {
        let goal = goal(size, 0);
        let solver = manhattan(size, 0);
        let reference = Reference::new(solver.spec());
        for state in drawn(&goal, boards, 3) {
            let board = goal.board_of(&state).unwrap();
            let found = reference.solve(&state);
            if found.moves.is_empty() {
                continue;
            }
            for &(bound, generated) in &found.bounds {
                let options = stop_at(bound).pruning(DuplicatePruning::ParentOnly);
                let limit = stopped(solver.solve_with(&board, &options));
                assert_eq!(
                    (limit.lower_bound, limit.stats.generated, limit.stats.h0),
                    (bound, generated, found.h0)
                );
                assert!(bound as usize <= found.moves.len());
            }
        }
    }
}

/// With every node limit, the search returns the bound of the iteration that reaches the limit.
#[test]
fn a_node_limit_stops_in_the_iteration_that_reaches_it() {
    let goal = goal("3x3", 8);
    let solver = manhattan("3x3", 8);
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
            let options = from_start().max_nodes(nodes);
            let options = options.pruning(DuplicatePruning::ParentOnly);
            let limit = stopped(solver.solve_with(&board, &options));
            // A batch is finished before the search checks the limit.
            let bounds = bound_after(nodes)..=bound_after(limit.stats.generated);
            assert!(bounds.contains(&limit.lower_bound), "{board} {limit:?}");
            let generated = limit.stats.generated;
            assert!((nodes..nodes + 100).contains(&generated), "{board}");
        }
    }
}

#[test]
fn a_search_for_all_solutions_is_stopped_with_the_proved_length() {
    let goal = goal("3x3", 8);
    let spec = spec(&goal, "5-3", TableKind::ZeroAware);
    let solver = Solver::build_one_side(goal, spec).unwrap();
    let board = Board::parse("8 6 7/2 5 4/3 0 1", None).unwrap();
    let shortest = solver.solve(&board).unwrap();
    let whole = solver
        .all_solutions(&board, 8, 1, &SolveOptions::default())
        .unwrap();
    let spent = shortest.stats.generated;
    for nodes in [spent + 1, spent + 100, whole.stats.generated - 200] {
        let options = SolveOptions::default().max_nodes(nodes);
        let limit = stopped(solver.all_solutions(&board, 8, 1, &options));
        assert_eq!((limit.lower_bound, limit.stats.h0), (31, shortest.stats.h0));
        assert!((nodes..nodes + 100).contains(&limit.stats.generated));
    }
    // A sufficient limit has no effect.
    let options = SolveOptions::default().max_nodes(whole.stats.generated + 1);
    assert_eq!(solver.all_solutions(&board, 8, 1, &options), Ok(whole));
    // The search for all solutions is stopped before its first node.
    let cancel = Cancel::default();
    let token = cancel.clone();
    let listener = move |status: &SearchStatus| {
        if let Some(longest) = status.longest {
            assert_eq!(longest, 39);
            token.cancel();
        }
    };
    let options = SolveOptions::default().cancel(&cancel).progress(listener);
    let limit = stopped(solver.all_solutions(&board, 8, 1, &options));
    let mut spent = shortest.stats.clone();
    let stopped = *limit.stats.iterations.last().unwrap();
    assert_eq!(
        (stopped.bound, stopped.generated, stopped.expanded),
        (39, 0, 0)
    );
    spent.iterations.push(stopped);
    assert_eq!((limit.stats, limit.lower_bound), (spent, 31));
    assert_eq!(limit.shortest, Some(shortest));
}
