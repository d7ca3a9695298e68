//! The cost of each iteration, and the sums over all iterations.

use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, Scrambler, State, TableKind};
use solver::{DuplicatePruning, Iteration, SearchStats, Side, SolveError, SolveOptions, Solver};

use crate::reference::{Reference, drawn, from_start, goal, spec};

/// Checks that the iterations add up to the totals, and that the bounds of each side grow, from the
/// board's estimate. With `ends_with_all`, the last iteration is a search for all solutions and may
/// have the bound of the iteration before it.
#[track_caller]
fn check(stats: &SearchStats, ends_with_all: bool) {
    let iterations = &stats.iterations[..];
    let sum = |count: fn(&Iteration) -> u64| iterations.iter().map(count).sum::<u64>();
    assert_eq!(sum(|iteration| iteration.generated), stats.generated);
    assert_eq!(sum(|iteration| iteration.expanded), stats.expanded);
    let deepening = &iterations[..iterations.len() - usize::from(ends_with_all)];
    for side in [Side::Start, Side::Goal] {
        let bounds = deepening.iter().filter(|iteration| iteration.side == side);
        assert!(bounds.is_sorted_by(|one, next| one.bound < next.bound));
    }
    assert_eq!(iterations[0].bound, stats.h0);
}

fn solver(metric: Metric, name: &str) -> Solver {
    let goal = goal("3x3", 8);
    let spec = HeuristicSpec::builder(&goal).metric(metric).parse(name);
    Solver::build_one_side(goal, spec.unwrap()).unwrap()
}

/// Covers both metrics and all kinds of searches.
#[test]
fn sums_are_the_totals_and_bounds_grow() {
    for (metric, name) in [
        (Metric::Single, "manhattan"),
        (Metric::Single, "5-3"),
        (Metric::Single, "fringe"),
        (Metric::Multi, "lines"),
        (Metric::Multi, "1,2,3/6,7,8"),
    ] {
        let solver = solver(metric, name);
        let mut boards: Vec<Board> = ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1"]
            .map(|board| Board::parse(board, None).unwrap())
            .into();
        let others = drawn(solver.goal(), 20, 5);
        boards.extend(
            others
                .iter()
                .map(|state| solver.goal().board_of(state).unwrap()),
        );
        for board in boards {
            for pruning in DuplicatePruning::ALL {
                for threads in [1, 2] {
                    let options = SolveOptions::default().pruning(pruning).threads(threads);
                    let solution = solver.solve_with(&board, &options).unwrap();
                    check(&solution.stats, false);
                    let last = solution.stats.iterations.last().unwrap();
                    assert_eq!(last.bound, solution.length, "{board}");
                }
            }
            let whole = solver.solve(&board).unwrap();
            let half = SolveOptions::default().max_nodes(whole.stats.generated / 2);
            let Err(SolveError::Limit(limit)) = solver.solve_with(&board, &half) else {
                panic!("solved in half of the nodes");
            };
            check(&limit.stats, false);
            // The last iteration was stopped. The iteration before it may have completed the same
            // bound, from the opposite side.
            let last = limit.stats.iterations.len() - 1;
            let iterations = &limit.stats.iterations;
            let bound = iterations[last].bound;
            let is_completed = last > 0 && iterations[last - 1].bound == bound;
            assert_eq!(limit.lower_bound > bound, is_completed);
            assert_eq!(
                limit.stats.iterations[..last],
                whole.stats.iterations[..last]
            );

            for within in [0, 2] {
                if within > 0 && metric == Metric::Multi {
                    continue;
                }
                let options = SolveOptions::default();
                let all = solver.all_solutions(&board, within, 1, &options).unwrap();
                check(&all.stats, true);
                let (last, others) = all.stats.iterations.split_last().unwrap();
                assert_eq!(others, whole.stats.iterations);
                assert_eq!(last.bound, whole.length + within);
            }
        }
    }
}

#[test]
fn a_solved_board_has_no_iterations() {
    for (metric, name) in [(Metric::Single, "5-3"), (Metric::Multi, "lines")] {
        let solver = solver(metric, name);
        let solution = solver.solve(solver.goal().board()).unwrap();
        assert_eq!(solution.stats, SearchStats::default());
        let options = SolveOptions::default();
        let all = solver.all_solutions(solver.goal().board(), 0, 1, &options);
        assert_eq!(all.unwrap().stats, SearchStats::default());
    }
}

