//! The search expands nodes ahead of their turn and in batches, but its node counts are exactly
//! those of a recursive search.

use std::collections::BTreeSet;

use pdb_gen::build;
use pdb_table::{Control, Encoding};
use puzzle::{Cell, Direction, Goal, HeuristicSpec, Metric, MoveOrder, State, TableKind};
use solver::{DuplicatePruning, Solver, SolverError};

use crate::IS_LONG;
use crate::multi::distances;
use crate::reference::{
    KORF_100, PLAIN_BELOW, Reference, drawn, from_start, goal, spec, suite, walked,
};

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
            let name = format!("{partition} {kind:?} {board}");
            assert_eq!(solution.moves.len(), found.moves.len(), "{name}");
            if nodes < PLAIN_BELOW {
                assert_eq!(solution.moves, found.moves, "{name}");
                assert!(solution.stats.generated <= nodes, "{name}");
            }
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

// Sets with more views than a node of the search has room for: subtrees are searched with some of
// the views.

/// `count` partitions of all tiles into parts of at most two tiles. Their sums are small, so
/// estimates are far below most bounds, and the top of the search tree is large.
fn weak_partitions(tiles: usize, count: usize) -> String {
    let partitions = (0..count).map(|number| {
        let mut order: Vec<usize> = (1..=tiles).collect();
        order.sort_by_key(|tile| (tile * 31 + number * 17).pow(3) % 1009);
        let parts = order.chunks(2).map(|part| {
            let tiles: Vec<String> = part.iter().map(usize::to_string).collect();
            tiles.join(",")
        });
        parts.collect::<Vec<_>>().join("/")
    });
    partitions.collect::<Vec<_>>().join("+")
}

fn crowded_solver(size: &str, partitions: usize, room: usize, kind: TableKind) -> Solver {
    let goal = goal(size, 0);
    let tiles = goal.tray().cells() - 1;
    let spec = spec(&goal, &weak_partitions(tiles, partitions), kind);
    assert!(spec.views().len() > room);
    Solver::build_one_side(goal, spec).unwrap()
}

/// Numbers of partitions. A node has room for 8 views of one-bit tables, and for 32 views of byte
/// tables.
const SETS: [(usize, usize, TableKind); 2] = [
    (20, 8, TableKind::ZeroAware),
    (90, 32, TableKind::BlankCompressed),
];

#[test]
fn lengths_are_those_of_breadth_first_search() {
    let every = if IS_LONG { [1, 6] } else { [20, 3000] };
    for (size, every) in ["4x2", "3x3"].into_iter().zip(every) {
        for (partitions, room, kind) in SETS {
            let solver = crowded_solver(size, partitions, room, kind);
            let distances = distances(solver.goal().tray(), Cell::new(0), Metric::Single);
            for (state, &distance) in distances.iter().step_by(every) {
                let board = solver.goal().board_of(state).unwrap();
                let solution = solver.solve_with(&board, &from_start()).unwrap();
                assert_eq!(solution.moves.len(), distance as usize, "{kind:?} {board}");
                assert_eq!(solution.lower_bound, distance);
                assert_eq!(
                    board.play(&solution.moves).as_ref(),
                    Ok(solver.goal().board())
                );
            }
        }
    }
}

#[test]
fn all_solutions_are_found() {
    for (partitions, room, kind) in SETS {
        let few = crowded_solver("3x3", 2, 0, kind);
        let many = crowded_solver("3x3", partitions, room, kind);
        for state in drawn(few.goal(), 12, 5) {
            let board = few.goal().board_of(&state).unwrap();
            let options = from_start();
            let [few, many] = [&few, &many].map(|solver| {
                let all = solver.all_solutions(&board, 2, 1000, &options).unwrap();
                (all.counts, all.moves.into_iter().collect::<BTreeSet<_>>())
            });
            assert_eq!(few, many, "{kind:?} {board}");
        }
    }
}

#[test]
fn node_counts_are_repeatable() {
    let goal = goal("4x4", 0);
    let partitions = "5-5-5+4-4-4-3+6-6-3+3-3-3-3-3+5-4-4-2";
    let spec = spec(&goal, partitions, TableKind::ZeroAware);
    assert!(spec.views().len() > 8);
    let solver = Solver::build_one_side(goal, spec).unwrap();
    let counts = suite(KORF_100).into_iter().take(3).map(|board| {
        let solution = solver.solve_with(&board, &from_start()).unwrap();
        let stats = solution.stats;
        (solution.length, stats.generated, stats.expanded)
    });
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [
            (57, 33_537, 16_760),
            (55, 32_135, 15_927),
            (59, 352_473, 173_526)
        ]
    );
}

fn orders() -> impl Iterator<Item = MoveOrder> {
    let directions = |number: usize| [0, 2, 4, 6].map(|at| Direction::ALL[number >> at & 3]);
    (0..256).filter_map(move |number| MoveOrder::new(directions(number)))
}

/// With every order, the search needs exactly the nodes of a recursive search in that order, and
/// finds the same moves as that search. Lengths are the same for all orders, with both kinds of
/// pruning.
#[test]
fn orders_change_node_counts_and_not_lengths() {
    let goal = goal("3x3", 8);
    let parent_only = from_start().pruning(DuplicatePruning::ParentOnly);
    let states = drawn(&goal, 10, 6);
    let mut totals = Vec::new();
    let mut lengths = Vec::new();
    for order in orders() {
        let spec = spec(&goal, "5-3", TableKind::ZeroAware).with_order(order);
        assert_eq!(spec.order(), order.directions());
        let reference = Reference::new(&spec);
        let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
        let mut total = 0;
        for (index, state) in states.iter().enumerate() {
            let board = goal.board_of(state).unwrap();
            let (found, solution) = (
                reference.solve(state),
                solver.solve_with(&board, &parent_only).unwrap(),
            );
            assert_eq!(solution.moves, found.moves, "{order} {board}");
            assert_eq!(solution.stats.generated, found.generated, "{order} {board}");
            let pruned = solver.solve_with(&board, &from_start()).unwrap();
            assert_eq!(pruned.moves, found.moves);
            if lengths.len() <= index {
                lengths.push(solution.length);
            }
            assert_eq!(solution.length, lengths[index], "{order} {board}");
            total += solution.stats.generated;
        }
        totals.push(total);
    }
    assert_eq!(totals.len(), 24);
    totals.sort_unstable();
    totals.dedup();
    assert!(totals.len() > 20, "{totals:?}");
}

/// The multi-tile search has a fixed order.
#[test]
fn the_multi_tile_search_ignores_the_order() {
    let goal = goal("3x3", 8);
    let build = |order: Option<MoveOrder>| {
        let spec = HeuristicSpec::builder(&goal).metric(Metric::Multi);
        let spec = spec.parse("lines").unwrap();
        let spec = match order {
            Some(order) => spec.with_order(order),
            None => spec,
        };
        Solver::build_one_side(goal.clone(), spec).unwrap()
    };
    let plain = build(None);
    for order in orders().take(3) {
        for state in drawn(&goal, 5, 7) {
            let board = goal.board_of(&state).unwrap();
            assert_eq!(build(Some(order)).solve(&board), plain.solve(&board));
        }
    }
}
