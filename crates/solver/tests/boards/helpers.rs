//! Several threads on one board.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use puzzle::{Board, Goal, HeuristicSpec, TableKind};
use solver::{Progress, SearchStatus, SolveOptions, Solver, ThreadPermits};

use crate::IS_LONG;
use crate::limit::ends;
use crate::reference::{KORF_100, goal, spec, suite};

/// Listener that stores the maximum of [`SearchStatus::threads`].
#[derive(Clone, Default)]
struct Most(Arc<AtomicUsize>);

impl Progress<SearchStatus> for Most {
    fn report(&self, status: &SearchStatus) {
        self.0.fetch_max(status.threads, Ordering::Relaxed);
    }
}

impl Most {
    fn seen(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Options with helpers and a listener.
fn helped(permits: &Arc<ThreadPermits>, most: &Most) -> SolveOptions {
    SolveOptions::default()
        .permits(permits)
        .progress(most.clone())
}

fn solver(partition: &str) -> Solver {
    let goal = goal("4x4", 0);
    let spec = spec(&goal, partition, TableKind::ZeroAware);
    Solver::build_one_side(goal, spec).unwrap()
}

/// Boards with the lengths of their solutions. The search of each board on one thread generates a
/// number of nodes in the range `nodes`.
fn boards(solver: &Solver, nodes: std::ops::Range<u64>, most: usize) -> Vec<(Board, usize)> {
    let boards = suite(KORF_100).into_iter().filter_map(|board| {
        let solution = solver.solve(&board).unwrap();
        let fits = nodes.contains(&solution.stats.generated);
        fits.then_some((board, solution.moves.len()))
    });
    boards.take(most).collect()
}

/// Solves a board with helpers.
fn solve(solver: &Solver, board: &Board, length: usize, permits: &Arc<ThreadPermits>, most: &Most) {
    let solution = solver.solve_with(board, &helped(permits, most)).unwrap();
    assert_eq!(solution.moves.len(), length, "{board}");
    assert_eq!(solution.lower_bound as usize, length);
    let end = board.play(&solution.moves).unwrap();
    assert_eq!(&end, solver.goal().board());
}

#[test]
fn helpers_find_solutions_of_the_same_length() {
    ends(|| {
        for (partition, from, boards_of_each) in [
            ("6-6-3", 300_000, 12),
            ("5-5-5", 500_000, 6),
            ("manhattan+5-5-5", 500_000, 4),
        ]
        .into_iter()
        .take(if IS_LONG { 3 } else { 2 })
        {
            let solver = solver(partition);
            let boards_of_each = if IS_LONG { boards_of_each } else { 4 };
            let boards = boards(&solver, from..3_000_000, boards_of_each);
            assert!(boards.len() >= 4, "{}", boards.len());
            for threads in [3, 1, 2, 4].into_iter().take(if IS_LONG { 4 } else { 1 }) {
                let (permits, most) = (Arc::new(ThreadPermits::new(threads)), Most::default());
                for (board, length) in &boards {
                    solve(&solver, board, *length, &permits, &most);
                }
                // The helpers' permits are returned, so helpers also work on the next board.
                assert!(most.seen() > 1, "no thread helped");
                let again = Most::default();
                let (board, length) = &boards[0];
                solve(&solver, board, *length, &permits, &again);
                assert!(again.seen() > 1, "no thread came back");
            }
        }
    });
}

/// The iterations end at about the time when the first helper begins. Races are most likely then.
#[test]
fn searches_that_end_when_helpers_start_never_hang() {
    ends(|| {
        let solver = solver("6-6-3");
        let boards = boards(&solver, 17_000..90_000, 20);
        assert!(boards.len() >= 10, "{}", boards.len());
        for threads in [1, 3] {
            let (permits, most) = (Arc::new(ThreadPermits::new(threads)), Most::default());
            for time in 0..if IS_LONG { 200 } else { 100 } {
                let (board, length) = &boards[time % boards.len()];
                solve(&solver, board, *length, &permits, &most);
            }
            assert!(most.seen() > 1, "no thread helped");
        }
    });
}

#[test]
fn searches_for_all_solutions_never_hang_and_count_correctly() {
    ends(|| {
        let solver = solver("6-6-3");
        let boards = boards(&solver, 2_000..30_000, 8);
        assert!(boards.len() >= 4, "{}", boards.len());
        let most = Most::default();
        for (board, _) in boards {
            let alone = solver
                .all_solutions(&board, 2, 10, &SolveOptions::default())
                .unwrap();
            let permits = Arc::new(ThreadPermits::new(3));
            for _ in 0..if IS_LONG { 25 } else { 5 } {
                let options = helped(&permits, &most);
                let helped = solver.all_solutions(&board, 2, 10, &options).unwrap();
                assert_eq!(helped.counts, alone.counts, "{board}");
                assert_eq!(helped.moves, alone.moves, "{board}");
            }
        }
        assert!(most.seen() > 1, "no thread helped");
    });
}

#[test]
fn a_listener_that_panics_leaves_no_thread_waiting() {
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let spec = HeuristicSpec::parse("manhattan", &goal).unwrap();
    let solver = Solver::build_one_side(goal, spec).unwrap();
    let board = Board::parse("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", None).unwrap();
    // Panics when a second thread works.
    let fail = |status: &SearchStatus| assert!(status.threads < 2, "a listener fails");
    let options = SolveOptions::default().threads(2).progress(fail);
    let search = AssertUnwindSafe(|| solver.solve_with(&board, &options));
    assert!(catch_unwind(search).is_err());
}
