//! The search expands nodes ahead of their turn and in batches, but its node counts are exactly
//! those of a recursive search.

use pdb_gen::build;
use pdb_table::{Control, Encoding};
use puzzle::{Goal, State, TableKind};
use solver::{DuplicatePruning, Solver, SolverError};

use crate::IS_LONG;
use crate::reference::{Reference, drawn, from_start, goal, spec, walked};

/// The solver of a specification, with tables of one encoding.
fn solver(goal: &Goal, partition: &str, kind: TableKind, encoding: Encoding) -> Solver {
    let spec = spec(goal, partition, kind);
    let open = |id| Ok::<_, SolverError>(build(id, encoding, &Control::default())?.into_table());
    Solver::with_tables(goal.clone(), spec, open).unwrap()
}

/// Checks that the solver with `DuplicatePruning::ParentOnly` has the solutions and counts of the
/// recursive search. With the automaton, the solver must find the same solutions and generate at
/// most the same number of nodes.
fn check(goal: &Goal, partition: &str, kind: TableKind, encodings: &[Encoding], states: &[State]) {
    let reference = Reference::new(&spec(goal, partition, kind));
    let found: Vec<_> = states.iter().map(|state| reference.solve(state)).collect();
    for &encoding in encodings {
        let solver = solver(goal, partition, kind, encoding);
        let parent_only = from_start().pruning(DuplicatePruning::ParentOnly);
        let mut nodes = Vec::new();
        for (state, found) in states.iter().zip(&found) {
            let board = goal.board_of(state).unwrap();
            let solution = solver.solve_with(&board, &parent_only).unwrap();
            let stats = &solution.stats;
            let name = format!("{partition} {kind:?} {encoding:?} {board}");
            assert_eq!(solution.moves, found.moves, "{name}");
            assert_eq!(
                (stats.h0, stats.generated, stats.expanded),
                (found.h0, found.generated, found.expanded),
                "{name}"
            );
            let iterations = stats.iterations.iter();
            let iterations = iterations.map(|i| (i.bound, i.generated, i.expanded));
            assert!(iterations.eq(found.iterations.iter().copied()), "{name}");
            assert_eq!(solution.lower_bound as usize, found.moves.len(), "{name}");
            nodes.push(stats.generated);
        }
        for ((state, found), nodes) in states.iter().zip(&found).zip(nodes) {
            let board = goal.board_of(state).unwrap();
            let solution = solver.solve_with(&board, &from_start()).unwrap();
            assert_eq!(solution.moves, found.moves, "{partition} {kind:?} {board}");
            assert!(solution.stats.generated <= nodes, "{partition} {board}");
        }
    }
}

const BOTH: &[Encoding] = &[Encoding::OneBit, Encoding::U8];
const BYTES: &[Encoding] = &[Encoding::U8];

#[test]
fn boards_of_the_8_puzzle_have_the_counts_of_recursion() {
    for blank in [0, 1, 4, 8].into_iter().take(if IS_LONG { 4 } else { 2 }) {
        let goal = goal("3x3", blank);
        let states = drawn(&goal, 150, blank as u64);
        check(
            &goal,
            "manhattan",
            TableKind::ZeroAware,
            BYTES,
            &states[..30],
        );
        for partition in ["8", "5-3", "4-4", "3-3-2", "4-4+5-3", "2-2-2-2"] {
            check(&goal, partition, TableKind::ZeroAware, BOTH, &states);
        }
        for partition in ["8", "5-3", "3-3-2+4-4"] {
            check(&goal, partition, TableKind::BlankCompressed, BYTES, &states);
        }
        check(&goal, "fringe", TableKind::FullCost, BYTES, &states);
        check(&goal, "8", TableKind::FullCost, BYTES, &states);
        // Full-cost and additive tables together.
        for partition in ["3-3-2+fringe", "fringe+5-3"] {
            check(&goal, partition, TableKind::ZeroAware, BYTES, &states);
        }
    }
}

#[test]
fn boards_of_rectangles_have_the_counts_of_recursion() {
    for (size, blank) in [("4x3", 11), ("4x3", 5), ("3x4", 0), ("2x5", 3)] {
        let goal = goal(size, blank);
        let most = goal.tray().cells() - 1;
        let states = drawn(&goal, 12, 7);
        let (half, third) = (most / 2, most / 3);
        let two = format!("{}-{half}", most - half);
        let three = format!("{}-{third}-{third}", most - 2 * third);
        for partition in [two, three] {
            check(&goal, &partition, TableKind::ZeroAware, BOTH, &states);
            check(
                &goal,
                &partition,
                TableKind::BlankCompressed,
                BYTES,
                &states[..4],
            );
        }
        let near: Vec<State> = (0..8).map(|seed| walked(&goal, 24, seed)).collect();
        check(&goal, "manhattan", TableKind::ZeroAware, BYTES, &near);
    }
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn boards_of_the_15_puzzle_have_the_counts_of_recursion() {
    for (blank, boards) in [(0, 4), (1, 1), (5, 1), (15, 2)] {
        let goal = goal("4x4", blank);
        let states = drawn(&goal, boards, 5 + blank as u64);
        check(
            &goal,
            "6-6-3",
            TableKind::ZeroAware,
            &[Encoding::OneBit],
            &states,
        );
        let near: Vec<State> = (0..10).map(|seed| walked(&goal, 50, seed)).collect();
        check(&goal, "manhattan", TableKind::ZeroAware, BYTES, &near[..5]);
        check(&goal, "5-5-5", TableKind::ZeroAware, BOTH, &near);
        check(&goal, "5-5-5", TableKind::BlankCompressed, BYTES, &near);
        check(
            &goal,
            "fringe+5-5-5+4-4-4-3",
            TableKind::ZeroAware,
            BYTES,
            &near[..4],
        );
    }
}

/// Trays whose shapes need words of 128 bits, and one tray that is too large for tables.
#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn boards_of_large_trays_have_the_counts_of_recursion() {
    for (size, partition) in [("5x4", "5-5-5-4"), ("5x5", "4-4-4-4-4-4"), ("6x3", "6-6-5")] {
        let goal = goal(size, 0);
        let near: Vec<State> = (0..5).map(|seed| walked(&goal, 44, seed)).collect();
        check(&goal, partition, TableKind::ZeroAware, BOTH, &near);
    }
    let goal = goal("6x6", 35);
    let near: Vec<State> = (0..5).map(|seed| walked(&goal, 40, seed)).collect();
    check(&goal, "manhattan", TableKind::ZeroAware, BYTES, &near);
}