/// Multi-tile counts equal those of a recursive search, which computes an estimate at every node.
#[test]
fn multi_tile_counts_equal_those_of_recursion() {
    let solver = solver(Metric::Multi, "1,2,3/6,7,8");
    for state in drawn(solver.goal(), 40, 8) {
        let board = solver.goal().board_of(&state).unwrap();
        let found = solver.solve_with(&board, &from_start()).unwrap().stats;
        let mut expected = Vec::new();
        let mut bound = found.h0;
        loop {
            let mut recursion = Recursion {
                solver: &solver,
                generated: 0,
                expanded: 0,
            };
            let is_solved = recursion.dive(&state, None, bound);
            expected.push((bound, recursion.generated, recursion.expanded));
            if is_solved || state.is_goal() {
                break;
            }
            bound += 1;
        }
        let iterations = found.iterations.iter();
        let iterations = iterations.map(|i| (i.bound, i.generated, i.expanded));
        assert!(iterations.eq(expected), "{board}");
    }
}

struct Recursion<'a> {
    solver: &'a Solver,
    generated: u64,
    expanded: u64,
}

impl Recursion<'_> {
    /// Whether there is a solution of up to `left` runs whose first run is not along the axis of
    /// `last`.
    fn dive(&mut self, state: &State, last: Option<Direction>, left: u32) -> bool {
        self.expanded += 1;
        for blank in Direction::ALL {
            if last.is_some_and(|last| last == blank || last == blank.opposite()) {
                continue;
            }
            let mut next = state.clone();
            while next.slide(blank.opposite()) {
                self.generated += 1;
                let board = self.solver.goal().board_of(&next).unwrap();
                if self.solver.estimate(&board).unwrap() + 1 > left {
                    continue;
                }
                if next.is_goal() || self.dive(&next, Some(blank), left - 1) {
                    return true;
                }
            }
        }
        false
    }
}

/// The recursive search, and the solver with `DuplicatePruning::ParentOnly`, have the counts in
/// [`PINNED`].
#[test]
fn an_example_is_pinned() {
    let solver = solver(Metric::Single, "manhattan");
    let board = Board::parse("8 6 7/2 5 4/3 0 1", None).unwrap();
    let options = from_start().pruning(DuplicatePruning::ParentOnly);
    let found = solver.solve_with(&board, &options).unwrap().stats;
    let pinned: Vec<(u32, u64, u64)> = PINNED.into();
    let iterations = found.iterations.iter();
    let iterations: Vec<_> = iterations
        .map(|i| (i.bound, i.generated, i.expanded))
        .collect();
    assert_eq!(iterations, pinned);
    let state = solver.goal().state(&board).unwrap();
    assert_eq!(
        Reference::new(solver.spec()).solve(&state).iterations,
        pinned
    );
}

/// For each iteration: the bound, and the numbers of generated and expanded nodes.
const PINNED: [(u32, u64, u64); 6] = [
    (21, 5, 3),
    (23, 64, 42),
    (25, 383, 249),
    (27, 3259, 2067),
    (29, 17_903, 11_094),
    (31, 6765, 4146),
];

/// With inconsistent values, the bound can grow by more than two from one iteration to the next.
#[test]
fn inconsistent_values_have_the_iterations_of_recursion() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = spec(&goal, "3-3-2", TableKind::BlankCompressed);
    let reference = Reference::new(&spec);
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let options = from_start().pruning(DuplicatePruning::ParentOnly);
    let mut scrambler = Scrambler::new(2);
    for _ in 0..300 {
        let state = scrambler.draw(goal.tray(), goal.blank());
        let board = goal.board_of(&state).unwrap();
        let found = solver.solve_with(&board, &options).unwrap().stats;
        let iterations = found.iterations.iter();
        let iterations = iterations.map(|i| (i.bound, i.generated, i.expanded));
        assert!(iterations.eq(reference.solve(&state).iterations), "{board}");
    }
}
